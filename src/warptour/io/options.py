"""What a user says beside a file: vehicles, roads and times, which columns are which, and the ends of a path."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Annotated, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from warptour.io.cells import SIGNS
from warptour.io.headers import required_name, unit_called
from warptour.io.matrix import Stops, read_square
from warptour.io.source import quote
from warptour.io.streets import TRAVEL, RoadOptions, streets_of
from warptour.model.building import MINIMIZED, aims_of, all_distances, clock_fields, drawn, window_fields
from warptour.model.clock import METRES, MINUTE, format_time, time_of_day
from warptour.model.errors import UsageError
from warptour.model.hours import span_of
from warptour.model.metric import METRICS, Floats
from warptour.model.option import Option
from warptour.model.pickups import BACKHAULS
from warptour.model.problem import TSP
from warptour.model.quantities import finite_number, whole_number
from warptour.model.shipments import with_longest_ride
from warptour.model.vehicles import MAX_VEHICLES, VRP
from warptour.model.windows import TimeWindows

P = TypeVar("P", bound=TSP | VRP)

PATH: Final = "An open path"
"""Heading of the options of a path in the help."""
VEHICLES: Final = "Vehicles"
"""Heading of the options of vehicles in the help."""
SHEETS: Final = "Spreadsheets"
"""Heading of the options of spreadsheets in the help."""

REPLANNING: Final = "Planning again"
"""Heading of the options of a plan that is under way in the help."""

NEED_TIMES: Final = {
    "max_hours": "a limit in hours (--max-hours)",
    "service_minutes": "a service in minutes (--service-minutes)",
    "depart": "a departure (--depart)",
}
"""Options that make no sense without travel times."""
WORKING_TIME: Final = ("shift", "hour_cost", "late_cost", "max_wait")
"""Options of vehicles that windows and costs of time are made of."""
BALANCES: Final = {"hours": "hours", "stops": "stops", "load": "load", "km": "distance", "distance": "distance"}
"""What may be balanced, and what the model calls it."""
CHOICE: Final = re.compile(r",(?=\s*[A-Za-z_-]+\s*=)")
"""Comma between two choices of columns."""


@dataclass(frozen=True)
class ProblemOptions:
    """Options of a problem; None if not given. :func:`warptour.read` says what they are."""

    def given(self) -> dict[str, Any]:
        """Return the options that are not None, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class VehicleOptions(ProblemOptions):
    """Vehicle data that overrides a file, or that a table of stops lacks."""

    capacity: Annotated[float | None, Option("What one vehicle carries.", group=VEHICLES)] = None
    max_distance: Annotated[float | None, Option("Limit on a route's travel and service.", group=VEHICLES)] = None
    service_time: Annotated[
        float | None,
        Option("Service at each customer, in the unit of the distances, for --max-distance.", group=VEHICLES),
    ] = None
    vehicles: Annotated[int | None, Option("How many routes there may be.", group=VEHICLES)] = None
    fixed_cost: Annotated[float | None, Option("Cost of each vehicle used.", group=VEHICLES)] = None
    depot: Annotated[
        list[str] | Sequence[int | str] | None,
        Option(
            "The depot: its name, or its number from 1. Given again: depots, each with its vehicles.", group=VEHICLES
        ),
    ] = None
    fleet: Annotated[
        str | PathLike[str] | None,
        Option("Vehicles that differ: a table with name, count, capacity, ...", metavar="FILE", group=VEHICLES),
    ] = None
    shift: Annotated[
        str | None, Option("When vehicles may leave and must be back: 08:00-17:00.", metavar="FROM-TO", group=VEHICLES)
    ] = None
    hour_cost: Annotated[float | None, Option("Cost per hour that a vehicle is out.", group=VEHICLES)] = None
    late_cost: Annotated[
        float | None, Option("Cost per hour that service begins late; without it none may.", group=VEHICLES)
    ] = None
    max_wait: Annotated[float | None, Option("Limit on the wait at a stop.", metavar="MINUTES", group=VEHICLES)] = None
    balance: Annotated[
        str | None,
        Option(
            "Even routes: the largest is made small first, then the cost.",
            metavar="hours|stops|load|km",
            group=VEHICLES,
        ),
    ] = None
    backhauls: Annotated[
        str | None,
        Option(
            "Pickups come last on their route, or after a delivery at least.",
            metavar="last|after-deliveries",
            group=VEHICLES,
        ),
    ] = None
    lifo: Annotated[bool | None, Option("Goods of shipments are unloaded last in, first out.", group=VEHICLES)] = None
    max_ride: Annotated[
        float | None,
        Option("Limit on the time from a pickup to its delivery.", metavar="MINUTES", group=VEHICLES),
    ] = None
    max_trips: Annotated[
        int | None, Option("How often a vehicle may be loaded and go out; 1 without it.", metavar="N", group=VEHICLES)
    ] = None

    @property
    def places(self) -> list[int | str | None]:
        """The depots that are given, or None for the usual one."""
        given = self.depot
        return [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)

    @property
    def asks_for_vehicles(self) -> bool:
        """Whether stops without demands are to be served by vehicles."""
        given = {name for name in self.given() if name not in ("capacity", "service_time", "fixed_cost", "depot")}
        return bool(given) or len(self.places) > 1

    def working_time(self) -> dict[str, Any]:
        """Return the options of windows and costs of time that are given, by name."""
        return {name: value for name, value in self.given().items() if name in WORKING_TIME}

    def check(self) -> None:
        """Raise :class:`UsageError` if an option makes no sense."""
        _check_above_0("capacity", self.capacity)
        _check_above_0("max distance", self.max_distance)
        _check_at_least_0("service time", self.service_time)
        _check_at_least_0("fixed cost", self.fixed_cost)
        _check_at_least_0("cost of an hour", self.hour_cost)
        _check_at_least_0("cost of an hour late", self.late_cost)
        _check_at_least_0("longest wait", self.max_wait)
        _check_at_least_0("longest ride (--max-ride)", self.max_ride)
        if self.balance not in (None, *BALANCES):
            raise UsageError(f"--balance takes hours, stops, load or km, not {quote(str(self.balance))}")
        if self.backhauls not in (None, *BACKHAULS):
            raise UsageError(f"--backhauls takes {' or '.join(BACKHAULS)}, not {quote(str(self.backhauls))}")
        count = self.vehicles
        if count is not None and not 1 <= (whole_number(count) or 0) <= MAX_VEHICLES:
            raise UsageError(f"the number of vehicles is {count}; it must be at least 1 and at most {MAX_VEHICLES}")
        if self.max_trips is not None and (whole_number(self.max_trips) or 0) < 1:
            raise UsageError(f"the limit on trips (--max-trips) is {self.max_trips}; it must be at least 1")


