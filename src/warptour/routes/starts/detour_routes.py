"""Routes for customers whose direct trip exceeds a limit: by way of others, where the triangle inequality fails.

    0-v-0  ->  0-u-v-0,  0-v-w-0  or  0-u-v-w-0

Roads have such times: the way through a town is shorter or slower than the one around it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.model.limits import Limit
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.route_limits import amounts, are_within_limits, ways
from warptour.routes.starts.vehicle_limit import cheapest_place, keeps_limits

Int32s = NDArray[np.int32]

DETOURS = 10
"""Number of shortest ways to a customer, and back from it, that are combined."""


def detoured(problem: VRP, routes: Routes, over: Over | None = None) -> Routes:
    """Return ``routes`` with customers who exceed a limit on their own moved to others, or on a way through others.

    Who fits nowhere keeps a route of their own. Raises :class:`~warptour.kernels.groups.Unfinished` once ``over()``.
    """
    kept = are_within_limits(problem, routes)
    if kept.all():
        return routes
    far = [int(customer) for number in np.flatnonzero(~kept) for customer in routes[number]]
    routes = [routes[number] for number in np.flatnonzero(kept)]
    while True:
        left = []
        for customer in far:
            go_on(over)
            found = _inserted(problem, routes, customer) or _by_others(problem, routes, customer)
            if found is None:
                left.append(customer)
            else:
                routes = found
        if len(left) in (0, len(far)):
            return routes + [np.array([customer], np.int32) for customer in left]
        far = left


def _inserted(problem: VRP, routes: Routes, customer: int) -> Routes | None:
    """Return ``routes`` with ``customer`` at its cheapest place, or None if it fits nowhere."""
    loads = np.array([problem.loads[0][route].sum() for route in routes])
    used = np.array([amounts(problem, route) for route in routes])
    place = cheapest_place(problem, routes, loads, used, customer)
    if place is None:
        return None
    longer = np.insert(routes[place[0]], place[1], customer)
    return [*routes[: place[0]], longer, *routes[place[0] + 1 :]]


def _by_others(problem: VRP, routes: Routes, customer: int) -> Routes | None:
    """Return ``routes`` with a new one of ``customer`` and one or two others, taken from theirs, or None."""
    others = np.concatenate([*routes, np.empty(0, np.int32)])
    itself, depot = np.array([customer]), np.array([problem.depot])

    def through(limit: Limit | None, first: Int32s, last: Int32s) -> NDArray[np.float64]:
        """Return the travel from ``first`` to ``last``: directly, then by each of the others."""
        services = 0 if limit is None else limit.services[others]
        detours = ways(problem, limit, first, others) + services + ways(problem, limit, others, last)
        return np.append(ways(problem, limit, first, last), detours)

    def best(first: Int32s, last: Int32s) -> list[int]:
        """Return the shortest ways: relative to the limits, for whichever is the closest to being exceeded."""
        used = np.max([through(limit, first, last) / limit.most for limit in problem.limits], axis=0)
        return [int(way) for way in np.argsort(used, kind="stable")[:DETOURS]]

    before, after = through(None, depot, itself), through(None, itself, depot)
    options = [(before[i] + after[j], i, j) for i in best(depot, itself) for j in best(itself, depot) if i != j]
    for _, i, j in sorted(options):
        route = np.array([*others[i - 1 : i], customer, *others[j - 1 : j]], np.int32)  # none of the others for 0
        if keeps_limits(problem, route):
            rest = [each[~np.isin(each, route)] for each in routes]
            rest = [each for each in rest if len(each)]
            if are_within_limits(problem, rest).all():
                return [*rest, route]
    return None
