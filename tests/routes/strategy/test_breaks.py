"""Searches with breaks of drivers, judged by all plans and by walks that try all legs and departures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np
import pytest

import warptour as wt
from rested_routes import random_problem, shortest
from warptour.model.fleet import VehicleType
from warptour.model.rests import Break
from warptour.model.vehicles import VRP


def best_cost(problem: VRP) -> float:
    """Return the lowest cost of all plans for two vehicles."""
    types, known = problem.fleet.types, {}

    def cheapest(vehicle: int, nodes: tuple[int, ...]) -> float:
        if not nodes:
            return 0.0
        if (vehicle, nodes) not in known:
            costs = []
            for route in permutations(nodes):
                path = [0, *route, 0]
                length = sum(float(problem.matrix[a, b]) for a, b in pairwise(path))
                out = shortest(problem, types[vehicle], list(route))
                costs.append(length + (types[vehicle].hour_cost * out if np.isfinite(out) else np.inf))
            known[vehicle, nodes] = min(costs)
        return known[vehicle, nodes]

    stops = range(1, problem.n)
    return min(
        sum(cheapest(at, tuple(node for node, home in zip(stops, homes, strict=True) if home == at)) for at in range(2))
        for homes in product(range(2), repeat=len(stops))
    )


@pytest.mark.parametrize("seed", range(12))
def test_few_stops_are_planned_best_with_a_break(seed: int) -> None:
    problem = random_problem(seed, 1, 5)
    expected = best_cost(problem)
    if np.isinf(expected):
        with pytest.raises((wt.InfeasibleError, wt.NothingFound)):
            wt.solve(problem, iterations=1000, threads=1)
        return
    result = wt.solve(problem, iterations=1000, threads=1)
    assert result.feasible and result.cost == pytest.approx(expected)


@pytest.mark.threads
def test_threads_keep_breaks() -> None:
    rng = np.random.default_rng(5)
    n = 120
    windows = [None, *((int(at), int(at) + 200) for at in rng.integers(0, 300, n - 1))]
    plain = VRP.from_points(
        rng.integers(0, 100, (n, 2)), demands=[0] + [1] * (n - 1), capacity=30, windows=windows,
        service_times=[0] + [10] * (n - 1), metric="EUC_2D",
    )  # fmt: skip
    breaks = (Break(120, 180, 15), Break(250, 330, 45), Break(400, 450, 15))
    with_breaks = VehicleType(count=8, capacities=(30.0,), closes=600, hour_cost=0.5, breaks=breaks, max_duration=500)
    without = replace(with_breaks, count=2, breaks=(), max_duration=450)
    problem = plain.with_types([with_breaks, without])
    result = wt.solve(problem, seconds=1, threads=3)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    for trip in result.trips:
        assert len(trip.times.breaks) == (3 if trip.number <= 8 else 0)


@pytest.mark.threads
def test_threads_keep_the_driving_rule() -> None:
    rng = np.random.default_rng(9)
    n = 80
    plain = VRP.from_points(
        rng.integers(0, 300, (n, 2)), demands=[0] + [1] * (n - 1), capacity=12, unit="km", speed=60, service_minutes=10,
    )  # fmt: skip
    rule = wt.DrivingRule(most=4.5 * 3600, length=2700)
    problem = plain.with_types(
        [VehicleType(count=12, capacities=(12.0,), closes=14 * 3600, hour_cost=20, driving=rule)]
    )
    result = wt.solve(problem, seconds=2, threads=3)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    assert any(trip.times.breaks for trip in result.trips)
    for trip in result.trips:
        breaks, driven, at = list(trip.times.breaks), 0.0, trip.times.departures[0]
        for leg, way in enumerate(trip.times.travel[1:]):
            for rest in [each for each in breaks if each.after == leg]:
                assert driven + (rest.start - at) <= rule.most * (1 + 1e-6)
                way -= rest.start - at
                driven, at = 0.0, rest.end
            driven, at = driven + way, trip.times.departures[leg + 1]
            assert driven <= rule.most * (1 + 1e-6)
