"""Routes along a space-filling curve, for runs that end before savings: a million customers take half a second."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from warptour.candidates.hilbert import space_order
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.route_limits import ways


def simple_routes(problem: VRP) -> Routes | None:
    """Return :func:`curve_routes` if they are feasible, else a route for each customer or shipment if those are.

    A curve keeps no time windows; where vehicles are not limited, whoever can be served can be served alone.
    """
    routes = curve_routes(problem)
    if problem.check(routes).feasible:
        return routes
    alone = {int(node): [int(node)] for node in problem.customers}
    for shipment in problem.shipments:
        alone[shipment.pickup] += alone.pop(shipment.delivery)
    routes = [np.array(nodes, np.int32) for nodes in alone.values()]
    return routes if problem.check(routes).feasible else None


def curve_routes(problem: VRP) -> Routes:
    """Return the customers along a Hilbert curve, in routes as long as capacity and limits allow.

    A matrix without places has its customers in the order of the file. A customer that violates a limit on its own has
    its own route.
    """
    order = problem.customers
    if len(order) == 0:
        return []
    if problem.map is not None:
        order = order[space_order(np.asarray(problem.map, np.float64)[order])]
    loads, capacity = problem.loads
    totals = [0.0, *np.cumsum(loads[order]).tolist()]
    depot = np.array([problem.depot])
    limits = [
        (
            ways(problem, limit, depot, order) + limit.services[order],
            ways(problem, limit, order[:-1], order[1:]) + limit.services[order[1:]],
            ways(problem, limit, order, depot),
            limit.searched,
        )
        for limit in problem.limits
    ]
    routes, begin = [], 0
    while begin < len(order):
        end = max(begin + 1, bisect_right(totals, totals[begin] + capacity) - 1)
        for out, legs, home, most in limits:
            used = np.cumsum(np.append(out[begin], legs[begin : end - 1])) + home[begin:end]
            end = begin + max(1, int(np.count_nonzero(np.logical_and.accumulate(used <= most))))
        routes.append(order[begin:end])
        begin = end
    return routes
