"""All options of how a file is read, and what problem it becomes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, cast

from warptour.io.options import PATH, SHEETS, TravelOptions, VehicleOptions, as_path, chosen_columns, ignored_names
from warptour.io.read import SHEETS as SHEETS_OF_STOPS
from warptour.io.read import errors_of, read
from warptour.io.stops import read_stops
from warptour.model.errors import InputWarning
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class ReadOptions(TravelOptions, VehicleOptions):
    """What a user says of a file, as :func:`~warptour.io.read.read` and an open path take it."""

    rounding: Annotated[
        str | None,
        Option(
            "Override how distances are rounded; dimacs and exact scale the whole problem.",
            metavar="none|nearest|ceil|floor|dimacs|exact",
        ),
    ] = None
    latlon: Annotated[
        bool | None,
        Option(
            "x,y of a table are longitude and latitude; without a header, latitude and longitude.",
            "--latlon/--no-latlon",
        ),
    ] = None
    is_open: Annotated[bool, Option("A path, or routes, that do not return.", "--open", group=PATH)] = False
    from_city: Annotated[
        str | None, Option("First city: its name or number.", "--from", metavar="CITY", group=PATH)
    ] = None
    to_city: Annotated[str | None, Option("Last city: its name or number.", "--to", metavar="CITY", group=PATH)] = None
    columns: Annotated[
        list[str] | None,
        Option(
            'Which column of a spreadsheet is which: lat="GPS Lat",demand=Qty; may be repeated.',
            metavar="NAME=HEADER,...",
            group=SHEETS,
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        Option(
            "Columns not to use: by their headers, or demand, service, ...; may be repeated.",
            metavar="NAME,...",
            group=SHEETS,
        ),
    ] = None

    def read_stops(self, source: str | PathLike[str]) -> TSP:
        """Return the stops in ``source`` with the streets between them, whatever else is said of them."""
        if Path(source).suffix.lower() not in SHEETS_OF_STOPS:
            return cast(TSP, self.read(source))
        travel = TravelOptions(**{field.name: getattr(self, field.name) for field in fields(TravelOptions)}).checked()
        with errors_of(fspath(source)):
            columns, ignored = chosen_columns(self.columns or []), ignored_names(self.ignore or [])
            stops = read_stops(source, self.latlon, columns, ignored, travel)
        for note in stops.warnings:
            warnings.warn(note, InputWarning, stacklevel=2)
        return stops

    def read(self, source: str | PathLike[str]) -> TSP | VRP:
        """Return the problem in ``source``."""
        kinds = VehicleOptions, TravelOptions
        given = {field.name: getattr(self, field.name) for kind in kinds for field in fields(kind)}
        problem = read(
            source,
            rounding=self.rounding,  # type: ignore[arg-type]  # read rejects other words
            latlon=self.latlon,
            columns=chosen_columns(self.columns or []),
            ignore=ignored_names(self.ignore or []),
            open=self.is_open,
            **given,
        )
        return as_path(problem, is_open=False, start=self.from_city, end=self.to_city)
