"""The first routes: savings, and where those are more than the vehicles, a search that removes routes.

Customers of the routes beyond the vehicles are left out at first. Ruin and recreate on the others inserts whoever fits,
first those who were left out often, until no customer is missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from warptour.construct import savings
from warptour.construct.vehicle_limit import keeps_limits
from warptour.engines.routes.fleet import Fleet
from warptour.engines.routes.instance import Ints
from warptour.kernels.groups import Over
from warptour.model.vehicles import VRP, Routes
from warptour.search.search import Search
from warptour.strategies.routes.ruin_recreate import Plan, allotted

PATIENCE = 0.2
"""Share of the budget after which all customers are packed by their demands instead, if that is possible."""


def free_routes(problem: VRP, threads: int, over: Over | None = None) -> Routes:
    """Return routes within capacity and limit, perhaps more than there are vehicles."""
    return savings(replace(problem, vehicles=None), threads, over)


def fitting_routes(search: Search[VRP], plan: Plan, giant: Ints) -> Ints | None:
    """Return a giant tour for the problem's vehicles, made from ``giant``, or None if the budget runs out."""
    instance = plan.instance
    problem = instance.problem
    kept, left_out = _keep_fullest(problem, instance.routes(giant))
    threads = plan.pool.threads
    fleets = [Fleet(instance, instance.giant_tour(kept), plan.vehicles, left_out=left_out) for _ in range(threads)]
    packed = False
    fewest = len(left_out)
    while not search.over() and not plan.cooling.is_finished():
        if search.exchange.due() and (others := search.exchange.take()):
            return instance.enter(cast(Routes, others[0]))
        counts = allotted(search.iterations_left(), [-(-plan.call // 4)] * len(fleets))
        temperature = plan.cooling.temperature()

        def work(number: int, counts: list[int] = counts, temperature: float = temperature) -> None:
            fleets[number].search(
                counts[number], (temperature, temperature), seed=plan.seed, stream=number, ruin=plan.ruin
            )

        plan.pool.map(work, range(len(fleets)))
        search.count(sum(counts))
        for fleet in fleets:
            if fleet.complete:
                return fleet.best()
            if fleet.missing < fewest:
                fewest = fleet.missing
                complete = _with_all(problem, instance.routes(fleet.giant_tour()))
                search.remember_infeasible(instance.leave(instance.giant_tour(complete)))
        if not packed and plan.cooling.used() > PATIENCE:
            packed = True
            dense = savings(problem, search.threads, search.hurried)
            if len(dense) <= plan.vehicles:
                return instance.giant_tour(dense)
    return None


def _keep_fullest(problem: VRP, routes: Routes) -> tuple[Routes, Ints]:
    """Return the routes with the largest loads, one per vehicle, and the customers of the others."""
    assert problem.vehicles is not None
    loads = [-problem.loads[0][route].sum() for route in routes]
    order = np.argsort(loads, kind="stable")
    kept = [routes[number] for number in order[: problem.vehicles]]
    return kept, np.concatenate([routes[number] for number in order[problem.vehicles :]])


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