@dataclass(frozen=True)
class TravelOptions(RoadOptions, ProblemOptions):
    """Roads and times of the stops in a file."""

    matrix: Annotated[
        str | PathLike[str] | None,
        Option(
            "Distances between the stops, as roads give them: .npy, .csv, .xlsx, .json; van=FILE,truck=FILE.",
            metavar="FILE",
            group=TRAVEL,
        ),
    ] = None
    durations: Annotated[
        str | PathLike[str] | None,
        Option("Travel times between the stops in seconds, as such a file.", metavar="FILE", group=TRAVEL),
    ] = None
    speed: Annotated[float | None, Option("Speed in km/h, for travel times.", metavar="KMH", group=TRAVEL)] = None
    max_hours: Annotated[
        float | None, Option("Limit on a route's travel and service time.", metavar="H", group=TRAVEL)
    ] = None
    service_minutes: Annotated[float | None, Option("Time spent at each stop.", metavar="MIN", group=TRAVEL)] = None
    depart: Annotated[str | None, Option("When to depart: 08:00.", metavar="HH:MM", group=TRAVEL)] = None
    minimize: Annotated[
        str | None,
        Option(
            "What the cost is; vehicles: their number first, then distance.",
            metavar="distance|duration|vehicles",
            group=TRAVEL,
        ),
    ] = None
    unit: Annotated[
        str | None,
        Option("Unit of the distances, where the file does not say it.", metavar="m|km|miles|...", group=TRAVEL),
    ] = None
    decimal: Annotated[
        str | None,
        Option("Decimal sign of a spreadsheet, where 1,234 or 1.234 may be a thousand.", metavar=",|.", group=SHEETS),
    ] = None

    @property
    def timed(self) -> bool:
        """Whether travel times are given."""
        return self.speed is not None or self.durations is not None or self.by_roads

    @property
    def aims(self) -> tuple[str, bool]:
        """What of the travel is minimised, and whether the number of vehicles comes first."""
        return aims_of(self.minimize or "distance")

    def checked(self) -> TravelOptions:
        """Return the options with the usual spelling of the unit; raise :class:`UsageError` if they make no sense."""
        if self.speed is not None and self.durations is not None:
            raise UsageError("--speed and --durations contradict each other; give one of them")
        self.check_roads("matrix", "durations", "speed")
        if self.minimize not in (None, *MINIMIZED):
            known = f"{', '.join(MINIMIZED[:-1])} or {MINIMIZED[-1]}"
            raise UsageError(f"--minimize takes {known}, not {quote(str(self.minimize))}")
        if self.decimal not in (None, *SIGNS):
            raise UsageError(f"--decimal takes {' or '.join(SIGNS)}, not {quote(str(self.decimal))}")
        unit = None if self.unit is None else unit_called(str(self.unit).strip().lower())
        if self.by_roads and unit not in (None, "m"):
            raise UsageError(f"distances along streets are in metres, not in {quote(str(self.unit))} (--unit)")
        if self.unit is not None and unit not in METRES:
            raise UsageError(f"unknown unit {quote(str(self.unit))}; there are {', '.join(METRES)}")
        _check_above_0("speed", self.speed)
        _check_above_0("limit in hours", self.max_hours)
        _check_at_least_0("service in minutes", self.service_minutes)
        if not self.timed:
            lacking = [text for name, text in NEED_TIMES.items() if getattr(self, name) is not None]
            lacking += ["to minimise durations (--minimize)"] if self.aims[0] == "duration" else []
            if lacking:
                raise UsageError(f"{lacking[0]} needs travel times: --speed, --durations or --roads")
        if self.depart is not None:
            time_of_day(self.depart)
        return replace(self, unit=unit)


