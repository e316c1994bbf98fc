"""Why customers are not served: nobody can, nobody has room, or it costs more than it brings.

A customer whom no vehicle can serve even alone is told by :class:`Barriers`. Others are inserted where they cost least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from warptour.model.barriers import Barriers, beside
from warptour.model.fleet import VehicleType
from warptour.model.metric import Nodes
from warptour.model.pickups import AFTER_DELIVERIES
from warptour.model.vehicles import VRP

ROUNDING: Final = 1e-9
"""Relative difference of costs that is rounding."""


@dataclass(frozen=True)
class Unserved:
    """A customer that is not served, and why.

    Attributes
    ----------
    node : int
    reason : {"impossible", "price", "room"}
        No vehicle can serve it, serving it costs more than its prize, or it fits into no route.
    text : str
        The reason for people.
    """

    node: int
    reason: Literal["impossible", "price", "room"]
    text: str


def servable(problem: VRP) -> tuple[VRP, list[Unserved]]:
    """Return the problem in which customers whom nobody can serve need not be, and who they are."""
    barriers = Barriers(problem)
    found = [(node, text) for node in barriers.suspects() if (text := barriers.text(node)) is not None]
    for each in problem.shipments:
        alone = {each.pickup, each.delivery} - {node for node, _ in found}
        found += [(node, text) for node in sorted(alone) if (text := barriers.of_shipment(each)) is not None]
    if not found:
        return problem, []
    prizes = np.full(problem.n, math.inf) if problem.prizes is None else problem.prizes.copy()
    lost = [node for node, _ in found]
    prizes[lost] = np.where(np.isinf(prizes[lost]), 0.0, prizes[lost])
    left = {*lost}
    alternatives = tuple(
        replace(each, required=each.required and not left >= {*each.nodes}) for each in problem.alternatives
    )
    together = tuple(group for group in problem.together if group[0] not in left)
    eased = replace(problem, prizes=prizes, alternatives=alternatives, together=together)
    return eased, [Unserved(node, "impossible", text) for node, text in found]


def unserved(problem: VRP, routes: Sequence[Nodes]) -> list[Unserved]:
    """Return the customers that routes leave out, with the reason of each."""
    missing = problem.unserved(routes)
    if not missing:
        return []
    barriers, insertion = Barriers(problem), _Insertion(problem, routes)
    found = []
    shipped = {node: each for each in problem.shipments for node in (each.pickup, each.delivery)}
    for node in missing:
        text = barriers.text(node) or (barriers.of_shipment(shipped[node]) if node in shipped else None)
        if text is not None:
            found.append(Unserved(node, "impossible", text))
            continue
        company = problem.companies.get(node, (node,))
        if node in shipped:
            company = (shipped[node].pickup, shipped[node].delivery)
        prize = math.inf if problem.prizes is None else float(problem.prizes[list(company)].sum())
        reason, text = _price_or_room(insertion, company if node in shipped else (node,), prize)
        found.append(Unserved(node, reason, beside(problem, node) + text))
    return found


def _price_or_room(insertion: _Insertion, nodes: tuple[int, ...], prize: float) -> tuple[Literal["price", "room"], str]:
    """Return why a customer, or both ends of a shipment, that could be served are not, and words for it.

    Of a shipment, only a vehicle of its own is looked at.
    """
    cost = insertion.cheapest(nodes[0]) if len(nodes) == 1 else None
    if cost is None:
        alone, vehicle = insertion.alone(nodes)
        if not insertion.drives_alone(nodes):
            return "room", "no room left behind deliveries, and no route has pickups alone"
        if alone > prize * (1 + ROUNDING):
            dear = f"no room left, and a {vehicle} of its own costs more than its prize"
            return "price", f"{dear}: {alone:.2f} against {prize:.2f}"
        return "room", f"no room left: would fit with one more {vehicle}"
    if cost > prize * (1 + ROUNDING):
        return "price", f"costs more than its prize: {cost:.2f} against {prize:.2f}"
    worth = "" if math.isinf(prize) else f", less than its prize {prize:.2f}"
    return "price", f"would cost {cost:.2f}{worth}: a longer search may serve it"


class _Insertion:
    """Inserts customers into routes where they cost least."""

    def __init__(self, problem: VRP, routes: Sequence[Nodes]) -> None:
        self._problem = problem
        self._routes = [np.asarray(route, np.int64) for route in routes]
        self._loads = [problem.all_loads[0][route].sum(axis=0) for route in self._routes]
        self._home = np.full(problem.n, -1)
        for number, route in enumerate(self._routes):
            self._home[route] = number

    @cached_property
    def _slots(self) -> list[int]:
        """Vehicles to insert into: those that drive, and one of each type that does not."""
        fleet = self._problem.fleet
        slots = [number for number, route in enumerate(self._routes) if len(route)]
        if fleet is None:
            most = self._problem.vehicles
            return slots + ([len(self._routes)] if most is None or len(slots) < most else [])
        idle = [number for number in range(len(fleet.kinds)) if number >= len(self._routes) or number not in {*slots}]
        first = {int(fleet.kinds[number]): number for number in reversed(idle)}
        return slots + sorted(first.values())

    def cheapest(self, node: int) -> float | None:
        """Return the least cost of serving one more customer, with whom it goes; None if it fits nowhere."""
        company = self._problem.companies.get(node)
        if company is not None:
            open_to = [number for number in self._slots if all(self._welcome(each, number) for each in company)]
            costs = [self._cost_together(company, number, self._route(number)) for number in open_to]
            return min((cost for cost in costs if cost is not None), default=None)
        best: float | None = None
        for bound, number, at in sorted(self._places(node)):
            if best is not None and bound >= best - abs(best) * ROUNDING:
                break
            cost = self._cost(node, number, at)
            if cost is not None and (best is None or cost < best):
                best = cost
        return best

    def _route(self, number: int) -> NDArray[np.int64]:
        return self._routes[number] if number < len(self._routes) else np.empty(0, np.int64)

    def _places(self, node: int) -> Iterator[tuple[float, int, int]]:
        """Yield a bound on the cost, the vehicle and the position of each place where a customer's load fits."""
        problem, fleet = self._problem, self._problem.fleet
        demands, capacities = problem.all_loads
        for number in self._slots:
            kind = 0 if fleet is None else int(fleet.kinds[number])
            route = self._route(number)
            load = demands[node] + (self._loads[number] if number < len(self._loads) else 0.0)
            own = problem.type_of(number)
            most = problem.most_stops if fleet is None else own.max_stops
            if (load > capacities[kind]).any() or (most is not None and len(route) >= most):
                continue
            if (fleet is not None and not fleet.may_serve(node, kind)) or not self._welcome(node, number):
                continue
            yield from ((bound, number, at) for at, bound in enumerate(self._detours(node, number, route, own)))

    def _detours(self, node: int, number: int, route: NDArray[np.int64], own: VehicleType) -> list[float]:
        """Return what the distance of each position costs more."""
        problem, kind = self._problem, self._problem.kind_of(number)
        if len(route) == 0:
            fixed = problem.fixed_cost if problem.fleet is None else own.fixed_cost
            path = problem.path(number, np.array([node]))
            return [float(problem.ways(kind, path[:-1], path[1:]).sum()) * own.distance_cost + fixed]
        path = problem.path(number, route)
        itself = np.full(len(path), node)
        to, back = (np.asarray(problem.ways(kind, *ends), np.float64) for ends in ((path, itself), (itself, path)))
        legs = np.asarray(problem.ways(kind, path[:-1], path[1:]), np.float64)
        more = (to[:-1] + back[1:] - legs).tolist()
        more = more if own.start is not None else [float(back[0]), *more]
        more = more if own.end is not None or problem.open else [*more, float(to[-1])]
        return [each * own.distance_cost for each in more[: len(route) + 1]]

    def _welcome(self, node: int, number: int) -> bool:
        """Return whether a customer may be on a route beside those that are there and elsewhere."""
        for group in self._problem.together:
            if node in group and any(self._home[other] not in (-1, number) for other in group):
                return False
        return not any(
            node in group and any(self._home[other] == number for other in group) for group in self._problem.apart
        )

    def _cost(self, node: int, number: int, at: int) -> float | None:
        """Return what a position costs more, None if it breaks a limit."""
        problem, route = self._problem, self._route(number)
        longer = np.insert(route, at, node)
        if problem.vehicle_faults(number, longer):
            return None
        before, after = (problem.route_cost(each, number) for each in (route, longer))
        fixed = problem.fixed_cost if problem.fleet is None else problem.type_of(number).fixed_cost
        return float(after - before + (fixed if len(route) == 0 else 0))

    def _cost_together(self, group: tuple[int, ...], number: int, route: NDArray[np.int64]) -> float | None:
        """Return what customers in turn add to a route, each where it adds least; None if one does not fit."""
        problem, fixed = self._problem, 0.0
        if len(route) == 0:
            fixed = problem.fixed_cost if problem.fleet is None else problem.type_of(number).fixed_cost
        before = problem.route_cost(route, number)
        for node in group:
            longer = [np.insert(route, at, node) for at in range(len(route) + 1)]
            kept = [each for each in longer if not problem.vehicle_faults(number, each)]
            if not kept:
                return None
            route = min(kept, key=lambda each: problem.route_cost(each, number))
        return float(problem.route_cost(route, number) - before + fixed)

    def _cost_of(self, route: NDArray[np.int64], number: int) -> float | None:
        """Return the cost of a vehicle and its route; None if it breaks a limit."""
        fixed = self._problem.fixed_cost if self._problem.fleet is None else self._problem.type_of(number).fixed_cost
        faults = self._problem.vehicle_faults(number, route)
        return None if faults else float(self._problem.route_cost(route, number) + fixed)

    def drives_alone(self, nodes: tuple[int, ...]) -> bool:
        """Return whether the rule of backhauls lets a customer and its company have a vehicle of their own."""
        company = self._problem.companies.get(nodes[0], nodes)
        return self._problem.backhauls != AFTER_DELIVERIES or bool(
            self._problem.brings[list(company)].any() or not self._problem.takes[list(company)].any()
        )

    def alone(self, nodes: tuple[int, ...]) -> tuple[float, str]:
        """Return what one more vehicle costs for a customer and its company, and its type; 0 if none can.

        Or for a shipment, of which ``nodes`` are both ends.
        """
        fleet, company = self._problem.fleet, self._problem.companies.get(nodes[0], nodes)
        firsts = [0] if fleet is None else np.searchsorted(fleet.kinds, np.arange(len(fleet.types))).tolist()
        names = ["vehicle"] if fleet is None else [fleet.type_name(kind) for kind in range(len(fleet.types))]
        nobody = np.empty(0, np.int64)
        if len(nodes) > 1:
            costs = [self._cost_of(np.array(nodes), first) for first in firsts]
        else:
            costs = [self._cost_together(company, first, nobody) for first in firsts]
        able = [(cost, name) for cost, name in zip(costs, names, strict=True) if cost is not None]
        return min(able, default=(0.0, "vehicle"))
