"""Routes as other programs read them: tables of integers about customers, depots and types of vehicles."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.compare.timetable import time_tables, timetable_of
from warptour.model.fleet import VehicleType
from warptour.model.metric import Ints
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP
from warptour.model.windows import Window

NONE: Final = -1
"""In place of a limit or prize that there is none of."""

TYPE: Final = np.dtype(
    [
        *((name, np.int64) for name in (
            "count", "start", "end", "fixed", "opens", "closes", "longest", "overtime", "max_distance", "pace",
        )),
        *((name, np.float64) for name in ("per_distance", "per_time", "per_overtime")),
    ]
)  # fmt: skip
"""A type of vehicles, in the order of the problem.

- ``count``, ``longest`` (duration), ``max_distance``, ``closes``: :data:`NONE` where there is no limit
- ``start``, ``end``: nodes; where routes are open, the node behind all others
- ``pace``: which of the tables of durations it has
- ``per_distance``, ``per_time``, ``per_overtime``: costs of a unit; the lowest of a distance, above 0, is 1
"""


def depots_first(problem: VRP) -> NDArray[np.int32]:
    """Return the nodes in the order of ``.sol`` files: the depots, then the customers."""
    return np.concatenate((np.array(problem.depots, np.int32), problem.customers))


def route_tables(problem: VRP, distances: Ints, scale: float, longest: int) -> tuple[dict[str, Any], str]:
    """Return tables with nodes in the order of :func:`depots_first`, and in words the unit of their times.

    Costs are in units of the lowest price of a distance, times ``scale``.

    - ``distances``, and those of :func:`time_tables` if times matter
    - ``demands``, ``pickups`` if there are any, of shape (n, dimensions); a limit on stops is one dimension more
    - ``types``, ``capacities``: as :data:`TYPE`, and of shape (types, dimensions)
    - ``allowed``: which types may serve each node, if not all may
    - ``prizes``, ``groups``, ``needed``: see :func:`_choices`
    - ``first``: what the first customer is called in an answer
    """
    order, times = depots_first(problem), timetable_of(problem)
    types = (problem.common_type,) if problem.fleet is None else problem.fleet.types
    table, capacities = _loads(problem, types)
    facts: dict[str, Any] = {
        "distances": distances[np.ix_(order, order)], "demands": table[order], "capacities": capacities,
        "places": np.zeros((problem.n, 2)) if problem.map is None else problem.map[order, :2],
        "depots": len(problem.depots),
        "first": len(problem.depots) if problem.depots == tuple(range(len(problem.depots))) else 1,
    }  # fmt: skip
    price = scale / lowest_price(problem)
    facts |= _choices(problem, order, price)
    if problem.pickups is not None:
        stops = np.zeros((problem.n, table.shape[1] - problem.dimensions), np.int64)
        pickups = np.concatenate((problem.all_pickups.astype(np.int64), stops), axis=1)
        facts |= {"pickups": pickups[order], "backhauls": problem.backhauls or ""}
    told, unit, paces = "", 1.0, sorted({each.speed for each in types})
    if times is not None:
        tables, unit, told = time_tables(problem, times, order, scale, longest, paces)
        facts |= tables
        told = f"; travel times {told}"
    rows = np.zeros(len(types), TYPE)
    rank = np.append(np.argsort(order), problem.n)
    for kind, (row, each) in enumerate(zip(rows, types, strict=True)):
        row["start"], row["end"] = (rank[problem.n if at is None else at] for at in (each.start, each.end))
        row["count"] = NONE if each.count is None else each.count
        row["fixed"], row["per_distance"] = round(price * each.fixed_cost), price * each.distance_cost / scale
        row["max_distance"], row["pace"] = NONE, paces.index(each.speed)
        row["closes"] = row["longest"] = NONE
        if problem.fleet is not None and math.isfinite(each.max_distance):
            row["max_distance"] = math.floor(scale * each.max_distance * (1 + 1e-9))
        if times is not None:
            _time(row, *_shift(problem, kind, times), unit, price)
    rows["fixed"] += _above_all(problem, distances, scale) if problem.fewest else 0
    return facts | {"types": rows}, told


def lowest_price(problem: VRP) -> float:
    """Return the lowest price above 0 of a unit of distance."""
    types = () if problem.fleet is None else problem.fleet.types
    return min((each.distance_cost for each in types if each.distance_cost > 0), default=1.0)


def _above_all(problem: VRP, distances: Ints, scale: float) -> int:
    """Return a cost above that of all distances: that of a route for each customer, if it can be told."""
    if problem.fleet is None:
        return math.ceil(scale * problem.cost(list(problem.customers[:, None])))
    dearest = max(each.distance_cost for each in problem.fleet.types) / lowest_price(problem)
    return math.ceil(2 * len(problem.customers) * dearest * int(distances.max()))


def _loads(problem: VRP, types: tuple[VehicleType, ...]) -> tuple[Ints, Ints]:
    """Return demands and capacities as integers; what has no limit has one that is never reached."""
    demands, capacities = problem.starting_loads, problem.all_loads[1]
    most = demands.sum(axis=0) + problem.all_pickups.sum(axis=0)
    capacities = np.minimum(capacities, np.maximum(most, 1))
    if any(each.max_stops is not None for each in types):
        stops = [problem.n if each.max_stops is None else each.max_stops for each in types]
        demands = np.column_stack((demands, ~np.isin(np.arange(problem.n), problem.depots)))
        capacities = np.column_stack((capacities, stops))
    return demands.astype(np.int64), capacities.astype(np.int64)


def _choices(problem: VRP, order: NDArray[np.int32], scale: float) -> dict[str, Any]:
    """Return what of customers is optional: their prizes, -1 where they must be served, and their alternatives.

    ``groups`` has the number of each customer's alternatives, or -1, and ``needed`` whether one of each must be served.
    """
    facts: dict[str, Any] = {}
    if problem.fleet is not None and problem.fleet.allowed is not None:
        facts["allowed"] = problem.fleet.allowed[order]
    if problem.optional:
        prizes = np.where(problem.required, NONE, np.rint(scale * problem.losses))
        facts["prizes"] = prizes[order].astype(np.int64)
    if problem.alternatives:
        groups = np.full(problem.n, -1)
        for number, each in enumerate(problem.alternatives):
            groups[list(each.nodes)] = number
        facts |= {"groups": groups[order], "needed": np.array([each.required for each in problem.alternatives])}
    return facts


def _shift(problem: VRP, kind: int, times: Schedule) -> tuple[Schedule, Window, Window]:
    """Return the times of a type of vehicles, and its hours at the start and at the end."""
    if problem.fleet is not None:
        own = problem.schedules[kind]
        return own, own.windows.of_node(problem.n)[0], own.windows.of_node(problem.n + 1)[-1]
    hours = times.windows.of_node(problem.depot)[0]
    return times, hours, (hours[0], math.inf) if problem.open else hours


def _time(row: Any, own: Schedule, start: Window, end: Window, unit: float, price: float) -> None:
    """Fill in the times of a type: what is feasible in them is feasible."""
    row["opens"] = math.ceil(unit * start[0] * (1 - 1e-9))
    if math.isfinite(end[1]):
        row["closes"] = max(math.floor(unit * end[1] * (1 + 1e-9)), row["opens"])
    regular = min(own.regular, own.longest)
    if math.isfinite(regular):
        row["longest"] = math.floor(unit * regular * (1 + 1e-9))
        row["overtime"] = math.floor(unit * own.longest * (1 + 1e-9)) - row["longest"]
    row["per_time"], row["per_overtime"] = price * own.per_time / unit, price * own.per_overtime / unit
