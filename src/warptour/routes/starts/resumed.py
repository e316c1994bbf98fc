"""First routes from a plan that is under way: what of it still fits, and new orders where they add least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over
from warptour.model.metric import Nodes
from warptour.model.shipments import ends_of
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.carried import without_deliveries
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState

NEAREST = 40
"""Neighbours of a customer beside which others may be inserted."""
MAX_LISTED = 2**22
"""Length of all lists of neighbours together, at most, where those of new orders are long."""


def resumed(problem: VRP, instance: RouteInstance, over: Over | None = None) -> RouteState:
    """Return the routes of a problem's plan, with all others inserted in the best of several orders."""
    assert problem.locks is not None
    return _completed(problem, instance, problem.locks.plan, over)


def mended(problem: VRP, routes: Sequence[Nodes], threads: int) -> Routes:
    """Return routes without what breaks a limit, and with the customers that they lack where those add least."""
    instance = RouteInstance.of(problem, NEAREST, threads)
    giant = _completed(problem, instance, routes).giant_tour()
    return instance.leave(giant)


def _completed(problem: VRP, instance: RouteInstance, plan: Sequence[Nodes], over: Over | None = None) -> RouteState:
    kept = still_kept(problem, plan)
    giant, mixed = instance.enter(kept), instance.kinds is not None
    slots = 0 if mixed else problem.vehicles or problem.n
    left = np.setdiff1d(without_deliveries(instance.problem), giant)
    best: RouteState | None = None
    seen = all_neighbours(instance, left)
    for order in _orders(instance.problem, left):
        fleet = RouteState(seen, giant, slots, left_out=None if mixed else left)
        fleet.insert(left[order], eager=problem.optional)
        if best is None or (fleet.missing, fleet.cost) < (best.missing, best.cost):
            best = fleet
        if over is not None and over():
            break
    assert best is not None
    return best if best.complete or not mixed else RouteState(instance, best.giant_tour(), 0)


def all_neighbours(instance: RouteInstance, customers: Nodes) -> RouteInstance:
    """Return the instance with lists of all neighbours, or of very many, of some customers.

    Routes that have room are few, and may be far.
    """
    problem = instance.problem
    others = problem.customers
    width = min(len(others) - 1, max(instance.near.shape[1], MAX_LISTED // max(1, problem.n)))
    near = np.full((problem.n, width), -1, np.int32)
    near[:, : instance.near.shape[1]] = instance.near[:, :width]
    for customer in customers.tolist():
        to = others[others != customer]
        near[customer] = to[np.argsort(problem.distances(np.full(len(to), customer), to), kind="stable")[:width]]
    return replace(instance, near=near)


def _orders(problem: VRP, customers: Nodes) -> list[NDArray[np.int64]]:
    """Return orders to insert customers in: far, large and urgent ones first."""
    far = problem.distances(np.zeros(len(customers), np.int32), customers)
    orders = [np.argsort(-far, kind="stable"), np.argsort(-problem.all_loads[0][customers, 0], kind="stable")]
    if problem.schedule is not None:
        orders.append(np.argsort(problem.schedule.windows.closes[customers], kind="stable"))
    return orders


def still_kept(problem: VRP, plan: Sequence[Nodes]) -> Routes:
    """Return the routes of a plan without the stops by which a vehicle would now break a limit."""
    routes: Routes = []
    for vehicle, route in enumerate(plan):
        kept = route
        if problem.vehicle_faults(vehicle, route):
            kept = route[:0]
            for stop in route:
                longer = np.append(kept, stop).astype(np.int32)
                kept = kept if problem.vehicle_faults(vehicle, longer) else longer
        routes.append(np.asarray(kept, np.int32))
    served = {*chain.from_iterable(route.tolist() for route in routes)}
    shipments = ends_of(problem.shipments).tolist()
    parted = [end for ends in shipments if len(served.intersection(ends)) == 1 for end in ends]
    return [route[~np.isin(route, parted)] for route in routes] if parted else routes
