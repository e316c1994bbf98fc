"""Even routes: the largest is the smallest there is, and among such plans the cost is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.model.balance import Evenness, largest, limited, measures
from warptour.model.errors import UsageError
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP


def tiny(seed: int, balance: str) -> VRP:
    """Return a problem of four or five customers and two or three vehicles, some of which differ.

    In one of four, two customers go together; in another, goods go from one to the other.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 7))
    demands = np.concatenate(([0], rng.integers(1, 9, n - 1)))
    options: dict[str, Any] = {"unit": "km", "speed": 30, "service_minutes": 10} if rng.integers(2) else {}
    if balance == "hours" and not options:
        options = {"windows": [None, *([(20, 200)] * (n - 1))], "service_times": [0, *([5] * (n - 1))]}
    if seed % 4 == 2:
        options["shipments"] = [(1, 2)]
        demands[2] = demands[1]
    if seed % 4 == 3:
        options["together"] = [(1, 2)]
    plain = VRP.from_points(
        rng.integers(0, 60, (n, 2)), demands=demands, capacity=40, vehicles=int(rng.integers(2, 4)), balance=balance,
        **options,
    )  # fmt: skip
    if rng.integers(2):
        return plain
    types = (
        VehicleType(count=1, capacities=(40,), fixed_cost=30),
        VehicleType(count=int(rng.integers(1, 3)), capacities=(30,), distance_cost=2, end=None),
    )
    return replace(plain, fleet=Fleet(types), vehicles=None)


def best_plan(problem: VRP) -> tuple[float, float]:
    """Return the smallest largest route, and the least cost with it: all orders of all divisions."""
    vehicles = problem.vehicles or 0
    customers = problem.customers.tolist()
    found: dict[tuple[int, frozenset[int]], list[tuple[float, float]]] = {}
    for vehicle in range(vehicles):
        for size in range(1, len(customers) + 1):
            for order in permutations(customers, size):
                plan = [np.empty(0, np.int32)] * vehicles
                plan[vehicle] = np.array(order, np.int32)
                if any(fault.startswith(("vehicle", "route")) for fault in problem.check(plan).violations):
                    continue
                each = largest(problem, plan), float(problem.cost(plan))
                found.setdefault((vehicle, frozenset(order)), []).append(each)
    best = (np.inf, np.inf)
    for homes in product(range(vehicles), repeat=len(customers)):
        sets = [frozenset(c for c, home in zip(customers, homes, strict=True) if home == v) for v in range(vehicles)]
        if homes[0] != homes[1] and (problem.together or problem.shipments):
            continue
        choices = [found.get((v, each), []) for v, each in enumerate(sets) if each]
        if not all(choices):
            continue
        most = max(min(route[0] for route in routes) for routes in choices)
        cost = sum(min(route[1] for route in routes if route[0] <= most) for routes in choices)
        best = min(best, (most, cost))
    return best


@pytest.mark.parametrize(("seed", "balance"), [*product(range(8), ["hours", "stops", "load", "distance"])])
def test_the_largest_route_comes_first_then_the_cost(seed: int, balance: str) -> None:
    problem = tiny(seed, balance)
    most, cost = best_plan(problem)
    result = wt.solve(problem, iterations=15_000, threads=1)
    assert result.feasible and not problem.check(result.routes).violations
    assert largest(problem, result.routes) == pytest.approx(most, rel=1e-6)
    assert result.cost == pytest.approx(cost, rel=1e-6)


@pytest.mark.threads
def test_many_stops_are_shared_out() -> None:
    rng = np.random.default_rng(3)
    problem = VRP.from_points(
        rng.integers(0, 1000, (101, 2)), demands=[0] + [1] * 100, capacity=100, vehicles=4, balance="distance"
    )
    result = wt.solve(problem, seconds=2, threads=2)
    lengths = measures(problem, result.routes)
    assert len(lengths) == 4 and max(lengths) <= 1.03 * np.mean(lengths)
    free = wt.solve(replace(problem, balance=None), seconds=1, threads=2)
    assert free.cost < result.cost and max(lengths) < max(measures(problem, free.routes))
    stops = wt.solve(replace(problem, balance="stops"), seconds=1, threads=2)
    assert sorted(len(route) for route in stops.routes) == [25] * 4
    assert stops.balance == Evenness("stops", 25, 25, 25) and free.balance is None


def test_overtime_is_within_the_limit() -> None:
    worker = VehicleType(count=2, capacities=(9,), max_duration=100, overtime=50, overtime_cost=1)
    plain = VRP.from_points([(0, 0), (0, 9)], demands=[0, 1], capacity=9, windows=[None, (0, 50)])
    problem = replace(plain, fleet=Fleet((worker,)), balance="hours")
    for most, regular, over in ((120, 100, 20), (80, 80, 0), (170, 100, 50)):
        fleet = limited(problem, most).fleet
        assert fleet is not None and (fleet.types[0].max_duration, fleet.types[0].overtime) == (regular, over)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"balance": "hours"}, "to balance hours needs travel times"),
        ({"balance": "fuel"}, "what is balanced is hours, stops, load or distance, not 'fuel'"),
        ({"balance": "stops", "vehicles": None}, "needs a number of vehicles"),
    ],
)
def test_what_cannot_be_balanced(options: dict[str, Any], message: str) -> None:
    given = {"demands": [0, 1, 1], "capacity": 2, "vehicles": 2} | options
    with pytest.raises(UsageError, match=message):
        VRP.from_points([(0, 0), (0, 1), (1, 0)], **given)
    prizes = np.array([0.0, 5, 5])
    with pytest.raises(UsageError, match="routes are even where nobody is served"):
        replace(
            VRP.from_points([(0, 0), (0, 1), (1, 0)], demands=[0, 1, 1], capacity=2, vehicles=2),
            balance="stops",
            prizes=prizes,
        )
