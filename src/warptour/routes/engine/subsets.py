"""Optimal routes of few customers: the wrapper of ``exact_routes.c`` and ``exact_walks.c``.

The cheapest route of each subset of the customers comes first, then the cheapest division into such routes. A route is
built from partial ones that are cheaper or earlier than each other; where those do not tell what its times cost, all
orders are walked along.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.schedule import Schedule
from warptour.model.searched import lowest_distance
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Floats, Ints, RouteInstance, depot_first
from warptour.routes.engine.route_state import RouteState
from warptour.routes.engine.sums import limits_of

NONE: Final = 1e300
"""Cost of what there is not, as in the kernel."""

MAX_LABELS: Final = 4_000_000
"""Maximum number of partial routes kept (100 MB)."""

ROUNDING: Final = 1e-12
"""Part of the checker's tolerance that is left for the order of summation."""

MAX_CUSTOMERS, MAX_LABELLED, MAX_WALKED = 15, 12, 9
"""Maximum number of customers: where a subset has one best partial route for each last customer (0.2 s), where it may
have several (0.1 s if other travel is random), and where all orders are walked along (0.1 s)."""

_int32, _int64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_double
_reals, _maybe = array(np.float64), array(np.float64, optional=True)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_ROUTES = (
    _int32, _reals, _maybe, _reals, _reals, _maybe, array(np.int32, optional=True), _real, _int64, _longs_out,
    _reals_out, _reals_out, _ints_out, _ints_out, _reals_out, _ints_out, _longs_out,
)  # fmt: skip
_PARTITION = (_int32, _int32, _real, _reals, _reals_out, _ints_out)

Best = tuple[Floats, Callable[[int], list[int]]]
"""The cost of the cheapest route of each subset, which is numbered by its bits, and its stops."""


class TooManyLabels(Exception):
    """There are too many partial routes, none of which is better than another in everything."""


def most_customers(problem: VRP) -> int:
    """Return the largest number of customers for which :func:`cheapest_routes` is, of vehicles that are all alike."""
    schedule = problem.schedule
    if schedule is None:
        return MAX_LABELLED if any(limit.travel is not None for limit in problem.limits) else MAX_CUSTOMERS
    if schedule.traffic is not None:
        return 0  # its travel is an upper bound
    if schedule.windows.several and np.isfinite(schedule.longest_wait):
        return 0  # some feasible routes are judged infeasible
    return MAX_LABELLED if labels_tell(problem, schedule) else MAX_WALKED


def cheapest_routes(given: VRP, room: int = MAX_LABELS) -> Routes | None:
    """Return optimal routes, or None if no routes keep all limits.

    Limits are those of the checker, tolerance included. Raises :class:`TooManyLabels` beyond ``room`` partial routes,
    which up to nine customers never happens.
    """
    problem, order = depot_first(given)
    limit, other = limits_of(problem)
    schedule = problem.schedule
    if schedule is not None and not labels_tell(problem, schedule):
        routes = _division(problem, *_walked(problem))
    else:
        routes = _division(problem, *_labelled(problem, limit, None, schedule, room))
    if schedule is None and routes is not None and other is not None and not problem.check(routes).feasible:
        routes = _division(problem, *_labelled(problem, limit, other, None, room))
    return None if routes is None else [order[route] for route in routes]


def labels_tell(problem: VRP, schedule: Schedule) -> bool:
    """Return whether of two partial routes to the same customer, one that is cheaper and earlier is better."""
    free = not schedule.walks and not schedule.per_time and np.isinf(schedule.longest)
    onward = schedule.travel is not None or problem.matrix is None or lowest_distance(problem.matrix) >= 0
    return bool(free and onward and limits_of(problem)[1] is None)


def _labelled(problem: VRP, limit: Limit | None, other: Limit | None, schedule: Schedule | None, room: int) -> Best:
    """Return the best routes of a problem whose depot is node 0, within these of its limits, from partial routes."""
    m = problem.n - 1
    nodes = np.arange(problem.n)
    table = np.array(problem.distances(nodes[:, None], nodes[None, :]), np.float64).reshape(-1)
    travel2 = None if other is None or other.travel is None else np.ascontiguousarray(other.travel).reshape(-1)
    most, most2 = allowed_travel(limit, m), allowed_travel(other, m)
    if travel2 is None:  # what both limits count is the cost
        most, most2 = np.minimum(most, most2), allowed_travel(None, m)
    loads, capacity = problem.loads
    most[sums_of(loads[1:]) > capacity] = -NONE
    windows: tuple[Any, ...] = (None, None, 0.0)
    if schedule is not None:
        travel2 = table if schedule.travel is None else np.array(schedule.travel, np.float64).reshape(-1)
        ends, windows = window_arguments(schedule)
        most2[:] = NONE / 10 if problem.open else ends[0]
    return labelled(table, most, m << m if travel2 is None else room, travel2, most2, windows)


