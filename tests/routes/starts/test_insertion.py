"""Cheapest insertion serves every customer within the limits, at the places that its definition says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giant_problems import random_vrp
from warptour.kernels.groups import Unfinished
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.insertion import inserted, insertion, singles

KINDS = ("EUC_2D", "EUCLIDEAN", "CEIL_2D", "EXPLICIT")


def limited(seed: int, customers: int, kind: str) -> VRP:
    """Return a problem that one vehicle for each customer solves."""
    problem = random_vrp(seed, customers, kind, vehicles=None, capacity=20)
    alone = max((problem.route_cost(route) + problem.service_times[route[0]] for route in singles(problem)), default=0)
    return replace(problem, max_distance=max(1.5 * alone, 1.0)) if seed % 2 else replace(problem, max_distance=None)


def every_place(problem: VRP, routes: Routes, customer: int) -> list[tuple[float, Routes]]:
    """Return what each feasible insertion adds, and the routes after it; one in a new route is the last."""
    found = []
    for number, route in enumerate(routes):
        for at in range(len(route) + 1):
            longer = [*routes[:number], np.insert(route, at, customer).astype(np.int32), *routes[number + 1 :]]
            if not any("over the" in fault for fault in problem.check(longer).violations):
                found.append((problem.cost(longer) - problem.cost(routes), longer))
    more = [*routes, np.array([customer], np.int32)]
    return [*found, (problem.cost(more) - problem.cost(routes), more)]


def forwards(route: np.ndarray) -> list[int]:
    """Return a route in the direction that begins with the lower of its ends: both are equally good."""
    return min(route.tolist(), route[::-1].tolist())


@given(st.integers(0, 999), st.integers(0, 30), st.sampled_from(KINDS))
def test_insertion_keeps_the_limits(seed: int, customers: int, kind: str) -> None:
    problem = limited(seed, customers, kind)
    assert problem.check(insertion(problem)).violations == ()
    assert problem.check(singles(problem)).violations == () and len(singles(problem)) == customers


@settings(max_examples=30)
@given(st.integers(0, 999), st.integers(1, 9))
def test_customers_are_inserted_as_defined(seed: int, customers: int) -> None:
    problem = limited(seed, customers, "EUCLIDEAN")
    far = {int(node): problem.distance(problem.depot, int(node)) for node in problem.customers}
    absent, routes = set(far), []
    free = replace(problem, fixed_cost=0)
    while absent:
        costs = {
            (added - far[node], node, number): after
            for node in absent
            for number, (added, after) in enumerate(every_place(free, routes, node)[:-1])
        }
        node = min(costs)[1] if costs else max(absent, key=lambda node: far[node])
        routes = costs[min(costs)] if costs else [*routes, np.array([node], np.int32)]
        absent.remove(node)
    assert [forwards(route) for route in insertion(problem)] == [forwards(route) for route in routes]


@settings(max_examples=50)
@given(st.integers(0, 999), st.integers(1, 12), st.sampled_from(KINDS))
def test_customers_without_a_route_come_to_their_cheapest_place(seed: int, customers: int, kind: str) -> None:
    problem = replace(limited(seed, customers, kind), vehicles=1 + seed % 5 if seed % 3 == 0 else None)
    rng = np.random.default_rng(seed)
    out = rng.permutation(problem.customers)[: 1 + seed % customers]
    routes = [route[~np.isin(route, out)] for route in insertion(problem)]
    routes = [route for route in routes if len(route)]
    for customer in out.tolist():
        places = every_place(problem, routes, customer)
        if problem.vehicles is not None and len(routes) >= problem.vehicles and len(places) > 1:
            places.pop()  # no vehicle is left for a new route
        after = inserted(problem, routes, [customer])
        added = problem.cost(after) - problem.cost(routes)
        assert added == pytest.approx(min(cost for cost, _ in places), rel=1e-9, abs=1e-9)
        assert not any("over the" in fault for fault in problem.check(after).violations)
        routes = after
    assert sorted(np.concatenate(routes)) == sorted(problem.customers)


def test_a_cheaper_route_of_its_own_is_used_while_vehicles_last() -> None:
    """Opposite customers: 20 + 2 for a route of its own, 20 on the way."""
    table = np.array([[0, 10, 10], [10, 0, 50], [10, 50, 0]])
    demands = np.array([0, 1, 1])
    problem = VRP("opposite", METRICS["EXPLICIT"], table, demands=demands, capacity=9, fixed_cost=2)
    first = [np.array([1], np.int32)]
    assert len(inserted(problem, first, [2])) == 2
    assert len(inserted(replace(problem, vehicles=1), first, [2])) == 1
    assert len(inserted(replace(problem, vehicles=1, capacity=1), first, [2])) == 2


def test_insertion_stops_when_told_to() -> None:
    with pytest.raises(Unfinished):
        insertion(random_vrp(1, 20), lambda: True)
