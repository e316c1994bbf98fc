"""Random tiny problems with several trips, a judge that shares no code of the model, and the best plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np

from fleet_problems import fleet_problem, leg
from shipment_problems import cheapest_divisions, lost
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP

LAST_LEAVE = 64
"""By then all stops have opened and all goods are there: who leaves later waits nowhere."""


def trip_problem(seed: int, customers: int) -> VRP:
    """Return a problem of a fleet some of whose vehicles reload, most of them small, some customers' goods late."""
    rng = np.random.default_rng([seed, 47])
    given = fleet_problem(seed, customers)
    assert given.fleet is not None
    depots = len(given.depots)
    types = []
    for kind, each in enumerate(given.fleet.types):
        most = (None, 2, 3, 1)[rng.integers(4)] if kind else (None, 2, 3)[rng.integers(3)]
        reloads = tuple(rng.permutation(depots)[: rng.integers(1, depots + 1)].tolist())
        capacities = tuple(int(rng.integers(3, 7)) for _ in each.capacities)
        own = replace(each, max_trips=most, capacities=capacities, distance_cost=1 + each.distance_cost, count=1)
        types.append(replace(own, reloads=reloads if each.start is None or rng.integers(2) else ()))
    late = np.where(np.arange(given.n) < depots, 0, rng.integers(0, 40, given.n) * (rng.random(given.n) < 0.4))
    pickups = np.where(np.arange(given.n) < depots, 0, rng.integers(0, 3, given.n))
    return replace(
        given, fleet=Fleet(tuple(types), allowed=given.fleet.allowed), together=(),
        releases=late.astype(float) if rng.integers(2) else None, pickups=pickups if rng.integers(3) == 0 else None,
    )  # fmt: skip


def docks_of(vehicle: VehicleType) -> set[int]:
    """Return where a vehicle may be loaded again."""
    if vehicle.max_trips == 1:
        return set()
    return {*vehicle.reloads} if vehicle.reloads else {vehicle.start} - {None}  # type: ignore[return-value]


def trips_in(problem: VRP, route: Sequence[int]) -> list[list[int]]:
    """Return the customers of each trip."""
    trips: list[list[int]] = [[]]
    for node in route:
        if node in problem.depots:
            trips.append([])
        else:
            trips[-1].append(node)
    return trips


def walked_trips(problem: VRP, vehicle: VehicleType, route: Sequence[int]) -> float | None:
    """Return the cost of a vehicle's route with depots between trips, None if it breaks a limit."""
    trips = trips_in(problem, route)
    stops = sum(map(len, trips))
    docks = docks_of(vehicle)
    if any(node in problem.depots and node not in docks for node in route):
        return None
    if len(trips) > (vehicle.max_trips or len(trips)) or stops > (vehicle.max_stops or stops):
        return None
    columns = [problem.demands.tolist(), *([] if problem.more_demands is None else problem.more_demands.T.tolist())]
    for at, column in enumerate(columns):
        back = [0] * problem.n if problem.pickups is None else problem.pickups[:, at].tolist()
        for trip in trips:
            load = highest = sum(column[node] for node in trip)
            for node in trip:
                load += back[node] - column[node]
                highest = max(highest, load)
            if highest > vehicle.capacities[at]:
                return None
    path = [place for place in (vehicle.start, *route, vehicle.end) if place is not None]
    legs = [leg(problem, a, b) for a, b in pairwise(path)]
    if sum(legs) > vehicle.max_distance:
        return None
    took = [
        back - leave for leave in range(LAST_LEAVE) if (back := _driven(problem, vehicle, route, leave)) is not None
    ]
    if not took or min(took) > vehicle.max_duration + vehicle.overtime:
        return None
    late = max(0, min(took) - vehicle.max_duration)
    time = vehicle.hour_cost * min(took) + vehicle.overtime_cost * late
    return float(vehicle.fixed_cost + vehicle.distance_cost * sum(legs) + time)


def _driven(problem: VRP, vehicle: VehicleType, route: Sequence[int], leave: int) -> float | None:
    """Return when a vehicle that begins to load at a time is done, None if it is late or goods are not there."""
    releases = np.zeros(problem.n) if problem.releases is None else problem.releases
    ready = [float(releases[trip].max(initial=0.0)) for trip in trips_in(problem, route)]
    if not max(vehicle.opens, ready[0]) <= leave <= vehicle.closes:
        return None
    time, at, reloads = float(leave), vehicle.start, 0
    if at is not None:
        if problem.windows is not None:
            ((opens, closes),) = problem.windows.of_node(at)
            if not opens <= time <= closes:
                return None
        time += float(problem.service_times[at])
    for node in route:
        time += 0 if at is None else leg(problem, at, node) / vehicle.speed
        if node in problem.depots:
            reloads += 1
            time = max(time, ready[reloads])
        if problem.windows is not None:
            ((opens, closes),) = problem.windows.of_node(node)
            time = max(time, opens)
            if time > closes:
                return None
        time, at = time + float(problem.service_times[node]), node
    if vehicle.end is not None and at is not None:
        time += leg(problem, at, vehicle.end) / vehicle.speed
        if problem.windows is not None:
            ((opens, closes),) = problem.windows.of_node(vehicle.end)
            time = max(time, opens)
            if time > closes:
                return None
    return time if time <= vehicle.closes else None


def with_reloads(order: Sequence[int], docks: set[int]) -> Iterator[list[int]]:
    """Yield all routes that visit customers in an order, with a dock or none between any two."""
    for between in product([None, *sorted(docks)], repeat=len(order) - 1):
        route = [order[0]]
        for dock, node in zip(between, order[1:], strict=True):
            route += [node] if dock is None else [dock, node]
        yield route


def judged(problem: VRP, routes: Sequence[Sequence[int]]) -> float | None:
    """Return the cost of routes that serve some customers, None if one breaks a rule of vehicles."""
    fleet = problem.fleet
    assert fleet is not None
    total = 0.0
    for kind, route in zip(fleet.kinds.tolist(), routes, strict=True):
        if len(route) == 0:
            continue
        stops = [node for node in route if node not in problem.depots]
        if fleet.allowed is not None and not all(fleet.allowed[node, kind] for node in stops):
            return None
        if any(len({*group} & {*stops}) > 1 for group in problem.apart):
            return None
        cost = walked_trips(problem, fleet.types[kind], route)
        if cost is None:
            return None
        total += cost
    return total


def cheapest_trips(problem: VRP) -> float:
    """Return the cost of the best plan, infinite if there is none: all orders of all customers with all reloads."""
    fleet = problem.fleet
    assert fleet is not None
    best: dict[tuple[int, frozenset[int]], float] = {}
    for kind, vehicle in enumerate(fleet.types):
        best[kind, frozenset()] = 0.0
        able = [c for c in problem.customers.tolist() if fleet.allowed is None or fleet.allowed[c, kind]]
        for size in range(1, len(able) + 1):
            for order in permutations(able, size):
                if any(len({*group} & {*order}) > 1 for group in problem.apart):
                    continue
                for route in with_reloads(order, docks_of(vehicle)):
                    cost = walked_trips(problem, vehicle, route)
                    if cost is not None and cost < best.get((kind, frozenset(order)), math.inf):
                        best[kind, frozenset(order)] = cost
    left = cheapest_divisions(fleet.kinds.tolist(), best)
    return min((cost + lost(problem, served) for served, cost in left.items()), default=math.inf)
