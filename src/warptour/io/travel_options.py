"""What a user says of roads and times, beside a file: matrices, a speed, services, hours."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Annotated, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from warptour.io.numerals import SIGNS
from warptour.io.source import quote
from warptour.io.square import Stops, read_square
from warptour.io.units import UNITS
from warptour.model.building import MINIMIZED, all_distances, clock_fields, drawn
from warptour.model.clock import METRES, MINUTE, time_of_day
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS, Floats
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.model.quantities import finite_number
from warptour.model.vehicles import VRP

P = TypeVar("P", bound=TSP | VRP)

TRAVEL: Final = "Roads and times"
SHEETS: Final = "Spreadsheets"
"""Headings of options in the help."""

NEED_TIMES = {
    "max_hours": "a limit in hours (--max-hours)",
    "service_minutes": "a service in minutes (--service-minutes)",
    "depart": "a departure (--depart)",
}


@dataclass(frozen=True)
class TravelOptions:
    """Roads and times of the stops in a file; None if not given."""

    matrix: Annotated[
        str | PathLike[str] | None,
        Option(
            "Distances between the stops, as roads give them: .npy, .csv, .xlsx, .json.", metavar="FILE", group=TRAVEL
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
    minimize: Annotated[str | None, Option("What the cost is.", metavar="distance|duration", group=TRAVEL)] = None
    unit: Annotated[
        str | None,
        Option("Unit of the distances, where the file does not say it.", metavar="m|km|miles|...", group=TRAVEL),
    ] = None
    decimal: Annotated[
        str | None,
        Option("Decimal sign of a spreadsheet, where 1,234 or 1.234 may be a thousand.", metavar=",|.", group=SHEETS),
    ] = None

    def given(self) -> dict[str, Any]:
        """Return the options that are not None, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def timed(self) -> bool:
        """Whether travel times are given."""
        return self.speed is not None or self.durations is not None

    def checked(self) -> TravelOptions:
        """Return the options with the usual spelling of the unit; raise :class:`UsageError` if they make no sense."""
        if self.speed is not None and self.durations is not None:
            raise UsageError("--speed and --durations contradict each other; give one of them")
        if self.minimize not in (None, *MINIMIZED):
            raise UsageError(f"--minimize takes {' or '.join(MINIMIZED)}, not {quote(str(self.minimize))}")
        if self.decimal not in (None, *SIGNS):
            raise UsageError(f"--decimal takes {' or '.join(SIGNS)}, not {quote(str(self.decimal))}")
        unit = None if self.unit is None else UNITS.get(str(self.unit).strip().lower())
        if self.unit is not None and unit not in METRES:
            raise UsageError(f"unknown unit {quote(str(self.unit))}; there are {', '.join(METRES)}")
        for what, value in (("speed", self.speed), ("limit in hours", self.max_hours)):
            if value is not None and not (finite_number(value) or 0) > 0:
                raise UsageError(f"the {what} is {value}; it must be above 0")
        minutes = 0 if self.service_minutes is None else finite_number(self.service_minutes)
        if minutes is None or minutes < 0:
            raise UsageError(f"the service in minutes is {self.service_minutes}; it must be at least 0")
        if not self.timed:
            lacking = [text for name, text in NEED_TIMES.items() if getattr(self, name) is not None]
            lacking += ["to minimise durations (--minimize)"] if self.minimize == "duration" else []
            if lacking:
                raise UsageError(f"{lacking[0]} needs travel times: --speed or --durations")
        if self.depart is not None:
            time_of_day(self.depart)
        return replace(self, unit=unit)


NO_TRAVEL: Final = TravelOptions()


def roads(options: TravelOptions, stops: Stops, notes: list[str]) -> NDArray[Any] | None:
    """Return the distances beside the stops, if there are any; ``notes`` receives what may be a mistake."""
    if options.matrix is None:
        return None
    return read_square(options.matrix, "distances", stops, notes, options.decimal)


def over_matrix(problem: P, matrix: NDArray[Any] | None, options: TravelOptions) -> P:
    """Return a problem with its distances replaced by a matrix, and with the unit given.

    A matrix beside latitudes and longitudes is in metres unless another unit is given.
    """
    path = problem.name
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
    """Return a problem with the clock that the options give it.

    Parameters
    ----------
    problem : TSP or VRP
    options : TravelOptions
    path : str
        Its file, for messages.
    services : array of float64, shape (n,), optional
        Service times in seconds, from the file.
    notes : list of str
        Receives a line if something may be a mistake.
    """
    if not options.timed:
        return problem
    if options.max_hours is not None and not isinstance(problem, VRP):
        raise UsageError(f"{path} has no demands, so it is one tour; --max-hours is for the routes of vehicles")
    if services is None and options.service_minutes is not None:
        services = np.full(problem.n, options.service_minutes * MINUTE)
        services[problem.depot if isinstance(problem, VRP) else 0] = 0.0
    stops = Stops(path, problem.n, problem.labels)
    durations = None
    if options.durations is not None:
        durations = read_square(options.durations, "durations", stops, notes, options.decimal)
    changes, note = clock_fields(
        problem.metric, problem.points, problem.unit,
        lambda: problem.points if problem.matrix is not None else all_distances(problem.metric, problem.points),
        services, speed=options.speed, durations=durations, depart=options.depart,
        minimize=options.minimize or "distance", max_hours=options.max_hours,
    )  # fmt: skip
    if note is not None:
        notes.append(f"{path}: {note}")
    return replace(problem, **changes, best_known=problem.best_known if options.minimize != "duration" else None)
