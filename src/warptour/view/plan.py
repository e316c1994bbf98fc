"""What the page is told of a plan: its routes, the day of each vehicle, its stops, and who is not served."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.changes import changes
from warptour.model.itinerary import Trip, has_windows, itinerary
from warptour.model.unserved import unserved
from warptour.model.vehicles import VRP
from warptour.view.by_hand import most_vehicles
from warptour.view.problems import load_unit

LARGEST: Final = 1e300
"""Capacity above which vehicles have none."""
MAX_VISITS: Final = 5000
"""Stops up to which the visits of a day are told."""

Route = NDArray[np.int32]


def plan_facts(problem: VRP, routes: Sequence[Route]) -> dict[str, Any]:
    """Return the routes of a plan with their stops, lengths and loads; where times count, their days, too."""
    timed = has_windows(problem) or problem.clock is not None
    few = sum(map(len, routes)) <= MAX_VISITS
    trips = iter(itinerary(problem, routes)) if timed else None
    rows = []
    for number, nodes in enumerate(routes):
        if len(nodes):
            rows.append(_row(problem, number, nodes))
            rows[-1] |= {} if trips is None else _day(next(trips), few)
    change = changes(problem, routes)
    return {
        "routes": rows,
        "idle": [_vehicle(problem, number) for number in _idle(problem, routes)],
        "capacity": problem.capacity if problem.fleet is None and problem.capacity < LARGEST else None,
        "clock": problem.clock is not None,
        "unit": problem.unit,
        "load_unit": load_unit(problem),
        "unserved": [
            {"node": each.node, "name": problem.describe(each.node, "customer"), "text": each.text}
            for each in unserved(problem, routes)
        ],
        "changes": None if change is None else change.text,
    }


def _row(problem: VRP, number: int, nodes: Route) -> dict[str, Any]:
    """Return what there is to know of one route but for its times."""
    load = problem.amounts_along(nodes)[:, 0].max().item()
    path = problem.path(number, nodes)
    length = problem.road_lengths(path[:-1], path[1:]).sum().item()
    row = {"stops": int((~problem.reloads[nodes]).sum()), "length": length, "load": load}
    if problem.fleet is not None:
        most = problem.type_of(number).capacities[0]
        row["capacity"] = most if isfinite(most) else None
    return _vehicle(problem, number) | row


def _vehicle(problem: VRP, number: int) -> dict[str, Any]:
    """Return the number of a vehicle from 1, and its name if it has one."""
    name = "" if problem.fleet is None else problem.type_of(number).name
    return {"number": number + 1} | ({"vehicle": name} if name else {})


def _idle(problem: VRP, routes: Sequence[Route]) -> list[int]:
    """Return vehicles that do not drive: the first of each type."""
    used = {number for number, route in enumerate(routes) if len(route)}
    fleet, most = problem.fleet, most_vehicles(problem)
    free = (number for number in range(most) if number not in used)
    if fleet is None:
        return [number for number, _ in zip(free, range(1), strict=False)]
    first: dict[str, int] = {}
    for number in free:
        first.setdefault(problem.type_of(number).name, number)
    return sorted(first.values())


def _day(trip: Trip, visited: bool) -> dict[str, Any]:
    """Return when a vehicle leaves and ends, how long it waits, its driver's breaks and, if ``visited``, its visits.

    A visit is its node, arrival, start of service and departure.
    """
    times = trip.times
    assert times is not None
    facts: dict[str, Any] = {"leaves": float(times.arrivals[0]), "ends": trip.end, "waits": trip.wait}
    breaks = [(rest.start, rest.end) for rest in times.breaks if 0 <= rest.after <= len(trip.nodes[trip.stops])]
    facts |= {"breaks": breaks} if breaks else {}
    if visited:
        columns = (trip.nodes.tolist(), times.arrivals.tolist(), times.starts.tolist(), times.departures.tolist())
        facts["visits"] = list(zip(*columns, strict=True))
    return facts


def stops_of(problem: VRP, route: Route, vehicle: int) -> dict[str, Any]:
    """Return the stops of a route in order, each with what a planner decides by."""
    alone = [np.empty(0, np.int32)] * vehicle + [route]
    trip = itinerary(problem, alone)[0] if len(route) else None
    begins = None if trip is None or trip.times is None else trip.times.starts[trip.stops].tolist()
    clock = problem.clock is not None
    rows = []
    for at, node in enumerate(route.tolist()):
        row = {"node": node, "name": _name(problem, node), "demand": problem.demands[node].item()}
        if problem.windows is not None and problem.windows.of_node(node) != [(0.0, np.inf)]:
            row["hours"] = problem.windows.text(node, clock)
        row |= {} if begins is None else {"begins": begins[at]}
        rows.append(row)
    return {"stops": rows}


def _name(problem: VRP, node: int) -> str:
    return problem.labels[node] if problem.labels is not None and problem.labels[node] else f"stop {node + 1}"