NO_TRAVEL: Final = TravelOptions()


def _check_above_0(what: str, value: float | None) -> None:
    if value is not None and not (finite_number(value) or 0) > 0:
        raise UsageError(f"the {what} is {value}; it must be above 0")


def _check_at_least_0(what: str, value: float | None) -> None:
    amount = 0 if value is None else finite_number(value)
    if amount is None or amount < 0:
        raise UsageError(f"the {what} is {value}; it must be at least 0")


def over_matrix(problem: P, matrix: NDArray[Any] | None, options: TravelOptions, notes: list[str]) -> P:
    """Return a problem with its distances replaced by a matrix or those along streets, and with the unit given.

    A matrix beside latitudes and longitudes is in metres unless another unit is given. ``notes`` receives a line per
    possible mistake.
    """
    path, streets = problem.name, streets_of(problem, options, notes)
    if streets is not None:
        problem, matrix = replace(problem, streets=streets), streets.distances
    if matrix is None:
        if options.unit is not None and problem.unit not in (None, options.unit):
            raise UsageError(f"{path} measures in {problem.unit}, and --unit says {options.unit}")
        return problem if options.unit is None else replace(problem, unit=options.unit)
    if problem.metric.norm == "matrix":
        raise UsageError(f"{path} has distances of its own; --matrix is for stops with coordinates")
    places, latlon = drawn(problem.metric, problem.points)
    unit = options.unit or ("m" if latlon else None)
    return replace(
        problem, metric=METRICS["EXPLICIT"], points=matrix, display=places, latlon=latlon, unit=unit, best_known=None
    )


