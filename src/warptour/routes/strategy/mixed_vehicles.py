"""Ruin and recreate where vehicles differ or customers may stay unserved.

    s := customers inserted one by one, in several orders, where each costs least
         (into the routes of a plan that is under way, if there is one)
    until all who must be served are:
        s := s after ruin and recreate that prefers customers often left out
    s := s annealed by all threads; if few vehicles count before the cost, as fixed_fleet.py says

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
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.starts.resumed import resumed
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.cooling import Cooling, typical_edge, warmth
from warptour.routes.strategy.few_vehicles import fewest_vehicles, fitting
from warptour.routes.strategy.fixed_fleet import anneal_fewest
from warptour.routes.strategy.hybrid_genetic import RoutePopulation
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import follow, never

SPEED = 5e4
"""Iterations of a thread per second, about."""

SHIPPED, STRINGS = 2.0, 4
"""Factor on the customers that a ruin removes where there are shipments, and least number of strings that a route has
then."""


def all_of_it(instance: RouteInstance, iterations: float) -> float:
    """Return that annealing has the whole budget."""
    return 1.0


def search_mixed(
    search: Search[VRP],
    ruin: Ruin,
    nearest: int,  # length of neighbour lists
    heats: tuple[float, float],  # first and last temperature, in mean edges
    problem: VRP | None = None,  # what is searched, if there are tighter limits than the search's
    start: Routes | None = None,  # routes to begin with instead of the search's
    share_of: Callable[[RouteInstance, float], float] = all_of_it,  # share of annealing in so many iterations
) -> None:
    """Search until over, offering all better routes."""
    start = search.start if start is None and isinstance(search.start, list) else start
    instance = RouteInstance.of(problem or search.problem, nearest, search.threads, search.hurried)
    if start is not None:
        fleet = given(instance, start)
    elif search.problem.locks is not None:
        fleet = resumed(search.problem, instance, search.hurried)
    else:
        fleet = inserted(search, instance)
    giant = fleet.giant_tour()
    iterations = min(search.iterations_left(), SPEED * search.threads * search.seconds_left())
    edge = typical_edge(instance.problem, giant)
    routes = sum(len(route) > 0 for route in instance.routes(giant))
    hot = max(heats[1], heats[0] * warmth(len(fleet.nodes) - 1, max(1, routes), iterations))
    share = share_of(instance, iterations)
    cooling = Cooling(search, hot * edge, heats[1] * edge, share or 1.0)
    if instance.problem.shipments:  # which lack room in few places: only large ruins change much
        longest = max(ruin.longest, (len(fleet.nodes) - 1) // (STRINGS * max(1, routes)))
        ruin = replace(ruin, mean=SHIPPED * ruin.mean, longest=longest)
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
        if search.over():
            return
        _improve(search, plan, giant, share)


def _improve(search: Search[VRP], plan: Plan, giant: Ints, share: float) -> None:
    """Anneal routes for a share of the budget; a population has the rest."""
    instance, pool = plan.instance, plan.pool
    free = np.isinf(search.iterations_left()) or not np.isinf(search.seconds_left())

    def annealing(plan: Plan, giant: Ints) -> CommonAnnealing:
        return CommonAnnealing(plan, giant, pool.at_once if free else 1)

    if search.problem.fewest and search.problem.fleet is None and not search.problem.optional:
        anneal_fewest(search, plan, giant, fewest_vehicles, annealing)
        return
    if share > 0:
        worker = annealing(plan, giant)
        until = plan.cooling.is_finished if share < 1 else never
        follow(search, worker, instance.leave, instance.enter, until=until)
        giant = worker.best()
    if share < 1 and not search.over():
        others = [instance.enter(routes) for routes in search.population if isinstance(routes, list)]
        population = RoutePopulation(instance, pool, search.key(), giant, others)
        follow(search, population, instance.leave, instance.enter)


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
