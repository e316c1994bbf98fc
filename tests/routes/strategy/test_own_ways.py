"""Types of vehicles with distances and travel times of their own: the best of all plans, exact costs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import warptour as wt
from routes.strategy.test_mixed_vehicles import cheapest, random_problem
from warptour.model.clock import Clock
from warptour.model.fleet import Fleet
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin


def with_own_ways(problem: VRP, seed: int) -> VRP:
    """A problem with tables in which some types have others; of odd seeds, with travel times beside the distances."""
    rng, n, fleet = np.random.default_rng(seed), problem.n, problem.fleet
    assert fleet is not None

    def table(longest: int) -> np.ndarray[Any, Any]:
        ways = rng.integers(1, longest, (n, n))
        return ways + ways.T if seed % 3 else ways

    types, timed = [], bool(seed % 2)
    for each in fleet.types:
        own: dict[str, Any] = {"matrix": table(60)} if rng.integers(3) else {}
        own |= {"durations": table(60)} if timed and rng.integers(2) else {}
        types.append(replace(each, hour_cost=3600 * each.hour_cost, **own))
    clock = Clock(problem.service_times, durations=table(60)) if timed else None
    return replace(
        problem, metric=METRICS["EXPLICIT"], points=table(60), clock=clock, display=None,
        fleet=Fleet(tuple(types), allowed=fleet.allowed),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(36))
def test_few_customers_are_planned_best_by_vehicles_with_own_ways(seed: int) -> None:
    problem = with_own_ways(random_problem(seed, bonded=seed % 4 == 0), seed)
    best = cheapest(problem)
    for strategy in (None, wt.RouteImprovement()):
        if math.isinf(best):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=2000, threads=1)
            continue
        result = wt.solve(problem, strategy, iterations=20_000, threads=1)
        assert not problem.check(result.routes).violations
        assert result.cost == pytest.approx(best, rel=1e-9)
        assert sum(trip.length * problem.type_of(trip.number - 1).distance_cost for trip in result.trips) <= best + 1e-6


def of_cars_and_trucks(n: int, seed: int) -> VRP:
    """Customers in a square, in whose north cars are slow and in whose south trucks are."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 1000, (n, 2))
    north = points[:, 1] > 500
    noise = rng.random((n, n)) if seed % 2 else 0  # else routes may be reversed
    straight = np.hypot(*(points[:, None] - points[None, :]).T) * (1 + 0.2 * noise)
    car, truck = (np.rint(straight * (1 + (slow[:, None] | slow))).astype(int) for slow in (north, ~north))
    demands = np.append(0, rng.integers(1, 9, n - 1))
    problem = VRP.from_matrix(car, demands=demands, capacity=90, display=points)
    types = (
        wt.VehicleType(capacities=(40,), fixed_cost=300, name="car"),
        wt.VehicleType(capacities=(90,), fixed_cost=400, name="truck", matrix=truck),
    )
    return replace(problem, vehicles=None, fleet=Fleet(types))


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 3])
def test_costs_of_a_search_are_those_of_its_routes(threads: int) -> None:
    problem = of_cars_and_trucks(60, threads)
    found = wt.solve(problem, iterations=8_000, threads=threads)
    assert problem.check(found.routes).feasible and found.cost == problem.cost(found.routes)
    assert {trip.vehicle for trip in found.trips} == {"car", "truck"}
    worse = replace(problem, fleet=Fleet(problem.fleet.types[:1]))  # type: ignore[union-attr]
    assert found.cost < 0.9 * wt.solve(worse, iterations=8_000, threads=1).cost


@pytest.mark.parametrize("seed", range(4))
def test_a_search_knows_what_its_routes_cost(seed: int) -> None:
    instance = RouteInstance.of(of_cars_and_trucks(60, seed), 20)
    state = RouteState(instance, np.zeros(0, np.int32), 60)
    state.insert(instance.problem.customers)
    for stream in range(20):
        state.search(200, (50.0, 5.0), seed=seed, stream=stream, ruin=Ruin())
        assert state.cost == pytest.approx(instance.cost(state.giant_tour()), rel=1e-9)
    assert instance.cost(state.best()) == pytest.approx(state.lowest, rel=1e-9)


@pytest.mark.parametrize(
    ("own", "fault"),
    [
        ({"matrix": np.ones((3, 3))}, r"vehicle type 'van': its distances of 4 nodes are numbers of shape \(4, 4\)"),
        ({"matrix": -np.ones((4, 4))}, "vehicle type 'van': its distances: from node 0 to node 1 it is -1.0"),
        ({"matrix": np.full((4, 4), 0.5)}, "its own distances are not all whole numbers"),
        ({"durations": np.ones((4, 4))}, "its own durations need a matrix of durations of the others"),
    ],
)
def test_tables_that_do_not_fit_are_refused_in_one_line(own: dict[str, Any], fault: str) -> None:
    with pytest.raises(wt.InputError, match=fault):
        VRP.from_matrix(np.ones((4, 4), int), demands=[0, 1, 1, 1], capacity=1).with_types(
            [wt.VehicleType(capacities=(2,), name="van", **own)]
        )
    with pytest.raises(wt.InputError, match="need a matrix of distances of the others"):
        VRP.from_points(np.eye(4, 2), demands=[0, 1, 1, 1], capacity=1).with_types(
            [wt.VehicleType(capacities=(2,), matrix=np.ones((4, 4)))]
        )