def with_times(problem: P, options: TravelOptions, path: str, services: Floats | None, notes: list[str]) -> P:
    """Return a problem, read from ``path``, with the clock that the options give it.

    ``services`` are the service times in seconds that its file has; ``notes`` receives a line per possible mistake.
    """
    aim, fewest = options.aims
    if fewest:
        if not isinstance(problem, VRP):
            raise UsageError(f"{path} has no demands, so it is one tour; --minimize vehicles is for routes")
        problem = replace(problem, fewest=True)
    if not options.timed:
        return problem
    if options.max_hours is not None and not isinstance(problem, VRP):
        raise UsageError(f"{path} has no demands, so it is one tour; --max-hours is for the routes of vehicles")
    if services is None and options.service_minutes is not None:
        services = np.full(problem.n, options.service_minutes * MINUTE)
        services[problem.depot if isinstance(problem, VRP) else 0] = 0.0
    stops = Stops(path, problem.n, problem.labels)
    streets = problem.streets
    durations = (
        streets.durations if streets else read_square(options.durations, "durations", stops, notes, options.decimal)
    )
    changes, note = clock_fields(
        problem.metric, problem.points, problem.unit,
        lambda: problem.points if problem.matrix is not None else all_distances(problem.metric, problem.points),
        services, speed=options.speed, durations=durations, depart=options.depart,
        minimize=aim, max_hours=options.max_hours, traffic=None if streets is None else streets.traffic,
    )  # fmt: skip
    if note is not None:
        notes.append(f"{path}: {note}")
    return replace(problem, **changes, best_known=problem.best_known if aim != "duration" else None)


def with_windows(problem: P, options: VehicleOptions, path: str, windows: TimeWindows | None, notes: list[str]) -> P:
    """Return a problem, read from ``path``, with its windows, and the shift and costs of time that the options give.

    ``windows`` are those of a table; by default the problem has its own. ``notes`` receives a line if the depot's hours
    cut the shift.
    """
    given = options.working_time()
    if not isinstance(problem, VRP) or (windows is None and not given):
        return problem
    timed, known = problem.clock is not None, problem.windows if windows is None else windows
    if "max_wait" in given:
        given["max_wait_minutes"] = given.pop("max_wait")
    changes = window_fields(problem.n, problem.depot, timed=timed, windows=known, **given)
    if options.shift is not None and known is not None:
        (shift,), depot, left = span_of(options.shift, "the shift", timed=timed), problem.depot, changes["windows"]
        if left.of_node(depot) != [shift]:
            own, rest = (each.text(depot, timed) for each in (known, left))
            notes.append(f"{path}: the depot's hours, {own}, cut the shift to {rest}")
    hours, departs = changes.get("windows"), None if problem.clock is None else problem.clock.depart
    if hours is not None and departs is not None and departs > hours.closes[problem.depot]:
        span = hours.text(problem.depot, timed)
        raise UsageError(f"{path}: the departure at {format_time(departs)} is after the depot's hours, {span}")
    return replace(problem, **changes)


def with_balance(problem: TSP | VRP, options: VehicleOptions, path: str) -> TSP | VRP:
    """Return a problem whose largest route comes before its cost, if the options say so."""
    if options.balance is None:
        return problem
    if not isinstance(problem, VRP):
        raise UsageError(f"{path} has no demands, so it is one tour; --balance is for the routes of vehicles")
    return replace(problem, balance=BALANCES[options.balance], best_known=None)


def with_lifo(problem: TSP | VRP, options: VehicleOptions, path: str) -> TSP | VRP:
    """Return a problem whose shipments are unloaded last in, first out, if the options say so."""
    if not options.lifo:
        return problem
    if not isinstance(problem, VRP) or not problem.shipments:
        raise UsageError(f"{path} has no shipments, which --lifo unloads in order; a column shipment has them")
    return replace(problem, lifo=True, best_known=None)


