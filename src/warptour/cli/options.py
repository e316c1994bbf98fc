"""Options shared by several commands: how a file is read and turned into a problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

from warptour import api
from warptour.cli import declare
from warptour.io.choices import chosen_columns, words
from warptour.io.cities import as_path
from warptour.io.travel_options import NO_TRAVEL, TravelOptions
from warptour.io.vehicle_options import VehicleOptions
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
        help="Columns not to use, such as demand.",
        rich_help_panel=SHEETS,
    ),
]
Json: TypeAlias = Annotated[bool, declare.Option("--json", help="Print one JSON object.")]


@contextmanager
def notes(quiet: bool = False) -> Iterator[None]:
    """Print input warnings, one line each, on standard error, unless quiet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if quiet else "always", InputWarning)
        yield


def read_problem(
    file: str,
    rounding: str | None,
    latlon: bool | None,
    path: tuple[bool, str | None, str | None],
    vehicles: VehicleOptions,
    sheet: tuple[list[str] | None, list[str] | None] = (None, None),
    quiet: bool = False,
    travel: TravelOptions = NO_TRAVEL,
) -> TSP | VRP:
    """Read ``file`` with the options above; ``path`` is (open, from, to), ``sheet`` is (columns, ignore)."""
    with notes(quiet):
        problem = api.read(
            file,
            rounding=rounding,  # type: ignore[arg-type]  # read rejects other words
            latlon=latlon,
            columns=chosen_columns(sheet[0] or []),
            ignore=words(sheet[1] or []),
            **vehicles.given(),
            **travel.given(),
        )
    return as_path(problem, *path)
