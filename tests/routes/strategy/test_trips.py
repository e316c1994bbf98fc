"""Several trips of a vehicle: searches find the best of all plans of few customers, as a plain walk judges them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from trip_problems import cheapest_trips, docks_of, judged, lost, trip_problem
from warptour.model.fleet import VehicleType
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState


@pytest.mark.parametrize("seed", range(40))
def test_few_customers_are_served_best(seed: int) -> None:
    problem = trip_problem(seed, 3 + seed % 2)
    best = cheapest_trips(problem)
    if math.isinf(best):
        with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
            wt.solve(problem, iterations=2000, threads=1)
        return
    result = wt.solve(problem, iterations=6000, threads=1)
    served = frozenset(node for route in result.routes for node in route.tolist() if node not in problem.depots)
    cost = judged(problem, [route.tolist() for route in result.routes])
    assert cost is not None, "the plan keeps all rules"
    assert result.cost == pytest.approx(cost + lost(problem, served), abs=1e-6)
    assert result.cost == pytest.approx(best, rel=1e-9, abs=1e-9)


def some_trips(problem: VRP, rng: np.random.Generator) -> list[np.ndarray]:
    """Return random routes of all customers, most with reloads."""
    assert problem.fleet is not None
    routes: list[list[int]] = [[] for _ in problem.fleet.kinds]
    for node in rng.permutation(problem.customers).tolist():
        kind = int(rng.integers(len(routes)))
        docks = sorted(docks_of(problem.fleet.types[problem.fleet.kinds[kind]]))
        reload = [docks[rng.integers(len(docks))]] if docks and routes[kind] and rng.integers(3) == 0 else []
        routes[kind] += [*reload, node]
    return [np.array(route, np.int32) for route in routes]


def timed_problem(seed: int) -> VRP:
    """Return a problem of one kind of time: a cost of lateness, a limit on waits, or several windows of a stop."""
    rng = np.random.default_rng([seed, 48])
    problem = replace(trip_problem(seed, 5), alternatives=(), apart=(), prizes=None)
    assert problem.fleet is not None
    problem = replace(problem, fleet=replace(problem.fleet, allowed=None))
    if problem.windows is None:
        return problem
    if seed % 3 == 0:
        return replace(problem, late_cost=2.0)
    if seed % 3 == 1:
        return replace(problem, max_wait=12.0)
    spans = [problem.windows.of_node(node) for node in range(problem.n)]
    for node in problem.customers.tolist():
        ((opens, closes),) = spans[node]
        middle = opens + (closes - opens) * rng.random()
        spans[node] = [(opens, middle), (middle + 4, closes + 4)]
    return replace(problem, windows=TimeWindows.of(spans, problem.n))


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("seed", range(40))
def test_kernels_know_what_trips_cost_and_which_are_kept(seed: int) -> None:
    problem, rng = timed_problem(seed), np.random.default_rng(seed)
    instance = RouteInstance.of(problem, 5)
    assert instance.kinds is not None
    for _ in range(40):
        routes = some_trips(problem, rng)
        giant, report = instance.enter(routes), problem.check(routes)
        state = RouteState(instance, giant, 0)
        faults = report.violations
        if any(limit in fault for fault in faults for limit in ("long", "trips", "stops")):
            continue  # which are sums, and no matter of times and loads
        assert state.complete == (not faults), report
        if not faults:
            assert state.cost * instance.kinds.unit == pytest.approx(report.cost, abs=1e-6)


@pytest.mark.threads
@pytest.mark.sanitize_quick
def test_threads_agree_on_trips() -> None:
    rng = np.random.default_rng(6)
    n = 81
    opens = rng.integers(0, 500, n)
    problem = VRP.from_points(
        rng.integers(0, 100, (n, 2)), demands=[0, *rng.integers(1, 9, n - 1).tolist()], capacity=20, metric="EUC_2D",
        windows=[(0, 1500), *((int(a), int(a) + 400) for a in opens[1:])], vehicles=9, max_trips=None,
        releases=[0, *(rng.integers(0, 300, n - 1) * rng.integers(0, 2, n - 1)).tolist()],
    )  # fmt: skip
    result = wt.solve(problem, seconds=1, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    assert sum((route == 0).sum() for route in result.routes) > 5


def test_few_vehicles_come_first() -> None:
    points = [(0, 0), (10, 0), (0, 10), (-10, 0), (0, -10)]
    problem = VRP.from_points(
        points, demands=[0, 1, 1, 1, 1], capacity=1, max_hours=None, minimize="vehicles", max_trips=3
    )
    result = wt.solve(problem, iterations=2000, threads=1)
    assert sorted(len(route) for route in result.routes if len(route)) in ([1, 5], [3, 3])


def test_a_trip_goes_from_the_nearest_depot() -> None:
    van = VehicleType(count=1, capacities=(2,), start=0, end=0, max_trips=None, reloads=(0, 1))
    depots, stops = [(0, 0), (100, 0)], [(50, 0), (60, 0), (110, 0), (120, 0)]
    problem = VRP.from_points([*depots, *stops], demands=[0, 0, 1, 1, 1, 1], capacity=2)
    problem = replace(problem.with_types([van]), depots=(0, 1))
    result = wt.solve(problem, iterations=2000, threads=1)
    assert result.cost == 240 and 1 in result.routes[0].tolist()
