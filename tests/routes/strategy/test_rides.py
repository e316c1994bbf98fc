"""Longest rides: searches find the best of all plans of few customers, and only plans that a plain judge accepts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from shipment_problems import check_planned_best, shipment_problem
from warptour.model.vehicles import VRP


def ridden_problem(seed: int, *, others: int = 0) -> VRP:
    rng = np.random.default_rng([seed, 7])
    given = shipment_problem(seed, pairs=2, others=others)
    limits = rng.integers(3, 40, 2).tolist()
    limits[1] = None if seed % 4 == 1 else limits[1]
    rides = [replace(each, max_ride=longest) for each, longest in zip(given.shipments, limits, strict=True)]
    return replace(given, shipments=tuple(rides))


def busy_driver(seed: int) -> VRP:
    """Return a problem with few vehicles, hours at some stops, and rides that are little longer than the direct way."""
    rng = np.random.default_rng([seed, 8])
    points = rng.integers(0, 12, (7, 2))
    longest = [int(abs(points[a] - points[a + 1]).sum() + rng.integers(0, 7)) for a in (1, 3, 5)]
    opens = rng.integers(0, 60, 7)
    windows = [None if rng.integers(2) else [(int(at), int(at) + 15)] for at in opens]
    if seed % 3 == 0:
        windows = [span and [*span, (span[0][1] + 6, span[0][1] + 20)] for span in windows]
    windows[0] = None
    own = wt.VehicleType(
        count=1 + seed % 2, capacities=(4,), fixed_cost=int(rng.integers(0, 9)), hour_cost=seed % 2,
        max_duration=int(rng.choice([50, 70, 90])),
    )  # fmt: skip
    shipments = [wt.Shipment(a, a + 1, most) for a, most in zip((1, 3, 5), longest, strict=True)]
    problem = VRP.from_points(
        points, demands=[0, 2, 0, 1, 0, 2, 0], capacity=4, metric="MAN_2D", windows=windows, shipments=shipments,
        service_times=[0, *rng.integers(0, 3, 6).tolist()],
    )  # fmt: skip
    return problem.with_types([own])


@pytest.mark.parametrize("seed", range(60))
def test_drivers_wait_before_pickups_and_not_behind_them(seed: int) -> None:
    problem = busy_driver(seed)
    check_planned_best(problem, 6000)


@pytest.mark.threads
@pytest.mark.sanitize_quick
def test_threads_keep_longest_rides() -> None:
    rng = np.random.default_rng(6)
    n, pairs = 101, 40
    points = rng.integers(0, 100, (n, 2))
    opens = rng.integers(0, 300, n)
    apart = np.hypot(*(points[1:80:2] - points[2:81:2]).T)
    problem = VRP.from_points(
        points, demands=[0, *[1] * (n - 1)], capacity=3, metric="EUC_2D", hour_cost=0.5,
        windows=[None, *((int(at), int(at) + 200) if k % 3 else None for k, at in enumerate(opens[1:]))],
        shipments=[wt.Shipment(k, k + 1, float(1.3 * apart[k // 2] + 5)) for k in range(1, 2 * pairs, 2)],
    )  # fmt: skip
    result = wt.solve(problem, seconds=1, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    free = replace(problem, shipments=tuple(replace(each, max_ride=None) for each in problem.shipments))
    assert free.check(result.routes).feasible
    unlimited = wt.solve(free, seconds=1, threads=4)
    assert not problem.check(unlimited.routes).feasible and unlimited.cost < result.cost


@pytest.mark.parametrize("seed", range(70))
def test_few_shipments_with_longest_rides_are_planned_best(seed: int) -> None:
    problem = ridden_problem(seed, others=seed % 2)
    check_planned_best(problem)
