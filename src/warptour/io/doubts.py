"""What may be a mistake in a table of stops: a line for each, which a plan does not stop for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.model.clock import format_duration
from warptour.model.errors import InputError
from warptour.model.metric import Floats
from warptour.model.mistakes import far_places, missing_places, repeated_stops
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

NAMED: Final = 10
"""Maximum number of unused columns listed in the note; the rest are counted."""


def note_unused(sheet: Sheet, unused: list[int], notes: list[str]) -> None:
    """Name the columns not used that are not empty."""
    unused = [at for at in unused if any(at < len(cells) and str(cells[at]).strip() for _, cells in sheet.body())]
    if unused:
        headers = [quote(sheet.header[at].strip()) for at in unused]
        more = f" and {len(unused) - NAMED} more" if len(unused) > NAMED else ""
        notes.append(f"{sheet.path}: columns not used: {', '.join(headers[:NAMED])}{more}")


def note_long_services(sheet: Sheet, problem: TSP | VRP, windows: TimeWindows, notes: list[str]) -> None:
    """Name a stop whose service takes longer than its windows are open."""
    services = np.zeros(problem.n) if problem.clock is None else np.broadcast_to(problem.clock.services, problem.n)
    longest = np.array([max(closes - opens for opens, closes in each) for each in windows])
    long = np.flatnonzero((services > longest) & (longest > 0))
    if len(long):
        row = int(long[0])
        more = f", as {'is 1 more' if len(long) == 2 else f'are {len(long) - 1} more'}" if len(long) > 1 else ""
        took, hours = format_duration(services[row]), windows.text(row, True)
        fault = f"is served for {took}, longer than its window {hours}{more}; service begins within it and ends later"
        notes.append(str(row_error(sheet, row, problem.labels, fault)))


def note_outliers(
    sheet: Sheet, points: Floats, labels: tuple[str, ...] | None, notes: list[str], *, latlon: bool
) -> None:
    """Name a stop whose coordinates are probably mistakes."""
    lost = missing_places(points, latlon=latlon)
    if len(lost):
        more = f", as {'is 1 more' if len(lost) == 2 else f'are {len(lost) - 1} more'}" if len(lost) > 1 else ""
        fault = f"is at 0,0, far from the other stops{more}; are its coordinates missing?"
        notes.append(str(row_error(sheet, int(lost[0]), labels, fault)))
    rows = np.delete(np.arange(len(points)), lost)
    far, times = far_places(points[rows], latlon=latlon)
    if len(far):
        more = f", and {len(far) - 1} more are as far" if len(far) > 1 else ""
        middle = f"is {times:.0f} times as far from the middle of the stops as the median of them{more}"
        fault = f"{middle}; are its coordinates right?"
        notes.append(str(row_error(sheet, int(rows[far[0]]), labels, fault)))


def stop_name(row: int, labels: tuple[str, ...] | None) -> str:
    """Return a stop for messages that begin with its line: its name, or else its row of data from 1."""
    return quote(labels[row]) if labels and labels[row] else f"row {row + 1}"


def row_error(sheet: Sheet, row: int, labels: tuple[str, ...] | None, fault: str) -> InputError:
    return InputError(f"{stop_name(row, labels)} {fault}", sheet.path, sheet.line(row))


def note_depots(
    sheet: Sheet,
    marked: Collection[int],
    depots: Collection[int],
    labels: tuple[str, ...] | None,
    notes: list[str],
    *,
    asked: bool,
) -> None:
    """Name the rows that a column says are depots, where there are several: vehicles begin at those in ``depots``."""
    if len(marked) < 2:
        return
    named = ", ".join(stop_name(row, labels) for row in marked)
    if not asked and {*marked} <= {*depots}:
        more = "has vehicles of its own, as --depot says of one or more"
        notes.append(f"{sheet.path}: {len(marked)} rows are depots, {named}; each {more}")
    for row in marked:
        if row not in depots and row != 0:
            notes.append(str(row_error(sheet, row, labels, "is a depot by its row, and is planned as a stop")))


def note_duplicates(sheet: Sheet, points: Floats, labels: tuple[str, ...] | None, notes: list[str]) -> None:
    """Name a stop that is there twice, with the same name at the same place."""
    again = repeated_stops(points, labels)
    if len(again):
        first, second = again[0]
        more = f", and {len(again) - 1} more are" if len(again) > 2 else ", and 1 more is" if len(again) == 2 else ""
        fault = f"is in row {sheet.line(first)}, too, at the same place{more}; is it one stop?"
        notes.append(str(row_error(sheet, second, labels, fault)))
