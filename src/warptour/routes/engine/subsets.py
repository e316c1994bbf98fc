"""Optimal routes of few customers by dynamic programming over subsets: the wrapper of ``exact_routes.c``."""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Floats, Ints, depot_first
from warptour.routes.engine.sums import limits_of

NONE: Final = 1e300
"""Cost of what there is not, as in the kernel."""

MAX_LABELS: Final = 4_000_000
"""Maximum number of partial routes kept (100 MB)."""

ROUNDING: Final = 1e-12
"""Part of the checker's tolerance that is left for the order of summation."""

_int32, _int64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_double
_reals, _maybe = array(np.float64), array(np.float64, optional=True)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_ROUTES = (
    _int32, _reals, _maybe, _reals, _reals, _int64, _longs_out, _reals_out, _reals_out, _ints_out, _ints_out,
    _reals_out, _ints_out, _longs_out,
)  # fmt: skip
_PARTITION = (_int32, _int32, _real, _reals, _reals_out, _ints_out)


class TooManyLabels(Exception):
    """There are too many partial routes, none of which is better than another in everything."""


def cheapest_routes(given: VRP, room: int = MAX_LABELS) -> Routes | None:
    """Return optimal routes, or None if no routes keep all limits.

    Limits are those of the checker, tolerance included. Raises :class:`TooManyLabels` beyond ``room`` partial routes,
    which up to nine customers never happens.
    """
    problem, order = depot_first(given)
    limit, other = limits_of(problem)
    routes = _solution(problem, limit, None, room)
    if routes is not None and other is not None and not problem.check(routes).feasible:
        routes = _solution(problem, limit, other, room)
    return None if routes is None else [order[route] for route in routes]


def _solution(problem: VRP, limit: Limit | None, other: Limit | None, room: int) -> Routes | None:
    """Return optimal routes of a problem whose depot is node 0, within these of its limits."""
    m = problem.n - 1
    nodes = np.arange(problem.n)
    table = np.array(problem.distances(nodes[:, None], nodes[None, :]), np.float64).reshape(-1)
    travel2 = None if other is None or other.travel is None else np.ascontiguousarray(other.travel).reshape(-1)
    most, most2 = _allowed(limit, m), _allowed(other, m)
    if travel2 is None:  # what both limits count is the cost
        most, most2 = np.minimum(most, most2), _allowed(None, m)
    loads, capacity = problem.loads
    most[_sums(loads[1:]) > capacity] = -NONE
    room = m << m if travel2 is None else room
    cost, used = np.empty((2, room))
    before, last = np.empty((2, room), np.int32)
    route, end, counts = np.empty(1 << m), np.empty(1 << m, np.int32), np.zeros(1, np.int64)
    kernel("exact_routes", *_ROUTES)(
        0, 1, m, table, travel2, most, most2, room, np.empty((m << m) + 1, np.int64), cost, used, before, last,
        route, end, counts,
    )  # fmt: skip
    if counts[0] < 0:
        raise TooManyLabels
    rows = 0 if problem.vehicles is None or problem.vehicles >= m else problem.vehicles
    best, chosen = np.empty(rows + 1 << m), np.empty(rows + 1 << m, np.int32)
    kernel("exact_partition", *_PARTITION)(0, 1, m, rows, float(problem.fixed_cost), route, best, chosen)
    return None if best[-1] >= NONE else _routes(m, rows, chosen, end, before, last)


def _routes(m: int, row: int, chosen: Ints, end: Ints, before: Ints, last: Ints) -> Routes:
    """Return the routes of all customers, from the last route of each subset back to the first label of each."""
    routes: Routes = []
    subset = (1 << m) - 1
    while subset:
        part = int(chosen[(row << m) + subset])
        row, subset = max(row - 1, 0), subset ^ part
        stops, label = [], int(end[part])
        while label >= 0:
            stops.append(int(last[label]) + 1)
            label = int(before[label])
        routes.append(np.array(stops[::-1], np.int32))
    return routes


def _allowed(limit: Limit | None, customers: int) -> Floats:
    """Return the maximum travel of a route through each subset of the customers."""
    if limit is None:
        return np.full(1 << customers, np.inf)
    return limit.most * (1 + LIMIT_TOLERANCE - ROUNDING) - _sums(limit.services[1:])


def _sums(values: Floats) -> Floats:
    """Return the sum of each subset of ``values``, which is numbered by its bits."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums, sums + value))
    return sums
