"""Random tiny problems with fleets and choices, whole numbers throughout, and a judge that shares no code of the model.

The judge walks along each route from every departure; vehicles drive as soon as they may.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ride_judge import judged_rides
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.metric import METRICS
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

HORIZON = 300


def fleet_problem(seed: int, customers: int) -> VRP:
    """Return a problem with some of: depots, types, windows, skills, prizes, alternatives, groups, several loads."""
    rng = np.random.default_rng(seed)
    chosen = {word: bool(rng.integers(2)) for word in ("windows", "prizes", "more", "allowed", "asymmetric", "groups")}
    depots = int(rng.integers(1, 4))
    n = depots + customers
    metric, points = METRICS["MAN_2D"], rng.integers(0, 12, (n, 2)).astype(float)
    if chosen["asymmetric"]:
        metric, points = METRICS["EXPLICIT"], rng.integers(1, 20, (n, n))
    demands = np.where(np.arange(n) < depots, 0, rng.integers(1, 4, n))
    types = tuple(_type(rng, depots, 2 if chosen["more"] else 1) for _ in range(int(rng.integers(1, 4))))
    options: dict[str, Any] = {}
    if chosen["windows"]:
        opens = np.where(np.arange(n) < depots, rng.integers(0, 10, n), rng.integers(0, 40, n))
        closes = opens + np.where(np.arange(n) < depots, 120, rng.integers(10, 80, n))
        options["windows"] = TimeWindows.of(np.column_stack((opens, closes)), n)
    if chosen["prizes"]:
        prizes = rng.integers(5, 40, n).astype(float)
        prizes[rng.random(n) < 0.4] = math.inf
        options["prizes"] = prizes
    if chosen["more"]:
        options["more_demands"] = np.where(np.arange(n) < depots, 0, rng.integers(0, 3, n))[:, None]
    if chosen["groups"] and customers > 3:
        nodes = (depots + rng.permutation(customers)).tolist()
        options["alternatives"] = (Alternatives(tuple(nodes[:2]), bool(rng.integers(2))),)
        options["together" if rng.integers(2) else "apart"] = (tuple(nodes[2:4]),)
    allowed = rng.random((n, len(types))) < 0.8 if chosen["allowed"] else None
    return VRP(
        f"fleet {seed}", metric, points, demands=demands, depots=tuple(range(depots)),
        service_times=rng.integers(0, 4, n).astype(float), fleet=Fleet(types, allowed=allowed), **options,
    )  # fmt: skip


def _type(rng: np.random.Generator, depots: int, dimensions: int) -> VehicleType:
    places = [None, *range(depots), *range(depots)]
    maybe: Any = lambda value, other: value if rng.integers(3) == 0 else other  # noqa: E731
    opens = int(rng.integers(0, 10))
    return VehicleType(
        count=maybe(None, int(rng.integers(1, 3))),
        capacities=tuple(rng.integers(4, 10, dimensions).tolist()),
        start=places[rng.integers(len(places))],
        end=places[rng.integers(len(places))],
        opens=maybe(opens, 0),
        closes=maybe(opens + int(rng.integers(20, 90)), math.inf),
        max_distance=maybe(int(rng.integers(20, 60)), math.inf),
        max_duration=maybe(int(rng.integers(20, 60)), math.inf),
        max_stops=maybe(int(rng.integers(1, 4)), None),
        fixed_cost=int(rng.integers(0, 20)),
        distance_cost=int(rng.integers(0, 4)),
        hour_cost=maybe(int(rng.integers(1, 3)), 0),
        overtime=maybe(int(rng.integers(1, 15)), 0),
        overtime_cost=int(rng.integers(0, 3)),
        speed=maybe(0.5, 1),
    )


def walked(problem: VRP, routes: Sequence[Sequence[int]]) -> float | None:
    """Return the cost of routes, None if they break a rule."""
    fleet = problem.fleet
    assert fleet is not None
    vehicles = [
        (kind, each) for kind, each in enumerate(fleet.types)
        for _ in range(min(len(problem.customers), each.count or len(problem.customers)))
    ]  # fmt: skip
    if len(routes) > len(vehicles) or not _served_as_asked(problem, routes):
        return None
    total = 0.0
    for (kind, vehicle), route in zip(vehicles, routes, strict=False):
        if len(route) and fleet.allowed is not None and not all(fleet.allowed[node, kind] for node in route):
            return None
        cost = walked_route(problem, vehicle, route)
        if cost is None:
            return None
        total += cost
    missing = set(range(problem.n)) - set(problem.depots) - {node for route in routes for node in route}
    prizes = [] if problem.prizes is None else [float(problem.prizes[node]) for node in missing]
    return total + sum(prize for prize in prizes if math.isfinite(prize))


def _served_as_asked(problem: VRP, routes: Sequence[Sequence[int]]) -> bool:
    home: dict[int, int] = {}
    for number, route in enumerate(routes):
        for node in route:
            if node in home or node in problem.depots:
                return False
            home[node] = number
    grouped = set[int]()
    for each in problem.alternatives:
        grouped |= set(each.nodes)
        served = sum(node in home for node in each.nodes)
        if served > 1 or (each.required and served == 0):
            return False
    for node in range(problem.n):
        must = problem.prizes is None or math.isinf(problem.prizes[node])
        if must and node not in home and node not in grouped and node not in problem.depots:
            return False
    if any(len({home.get(node) for node in group}) > 1 for group in problem.together):
        return False
    return all(len({*there}) == len(there) for there in ([home[a] for a in g if a in home] for g in problem.apart))


def walked_route(problem: VRP, vehicle: VehicleType, route: Sequence[int]) -> float | None:
    """Return the cost of one vehicle's route, None if it breaks a limit."""
    if len(route) == 0:
        return 0.0
    columns = [problem.demands.tolist()]
    if problem.more_demands is not None:
        columns += problem.more_demands.T.tolist()
    taken = [[0] * problem.n] * len(columns) if problem.pickups is None else problem.pickups.T.tolist()
    if any(
        _highest(problem, column, back, route) > most
        for column, back, most in zip(columns, taken, vehicle.capacities, strict=True)
    ):
        return None
    if not _in_order(problem, route) or not _deliveries_first(problem, route):
        return None
    path = [place for place in (vehicle.start, *route, vehicle.end) if place is not None]
    legs = [leg(problem, a, b) for a, b in pairwise(path)]
    if sum(legs) > vehicle.max_distance or (vehicle.max_stops is not None and len(route) > vehicle.max_stops):
        return None
    if any(each.max_ride is not None for each in problem.shipments):
        shortest = _ridden(problem, vehicle, path, legs)
    else:
        driven = [(leave, _driven(problem, vehicle, path, legs, leave)) for leave in range(HORIZON)]
        shortest = min((back - leave for leave, back in driven if back is not None), default=math.inf)
    if shortest == math.inf or shortest > vehicle.max_duration + vehicle.overtime:
        return None
    late = max(0, shortest - vehicle.max_duration)
    time = vehicle.hour_cost * shortest + vehicle.overtime_cost * late
    return float(vehicle.fixed_cost + vehicle.distance_cost * sum(legs) + time)


