"""Options shared by several commands: how a file is read and turned into a problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Annotated, TypeAlias

from warptour import api
from warptour.cli import declare
from warptour.io.options import TravelOptions, VehicleOptions, as_path, chosen_columns, ignored_names
from warptour.model.errors import InputWarning
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PATH, VEHICLES, TRAVEL = "An open path", "Vehicles", "Roads and times"
SHEETS, FILES = "Spreadsheets", "Files"
"""Headings of option groups in the help."""

File: TypeAlias = Annotated[
    str,
    declare.Argument(
        metavar="FILE", help="A .tsp, .vrp, .csv, .xlsx or .npy file, uniform:N:SEED, or - for standard input."
    ),
]
Rounding: TypeAlias = Annotated[
    str | None, declare.Option(metavar="none|nearest|ceil|floor", help="Override how distances are rounded.")
]
LatLon: TypeAlias = Annotated[
    bool | None,
    declare.Option(
        "--latlon/--no-latlon",
        show_default=False,
        help="x,y of a table are longitude and latitude; without a header, latitude and longitude.",
    ),
]
Open: TypeAlias = Annotated[bool, declare.Option("--open", help="A path that does not return.", rich_help_panel=PATH)]
From: TypeAlias = Annotated[
    str | None, declare.Option("--from", metavar="CITY", help="First city: its name or number.", rich_help_panel=PATH)
]
To: TypeAlias = Annotated[
    str | None, declare.Option("--to", metavar="CITY", help="Last city: its name or number.", rich_help_panel=PATH)
]
Capacity: TypeAlias = Annotated[
    float | None, declare.Option(help="What one vehicle carries.", rich_help_panel=VEHICLES)
]
MaxDistance: TypeAlias = Annotated[
    float | None, declare.Option(help="Limit on a route's travel and service.", rich_help_panel=VEHICLES)
]
ServiceTime: TypeAlias = Annotated[
    float | None,
    declare.Option(
        help="Service at each customer, in the unit of the distances, for --max-distance.", rich_help_panel=VEHICLES
    ),
]
Vehicles: TypeAlias = Annotated[
    int | None, declare.Option(help="How many routes there may be.", rich_help_panel=VEHICLES)
]
FixedCost: TypeAlias = Annotated[
    float | None, declare.Option(help="Cost of each vehicle used.", rich_help_panel=VEHICLES)
]
Depot: TypeAlias = Annotated[
    str | None, declare.Option(help="The depot: its name, or its number from 1.", rich_help_panel=VEHICLES)
]
Matrix: TypeAlias = Annotated[
    str | None,
    declare.Option(
        "--matrix",
        metavar="FILE",
        help="Distances between the stops, as roads give them: .npy, .csv, .xlsx, .json.",
        rich_help_panel=TRAVEL,
    ),
]
Durations: TypeAlias = Annotated[
    str | None,
    declare.Option(
        "--durations",
        metavar="FILE",
        help="Travel times between the stops in seconds, as such a file.",
        rich_help_panel=TRAVEL,
    ),
]
Speed: TypeAlias = Annotated[
    float | None,
    declare.Option("--speed", metavar="KMH", help="Speed in km/h, for travel times.", rich_help_panel=TRAVEL),
]
MaxHours: TypeAlias = Annotated[
    float | None,
    declare.Option(
        "--max-hours", metavar="H", help="Limit on a route's travel and service time.", rich_help_panel=TRAVEL
    ),
]
ServiceMinutes: TypeAlias = Annotated[
    float | None,
    declare.Option("--service-minutes", metavar="MIN", help="Time spent at each stop.", rich_help_panel=TRAVEL),
]
Depart: TypeAlias = Annotated[
    str | None,
    declare.Option("--depart", metavar="HH:MM", help="When to depart: 08:00.", rich_help_panel=TRAVEL),
]
Minimize: TypeAlias = Annotated[
    str | None,
    declare.Option("--minimize", metavar="distance|duration", help="What the cost is.", rich_help_panel=TRAVEL),
]
Unit: TypeAlias = Annotated[
    str | None,
    declare.Option(
        "--unit",
        metavar="m|km|miles|...",
        help="Unit of the distances, where the file does not say it.",
        rich_help_panel=TRAVEL,
    ),
]
Columns: TypeAlias = Annotated[
    list[str] | None,
    declare.Option(
        "--columns",
        metavar="NAME=HEADER,...",
        help='Which column of a spreadsheet is which: lat="GPS Lat",demand=Qty; may be repeated.',
        rich_help_panel=SHEETS,
    ),
]
Ignore: TypeAlias = Annotated[
    list[str] | None,
    declare.Option(
        "--ignore",
        metavar="NAME,...",
        help="Columns not to use: by their headers, or demand, service, ...; may be repeated.",
        rich_help_panel=SHEETS,
    ),
]
Decimal: TypeAlias = Annotated[
    str | None,
    declare.Option(
        "--decimal",
        metavar=",|.",
        help="Decimal sign of a spreadsheet, where 1,234 or 1.234 may be a thousand.",
        rich_help_panel=SHEETS,
    ),
]
Json: TypeAlias = Annotated[bool, declare.Option("--json", help="Print one JSON object.")]


@contextmanager
def notes() -> Iterator[None]:
    """Print input warnings, one line each, on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        yield


@dataclass(frozen=True)
class Reading:
    """The options that say how a file is read, and what problem it becomes, in the order of the help."""

    rounding: Rounding = None
    latlon: LatLon = None
    is_open: Open = False
    from_city: From = None
    to_city: To = None
    capacity: Capacity = None
    max_distance: MaxDistance = None
    service_time: ServiceTime = None
    vehicles: Vehicles = None
    fixed_cost: FixedCost = None
    depot: Depot = None
    matrix: Matrix = None
    durations: Durations = None
    speed: Speed = None
    max_hours: MaxHours = None
    service_minutes: ServiceMinutes = None
    depart: Depart = None
    minimize: Minimize = None
    unit: Unit = None
    columns: Columns = None
    ignore: Ignore = None
    decimal: Decimal = None

    def read(self, file: str) -> TSP | VRP:
        """Return the problem in ``file``."""
        vehicles, travel = (
            kind(**{field.name: getattr(self, field.name) for field in fields(kind)})
            for kind in (VehicleOptions, TravelOptions)
        )
        with notes():
            problem = api.read(
                file,
                rounding=self.rounding,  # type: ignore[arg-type]  # read rejects other words
                latlon=self.latlon,
                columns=chosen_columns(self.columns or []),
                ignore=ignored_names(self.ignore or []),
                **vehicles.given(),
                **travel.given(),
            )
        return as_path(problem, self.is_open, self.from_city, self.to_city)
