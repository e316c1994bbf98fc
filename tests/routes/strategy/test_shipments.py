"""Shipments: searches find the best of all plans of few customers, and only plans that a plain walk accepts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from shipment_problems import cheapest_plan, check_planned_best, one_stack, shipment_problem
from warptour.model.vehicles import VRP


@pytest.mark.parametrize("seed", range(70))
def test_few_shipments_are_planned_best(seed: int) -> None:
    problem = shipment_problem(seed, pairs=2, others=seed % 2, apart=seed >= 60)
    check_planned_best(problem)


@pytest.mark.parametrize("seed", range(30))
def test_goods_that_are_a_stack_are_planned_best(seed: int) -> None:
    problem = one_stack(seed, pairs=2 + seed % 2, others=seed % 2 if seed % 6 else 0)
    check_planned_best(problem)


@pytest.mark.threads
@pytest.mark.sanitize_quick
@pytest.mark.parametrize("lifo", [False, True])
def test_threads_agree_on_shipments(lifo: bool) -> None:
    rng = np.random.default_rng(5)
    n, pairs = 121, 40
    demands = np.concatenate(([0], rng.integers(1, 9, n - 1)))
    demands[2 : 2 * pairs + 1 : 2] = 0
    prizes = np.where(np.arange(n) > 60, rng.integers(5, 60, n).astype(float), np.inf)
    problem = VRP.from_points(
        rng.integers(0, 200, (n, 2)), demands=demands, capacity=25, metric="EUC_2D",
        shipments=[(k, k + 1) for k in range(1, 2 * pairs, 2)], prizes=prizes, lifo=lifo,
    )  # fmt: skip
    result = wt.solve(problem, seconds=0.5, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    ones, others = range(1, n, 2), range(2, n, 2)
    assert result.cost < 0.5 * problem.cost([np.array(ends) for ends in zip(ones, others, strict=True)])


@pytest.mark.parametrize("seed", range(12))
def test_few_vehicles_come_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opens = rng.integers(0, 40, 7)
    windows = [(0, 200), *((int(start), int(start) + 15) for start in opens[1:])]
    problem = VRP.from_points(
        rng.integers(0, 12, (7, 2)), demands=[0, 2, 0, 3, 0, 1, 0], capacity=4, metric="MAN_2D", windows=windows,
        shipments=[(1, 2), (3, 4), (5, 6)], minimize="vehicles",
    )  # fmt: skip
    plans = [cheapest_plan(problem.with_types([replace(problem.common_type, count=count)])) for count in (1, 2, 3)]
    fewest = next((count for count, cost in enumerate(plans, 1) if cost < math.inf), None)
    if fewest is None:
        with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
            wt.solve(problem, iterations=1000, threads=1)
        return
    result = wt.solve(problem, iterations=6000, threads=1)
    assert sum(len(route) > 0 for route in result.routes) == fewest
    assert result.cost == pytest.approx(plans[fewest - 1])