def _highest(problem: VRP, demands: list[float], pickups: list[float], route: Sequence[int]) -> float:
    """Return the highest load of a route: goods of shipments and for the depot are loaded on the way."""
    carried = {node for each in problem.shipments for node in (each.pickup, each.delivery)}
    load = highest = sum(demands[node] for node in route if node not in carried)
    for node in route:
        load += demands[node] if node in carried else pickups[node] - demands[node]
        highest = max(highest, load)
    return highest


def _deliveries_first(problem: VRP, route: Sequence[int]) -> bool:
    """Return whether a route keeps the rule of backhauls, told stop by stop."""
    if problem.backhauls is None or problem.pickups is None:
        return True
    carried = {node for each in problem.shipments for node in (each.pickup, each.delivery)}
    picked = delivered = False
    for node in route:
        amounts = [problem.demands[node], *([] if problem.more_demands is None else problem.more_demands[node])]
        if node not in carried and max(amounts) > 0:
            if picked:
                return False
            delivered = True
        picked = picked or max(problem.pickups[node]) > 0
    return delivered or not picked or problem.backhauls == "last"


def _in_order(problem: VRP, route: Sequence[int]) -> bool:
    """Return whether a route has both ends of its shipments, the pickup first."""
    for each in problem.shipments:
        taken, brought = each.pickup in route, each.delivery in route
        if taken != brought or (taken and list(route).index(each.pickup) > list(route).index(each.delivery)):
            return False
    both = [(one, other) for one in problem.shipments for other in problem.shipments if problem.lifo]
    return not any(_crossed(route, one, other) for one, other in both)


