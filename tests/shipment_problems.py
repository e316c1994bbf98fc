"""Random tiny problems with shipments, and the best of all their plans."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

import warptour as wt
from fleet_problems import fleet_problem, walked, walked_route
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP


def shipment_problem(seed: int, *, pairs: int = 2, others: int = 1, apart: bool = False) -> VRP:
    """Return a problem of a fleet, or of vehicles that are alike, some customers of which are in shipments.

    With ``apart``, no vehicle has one end of the first and one of the second shipment.
    """
    rng = np.random.default_rng([seed, 9])
    given = fleet_problem(seed, 2 * pairs + others)
    nodes = rng.permutation(given.customers).tolist()
    goods = rng.integers(1, 7, given.n)
    ends = [(nodes[2 * k], nodes[2 * k + 1]) for k in range(pairs)]
    demands = given.demands.copy()
    more = None if given.more_demands is None else given.more_demands.copy()
    for pickup, delivery in ends:
        demands[pickup] = goods[pickup]
        demands[delivery] = rng.choice([0, goods[pickup]])
        if more is not None:
            more[delivery] = more[pickup]
    fleet = given.fleet
    assert fleet is not None
    # searches look by distance first, so it costs something
    fleet = replace(fleet, types=tuple(replace(each, distance_cost=1 + each.distance_cost) for each in fleet.types))
    if seed % 3 == 0:  # vehicles that are alike
        types = tuple(replace(VehicleType(start=0, end=0, capacities=each.capacities)) for each in fleet.types[:1])
        fleet = Fleet(types, allowed=None)
    rivals = ((ends[0][seed % 2], ends[1][seed // 2 % 2]),) if apart else ()
    return replace(
        given, demands=demands, more_demands=more, shipments=ends, alternatives=(), together=(), apart=rivals,
        fleet=fleet,
    )  # fmt: skip


def one_stack(seed: int, *, pairs: int, others: int) -> VRP:
    """Return a problem of one large vehicle that unloads last in, first out."""
    given = shipment_problem(seed, pairs=pairs, others=others)
    assert given.fleet is not None
    own = replace(given.fleet.types[0], count=1, capacities=(60,) * given.dimensions, max_stops=None)
    own = replace(own, max_distance=math.inf, max_duration=math.inf, opens=0, closes=math.inf)
    return replace(given, lifo=True, fleet=Fleet((own,), allowed=None), windows=None)


def cheapest_plan(problem: VRP) -> float:
    """Return the cost of the best plan, infinite if there is none: all orders of all customers of all vehicles."""
    fleet = problem.fleet
    assert fleet is not None
    customers = problem.customers.tolist()
    best: dict[tuple[int, frozenset[int]], float] = {(kind, frozenset()): 0.0 for kind in range(len(fleet.types))}
    for kind, vehicle in enumerate(fleet.types):
        able = [c for c in customers if fleet.allowed is None or fleet.allowed[c, kind]]
        for size in range(1, len(able) + 1):
            for order in permutations(able, size):
                if any(len({*group} & {*order}) > 1 for group in problem.apart):
                    continue
                if any(0 < len({*group} & {*order}) < len(group) for group in problem.together):
                    continue
                cost = walked_route(problem, vehicle, order)
                key = kind, frozenset(order)
                if cost is not None and cost < best.get(key, math.inf):
                    best[key] = cost
    left = cheapest_divisions(fleet.kinds.tolist(), best)
    return min((cost + lost(problem, served) for served, cost in left.items()), default=math.inf)


def cheapest_divisions(
    kinds: list[int], routes_of: dict[tuple[int, frozenset[int]], float]
) -> dict[frozenset[int], float]:
    """Return the least cost of each set of customers that a vehicle of each of ``kinds`` can serve together."""
    left: dict[frozenset[int], float] = {frozenset(): 0.0}
    for kind in kinds:
        routes = [(chosen, cost) for (own, chosen), cost in routes_of.items() if own == kind]
        after: dict[frozenset[int], float] = {}
        for (served, cost), (chosen, more) in product(left.items(), routes):
            if not served & chosen:
                after[served | chosen] = min(after.get(served | chosen, math.inf), cost + more)
        left = after
    return left


def lost(problem: VRP, served: frozenset[int]) -> float:
    """Return what is lost with those who are not served, infinite if they must be."""
    grouped = {node for each in problem.alternatives for node in each.nodes}
    for each in problem.alternatives:
        count = len(served & {*each.nodes})
        if count > 1 or (each.required and count == 0):
            return math.inf
    missing = {*problem.customers.tolist()} - served
    prizes = {node: math.inf if problem.prizes is None else float(problem.prizes[node]) for node in missing}
    if any(math.isinf(prize) and node not in grouped for node, prize in prizes.items()):
        return math.inf
    return sum(prize for prize in prizes.values() if math.isfinite(prize))


def check_planned_best(problem: VRP, iterations: int = 10_000) -> None:
    """Assert that the exact solution, the default for so few, and ruin and recreate both find the best plan."""
    best = cheapest_plan(problem)
    for strategy in (None, wt.RouteImprovement()):
        if math.isinf(best):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=2000, threads=1)
            continue
        result = wt.solve(problem, strategy, iterations=iterations, threads=1)
        cost = walked(problem, [route.tolist() for route in result.routes])
        assert cost is not None, "the plan keeps all rules"
        assert math.isclose(result.cost, cost, rel_tol=1e-9, abs_tol=1e-6), (result.cost, cost)
        assert math.isclose(result.cost, best, rel_tol=1e-9, abs_tol=1e-9), (result.cost, best)