def labelled(
    table: Floats, most: Floats, room: int, travel2: Floats | None, most2: Floats, windows: tuple[Any, ...]
) -> Best:
    """Return the best routes from ``room`` partial routes at most; arguments are those of ``exact_routes``."""
    m = len(most).bit_length() - 1
    cost, used = np.empty((2, room))
    before, last = np.empty((2, room), np.int32)
    route, end, counts = np.empty(1 << m), np.empty(1 << m, np.int32), np.zeros(1, np.int64)
    kernel("exact_routes", *_ROUTES)(
        0, 1, m, table, travel2, most, most2, *windows, room, np.empty((m << m) + 1, np.int64), cost, used, before,
        last, route, end, counts,
    )  # fmt: skip
    if counts[0] < 0:
        raise TooManyLabels

    def stops(subset: int) -> list[int]:
        found, label = [], int(end[subset])
        while label >= 0:
            found.append(int(last[label]) + 1)
            label = int(before[label])
        return found[::-1]

    return route, stops


def window_arguments(schedule: Schedule) -> tuple[Floats, tuple[Any, ...]]:
    """Return the closings as the checker takes them, and windows and the first departure as arguments of the kernel."""
    windows = schedule.windows
    closes = np.minimum(windows.closes + schedule.tolerance * (1 - ROUNDING), NONE / 10)
    arrays = np.concatenate((windows.opens, closes, schedule.services, windows.gaps.reshape(-1)))
    leaves = windows.next_start(0, 0.0) + float(schedule.services[0])
    return closes, (arrays, windows.ends.astype(np.int32) if windows.several else None, leaves)


def _walked(problem: VRP) -> Best:
    """Return the best routes of a problem whose depot is node 0 among all orders of all subsets."""
    fleet = RouteState(RouteInstance.of(problem, 1), np.zeros(0, np.int32), 1, left_out=problem.customers)
    return walked(fleet, 0)


def walked(fleet: RouteState, vehicle: int) -> Best:
    """Return the best routes of a vehicle among all orders of all subsets."""
    m = len(fleet.nodes) - 1
    route, orders = fleet.walked(vehicle)

    def stops(subset: int) -> list[int]:
        places = orders[subset * m : subset * m + subset.bit_count()]
        return [int(node) for node in fleet.nodes[places]]

    return route, stops


def _division(problem: VRP, route: Floats, stops: Callable[[int], list[int]]) -> Routes | None:
    """Return the cheapest of these routes that serve all customers, with few routes first if they count first."""
    m, vehicles = problem.n - 1, problem.vehicles
    rows = 0 if vehicles is None or vehicles >= m else vehicles
    rows = rows or (m if problem.fewest else 0)
    best, chosen = division(m, rows, float(problem.fixed_cost), route)
    whole = best[:, -1]
    row = int((whole[1:] < NONE).argmax()) + 1 if problem.fewest and rows else rows
    if whole[row] >= NONE:
        return None
    return [np.array(stops(part), np.int32) for part in parts_of(chosen[: row + 1], (1 << m) - 1)]


def division(m: int, rows: int, fixed: float, route: Floats) -> tuple[Floats, Ints]:
    """Return the cost of the cheapest division of each subset of ``m`` customers into routes, and one part of it.

    Row k is for at most k routes; without ``rows``, the only row is for any number. Each costs ``fixed`` besides.
    """
    best, chosen = np.empty((rows + 1, 1 << m)), np.empty((rows + 1, 1 << m), np.int32)
    kernel("exact_partition", *_PARTITION)(0, 1, m, rows, fixed, route, best.reshape(-1), chosen.reshape(-1))
    return best, chosen


def parts_of(chosen: Ints, subset: int) -> list[int]:
    """Return the parts of a subset in the division of the last row."""
    parts, row = [], len(chosen) - 1
    while subset:
        parts.append(int(chosen[row, subset]))
        row, subset = max(row - 1, 0), subset ^ parts[-1]
    return parts


def allowed_travel(limit: Limit | None, customers: int) -> Floats:
    """Return the maximum travel of a route through each subset of the customers."""
    if limit is None:
        return np.full(1 << customers, np.inf)
    return limit.most * (1 + LIMIT_TOLERANCE - ROUNDING) - sums_of(limit.services[1:])


def sums_of(values: Floats) -> Floats:
    """Return the sum of each subset of ``values``, which is numbered by its bits."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums, sums + value))
    return sums