def _crossed(route: Sequence[int], one: Shipment, other: Shipment) -> bool:
    """Return whether goods are loaded between the ends of others and unloaded behind them."""
    if one.pickup not in route or other.pickup not in route:
        return False
    at = [list(route).index(node) for node in (one.pickup, other.pickup, one.delivery, other.delivery)]
    return at[0] < at[1] < at[2] < at[3]


def _driven(problem: VRP, vehicle: VehicleType, path: list[int], legs: list[int], leave: int) -> float | None:
    """Return when a vehicle that leaves at a time is done, None if it is late anywhere."""
    if not vehicle.opens <= leave <= vehicle.closes:
        return None
    time = float(leave)
    for at, node in enumerate(path):
        if at:
            time += legs[at - 1] / vehicle.speed
        if problem.windows is not None:
            ((opens, closes),) = problem.windows.of_node(node)
            if at == 0 and node == vehicle.start and time < opens:
                return None
            time = max(time, opens)
            if time > closes:
                return None
        if not (at == len(path) - 1 and vehicle.end is not None):
            time += float(problem.service_times[node])
    return time if time <= vehicle.closes else None


def _ridden(problem: VRP, vehicle: VehicleType, path: list[int], legs: list[int]) -> float:
    """Return how long a route takes that keeps the longest rides of its shipments, infinite if none does."""
    windows, services = [], []
    for at, node in enumerate(path):
        own = [(0.0, math.inf)] if problem.windows is None else list(problem.windows.of_node(node))
        first = at == 0 and node == vehicle.start
        windows.append(
            [(max(opens, vehicle.opens), min(closes, vehicle.closes)) for opens, closes in own] if first else own
        )
        ends = at == len(path) - 1 and vehicle.end is not None
        services.append(0.0 if ends else float(problem.service_times[node]))
    ways = [leg / vehicle.speed for leg in legs]
    rides = [
        (path.index(each.pickup), path.index(each.delivery), float(each.max_ride)) for each in problem.shipments
        if each.pickup in path and each.max_ride is not None
    ]  # fmt: skip
    shift = [(vehicle.opens, vehicle.closes)]  # of the driver, who begins at the first place and is done at the last
    found = judged_rides(
        [0.0, *services, 0.0], [0.0, *ways, 0.0], [shift, *windows, shift],
        [(a + 1, b + 1, longest) for a, b, longest in rides],
    )  # fmt: skip
    return math.inf if found is None else found[1]


def leg(problem: VRP, a: int, b: int) -> int:
    """Return the distance from a to b."""
    if problem.matrix is not None:
        return int(problem.matrix[a, b]) if a != b else 0
    return int(abs(problem.points[a] - problem.points[b]).sum())


def some_routes(problem: VRP, rng: np.random.Generator) -> list[list[int]]:
    """Return random routes of random vehicles, most of which serve all customers."""
    assert problem.fleet is not None
    order = rng.permutation(problem.customers)
    if rng.integers(2):
        order = order[: rng.integers(1, len(order) + 1)]
    routes: list[list[int]] = [[] for _ in problem.fleet.kinds]
    for node in order.tolist():
        routes[rng.integers(len(routes))].append(node)
    return routes


def assert_judged_as_by_a_walk(problem: VRP, seed: int) -> None:
    """Assert that random routes are judged by the model as by :func:`walked`."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        routes = some_routes(problem, rng)
        report = problem.check([np.array(route, np.int32) for route in routes])
        cost = walked(problem, routes)
        assert report.feasible is (cost is not None), (routes, report.violations)
        assert cost is None or math.isclose(report.cost, cost, rel_tol=1e-6)
