"""Descents end where no move pays, cuts are the cheapest there are, and both know what they cost: by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, pairwise, permutations, product
from typing import Any

import numpy as np
import pytest

from timed_problems import trouble
from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.local_search import MAX_LOAD, LocalSearch, PenalizedRoutes, Penalties
from warptour.routes.engine.sums import limits_of

PRICES = Penalties(7.0, 3.0, 2.0)
Plain = list[list[int]]


def stops(n: int, seed: int = 0, metric: str = "EUCLIDEAN", **options: object) -> VRP:
    rng = np.random.default_rng([n, seed])
    points = rng.uniform(-50, 50, (n, 2))
    if metric == "EXPLICIT":
        points = rng.integers(1, 100, (n, n))
        points = points if options.pop("directed", False) else np.triu(points, 1) + np.triu(points, 1).T
    demands = rng.integers(1, 9, n)
    depot = int(options.pop("depot", 0))  # type: ignore[call-overload]
    demands[depot] = 0
    return VRP("stops", METRICS[metric], points, demands=demands, capacity=15, depot=depot, **options)


def local_search_of(problem: VRP, slots: int) -> LocalSearch:
    """Return the local search in which all customers are neighbours, those too whom windows keep apart."""
    instance = RouteInstance.of(problem, problem.n)
    others = [[c for c in range(1, problem.n) if c != node] for node in range(problem.n)]
    near = np.array([[-1] * (problem.n - 2), *others[1:]], np.int32)
    return LocalSearch(replace(instance, near=near) if instance.schedule else instance, problem.n, slots)


def plain(giant: np.ndarray) -> Plain:
    return [[int(c) for c in part if c] for part in np.split(giant, np.flatnonzero(giant == 0)) if part.any()]


def price(instance: RouteInstance, routes: Plain, penalties: Penalties = PRICES) -> float:
    """What routes cost, slowly: travel, fixed costs, and the penalties."""
    m = instance.problem.n
    table = instance.table.reshape(m, m)
    total = 0.0
    for route in routes:
        if not route:
            continue
        travel = sum(table[a, b] for a, b in zip([0, *route], [*route, 0], strict=True))
        total += travel + instance.problem.fixed_cost
        total += penalties.load * max(0.0, instance.demands[route].sum() - instance.capacity)
        total += penalties.time * max(0.0, travel + instance.services[route].sum() - instance.limit)
        second = limits_of(instance.problem)[1]
        if second is not None:
            used = instance.problem.used(second, np.array(route))
            total += penalties.second * max(0.0, used - second.searched)
        if instance.schedule is not None:
            total += penalties.second * trouble(instance.problem, route)
    return total


def neighbours(routes: Plain) -> Iterator[Plain]:
    """All that one relocation or exchange of strings of one or two customers, one turn or one crossing leads to."""
    for r, route in enumerate(routes):
        others = [*routes[:r], *routes[r + 1 :]]
        for i in range(len(route)):
            for j in range(i + 1, min(i + 2, len(route)) + 1):
                rest, string = route[:i] + route[j:], route[i:j]
                for k in range(len(rest) + 1):
                    yield [*others, rest[:k] + string + rest[k:]]
                    yield [*others, rest[:k] + string[::-1] + rest[k:]]
                for q, other in enumerate(others):
                    for k in range(len(other) + 1):
                        for piece in (string, string[::-1]):
                            changed = other[:k] + piece + other[k:]
                            yield [*others[:q], changed, *others[q + 1 :], rest]
            for j in range(i + 2, len(route) + 1):
                yield [*others, route[:i] + route[i:j][::-1] + route[j:]]
    for r, q in combinations(range(len(routes)), 2):
        one, other = routes[r], routes[q]
        rest = [route for k, route in enumerate(routes) if k not in (r, q)]
        for i in range(len(one) + 1):
            for j in range(len(other) + 1):
                yield [*rest, one[:i] + other[j:], other[:j] + one[i:]]
                yield [*rest, one[:i] + other[:j][::-1], one[i:][::-1] + other[j:]]
                for a in (1, 2):
                    for b in (1, 2):
                        if i + a <= len(one) and j + b <= len(other):
                            yield [
                                *rest,
                                one[:i] + other[j : j + b] + one[i + a :],
                                other[:j] + one[i : i + a] + other[j + b :],
                            ]


def swapped(instance: RouteInstance, routes: Plain) -> Iterator[Plain]:
    """All that an exchange of two customers leads to, each inserted where it adds least travel (SWAP*)."""
    table = instance.table.reshape(instance.problem.n, -1)

    def inserted(route: list[int], customer: int) -> list[int]:
        ends = list(pairwise([0, *route, 0]))
        more = [table[a, customer] + table[customer, b] - table[a, b] for a, b in ends]
        at = int(np.argmin(more))
        return [*route[:at], customer, *route[at:]]

    for r, q in combinations(range(len(routes)), 2):
        rest = [route for k, route in enumerate(routes) if k not in (r, q)]
        for u, v in product(routes[r], routes[q]):
            one, other = ([c for c in routes[k] if c not in (u, v)] for k in (r, q))
            yield [*rest, inserted(one, v), inserted(other, u)]


HOURS = TimeWindows.of([(0, 250), *((t, t + 30) for t in (20, 160, 60, 90, 0, 120, 40, 200))], 9)
OTHER = np.random.default_rng(9).integers(1, 90, (9, 9))

CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "limit": {"max_distance": 190.0, "service_times": np.full(9, 4.0)},
    "fixed cost": {"fixed_cost": 40.0},
    "rounded": {"metric": "EUC_2D"},
    "matrix": {"metric": "EXPLICIT"},
    "depot in the midst": {"depot": 4},
    "directed": {"metric": "EXPLICIT", "directed": True},
    "directed, limit": {
        "metric": "EXPLICIT", "directed": True, "max_distance": 150.0, "service_times": np.full(9, 4.0),
    },
    "two limits at one pace": {
        "max_distance": 190.0, "max_duration": 240.0, "clock": Clock(np.full(9, 30.0), pace=1.1),
    },
    "limit on other travel": {"max_duration": 150.0, "clock": Clock(np.full(9, 4.0), durations=OTHER)},
    "directed, two limits": {
        "metric": "EXPLICIT", "directed": True, "max_distance": 150.0, "depot": 4,
        "max_duration": 150.0, "clock": Clock(np.full(9, 4.0), durations=OTHER),
    },
    "windows": {"metric": "EUC_2D", "windows": HOURS, "service_times": np.full(9, 4.0)},
    "windows, limit": {"metric": "EUC_2D", "windows": HOURS, "max_duration": 130.0},
    "windows, directed": {"metric": "EXPLICIT", "directed": True, "windows": HOURS},
}  # fmt: skip


def descended(local_search: LocalSearch, seed: int) -> PenalizedRoutes:
    tour = 1 + np.random.default_rng(seed).permutation(local_search.instance.problem.n - 1).astype(np.int32)
    return local_search.descend(local_search.split(tour, PRICES), PRICES, seed=seed, born=0)


@pytest.mark.parametrize("slots", [3, 8])
@pytest.mark.parametrize("case", CASES)
def test_no_move_pays_where_a_descent_ends(case: str, slots: int) -> None:
    for seed in range(10):
        local_search = local_search_of(stops(9, seed, **CASES[case]), slots)
        instance, penalized = local_search.instance, descended(local_search, seed)
        routes = plain(penalized.giant(0))
        assert sorted(c for route in routes for c in route) == list(range(1, 9))
        assert len(routes) <= slots
        assert penalized.penalized(PRICES)[0] == pytest.approx(price(instance, routes))
        spare = [[]] if len(routes) < slots else []
        better = [
            found
            for found in chain(neighbours(routes + spare), swapped(instance, routes))
            if price(instance, found) < penalized.penalized(PRICES)[0] - 1e-6
        ]
        assert not better, (routes, better)


def test_a_large_fixed_cost_hides_no_gain() -> None:
    for seed in range(4):
        tours = [
            descended(local_search_of(stops(9, seed, fixed_cost=fixed), 1), seed).giant(0) for fixed in (0.0, 1e18)
        ]
        assert (tours[0] == tours[1]).all()


def test_swaps_go_where_it_costs_least() -> None:
    """Two routes in which each has the other's customer: no exchange in place, both best at the other end."""
    points = np.array([[0, 0], [10, 0], [20, 0], [30, 1], [-10, 0], [-20, 0], [-30, 1]], float)
    problem = VRP("line", METRICS["EUCLIDEAN"], points, demands=np.array([0, 5, 5, 5, 5, 5, 5]), capacity=15)
    local_search = local_search_of(problem, 2)
    giant = np.array([4, 1, 2, 0, 5, 6, 3, 0], np.int32)
    penalized = local_search.descend(giant, Penalties(1e4, 1.0), seed=1, born=1)
    assert sorted(map(sorted, plain(penalized.giant(0)))) == [[1, 2, 3], [4, 5, 6]]
    assert penalized.feasible[0]


