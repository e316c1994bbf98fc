"""Plans that are under way: a small JSON that says how far each vehicle is, or a result of ``solve``.

    {"now": "11:20", "vehicles": [{"vehicle": 1, "stops": ["Ayr", "Bute", "Crail"], "done": 1, "time": "11:05"}]}

Stops are names of the file, or their numbers from 1 where it has none.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from warptour.io.json_fields import Fields, remark
from warptour.io.names import SHEETS, Names
from warptour.io.solution import read_solution
from warptour.io.source import load_json, quote
from warptour.model.audience import as_files_count
from warptour.model.clock import time_of_day
from warptour.model.errors import InputError, InputWarning, UsageError
from warptour.model.planned import PlannedVehicle
from warptour.model.problem import TSP
from warptour.model.replan import replanned
from warptour.model.vehicles import VRP

Plan: TypeAlias = str | PathLike[str] | dict[str, Any] | Sequence[Any]
"""A file, what such a JSON holds, or routes of nodes from 0."""

OF_VEHICLE: Final = (
    "vehicle", "name", "stops", "done", "departures", "at", "time", "left", "load", "stays", "first", "last", "order",
    "new",
)  # fmt: skip


def with_plan(
    problem: TSP | VRP, plan: Plan, *, now: str | float | None = None, change_cost: float | None = None
) -> VRP:
    """Return the problem of what is left of a plan that is under way, and of new orders."""
    if not isinstance(problem, VRP):
        raise UsageError(f"{problem.name} is one tour; a plan under way (--locked) is of vehicles")
    if problem.locks is not None:
        raise UsageError(f"{problem.name} is planned again already; give the plan (locked) once")
    if change_cost is not None and not (isinstance(change_cost, int | float) and 0 <= change_cost < np.inf):
        raise UsageError(f"the cost of a change is {change_cost}; it must be a number of at least 0")
    with as_files_count():
        reader = Reader(problem, None if now is None else moment(problem, now, "the present time (--now)"))
        vehicles = reader.read(plan)
        gone = [*dict.fromkeys(reader.names.gone)]
        return replanned(problem, vehicles, now=reader.now, change_cost=change_cost or 0.0, cancelled=gone)


def moment(problem: VRP, value: object, what: str) -> float:
    """Return a time in seconds after midnight, or without a clock in its unit."""
    if isinstance(value, str) and problem.clock is not None:
        return time_of_day(value)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = np.nan
    if isinstance(value, bool) or not 0 <= number < np.inf:
        kind = "a time of day, 11:20" if problem.clock is not None else "a number of at least 0"
        raise InputError(f"{what} is {value!r}; it must be {kind}")
    return number


class Reader:
    """Reads a plan for a problem; ``now`` is the present time, if it is known."""

    def __init__(self, problem: VRP, now: float | None) -> None:
        self.problem = problem
        self.now = now
        self.names = Names(problem)

    def read(self, plan: Plan) -> list[PlannedVehicle]:
        """Return the vehicles of a plan."""
        path = fspath(plan) if isinstance(plan, str | PathLike) else ""
        if path and Path(path).suffix.lower() != ".json":
            return self._routes(self._solution(path), path)
        content = load_json(path) if path else plan
        if not isinstance(content, dict):
            return self._routes([np.asarray(route).tolist() for route in content], path)  # type: ignore[union-attr]
        whole = Fields.of(content, path)
        if whole.has("vehicles"):
            return self._states(whole)
        if isinstance(content.get("solution"), list):
            return self._result(whole)
        raise InputError("is no plan: it has no vehicles, and no solution as solve --json prints it", path or None)

    def _solution(self, path: str) -> list[list[int]]:
        """Return the routes of a solution file, its stops by their names if it is a table that has them."""
        if Path(path).suffix.lower() in SHEETS and self.problem.labels is not None:
            routes = self.names.routes_of_table(path)
            if routes is not None:
                return routes
        return [route.tolist() for route in read_solution(path, self.problem, strict=False)]

    def _routes(self, routes: Sequence[Sequence[int]], path: str) -> list[PlannedVehicle]:
        """Return vehicles that have not left, with routes in their order."""
        if self.now is not None:
            fault = "says not when stops are left, which --now needs; the JSON of a result does (solve --json)"
            raise UsageError(f"{path or 'the plan'} {fault}")
        depots = {*self.problem.depots}
        plan = []
        for vehicle, route in enumerate(routes):
            stops = tuple(node for node in route if node not in depots)
            outside = [node for node in stops if not 0 <= node < self.problem.n]
            if outside:
                raise InputError(f"the plan has a stop {outside[0] + 1}, and there are {self.problem.n}", path or None)
            plan += [PlannedVehicle(vehicle, stops)] if stops else []
        return plan

    def _result(self, whole: Fields) -> list[PlannedVehicle]:
        """Return the vehicles of a result, as far as they are by the present time."""
        routes = whole.content["solution"]
        named = whole.content.get("names") or routes
        trips = iter(whole.objects("trips"))
        plan = []
        for vehicle, stops in enumerate(named):
            if not stops:
                continue
            trip = next(trips, None)
            place = f"solution[{vehicle}]"
            known = [self.names.node(stop, whole.path, place) for stop in stops]
            each = PlannedVehicle(vehicle, tuple(node for node in known if node is not None), place=place)
            plan.append(each if self.now is None else self._driven(each, known, trip, whole))
        return plan

    def _driven(
        self, each: PlannedVehicle, known: list[int | None], trip: Fields | None, whole: Fields
    ) -> PlannedVehicle:
        """Return a vehicle as its trip says it is at the present time; where it drives to it goes first."""
        times = None if trip is None else trip.content.get("departures")
        if self.now is None or trip is None or times is None:
            whole.fail("trips", "they have no times, which --now needs")
        left = trip.number("start")
        if left >= self.now:
            return each
        count = sum(time <= self.now for time in times)
        done = tuple(node for node in known[:count] if node is not None)
        stops = tuple(node for node in known[count:] if node is not None)
        if count and known[count - 1] is None:
            each.fail("names", "its last stop so far is no longer in the file, which must say where the vehicle is")
        own = self.problem.type_of(each.vehicle) if each.vehicle < self._vehicles else self.problem.common_type
        clock = self.problem.clock
        loading = 0.0 if clock is None or own.start is None else float(clock.services[own.start])
        time = times[count - 1] if count else left + loading
        first = stops[:1] if known[count:] and known[count] is not None else ()
        gone = tuple(time for node, time in zip(known[:count], times, strict=False) if node is not None)
        return replace(each, stops=stops, done=done, departures=gone, time=time, left=left, first=first)

    @property
    def _vehicles(self) -> int:
        return 0 if self.problem.fleet is None else len(self.problem.fleet.kinds)

    def _states(self, whole: Fields) -> list[PlannedVehicle]:
        """Return the vehicles of a small JSON."""
        if self.now is None and whole.has("now"):
            self.now = moment(self.problem, whole.content["now"], whole.at("now"))
        unused = whole.unknown(("now", "vehicles"))
        plan = []
        for number, each in enumerate(whole.objects("vehicles"), 1):
            unused += [each.at(name) for name in each.unknown(OF_VEHICLE)]
            plan.append(self._state(each, number))
        if unused:
            warnings.warn(remark(whole.path or "the plan", unused), InputWarning, stacklevel=2)
        return plan

    def _state(self, each: Fields, number: int) -> PlannedVehicle:
        """Return a vehicle of a small JSON."""
        route = self._nodes(each, "stops", None)
        done = self._nodes(each, "done", route)
        served = {node for node in done if node is not None}
        if None in done[-1:] and not each.has("at"):
            each.fail("done", "the last of them is not in the file; say where the vehicle is (at)")
        stops = tuple(node for node in route if node is not None and node not in served)
        load = each.content.get("load")
        gone = [
            time for node, value in zip(done, each.items("departures"), strict=False) if node is not None
            if (time := self._moment(each, "departures", value)) is not None
        ]  # fmt: skip
        return PlannedVehicle(
            vehicle=each.whole("vehicle", number, least=1) - 1,
            stops=stops,
            done=tuple(node for node in done if node is not None),
            departures=tuple(gone),
            at=self._place(each),
            time=self._time(each, "time"),
            left=self._time(each, "left"),
            load=None if load is None else self._load(each, load),
            stays=self._some(each, "stays", stops),
            first=self._some(each, "first", stops),
            last=self._some(each, "last", stops),
            order=self._some(each, "order", stops),
            takes_new=self._flag(each, "new"),
            name=each.text("name"),
            place=each.place,
        )

    def _nodes(self, each: Fields, name: str, route: list[int | None] | None) -> list[int | None]:
        """Return the stops in a list, or of a route so many as a number says; None for those that are gone."""
        value = each.content.get(name)
        if route is not None and isinstance(value, int) and not isinstance(value, bool):
            return route[: each.whole(name, most=len(route))]
        listed = [(each.at(f"{name}[{at}]"), stop) for at, stop in enumerate(each.items(name))]
        return [self.names.node(stop, each.path, place, served=route is not None) for place, stop in listed]

    def _some(self, each: Fields, name: str, stops: tuple[int, ...]) -> tuple[int, ...]:
        """Return the stops of a lock: those in a list, all, or so many at an end of the route."""
        value = each.content.get(name)
        if value is True:
            return stops
        if value is None or value is False:
            return ()
        if isinstance(value, int):
            count = each.whole(name, most=len(stops))
            return stops[len(stops) - count :] if name == "last" else stops[:count]
        return tuple(node for node in self._nodes(each, name, list(stops)) if node is not None)

    def _place(self, each: Fields) -> int | None:
        value = each.content.get("at")
        if value is None:
            return None
        node = self.names.node(value, each.path, each.at("at"), served=True)
        if node is None:
            each.fail("at", f"the file has no row {quote(str(value))}; add one for where the vehicle is")
        return node

    def _time(self, each: Fields, name: str) -> float | None:
        return self._moment(each, name, each.content.get(name))

    def _moment(self, each: Fields, name: str, value: Any) -> float | None:
        if value is None:
            return None
        try:
            return moment(self.problem, value, "it")
        except InputError as error:
            each.fail(name, str(error))

    def _load(self, each: Fields, value: Any) -> tuple[float, ...]:
        numbers = value if isinstance(value, list) else [value]
        listed = Fields({str(at): number for at, number in enumerate(numbers)}, each.path, each.at("load"))
        return tuple(map(listed.number, listed.content))

    def _flag(self, each: Fields, name: str) -> bool:
        value = each.content.get(name, True)
        if not isinstance(value, bool):
            each.fail(name, f"it is {value!r}; it must be true or false")
        return value
