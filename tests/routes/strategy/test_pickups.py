"""Two-way loads: searches find the best of all plans of few customers, and only plans that a plain walk accepts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import warptour as wt
from fleet_problems import walked
from pickup_problems import RULES, pickup_problem
from shipment_problems import cheapest_plan
from warptour.model.vehicles import VRP


def both_ways(seed: int, n: int, side: int, **options: Any) -> VRP:
    """Return stops in a square, two of five of which give something and the others get it."""
    rng = np.random.default_rng(seed)
    gives = rng.random(n) < 0.4
    gives[0] = False
    amounts = np.concatenate(([0], rng.integers(1, 9, n - 1)))
    return VRP.from_points(
        rng.integers(0, side, (n, 2)), demands=np.where(gives, 0, amounts), pickups=np.where(gives, amounts, 0),
        metric="EUC_2D", **options,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_few_two_way_loads_are_planned_best(seed: int) -> None:
    problem = pickup_problem(seed)
    best = cheapest_plan(problem)
    if math.isinf(best):
        for strategy in (None, wt.RouteImprovement()):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=2000, threads=1)
        return
    for strategy in (None, wt.RouteImprovement()):  # by default they are solved exactly
        result = wt.solve(problem, strategy, iterations=10_000, threads=1)
        cost = walked(problem, [route.tolist() for route in result.routes])
        assert cost is not None, "the plan keeps all rules"
        assert result.cost == pytest.approx(cost, abs=1e-6)
        assert result.cost == pytest.approx(best, rel=1e-9, abs=1e-9)


@pytest.mark.threads
@pytest.mark.sanitize_quick
@pytest.mark.parametrize("backhauls", RULES)
def test_threads_agree_on_two_way_loads(backhauls: str | None) -> None:
    problem = both_ways(7, 121, 200, capacity=40, backhauls=backhauls)
    result = wt.solve(problem, seconds=0.5, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    assert len(result.routes) < 30


@pytest.mark.parametrize(("backhauls", "most"), [(None, 6600), ("last", 8000), ("after-deliveries", 8200)])
def test_all_moves_are_made_of_two_way_loads(backhauls: str | None, most: int) -> None:
    """Without turned parts of routes, or with such that break rules and are undone later, it would be a fifth more."""
    problem = both_ways(11, 151, 500, capacity=60, backhauls=backhauls)
    assert wt.solve(problem, iterations=6000, threads=1, seed=1).cost < most