@pytest.mark.parametrize("slots", [1, 2, 3, 8])
@pytest.mark.parametrize("case", CASES)
def test_a_cut_is_the_cheapest_there_is(case: str, slots: int) -> None:
    local_search = local_search_of(stops(9, 1, **CASES[case]), slots)
    instance = local_search.instance
    tour = np.random.default_rng(slots).permutation(np.arange(1, 9, dtype=np.int32))

    def cuts(most: float) -> Iterator[Plain]:
        for count in range(slots):
            for ends in combinations(range(1, 8), count):
                routes = [part.tolist() for part in np.split(tour, ends)]
                loads = [instance.demands[route].sum() for route in routes]
                if all(load <= most * 15 or len(route) == 1 for load, route in zip(loads, routes, strict=True)):
                    yield routes

    found = plain(local_search.split(tour, PRICES))
    assert sorted(c for route in found for c in route) == list(range(1, 9))
    assert len(found) <= slots
    if slots >= 3:
        least = min(price(instance, routes) for most in (MAX_LOAD, 2) for routes in cuts(most))
        assert price(instance, found) <= min(price(instance, routes) for routes in cuts(MAX_LOAD)) + 1e-9
        assert price(instance, found) >= least - 1e-9


def test_a_child_has_a_piece_of_one_and_the_order_of_the_other() -> None:
    local_search = local_search_of(stops(9), 8)
    one = np.array([1, 2, 3, 4, 5, 6, 7, 8], np.int32)
    other = np.array([8, 6, 4, 2, 7, 5, 3, 1], np.int32)
    children = {tuple(local_search.cross(one, other, seed=1, stream=k).tolist()) for k in range(300)}
    wanted = set()
    for begin in range(8):
        for count in range(1, 9):
            child = [0] * 8
            for k in range(count):
                child[(begin + k) % 8] = int(one[(begin + k) % 8])
            rest = [c for c in np.roll(other, -(begin + count)).tolist() if c not in child]
            for k, c in enumerate(rest):
                child[(begin + count + k) % 8] = c
            wanted.add(tuple(child))
    assert children <= wanted
    assert len(children) > len(wanted) / 2


