"""Options shared by several commands: how a file is read and turned into a problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

import typer

from warptour import api
from warptour.io.choices import chosen_columns, words
from warptour.io.cities import as_path
from warptour.io.vehicle_options import VehicleOptions
from warptour.model.errors import InputWarning
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PATH, VEHICLES, SHEETS, FILES = "An open path", "Vehicles", "Spreadsheets", "Files"
"""Headings of option groups in the help."""

File: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A .tsp, .vrp, .csv, .xlsx or .npy file, uniform:N:SEED, or - for standard input."
    ),
]
Rounding: TypeAlias = Annotated[
    str | None, typer.Option(metavar="none|nearest|ceil|floor", help="Override how distances are rounded.")
]
LatLon: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--latlon/--no-latlon",
        show_default=False,
        help="x,y of a table are longitude and latitude; without a header, latitude and longitude.",
    ),
]
Open: TypeAlias = Annotated[bool, typer.Option("--open", help="A path that does not return.", rich_help_panel=PATH)]
From: TypeAlias = Annotated[
    str | None, typer.Option("--from", metavar="CITY", help="First city: its name or number.", rich_help_panel=PATH)
]
To: TypeAlias = Annotated[
    str | None, typer.Option("--to", metavar="CITY", help="Last city: its name or number.", rich_help_panel=PATH)
]
Capacity: TypeAlias = Annotated[float | None, typer.Option(help="What one vehicle carries.", rich_help_panel=VEHICLES)]
MaxDistance: TypeAlias = Annotated[
    float | None, typer.Option(help="Limit on a route's travel and service.", rich_help_panel=VEHICLES)
]
ServiceTime: TypeAlias = Annotated[
    float | None, typer.Option(help="Time spent at each customer.", rich_help_panel=VEHICLES)
]
Vehicles: TypeAlias = Annotated[
    int | None, typer.Option(help="How many routes there may be.", rich_help_panel=VEHICLES)
]
FixedCost: TypeAlias = Annotated[
    float | None, typer.Option(help="Cost of each vehicle used.", rich_help_panel=VEHICLES)
]
Depot: TypeAlias = Annotated[
    str | None, typer.Option(help="The depot: its name, or its number from 1.", rich_help_panel=VEHICLES)
]
Columns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAME=HEADER,...",
        help='Which column of a spreadsheet is which: lat="GPS Lat",demand=Qty; may be repeated.',
        rich_help_panel=SHEETS,
    ),
]
Ignore: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="NAME,...",
        help="Columns not to use, such as demand.",
        rich_help_panel=SHEETS,
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


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
        )
    return as_path(problem, *path)
