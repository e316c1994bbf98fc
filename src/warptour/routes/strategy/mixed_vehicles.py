"""Ruin and recreate where vehicles differ or customers may stay unserved.

    s := customers inserted one by one, in several orders, where each costs least
    until all who must be served are:
        s := s after ruin and recreate that prefers customers often left out
    if few vehicles count before the cost, for a share of the budget:
        s := s without one of its routes, until all customers are served again
    s := s annealed by all threads

Routes are numbered by their vehicles. A customer with a prize stays out while serving it costs more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np

from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.carried import without_deliveries
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import UNREACHED, RouteState, Ruin
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.cooling import Cooling, typical_edge, warmth
from warptour.routes.strategy.first_routes import FEWER_HEAT, FEWEST_SHARE, PACKING_NEAREST
from warptour.routes.strategy.ruin_recreate import Plan, allotted
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import follow

SPEED = 5e4
"""Iterations of a thread per second, about."""


def search_mixed(
    search: Search[VRP],
    ruin: Ruin,
    nearest: int,
    heats: tuple[float, float],
    problem: VRP | None = None,
    start: Routes | None = None,
) -> None:
    """Search until over, offering all better routes.

    Parameters
    ----------
    search : Search
    ruin : Ruin
    nearest : int
        Length of neighbour lists.
    heats : pair of float
        First and last temperature, in mean edges.
    problem : VRP, optional
        What is searched, if there are tighter limits than the search's.
    start : routes, optional
        Routes to begin with instead of the search's.
    """
    start = search.start if start is None and isinstance(search.start, list) else start
    instance = RouteInstance.of(problem or search.problem, nearest, search.threads, search.hurried)
    fleet = inserted(search, instance) if start is None else given(instance, start)
    giant = fleet.giant_tour()
    iterations = min(search.iterations_left(), SPEED * search.threads * search.seconds_left())
    edge = typical_edge(instance.problem, giant)
    routes = sum(len(route) > 0 for route in instance.routes(giant))
    hot = max(heats[1], heats[0] * warmth(len(fleet.nodes) - 1, max(1, routes), iterations))
    cooling = Cooling(search, hot * edge, heats[1] * edge)
    with ThreadPool(search.threads) as pool:
        plan = Plan(instance, pool, cooling, ruin, search.key(), iterations, 0, 0, 0)
        if fleet.missing or not fleet.complete:
            search.remember_infeasible(instance.leave(giant))
            found = fitting(search, plan, giant)
            if found is None:
                return
            giant = found
            plan = replace(plan, cooling=replace(cooling))
        search.offer(instance.leave(giant))
        if search.problem.fewest and search.problem.fleet is None and not search.problem.optional:
            plan, giant = fewest_vehicles(search, plan, giant)
            instance = plan.instance
        if search.over():
            return
        free = np.isinf(search.iterations_left()) or not np.isinf(search.seconds_left())
        worker = CommonAnnealing(plan, giant, pool.at_once if free else 1)
        follow(search, worker, instance.leave, instance.enter)


def given(instance: RouteInstance, routes: Routes) -> RouteState:
    """Return the fleet of given routes."""
    return RouteState(instance, instance.enter(routes), len(routes))


def inserted(search: Search[VRP], instance: RouteInstance) -> RouteState:
    """Return the cheapest of several fleets to which customers are added one by one; first, who serves the most."""
    problem = instance.problem
    customers = without_deliveries(problem)
    far = problem.distances(np.zeros(len(customers), np.int32), customers)
    orders = [np.argsort(-far, kind="stable"), np.argsort(-problem.all_loads[0][customers, 0], kind="stable")]
    if problem.schedule is not None:
        windows = problem.schedule.windows
        orders += [np.argsort(edge[customers], kind="stable") for edge in (windows.closes, windows.opens)]
    best: RouteState | None = None
    several = instance.kinds is not None and len(instance.kinds.table) > 1
    choices = product(orders, (problem.optional,), (True, False) if several else (True,))
    for order, eager, larger in choices:
        fleet = RouteState(instance, np.zeros(0, np.int32), len(customers))
        fleet.insert(customers[order], larger=larger, eager=eager)
        if best is None or (fleet.missing, fleet.cost) < (best.missing, best.cost):
            best = fleet
        if search.hurried():
            break
    assert best is not None
    return best


def fewest_vehicles(search: Search[VRP], plan: Plan, giant: Ints) -> tuple[Plan, Ints]:
    """Return a giant tour with as few routes as are found in a share of the budget, and the plan for so many vehicles.

    Each time, the route with the fewest customers is dissolved.
    """
    deadline = search.seconds + FEWEST_SHARE * search.seconds_left()
    until = search.iterations + FEWEST_SHARE * search.iterations_left()
    heat, width = FEWER_HEAT * plan.cooling.cold, plan.instance.near.shape[1]

    def over() -> bool:
        return search.over() or search.seconds >= deadline or search.iterations >= until

    best, routes = plan, sorted(filter(len, plan.instance.routes(giant)), key=len, reverse=True)
    while not over():
        fewer = replace(search.problem, vehicles=max(1, len(routes)))
        instance = RouteInstance.of(fewer, width, search.threads, search.hurried)
        best, giant = replace(best, instance=instance), instance.giant_tour(routes)
        if len(routes) < 2:
            break
        fewer = replace(search.problem, vehicles=len(routes) - 1)
        packing = replace(plan, instance=RouteInstance.of(fewer, PACKING_NEAREST, search.threads, search.hurried))
        found = fitting(search, packing, packing.instance.giant_tour(routes[:-1]), heat, over)
        if found is None:
            break
        routes = sorted(filter(len, packing.instance.routes(found)), key=len, reverse=True)
        search.offer(packing.instance.leave(found))
    return replace(best, cooling=replace(plan.cooling)), giant


def fitting(
    search: Search[VRP],
    plan: Plan,
    giant: Ints,
    steady: float | None = None,
    over: Callable[[], bool] | None = None,
) -> Ints | None:
    """Return a giant tour with all customers that must be served, made from ``giant``; None if the budget runs out.

    Parameters
    ----------
    steady : float, optional
        Temperature, if it does not fall.
    over : callable, optional
        Whether to give up, before the search is over.
    """
    fleets = [RouteState(plan.instance, giant, 0) for _ in range(plan.pool.threads)]
    heat = plan.cooling.cold

    def work(number: int) -> None:
        fleets[number].search(counts[number], (heat, heat), seed=plan.seed, stream=number, ruin=plan.ruin)

    fewest = fleets[0].missing
    while not (over or search.over)():
        heat = plan.cooling.temperature() if steady is None else steady
        counts = allotted(search.iterations_left(), [-(-plan.call // 4)] * len(fleets))
        plan.pool.map(work, range(len(fleets)))
        search.count(sum(counts))
        for fleet in fleets:
            if fleet.lowest < UNREACHED:
                return fleet.best()
            if over is None and fleet.missing < fewest:
                fewest = fleet.missing
                search.remember_infeasible(plan.instance.leave(fleet.giant_tour()))
    return None
