"""Cheapest insertion for vehicle routes, and one vehicle for each customer.

    i-j  ->  i-c-j        adds d(i,c) + d(c,j) - d(i,j)

A route begins with the customer farthest from the depot 0. Of the customers that fit, the one with the least

    d(i,c) + d(c,j) - d(i,j) - d(0,c)

at its cheapest place is inserted there, until none fits and the next route begins. Nobody left over fits into an
earlier route either: those do not change any more. (Without d(0,c), customers far away are left over for routes of
their own: 14 CMT, Golden and X instances cost 2 to 34% more.)
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.model.vehicles import VRP, Routes

Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]


def singles(problem: VRP) -> Routes:
    """Return one route for each customer, whatever the number of vehicles."""
    return [np.array([node], np.int32) for node in problem.customers]


def insertion(problem: VRP, over: Over | None = None) -> Routes:
    """Return routes that serve every customer, within capacity and route limit, perhaps more than there are vehicles.

    A customer that violates a limit on its own has its own route.

    Parameters
    ----------
    problem : VRP
    over : callable, optional
        Once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`.
    """
    customers = problem.customers
    customers = customers[np.argsort(-_apart(problem, problem.depot, customers), kind="stable")]
    routes: Routes = []
    while len(customers):
        routes.append(_filled_route(problem, customers, over))
        customers = customers[~np.isin(customers, routes[-1])]
    return routes


def inserted(problem: VRP, routes: Routes, customers: Iterable[int]) -> Routes:
    """Return ``routes`` with each of ``customers``, in this order, at its cheapest place in any route or a new one.

    Where no route has room, a new one may exceed the number of vehicles.
    """
    depot = problem.depot
    demands, capacity = problem.loads
    giant = problem.giant_tour([route for route in routes if len(route)])
    for customer in map(int, customers):
        owners = np.cumsum(giant == depot)[:-1] - 1
        tails, heads = giant[:-1], giant[1:]
        lengths = _lengths(problem, tails, heads)
        apart = _apart(problem, customer, giant)
        added = apart[:-1] + apart[1:] - lengths
        services = np.where(tails == depot, 0, problem.service_times[tails])
        loads = np.bincount(owners, demands[tails])[owners] + demands[customer]
        times = np.bincount(owners, lengths + services)[owners] + added + problem.service_times[customer]
        added[(loads > capacity) | (times > problem.searched_limit)] = np.inf
        alone = 2 * problem.distance(depot, customer) + problem.fixed_cost
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
    far = _apart(problem, problem.depot, customers)
    needs, services = demands[customers], problem.service_times[customers]
    absent = np.ones(len(customers), bool)
    route, rows = [problem.depot, problem.depot], [2 * far]
    apart = [far, far]  # from each node of the route to all customers
    added, places = 2 * far, np.zeros(len(customers), np.int64)
    load = time = 0.0
    at = 0
    while True:
        go_on(over)
        place = int(places[at])
        load, time = load + needs[at], time + added[at] + services[at]
        absent[at] = False
        route.insert(place + 1, int(customers[at]))
        apart.insert(place + 1, _apart(problem, int(customers[at]), customers))
        edges = _lengths(problem, np.array(route[place : place + 2]), np.array(route[place + 1 : place + 3]))
        rows[place : place + 1] = [apart[place + side] + apart[place + 1 + side] - edges[side] for side in (0, 1)]
        stale = places == place
        places[places > place] += 1
        for edge in (place, place + 1):
            better = rows[edge] < added
            added[better], places[better] = rows[edge][better], edge
        columns = np.stack([row[stale] for row in rows])
        added[stale], places[stale] = columns.min(axis=0), columns.argmin(axis=0)
        fits = absent & (load + needs <= capacity) & (time + added + services <= problem.searched_limit)
        if not fits.any():
            return np.array(route[1:-1], np.int32)
        at = int(np.where(fits, added - far, np.inf).argmin())


def _apart(problem: VRP, node: int, others: Int32s) -> Floats:
    """Return the distances from one node to others."""
    return _lengths(problem, np.full(len(others), node, np.int32), others)


def _lengths(problem: VRP, tails: Int32s, heads: Int32s) -> Floats:
    """Return the distances between nodes; a node has none to itself."""
    lengths: Floats = np.where(tails == heads, 0.0, problem.distances(tails, heads))
    return lengths
