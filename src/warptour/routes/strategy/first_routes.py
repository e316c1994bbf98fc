"""The first routes: savings, and where those are more than the vehicles or than needed, a search that removes routes.

Customers of the routes beyond the vehicles are left out at first. Ruin and recreate on the others inserts whoever fits,
first those who were left out often, until no customer is missing (the fleet minimisation of Christiaens and Vanden
Berghe, 2020). Where vehicles are free, how many routes are cheapest is then tried.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from warptour.kernels.groups import Over, Unfinished
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import RouteState
from warptour.routes.starts.route_limits import are_within_limits
from warptour.routes.starts.savings import savings
from warptour.routes.starts.vehicle_limit import keeps_limits
from warptour.routes.strategy.fixed_fleet import Attempts
from warptour.routes.strategy.ruin_recreate import Plan, allotted, cooled
from warptour.search.search import Search

FIRST_NEAREST = 40
"""Neighbours of a customer beside which it may be inserted into the first routes of a problem with times."""

PATIENCE = 0.2
"""Share of the budget after which all customers are packed by their demands instead, if that is possible."""

SURPLUS = 3
"""Minimum number of routes beyond those that the loads would fill for which the cheapest number is tried."""

SLACK = 0.008
"""Fraction of the capacity that routes leave free where savings have one or two routes too many: the best known
solutions of all 14 such X instances of more than 150 customers have that number of routes."""

MAX_FEWER_CUSTOMERS = 20_000
"""Largest instance where fewer are sought: each time all of them are entered anew."""

FEWER_SHARE, FEWER_TIME = 0.1, 0.2
"""Maximum share of the iterations, and of the time, to look for fewer routes: with customers left out an iteration
takes longer."""

FEWER_ITERATIONS = 300
"""Maximum iterations per customer to look for one number of routes."""

FEWER_HEAT = 8.0
"""Temperature while fewer routes are sought, in multiples of the last one of the run."""

PACKING_NEAREST = 100
"""Minimum length of neighbour lists while fewer routes are sought: large demands fit into few routes, often far."""

TRIALS = 4
"""Maximum number of limits on the routes that are tried."""

TRIAL_SHARE, TRIAL_ITERATIONS = 0.04, 300
"""Maximum share of the budget for a trial on up to four threads, less on more, and its maximum iterations per
customer."""

TRIAL_HEAT = 16.0
"""First temperature of a trial, in multiples of the last one of the run."""

CLOSE = 0.003
"""Relative cost by which a lower limit on the routes may exceed the cheapest and still be chosen."""

STREAM = 1 << 41
"""First stream of random numbers of the trials of limits on the routes."""


def free_routes(problem: VRP, threads: int, over: Over | None = None) -> Routes:
    """Return routes within the capacity, and within limits if ways are found, perhaps more than there are vehicles."""
    if problem.timed:
        return inserted_in_time(replace(problem, vehicles=None), threads, over)
    return savings(replace(problem, vehicles=None), threads, over)


def inserted_in_time(problem: VRP, threads: int, over: Over | None = None) -> Routes:
    """Return the cheapest routes to which customers are added one by one, in several orders, where each costs least."""
    instance = RouteInstance.of(problem, FIRST_NEAREST, threads, over)
    renumbered = instance.problem
    customers = renumbered.customers
    far = renumbered.distances(np.zeros(len(customers), np.int32), customers)
    orders = [np.argsort(-far, kind="stable")]
    if renumbered.schedule is not None:
        windows = renumbered.schedule.windows
        orders += [np.argsort(edge[customers], kind="stable") for edge in (windows.closes, windows.opens)]
    best: RouteState | None = None
    for order in orders:
        fleet = RouteState(instance, np.zeros(0, np.int32), len(customers), left_out=customers)
        try:
            fleet.insert(customers[order], over)
        except Unfinished:
            if best is None:
                raise
            break
        if best is None or fleet.lowest < best.lowest:
            best = fleet
    assert best is not None
    routes = instance.routes(best.giant_tour())
    return [instance.order[route] for route in (*routes, *_alone(renumbered, routes))]


def _alone(problem: VRP, routes: Routes) -> Routes:
    """Return a route for each customer that is in none of ``routes``."""
    absent = np.setdiff1d(problem.customers, np.concatenate([*routes, problem.customers[:0]]))
    return [np.array([customer], np.int32) for customer in absent]


def fitting_routes(search: Search[VRP], plan: Plan, giant: Ints) -> Ints | None:
    """Return a giant tour for the problem's vehicles, made from ``giant``, or None if the budget runs out."""
    instance = plan.instance
    problem = instance.problem
    fleets = _fleets(plan, giant, plan.vehicles)
    packed = False
    fewest = fleets[0].missing
    while not search.over() and not plan.cooling.is_finished():
        if search.exchange.due() and (others := search.exchange.take()):
            return instance.enter(cast(Routes, others[0]))
        _insert(search, plan, fleets, plan.cooling.temperature())
        for fleet in fleets:
            if fleet.complete:
                return fleet.best()
            if fleet.missing < fewest:
                fewest = fleet.missing
                complete = _with_all(problem, instance.routes(fleet.giant_tour()))
                search.remember_infeasible(instance.leave(instance.giant_tour(complete)))
        if not packed and plan.cooling.used() > PATIENCE:
            packed = True
            dense = [] if problem.timed else savings(problem, search.threads, search.hurried)
            if dense and len(dense) <= plan.vehicles and are_within_limits(problem, dense).all():
                return instance.giant_tour(dense)
    return None


