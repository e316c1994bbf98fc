"""All options of how a file is read, and what problem it becomes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Final, cast

from warptour.io.locked import with_plan
from warptour.io.options import (
    PATH,
    REPLANNING,
    SHEETS,
    VEHICLES,
    TravelOptions,
    VehicleOptions,
    as_path,
    chosen_columns,
    ignored_names,
)
from warptour.io.read import SHEETS as SHEETS_OF_STOPS
from warptour.io.read import errors_of, read
from warptour.io.source import display_name
from warptour.io.stops import read_stops
from warptour.model.audience import as_files_count
from warptour.model.errors import InputError, InputWarning, UsageError
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.model.unserved import servable
from warptour.model.vehicles import VRP

NAMED: Final = 5
"""Maximum number of stops that are left out and named."""


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

    strict: Annotated[
        bool, Option("An error if there is a warning of what may be a mistake in the file.", "--strict", group=SHEETS)
    ] = False
    all_stops: Annotated[
        bool, Option("An error if no vehicle can serve a stop; else it is left out.", "--all", group=VEHICLES)
    ] = False

    locked: Annotated[
        str | PathLike[str] | None,
        Option("A plan that is under way: what is done, and where vehicles are.", metavar="FILE", group=REPLANNING),
    ] = None
    now: Annotated[
        str | None,
        Option("The time at which a result (solve --json) is taken over.", metavar="HH:MM", group=REPLANNING),
    ] = None
    change_cost: Annotated[float | None, Option("Cost of each stop that changes its vehicle.", group=REPLANNING)] = None

    def read_stops(self, source: str | PathLike[str]) -> TSP:
        """Return the stops in ``source`` with the streets between them, whatever else is said of them."""
        if Path(source).suffix.lower() not in SHEETS_OF_STOPS:
            return cast(TSP, self.read(source))
        travel = TravelOptions(**{field.name: getattr(self, field.name) for field in fields(TravelOptions)}).checked()
        with errors_of(fspath(source)), as_files_count():
            columns, ignored = chosen_columns(self.columns or []), ignored_names(self.ignore or [])
            stops = read_stops(source, self.latlon, columns, ignored, travel)
        for note in stops.warnings:
            warnings.warn(note, InputWarning, stacklevel=2)
        return stops

    def read(self, source: str | PathLike[str]) -> TSP | VRP:
        """Return the problem in ``source``."""
        with as_files_count():
            problem = self._read(source)
        if self.strict and problem.warnings:
            count = len(problem.warnings)
            what = "the warning is an error" if count == 1 else f"the {count} warnings are errors"
            raise InputError(f"{what} (--strict)", display_name(source))
        return problem

    def _read(self, source: str | PathLike[str]) -> TSP | VRP:
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
        if self.locked is not None:
            with errors_of(fspath(self.locked)):
                problem = with_plan(problem, self.locked, now=self.now, change_cost=self.change_cost)
        elif self.now is not None or self.change_cost is not None:
            option = "--now" if self.change_cost is None else "--change-cost"
            raise UsageError(f"{option} is of a plan that is under way; give it with --locked FILE")
        if isinstance(problem, VRP) and not self.all_stops and (problem.table is not None or problem.mixed):
            problem = _without_impossible(problem, display_name(source))
        return as_path(problem, is_open=False, start=self.from_city, end=self.to_city)


def _without_impossible(problem: VRP, path: str) -> VRP:
    """Return a problem in which stops that nobody can serve need not be, with a warning for each of the first."""
    eased, lost = servable(problem)
    notes = [f"{problem.describe(each.node, 'customer')} is left out: {each.text}" for each in lost[:NAMED]]
    notes += [f"{len(lost) - NAMED} more are left out"] if len(lost) > NAMED else []
    for note in notes:
        warnings.warn(f"{path}: {note}", InputWarning, stacklevel=3)
    return replace(eased, warnings=(*eased.warnings, *(f"{path}: {note}" for note in notes))) if notes else eased