def with_max_ride(problem: TSP | VRP, options: VehicleOptions, path: str) -> TSP | VRP:
    """Return a problem whose shipments have the longest ride that the options say, unless they have their own."""
    longest = options.max_ride
    if longest is None:
        return problem
    if not isinstance(problem, VRP) or not problem.shipments:
        raise UsageError(f"{path} has no shipments, whose rides --max-ride limits; a column shipment has them")
    most = longest * MINUTE if problem.clock is not None else longest
    return replace(problem, shipments=with_longest_ride(problem.shipments, most), best_known=None)


def with_backhauls(problem: TSP | VRP, options: VehicleOptions, path: str) -> TSP | VRP:
    """Return a problem whose deliveries come before its pickups, if the options say so."""
    if options.backhauls is None:
        return problem
    if not isinstance(problem, VRP) or problem.pickups is None:
        raise UsageError(f"{path} has no pickups, which --backhauls puts in order; a column pickup has them")
    return replace(problem, backhauls=options.backhauls, best_known=None)


def with_max_trips(problem: TSP | VRP, options: VehicleOptions, path: str) -> TSP | VRP:
    """Return a problem whose vehicles make several trips, if the options say so."""
    if options.max_trips is None:
        return problem
    if not isinstance(problem, VRP):
        raise UsageError(f"{path} has no demands, so it is one tour; --max-trips is for the routes of vehicles")
    if problem.fleet is not None:
        raise UsageError(f"{path} has vehicles that differ: their column max_trips says how often each goes out")
    return replace(problem, max_trips=options.max_trips, best_known=None)


def as_path(problem: TSP | VRP, is_open: bool, start: str | None, end: str | None) -> TSP | VRP:
    """Return ``problem`` as an open path, or with open routes, if any of the options is given.

    A fixed end implies an open path.
    """
    if not is_open and start is None and end is None:
        return problem
    if not isinstance(problem, TSP):
        if start is not None or end is not None:
            raise UsageError("--from and --to are for one tour; vehicles begin at their depot")
        return replace(problem, open=True, best_known=problem.best_known if problem.open else None)
    first = None if start is None else city(problem, start, "--from")
    last = None if end is None else city(problem, end, "--to")
    known = problem.best_known if problem.open and first is None and last is None else None
    return replace(problem, open=True, first=first, last=last, best_known=known)


def city(problem: TSP, text: str, option: str) -> int:
    """Return the index of a city given by its name in the file or by its number from 1."""
    if problem.labels is not None and text in problem.labels:
        if problem.labels.count(text) > 1:
            count = problem.labels.count(text)
            raise UsageError(f"{option}: {count} cities are named {text!r}; give the number instead")
        return problem.labels.index(text)
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= problem.n:
        known = f"1 to {problem.n}{' or one of its names' if problem.labels is not None else ''}"
        raise UsageError(f"{option} takes a city of {problem.name}, a number from {known}, not {text!r}")
    return number - 1


def chosen_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the headers in texts such as ``lat=GPS Lat,demand=Qty`` by their columns; headers may hold commas."""
    chosen: dict[str, str] = {}
    for text in texts:
        for part in CHOICE.split(text):
            name, equals, header = part.partition("=")
            if not equals or not header.strip():
                raise UsageError(f"--columns takes NAME=HEADER, such as lat='GPS Lat', not {part!r}")
            column = required_name(name, "--columns")
            if column in chosen:
                raise UsageError(f"--columns {column} is given twice: {chosen[column]} and {header.strip()}")
            chosen[column] = header.strip()
    return chosen


def ignored_names(texts: Sequence[str]) -> list[str]:
    """Return the names of columns in texts such as ``demand,"Hours, from"``; those with a comma are in quotes."""
    try:
        rows = list(csv.reader(texts, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise UsageError(f"--ignore takes NAME,... with names that hold a comma in quotes: {error}") from None
    return [name for row in rows for name in row if name.strip()]