def fewer_routes(search: Search[VRP], plan: Plan, giant: Ints) -> tuple[Ints, int | None]:
    """Return a giant tour with fewer routes than ``giant``, if any, and how many there may be, if that was tried.

    Where only a few customers fit into a vehicle, savings leave many vehicles half empty. Ruin and recreate alone
    seldom empties a route, because the routes on the way there are more expensive.
    """
    instance, most = plan.instance, _count(giant)
    if instance.problem.n > MAX_FEWER_CUSTOMERS or instance.problem.limits or instance.problem.timed:
        return giant, None
    filled = float(instance.demands.sum() / instance.capacity) * (1 - 1e-9)
    fewest = max(1, math.ceil(filled))
    deadline = search.seconds + FEWER_TIME * search.seconds_left()
    if most < fewest + SURPLUS:
        enough = max(fewest, math.ceil(filled / (1 - SLACK)))
        if enough >= most:
            return giant, None
        found = _packed(search, _packing(search, plan), giant, enough, _soon_over(search, plan, deadline))
        return giant if found is None else found, None
    packed = _fewest_routes(search, _packing(search, plan), giant, fewest, deadline)
    routes = _count(packed)
    if routes == most or search.over():
        return packed, routes if routes < most else None
    step = max(1, (most - routes) // (2 * TRIALS))
    return _try_limits(search, plan, packed, range(routes, most, step)[:TRIALS])


def fewest_routes(search: Search[VRP], plan: Plan, giant: Ints, attempts: Attempts) -> tuple[Plan, Ints]:
    """Return a giant tour with as few routes as are found until ``attempts`` end, and the plan for so many vehicles.

    One route after the other is dissolved, until as many are left as the loads fill.
    """
    instance = plan.instance
    fewest = max(1, math.ceil(float(instance.demands.sum() / instance.capacity) * (1 - 1e-9)))
    packing = _packing(search, plan)
    while _count(giant) > fewest and not attempts.over():
        found = _packed(search, packing, giant, _count(giant) - 1, attempts.over)
        if found is None:
            break
        giant = found
        attempts.succeed()
        search.offer(instance.leave(giant))
    few = replace(instance.problem, vehicles=_count(giant))
    return replace(plan, instance=replace(instance, problem=few)), giant


def _try_limits(search: Search[VRP], plan: Plan, giant: Ints, limits: Sequence[int]) -> tuple[Ints, int]:
    """Anneal ``giant`` shortly within each limit on the routes; return the routes of one, and it.

    It is the lowest whose cost is close to the cheapest: tighter routes gain more from a long annealing.
    """
    busy = min(1.0, TRIALS / plan.pool.threads)
    share = TRIAL_SHARE * busy * min(plan.iterations, search.iterations_left())
    iterations = int(min(share, TRIAL_ITERATIONS * plan.instance.problem.n))
    heats = (TRIAL_HEAT * plan.cooling.cold, plan.cooling.cold)
    fleets = [RouteState(plan.instance, giant, limit) for limit in limits]
    made = plan.pool.map(lambda k: cooled(plan, fleets[k], iterations, heats, STREAM + k), range(len(fleets)))
    search.count(sum(made))
    most = (1 + CLOSE) * min(fleet.lowest for fleet in fleets)
    chosen = next(fleet for fleet in fleets if fleet.lowest <= most)
    return chosen.best(), chosen.slots


def _packing(search: Search[VRP], plan: Plan) -> Plan:
    """Return the plan with neighbour lists long enough for packing."""
    if plan.instance.near.shape[1] >= PACKING_NEAREST:
        return plan
    return replace(plan, instance=RouteInstance.of(search.problem, PACKING_NEAREST, search.threads, search.hurried))


def _fewest_routes(search: Search[VRP], plan: Plan, giant: Ints, fewest: int, deadline: float) -> Ints:
    """Return a giant tour with as few routes as are found soon, perhaps ``giant``."""
    routes = _count(giant)
    step, until = max(1, (routes - fewest) // 4), search.iterations + FEWER_SHARE * plan.iterations
    while routes - step >= fewest and search.iterations < until and search.seconds < deadline and not search.over():
        found = _packed(search, plan, giant, routes - step, _soon_over(search, plan, deadline))
        if found is not None:
            giant, routes = found, _count(found)
        elif step > 1:
            step //= 2
        else:
            break
    return giant


def _soon_over(search: Search[VRP], plan: Plan, deadline: float) -> Over:
    """Return a function that tells whether to give up one number of routes."""
    until = search.iterations + min(FEWER_ITERATIONS * plan.instance.problem.n, FEWER_SHARE * plan.iterations)
    return lambda: search.iterations >= until or search.seconds >= deadline or search.over()


def _packed(search: Search[VRP], plan: Plan, giant: Ints, vehicles: int, over: Over) -> Ints | None:
    """Return a giant tour for ``vehicles`` vehicles, made from ``giant``, or None if there is none until ``over()``."""
    fleets = _fleets(plan, giant, vehicles)
    heat = FEWER_HEAT * plan.cooling.cold
    while not over():
        _insert(search, plan, fleets, heat)
        for fleet in fleets:
            if fleet.complete:
                return fleet.best()
    return None


def _count(giant: Ints) -> int:
    """Return the number of routes."""
    return int(np.count_nonzero(giant == 0))


def _fleets(plan: Plan, giant: Ints, vehicles: int) -> list[RouteState]:
    """Return a fleet for each thread with the fullest of ``giant``'s routes within limits, other customers left out."""
    instance = plan.instance
    kept, left_out = _keep_fullest(instance.problem, instance.routes(giant), vehicles)
    begin = instance.giant_tour(kept)
    return [RouteState(instance, begin, vehicles, left_out=left_out) for _ in range(plan.pool.threads)]


def _insert(search: Search[VRP], plan: Plan, fleets: list[RouteState], heat: float) -> None:
    """Let every fleet make a short native call, to insert whom it can."""
    counts = allotted(search.iterations_left(), [-(-plan.call // 4)] * len(fleets))

    def work(number: int) -> None:
        fleets[number].search(counts[number], (heat, heat), seed=plan.seed, stream=number, ruin=plan.ruin)

    plan.pool.map(work, range(len(fleets)))
    search.count(sum(counts))


def _keep_fullest(problem: VRP, routes: Routes, vehicles: int) -> tuple[Routes, Ints]:
    """Return the routes within limits with the largest loads, one per vehicle, and the customers of the others."""
    loads = [-problem.loads[0][route].sum() for route in routes]
    fits = are_within_limits(problem, routes)
    order, vehicles = np.lexsort((loads, ~fits)), min(vehicles, int(fits.sum()))
    kept = [routes[number] for number in order[:vehicles]]
    return kept, np.concatenate([routes[number] for number in order[vehicles:]])


def _with_all(problem: VRP, routes: Routes) -> Routes:
    """Return ``routes`` and further ones for the customers they leave out."""
    absent = np.setdiff1d(problem.customers, np.concatenate(routes)).astype(np.int32)
    more: Routes = []
    for customer in absent:
        longer = np.append(more[-1], customer) if more else None
        if longer is not None and keeps_limits(problem, longer):
            more[-1] = longer
        else:
            more.append(np.array([customer], np.int32))
    return routes + more
