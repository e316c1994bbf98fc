"""Few vehicles first, where they differ or carry shipments, and few enough for those that there are.

for a share of the budget:
s := s without the shortest of its routes, until all customers are served again
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import UNREACHED, RouteState
from warptour.routes.strategy.first_routes import FEWER_HEAT, PACKING_NEAREST
from warptour.routes.strategy.fixed_fleet import Attempts
from warptour.routes.strategy.ruin_recreate import Plan, allotted
from warptour.search.search import Search


def fewest_vehicles(search: Search[VRP], plan: Plan, giant: Ints, attempts: Attempts) -> tuple[Plan, Ints]:
    """Return a giant tour with as few routes as are found until ``attempts`` end, and the plan for so many vehicles."""
    routes = sorted(filter(len, plan.instance.routes(giant)), key=len, reverse=True)
    while len(routes) > 1 and not attempts.over():
        packing = _with_vehicles(search, plan, len(routes) - 1, PACKING_NEAREST)
        begin, heat = packing.instance.giant_tour(routes[:-1]), FEWER_HEAT * plan.cooling.cold
        found = fitting(search, packing, begin, heat, attempts.over)
        if found is None:
            break
        attempts.succeed()
        search.offer(packing.instance.leave(found))
        routes = sorted(filter(len, packing.instance.routes(found)), key=len, reverse=True)
    if plan.instance.problem.vehicles == len(routes):
        return plan, giant
    few = _with_vehicles(search, plan, len(routes), plan.instance.near.shape[1])
    return few, few.instance.giant_tour(routes)


def _with_vehicles(search: Search[VRP], plan: Plan, vehicles: int, nearest: int) -> Plan:
    """Return the plan for so many vehicles, with neighbour lists of a length."""
    instance = RouteInstance.of(replace(search.problem, vehicles=vehicles), nearest, search.threads, search.hurried)
    return replace(plan, instance=instance)


def fitting(
    search: Search[VRP],
    plan: Plan,
    giant: Ints,
    steady: float | None = None,  # temperature, if it does not fall
    over: Callable[[], bool] | None = None,  # whether to give up, before the search is over
) -> Ints | None:
    """Return a giant tour with all customers that must be served, made from ``giant``; None if the budget runs out."""
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