def test_an_exchange_takes_adjacent_routes_of_the_other_for_as_many_of_one() -> None:
    local_search = local_search_of(stops(13), 12)
    one = [[1, 2, 3], [4, 5], [6, 7, 8, 9], [10, 11, 12]]
    other = [[12, 10], [3, 1, 2], [5, 6, 4], [9, 8], [7, 11]]
    giants = [np.array([c for route in routes for c in (*route, 0)], np.int32) for routes in (one, other)]
    taken = set()
    for stream in range(200):
        child = plain(local_search.exchange(*giants, seed=1, stream=stream))
        served = [c for route in child for c in route]
        assert len(served) == len(set(served)) >= 8, "at most a third of the customers is missing"
        owners = [[is_part_of(route, parent) for parent in (one, other)] for route in child]
        assert all(map(any, owners)) and any(of_one != of_other for of_one, of_other in owners)
        taken.add(sum(of_other for _, of_other in owners))
    assert taken >= {1, 2, 3}


def is_part_of(route: list[int], routes: Plain) -> bool:
    """Return whether a route is one of ``routes`` without some of its customers."""
    return any([c for c in whole if c in route] == route for whole in routes)


@pytest.mark.parametrize("timed", [False, True])
def test_customers_that_a_giant_tour_lacks_come_where_it_costs_least(timed: bool) -> None:
    opens = np.random.default_rng(5).integers(0, 300, 11).tolist()
    windows = TimeWindows.of([(0, 900), *((t, t + 60) for t in opens)], 12)
    local_search = local_search_of(stops(12, windows=windows) if timed else stops(12), 6)
    instance = local_search.instance
    for lacking, seed in product(range(1, 12), range(4)):
        rest = [[c for c in route if c != lacking] for route in ([1, 2, 3, 4], [5, 6, 7], [8, 9], [10, 11])]
        giant = instance.giant_tour([np.array(route, np.int32) for route in rest])
        found = plain(local_search.descend(giant, PRICES, seed=seed, born=lacking).giant(0))
        assert sorted(chain(*found)) == list(range(1, 12))
        least = min(
            price(instance, [*rest[:r], [*route[:at], lacking, *route[at:]], *rest[r + 1 :]])
            for r, route in enumerate([*rest, []])
            for at in range(len(route) + 1)
        )
        assert price(instance, found) <= least + 1e-6


def test_prices_lead_through_what_is_forbidden() -> None:
    """With prices of nothing the cheapest routes are one tour; with high ones, limits are kept."""
    local_search = local_search_of(stops(8), 7)
    instance = local_search.instance
    shortest = min(
        price(instance, [list(order)], Penalties(0, 0)) for order in permutations(range(1, 8)) if order[0] < order[-1]
    )
    start = np.array([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0], np.int32)
    cheap, dear = (local_search.descend(start, Penalties(p, 1.0), seed=1, born=1) for p in (0.0, 1e4))
    assert cheap.costs[0, 0] < 1.15 * shortest
    assert not cheap.feasible[0]
    assert dear.feasible[0]
