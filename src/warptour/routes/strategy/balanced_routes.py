"""Even routes: the largest is made as small as can be, then the cost.

s := customers inserted one by one, all of whom are served
until steps are small:
limit := between the largest route of s and the least there can be
s' := s without some customers of the routes above the limit
s := s' with all customers, if ruin and recreate finds it under the limit; else shorter steps
s := s annealed by all threads, under the limit of its largest route
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from warptour.model.balance import largest, limited, measure
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.strategy.cooling import Cooling, typical_edge
from warptour.routes.strategy.few_vehicles import fitting
from warptour.routes.strategy.mixed_vehicles import SPEED, given, inserted, search_mixed
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.threads import ThreadPool

SHARE: Final = 0.6
"""Maximum share of the budget in which the largest route becomes smaller."""
TRIAL_SHARE: Final = 0.1
"""Maximum share of it for one limit."""
TRIAL: Final = 2000, 300
"""Maximum iterations for one limit: at least, and more for each customer."""
FIRST_STEP: Final = {"stops": 1.0, "load": 0.9}
"""First step towards the least largest route, in parts of the way: often there is an equal share of stops or loads."""
SHORTER: Final = 1 / 3
"""Factor on steps after a limit that no routes were found for."""
LEAST_STEP: Final = 1e-4
"""Last step, in parts of the largest route; a limit of the same amount less rounding errors comes last."""
ROUNDING: Final = 1e-6


def search_balanced(search: Search[VRP], ruin: Ruin, nearest: int, heats: tuple[float, float]) -> None:
    """Search until over, offering all better routes; parameters are those of :func:`search_mixed`."""
    routes = _first_routes(search, ruin, nearest, heats[1])
    if routes is None:
        return
    search.offer([route.copy() for route in routes])
    least, step = least_largest(search.problem), FIRST_STEP.get(search.problem.balance or "", 0.5)
    spent = Cooling(search, 1.0, 1.0, SHARE)
    most = largest(search.problem, routes)
    while most > least and not search.over() and not spent.is_finished():
        last = step * (most - least) < LEAST_STEP * most
        found = _under(search, ruin, nearest, heats[1], routes, _next_limit(search.problem, most, least, step, last))
        if found is not None:
            routes, most = found, largest(search.problem, found)
            search.offer([route.copy() for route in routes])
        elif last:
            break
        else:
            step *= SHORTER
    if not search.over():
        search_mixed(search, ruin, nearest, heats, limited(search.problem, most), routes)


def _next_limit(problem: VRP, most: float, least: float, step: float, last: bool) -> float:
    """Return a limit below ``most``: ``last`` the next below, else one a step farther."""
    if problem.balance == "stops":
        return most - max(1.0, math.ceil(step * (most - least)))
    return most * (1 - ROUNDING) if last else most - step * (most - least)


def least_largest(problem: VRP) -> float:
    """Return less than the largest route can have, about: what the farthest customer takes alone, or an equal share."""
    vehicles = max(1, problem.vehicles or 1)
    customers = problem.customers
    if problem.balance == "stops":
        return math.ceil(len(customers) / vehicles)
    if problem.balance == "load":
        demands = problem.demands[customers]
        return 0.0 if problem.two_way else max(demands.max().item(), demands.sum().item() / vehicles)
    kinds = [0] if problem.fleet is None else np.unique(problem.fleet.kinds, return_index=True)[1].tolist()
    alone = [min(measure(problem, kind, customers[at : at + 1]) for kind in kinds) for at in range(len(customers))]
    return max(alone, default=0.0) * (1 - ROUNDING)


def _first_routes(search: Search[VRP], ruin: Ruin, nearest: int, cold: float) -> Routes | None:
    """Return routes that serve all customers; None if there are none in time."""
    if isinstance(search.start, list):
        return search.start
    instance = RouteInstance.of(_as_fleet(search.problem), nearest, search.threads, search.hurried)
    return _completed(search, instance, inserted(search, instance), ruin, cold)


def _under(search: Search[VRP], ruin: Ruin, nearest: int, cold: float, routes: Routes, most: float) -> Routes | None:
    """Return routes of which none has more than ``most``, made from ``routes``; None if none are found."""
    problem = limited(search.problem, most)
    instance = RouteInstance.of(problem, nearest, search.threads, search.hurried)
    shorter = [cut(problem, number, route, most) for number, route in enumerate(routes)]
    share = Cooling(search, 1.0, 1.0, SHARE * TRIAL_SHARE)
    until = search.iterations + TRIAL[0] + TRIAL[1] * problem.n
    return _completed(
        search, instance, given(instance, shorter), ruin, cold,
        lambda: search.over() or share.is_finished() or search.iterations >= until,
    )  # fmt: skip


def _completed(
    search: Search[VRP],
    instance: RouteInstance,
    state: RouteState,
    ruin: Ruin,
    cold: float,
    over: Callable[[], bool] | None = None,
) -> Routes | None:
    """Return the routes of a state once all customers are served; None if it is ``over`` before."""
    giant = state.giant_tour()
    if not state.missing and state.complete:
        return instance.leave(giant)
    heat = cold * typical_edge(instance.problem, giant)
    iterations = min(search.iterations_left(), SPEED * search.threads * search.seconds_left())
    if search.best is None:
        search.remember_infeasible(instance.leave(giant))
    with ThreadPool(search.threads) as pool:
        plan = Plan(instance, pool, Cooling(search, heat, heat), ruin, search.key(), iterations, 0, 0, 0)
        found = fitting(search, plan, giant, over=over)
    return None if found is None else instance.leave(found)


def _as_fleet(problem: VRP) -> VRP:
    return problem if problem.fleet is not None else problem.with_types([problem.common_type])


def cut(problem: VRP, number: int, route: Ints, most: float) -> Ints:
    """Return a route without the customers that take it above a limit, those of the longest detours first.

    With a customer go those with whom it goes together, and the other end of its shipment.
    """
    bound = problem.companies | {
        end: (each.pickup, each.delivery) for each in problem.shipments for end in (each.pickup, each.delivery)
    }
    while len(route) and measure(problem, number, route) > most:
        path = problem.path(number, route)
        inner = np.arange(len(route)) + (problem.type_of(number).start is not None)
        before, behind = path[np.maximum(inner - 1, 0)], path[np.minimum(inner + 1, len(path) - 1)]
        detours = (
            problem.distances(before, route) + problem.distances(route, behind) - problem.distances(before, behind)
        )
        node = int(route[np.argmax(detours)])
        route = route[~np.isin(route, bound.get(node, (node,)))]
    return route
