"""Plans that are changed by hand: stops put on other vehicles, and stops and routes that planning again must keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import VRP
from warptour.observe.events import Began, Ended, Improved, State
from warptour.observe.tours import Tours, tours_path
from warptour.observe.trace import Trace
from warptour.web.refusal import Refusal, object_of

Route = NDArray[np.int32]


@dataclass(frozen=True)
class Locked:
    """What stays when a plan is made again: stops on their vehicles, and vehicles with their stops in order."""

    stops: frozenset[int] = frozenset()
    vehicles: frozenset[int] = frozenset()

    def facts(self) -> dict[str, list[int]]:
        """Return what the page is told."""
        return {"stops": sorted(self.stops), "vehicles": sorted(self.vehicles)}

    def changed(self, problem: VRP, wanted: Mapping[str, Any]) -> Locked:
        """Return locks with those of a request: lists of stops and of vehicles, from 0."""
        most = {"stops": problem.n, "vehicles": most_vehicles(problem)}
        found = {}
        for name, numbers in wanted.items():
            if name not in most or not isinstance(numbers, list):
                raise Refusal(400, "locks are lists: stops and vehicles")
            found[name] = frozenset(_number(each, most[name], "a lock") for each in numbers)
        return replace(self, **found)


def changed(problem: VRP, routes: list[Route], locked: Locked, wanted: Mapping[str, Any]) -> tuple[list[Route], Locked]:
    """Return routes and locks after a request: a stop that moves stays on its new vehicle."""
    locked = locked.changed(problem, object_of(wanted.get("locked"), "locks"))
    move = object_of(wanted.get("move"), "a stop and its vehicle")
    if not move and not wanted.get("locked"):
        raise Refusal(400, "a change moves a stop, or locks stops and vehicles")
    if not move:
        return routes, locked
    stop = _number(move.get("stop"), problem.n, "a stop")
    vehicle = _number(move.get("vehicle"), most_vehicles(problem), "a vehicle")
    if stop in problem.depots:
        raise Refusal(400, f"{problem.describe(stop, 'stop')} is a depot, which stays where it is")
    return moved(problem, routes, stop, vehicle), replace(locked, stops=locked.stops | {stop})


def _number(value: Any, most: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < most:
        raise Refusal(400, f"{what} is a number from 0 to {most - 1}")
    return value


def most_vehicles(problem: VRP) -> int:
    """Return how many routes there may be."""
    if problem.fleet is not None:
        return len(problem.fleet.kinds)
    return problem.vehicles or len(problem.customers)


def moved(problem: VRP, routes: Sequence[Route], stop: int, vehicle: int) -> list[Route]:
    """Return routes with a stop, and those that go with it, on another vehicle.

    Each goes where it breaks least, and then costs least.
    """
    group = _together(problem, stop)
    found = [route[~np.isin(route, group)] for route in routes]
    found += [np.empty(0, np.int32)] * (vehicle + 1 - len(found))
    pickups = {each.delivery: each.pickup for each in problem.shipments}
    for node in group:
        found[vehicle] = _with_stop(problem, found[vehicle], vehicle, node, pickups.get(node))
    return found


def _together(problem: VRP, stop: int) -> list[int]:
    """Return a stop with those that its vehicle must serve, too, pickups before their deliveries."""
    group = {*problem.companies.get(stop, (stop,))}
    for each in problem.shipments:
        group |= {each.pickup, each.delivery} if group & {each.pickup, each.delivery} else set()
    deliveries = {each.delivery for each in problem.shipments}
    return sorted(group, key=lambda node: (node in deliveries, node))


def _with_stop(problem: VRP, route: Route, vehicle: int, node: int, after: int | None) -> Route:
    """Return a route with one more stop, behind its pickup if that is there."""
    first = 1 + int(np.flatnonzero(route == after)[0]) if after is not None and after in route else 0
    longer = [np.insert(route, at, node) for at in range(first, len(route) + 1)]
    return min(longer, key=lambda each: (len(problem.vehicle_faults(vehicle, each)), problem.route_cost(each, vehicle)))


def plan_under_way(routes: Sequence[Route], locked: Locked) -> dict[str, Any]:
    """Return a plan as ``--locked`` takes it, its stops by their numbers."""
    vehicles: list[dict[str, Any]] = []
    for number, route in enumerate(routes):
        fixed = number in locked.vehicles
        if not len(route) and not fixed:
            continue
        stays = [node + 1 for node in route.tolist() if node in locked.stops]
        each: dict[str, Any] = {"vehicle": number + 1, "stops": (route + 1).tolist()}
        each |= {"order": True, "new": False} if fixed else {"stays": stays} if stays else {}
        vehicles.append(each)
    return {"vehicles": vehicles}


@dataclass(frozen=True)
class PlanStep:
    """A plan that was changed by hand: the number of the one before, and what is locked in it."""

    before: int | None
    locked: Locked

    def facts(self) -> dict[str, Any]:
        """Return what the page is told."""
        return {"before": self.before} | self.locked.facts()


class PlanWriter:
    """Writes a plan that is changed by hand as a trace, a second for each change.

    ``steps``: of each tour
    """

    def __init__(self, path: Path, problem: VRP) -> None:
        self.steps: list[PlanStep] = []
        self._problem = problem
        self._trace, self._tours = Trace(path, tours=True), Tours(tours_path(path), problem)
        facts = {"name": problem.name, "kind": problem.kind, "n": problem.n, "strategy": "by hand"}
        self._trace(Began(State(0.0, None, 0, 0), facts))

    def add(self, routes: Sequence[Route], step: PlanStep) -> None:
        """Write the plan as it is now."""
        count = len(self.steps)
        state = State(float(count), self._problem.cost(routes), count, 0)
        self.steps.append(step)
        for listener in (self._tours, self._trace):
            listener(Improved(state, list(routes)))
        self._tours(Ended(state))  # a tour that came soon after another waits until then

    def lock(self, number: int, locked: Locked) -> None:
        """Keep what is locked in a plan."""
        self.steps[number] = replace(self.steps[number], locked=locked)

    def close(self) -> None:
        """Close the files."""
        for each in (self._tours, self._trace):
            each.__exit__()
