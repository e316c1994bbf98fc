"""Reduction of the number of routes to the number of vehicles, by dissolving routes into others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.route_limits import amounts, detours, within_limits

Int32s = NDArray[np.int32]

CANDIDATES = 5
"""Number of least-loaded routes tried for removal before all customers are packed from scratch."""


def fewer_routes(problem: VRP, routes: Routes, over: Over | None = None) -> Routes:
    """Return routes for the problem's vehicles, or ``routes`` unchanged if none are found.

    The least-loaded route is dissolved repeatedly: its customers are inserted at the cheapest feasible position,
    largest demand first, and one that fits nowhere replaces a smaller customer, which is then reinserted. If that
    fails, all customers are packed from scratch by demand alone. Raises :class:`~warptour.kernels.groups.Unfinished`
    once ``over()``.
    """
    wanted = problem.vehicles
    if wanted is None:
        return routes
    kept = routes
    while len(kept) > wanted:
        loads = [_load(problem, route) for route in kept]
        for number in np.argsort(loads, kind="stable")[:CANDIDATES].tolist():
            others = kept[:number] + kept[number + 1 :]
            found = _insert_all(problem, others, kept[number].tolist(), over)
            if found is not None:
                kept = found
                break
        else:
            packed = _pack(problem, wanted, over)
            return routes if packed is None else packed
    return kept


def keeps_limits(problem: VRP, route: Int32s) -> bool:
    """Return whether ``route`` respects the capacity and all limits."""
    return _load(problem, route) <= problem.loads[1] and within_limits(problem, route)


def _insert_all(problem: VRP, routes: Routes, homeless: list[int], over: Over | None) -> Routes | None:
    """Return ``routes`` with the ``homeless`` customers inserted, or None. Their total demand falls in every step."""
    routes = list(routes)
    load = np.array([_load(problem, route) for route in routes])
    used = np.array([amounts(problem, route) for route in routes])
    while homeless:
        go_on(over)
        homeless.sort(key=lambda customer: (problem.loads[0][customer], customer))
        customer = homeless.pop()
        spot = cheapest_place(problem, routes, load, used, customer)
        if spot is not None:
            route, place = spot
            routes[route] = np.insert(routes[route], place, customer)
        else:
            swap = _smallest_exchange(problem, routes, load, customer)
            if swap is None:
                return None
            route, place = swap
            homeless.append(int(routes[route][place]))
            routes[route] = routes[route].copy()
            routes[route][place] = customer
        load[route] = _load(problem, routes[route])
        used[route] = amounts(problem, routes[route])
    return routes


def cheapest_place(
    problem: VRP, routes: Routes, load: NDArray[np.float64], used: NDArray[np.float64], customer: int
) -> tuple[int, int] | None:
    """Return the (route, index) of the cheapest feasible insertion of ``customer``, or None."""
    demands, capacity = problem.loads
    fitting = np.flatnonzero(load + demands[customer] <= capacity)
    if len(fitting) == 0:
        return None
    giant = problem.giant_tour([routes[number] for number in fitting])
    before, after = giant[:-1], giant[1:]
    itself = np.full(len(before), customer, np.int32)
    added = detours(problem, None, before, itself, after)
    sizes = np.array([len(routes[number]) + 1 for number in fitting])
    begin = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    for limit, amount in zip(problem.limits, used[fitting].T, strict=True):
        more = detours(problem, limit, before, itself, after) + limit.services[customer]
        added[np.repeat(amount, sizes) + more > limit.searched] = np.inf
    best = int(added.argmin())
    if not np.isfinite(added[best]):
        return None
    which = int(np.searchsorted(begin, best, side="right")) - 1
    return int(fitting[which]), best - int(begin[which])


def _smallest_exchange(
    problem: VRP, routes: Routes, load: NDArray[np.float64], customer: int
) -> tuple[int, int] | None:
    """Return the (route, index) of the smallest customer that ``customer`` can replace, or None."""
    demands, capacity = problem.loads
    demand = demands[customer]
    every = np.concatenate(routes)
    sizes = np.array([len(route) for route in routes])
    route_of = np.repeat(np.arange(len(routes)), sizes)
    index = np.arange(len(every)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    theirs = demands[every]
    fits = np.flatnonzero((theirs < demand) & (load[route_of] - theirs + demand <= capacity))
    for at in fits[np.lexsort((every[fits], theirs[fits]))].tolist():
        route = routes[route_of[at]].copy()
        route[index[at]] = customer
        if within_limits(problem, route):
            return int(route_of[at]), int(index[at])
    return None


def _pack(problem: VRP, vehicles: int, over: Over | None) -> Routes | None:
    """Return routes packed by best fit decreasing, each ordered by nearest neighbour; None if a limit is violated."""
    demands, capacity = problem.loads
    spare = np.full(vehicles, capacity)
    bins: list[list[int]] = [[] for _ in range(vehicles)]
    customers = problem.customers
    for customer in customers[np.argsort(-demands[customers], kind="stable")].tolist():
        go_on(over)
        left = spare - demands[customer]
        left[left < 0] = np.inf
        best = int(left.argmin())
        if not np.isfinite(left[best]):
            return None
        spare[best] -= demands[customer]
        bins[best].append(customer)
    routes = [_near_to_near(problem, np.array(group, np.int32), over) for group in bins if group]
    return routes if all(within_limits(problem, route) for route in routes) else None


def _near_to_near(problem: VRP, group: Int32s, over: Over | None) -> Int32s:
    order, here = [], problem.depot
    while len(group):
        go_on(over)
        best = int(problem.distances(np.full(len(group), here, np.int32), group).argmin())
        here = int(group[best])
        order.append(here)
        group = np.delete(group, best)
    return np.array(order, np.int32)


def _load(problem: VRP, route: Int32s) -> float:
    return float(problem.loads[0][route].sum())
