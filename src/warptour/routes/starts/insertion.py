"""Cheapest insertion for vehicle routes, and one vehicle for each customer.

    i-j  ->  i-c-j        adds d(i,c) + d(c,j) - d(i,j)

A route begins with the customer farthest from the depot 0. Of the customers that fit, the one with the least

    d(i,c) + d(c,j) - d(i,j) - d(0,c)

at its cheapest place is inserted there, until none fits and the next route begins. Nobody left over fits into an
earlier route either: those do not change any more. (Without d(0,c), customers far away are left over for routes of
their own: 14 CMT, Golden and X instances cost 2 to 34% more.) Over asymmetric distances, d(0,c) is half the way to the
customer and back.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.model.limits import Limit
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.detour_routes import detoured
from warptour.routes.starts.route_limits import detours, ways

Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]


def singles(problem: VRP) -> Routes:
    """Return one route for each customer, whatever the number of vehicles."""
    return [np.array([node], np.int32) for node in problem.customers]


def insertion(problem: VRP, over: Over | None = None) -> Routes:
    """Return routes that serve every customer, within capacity and limits, perhaps more than there are vehicles.

    A customer that violates a limit on its own is served by way of others; if no such way is found, it stays alone.

    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    customers = problem.customers
    customers = customers[np.argsort(-_trips(problem, None, customers), kind="stable")]
    routes: Routes = []
    while len(customers):
        routes.append(_filled_route(problem, customers, over))
        customers = customers[~np.isin(customers, routes[-1])]
    return detoured(problem, routes, over)


def inserted(problem: VRP, routes: Routes, customers: Iterable[int]) -> Routes:
    """Return ``routes`` with each of ``customers``, in this order, at its cheapest place in any route or a new one.

    Where no route has room, a new one may exceed the number of vehicles.
    """
    depot = problem.depot
    demands, capacity = problem.loads
    giant = problem.giant_tour([route for route in routes if len(route)])
    for customer in map(int, customers):
        owners = np.cumsum(giant == depot)[:-1] - 1
        tails, heads, itself = giant[:-1], giant[1:], np.array([customer])
        added = detours(problem, None, tails, itself, heads)
        fits = np.bincount(owners, demands[tails])[owners] + demands[customer] <= capacity
        for limit in problem.limits:
            taken = ways(problem, limit, tails, heads) + np.where(tails == depot, 0, limit.services[tails])
            more = detours(problem, limit, tails, itself, heads) + limit.services[customer]
            fits &= np.bincount(owners, taken)[owners] + more <= limit.searched
        added[~fits] = np.inf
        alone = float(_trips(problem, None, itself)[0]) + problem.fixed_cost
        spare = problem.vehicles is None or (tails == depot).sum() < problem.vehicles
        best = float(added.min(initial=np.inf))
        if best == np.inf or (spare and alone < best):
            giant = np.append(giant, np.array([customer, depot], np.int32))
        else:
            giant = np.insert(giant, int(added.argmin()) + 1, customer)
    return problem.split_giant_tour(giant)


def _filled_route(problem: VRP, customers: Int32s, over: Over | None) -> Int32s:
    """Return a route of the first of ``customers`` and as many others as fit.

    What each of them adds to each edge is kept in one row per edge, and for each the least of its column.
    """
    demands, capacity = problem.loads
    needs, trips, limits = demands[customers], _trips(problem, None, customers), problem.limits
    absent = np.ones(len(customers), bool)
    route, rows = [problem.depot, problem.depot], [trips]
    depot = np.array([problem.depot])
    leaving = [ways(problem, None, depot, customers)] * 2  # from each node of the route to all customers, and back
    arriving = [ways(problem, None, customers, depot)] * 2 if problem.asymmetric else leaving
    added, places = trips.copy(), np.zeros(len(customers), np.int64)
    load, used = 0.0, np.zeros(len(limits))
    taken = np.array([_trips(problem, limit, customers) + limit.services[customers] for limit in limits])
    at = 0
    while True:
        go_on(over)
        place = int(places[at])
        load += needs[at]
        used += taken[:, at] if len(limits) else 0
        absent[at] = False
        route.insert(place + 1, int(customers[at]))
        leaving.insert(place + 1, ways(problem, None, customers[at : at + 1], customers))
        if problem.asymmetric:
            arriving.insert(place + 1, ways(problem, None, customers, customers[at : at + 1]))
        edges = ways(problem, None, np.array(route[place : place + 2]), np.array(route[place + 1 : place + 3]))
        rows[place : place + 1] = [leaving[place + side] + arriving[place + 1 + side] - edges[side] for side in (0, 1)]
        stale = places == place
        places[places > place] += 1
        for edge in (place, place + 1):
            better = rows[edge] < added
            added[better], places[better] = rows[edge][better], edge
        columns = np.stack([row[stale] for row in rows])
        added[stale], places[stale] = columns.min(axis=0), columns.argmin(axis=0)
        fits = absent & (load + needs <= capacity)
        nodes = np.array(route)
        for k, limit in enumerate(limits):
            more = added if limit.travel is None else detours(
                problem, limit, nodes[places], customers, nodes[places + 1]
            )  # fmt: skip
            taken[k] = more + limit.services[customers]
            fits &= used[k] + taken[k] <= limit.searched
        if not fits.any():
            return np.array(route[1:-1], np.int32)
        at = int(np.where(fits, added - trips / 2, np.inf).argmin())


def _trips(problem: VRP, limit: Limit | None, customers: Int32s) -> Floats:
    """Return the travel from the depot to each customer and back, as ``limit`` counts it; the distances for None."""
    depot = np.array([problem.depot])
    return detours(problem, limit, depot, customers, depot)
