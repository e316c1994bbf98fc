"""Descents of vehicles that differ and customers who may stay out end where no move pays, and know what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest

from bred_fleets import DEPOTS, TYPES, bred_fleet
from warptour.model.fleet import VehicleType
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.local_search import RANDOM, Births, LocalSearch, PenalizedRoutes, Penalties

PRICES = Penalties(7.0, 3.0, 2.0)
N = 10
Plan = list[list[int]]


@dataclass
class Judge:
    """Prices routes of slots slowly, in the numbering of the search."""

    instance: RouteInstance

    def __post_init__(self) -> None:
        fleet = self.instance.problem.fleet
        assert fleet is not None
        self.types = fleet.types
        self.kinds: list[int] = fleet.kinds.tolist()
        self.unit = min(each.distance_cost for each in self.types)

    def price(self, plan: Plan) -> float:
        problem = self.instance.problem
        absent = set(problem.customers.tolist()) - {c for route in plan for c in route}
        total = sum(float(problem.losses[c]) if not problem.required[c] else 1e12 for c in absent) / self.unit
        return total + sum(self.of(slot, tuple(route)) for slot, route in enumerate(plan) if route)

    def of(self, slot: int, route: tuple[int, ...]) -> float:
        problem, own = self.instance.problem, self.types[self.kinds[slot]]
        assert own.start is not None
        stops = [own.start, *route, own.start]
        travel = sum(float(problem.distance(a, b)) for a, b in pairwise(stops))
        cost = (own.fixed_cost + own.distance_cost * travel) / self.unit
        cost += PRICES.load * max(0.0, float(self.instance.demands[list(route)].sum()) - own.capacities[0])
        cost += PRICES.time * max(0.0, travel - own.max_distance)
        return cost + (PRICES.second * self.trouble(own, stops) if problem.schedule is not None else 0.0)

    def trouble(self, own: VehicleType, stops: list[int]) -> float:
        """Return the least time warp over all departures, and with that the excess over the longest duration."""
        schedule = self.instance.problem.schedule
        assert schedule is not None
        windows = schedule.windows
        began = np.arange(own.opens, min(own.closes, 400) + 1)
        time, warp = began, np.zeros(len(began))
        for at, (a, b) in enumerate(pairwise(stops), 1):
            last = at == len(stops) - 1
            opens, closes = (own.opens, own.closes) if last else (windows.opens[b], windows.closes[b])
            served = 0.0 if at == 1 else schedule.services[a]
            time = np.maximum(time + served + float(self.instance.problem.distance(a, b)), opens)
            warp = warp + np.maximum(0.0, time - closes)
            time = np.minimum(time, closes)
        excess = np.maximum(0.0, time + warp - began - own.max_duration)
        return float(warp.min() + excess[warp == warp.min()].min())

    def plan(self, coded: np.ndarray) -> Plan:
        giant = self.instance.decoded(coded)
        return [[int(c) for c in route] for route in self.instance.routes(giant)]

    def neighbours(self, plan: Plan) -> Iterator[Plan]:
        """All that one move leads to, of customers or of vehicles; empty slots of a kind are alike."""
        slots = [k for k, route in enumerate(plan) if route]
        empty = [k for k, route in enumerate(plan) if not route]
        slots += [k for k in empty if not any(self.kinds[j] == self.kinds[k] for j in empty if j < k)]

        def changed(**routes: list[int]) -> Plan:
            return [routes.get(f"r{k}", route) for k, route in enumerate(plan)]

        absent = set(self.instance.problem.customers.tolist()) - {c for route in plan for c in route}
        for r in slots:
            one, name = plan[r], f"r{r}"
            for c in absent:
                for k in range(len(one) + 1):
                    yield changed(**{name: [*one[:k], c, *one[k:]]})
                    yield changed(**{name: [*one[:k], c, *one[k + 1 :]]})
            for i in range(len(one)):
                yield changed(**{name: one[:i] + one[i + 1 :]})
                for j in range(i + 1, min(i + 2, len(one)) + 1):
                    rest = one[:i] + one[j:]
                    for piece in (one[i:j], one[i:j][::-1]):
                        for k in range(len(rest) + 1):
                            yield changed(**{name: rest[:k] + piece + rest[k:]})
                for j in range(i + 2, len(one) + 1):
                    yield changed(**{name: one[:i] + one[i:j][::-1] + one[j:]})
        for r, q in product(slots, slots):
            if r != q:
                for first, second in between(plan[r], plan[q]):
                    yield changed(**{f"r{r}": first, f"r{q}": second})


def between(one: list[int], other: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """What relocations, exchanges and crossings make of two routes."""
    for i, j in product(range(len(one) + 1), range(len(other) + 1)):
        yield one[:i] + other[j:], other[:j] + one[i:]
        yield one[:i] + other[:j][::-1], one[i:][::-1] + other[j:]
        for a in (1, 2):
            if i + a <= len(one):
                for piece in (one[i : i + a], one[i : i + a][::-1]):
                    yield one[:i] + one[i + a :], other[:j] + piece + other[j:]
                for b in (1, 2):
                    if j + b <= len(other):
                        yield one[:i] + other[j : j + b] + one[i + a :], other[:j] + one[i : i + a] + other[j + b :]


def searched(given: VRP) -> tuple[LocalSearch, Judge]:
    """Return the local search in which all customers are neighbours, those too whom windows keep apart."""
    instance = RouteInstance.of(given, given.n)
    instance.near[:] = -1
    for node in instance.problem.customers:
        instance.near[node, : N - DEPOTS - 1] = [c for c in instance.problem.customers if c != node]
    assert instance.kinds is not None and instance.kinds.bred and instance.problem.fleet is not None
    return LocalSearch(instance, N, instance.problem.fleet.counts), Judge(instance)


def random_optimum(search: LocalSearch, seed: int) -> PenalizedRoutes:
    births = Births.of(np.full((1, 2), RANDOM, np.int32), np.ones(1), np.zeros(1, np.bool_), N)
    search.breed(births, PenalizedRoutes.room(1, N), PRICES, seed=seed, born=0)
    return births.found[:1]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("prizes", [False, True])
@pytest.mark.parametrize("types", TYPES)
def test_no_move_pays_where_a_descent_ends(types: str, prizes: bool, windows: bool, directed: bool) -> None:
    served = 0
    for seed in range(3):
        search, judge = searched(bred_fleet(types, seed, prizes=prizes, windows=windows, directed=directed))
        found = random_optimum(search, seed)
        plan, cost = judge.plan(found.giant(0)), float(found.penalized(PRICES)[0])
        served += sum(map(len, plan))
        assert judge.price(plan) == pytest.approx(cost)
        better = [other for other in judge.neighbours(plan) if judge.price(other) < cost - 1e-6]
        assert not better, (plan, better[0])
        report = judge.instance.problem.check([np.array(route, np.int32) for route in plan])
        assert found.feasible[0] == (not report.violations)
    assert served > 9


@pytest.mark.sanitize_quick
def test_a_route_whose_vehicles_are_all_in_use_gets_another() -> None:
    search, judge = searched(bred_fleet("sizes", 1, prizes=False, windows=False, directed=False))
    giant = np.array([c for customer in range(1, 5) for c in (customer, 0)] + [5, 6, 7, 8, 0], np.int32)
    found = search.descend(giant, Penalties(1e3, 1.0), seed=1, born=1)
    plan = judge.plan(found.giant(0))
    assert sorted(c for route in plan for c in route) == judge.instance.problem.customers.tolist()
    assert found.feasible[0]


def test_giant_tours_of_populations_say_which_vehicle_has_which_route() -> None:
    judge = searched(bred_fleet("depots", 1, prizes=False, windows=False, directed=False))[1]
    instance = judge.instance
    routes = [np.array(route, np.int32) for route in ([1, 2], [], [3], [], [4, 5], [])]
    giant = instance.giant_tour(routes)
    coded = instance.coded(giant)
    assert coded.tolist() == [1, 2, 0, 3, 0, 4, 5, -1]
    assert [route.tolist() for route in instance.routes(instance.decoded(coded))] == [[1, 2], [3], [], [4, 5], [], []]
