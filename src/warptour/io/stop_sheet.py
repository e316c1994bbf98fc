"""Which sheet and columns of a table are stops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Final

from warptour.io.headers import (
    LOAD,
    MINUTES,
    PAIRS,
    PLACE,
    column_name,
    find_columns,
    fold,
    kind_of_sheet,
    listed,
    places_of,
    required_name,
    stop_columns,
)
from warptour.io.options import TravelOptions
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.io.workbook import Workbook
from warptour.model.errors import UsageError

NAMED: Final = 10
"""Maximum number of sheets or headers that are listed."""
EXAMPLE: Final = "a header has x,y or lat,lon, and may have name, demand, service_minutes"
DISTANCE = "service_time"
"""Column of service times in the unit of the distances."""
SERVICES: Final = (MINUTES, DISTANCE)
"""Columns that the alias ``service`` ignores."""


def open_stops(
    path: str | PathLike[str],
    latlon: bool | None,
    columns: Mapping[str, str],
    ignore: Collection[str],
    travel: TravelOptions,
    loads: Sequence[str],
) -> Sheet:
    """Return a table of stops with the columns that the user wants; ``loads`` are those of a fleet's capacities."""
    chosen = {required_name(name, "columns"): header for name, header in columns.items()}
    ignored = {name for word in ignore if (name := column_name(word))}
    if "service" in (name.strip().lower() for name in ignore):
        ignored |= {*SERVICES}
    headers = [word for word in ignore if column_name(word) is None]
    folded = {fold(word) for word in headers}
    both = {name for name, header in chosen.items() if name in ignored or fold(header) in folded}
    if both:
        raise UsageError(f"the column {min(both)} is both given and ignored")
    for pair, other in ((("lat", "lon"), ("x", "y", "z")), (("x", "y"), ("lat", "lon"))):
        if set(pair) & chosen.keys():
            ignored |= {*other} - chosen.keys()
    needed = (*PAIRS, (PLACE,)) if travel.matrix is None else (*PAIRS, (PLACE,), ("name",), ("demand",))
    known = dict(stop_columns())
    if len(loads) == 1 and loads[0]:
        known["demand"] = (*known["demand"], *(f"{word}_{loads[0]}" for word in known["demand"]), loads[0])
    if len(loads) > 1:
        several = {LOAD + load: [f"{w}_{load}" if load else w for w in known["demand"]] + [load] for load in loads}
        known = {name: each for name, each in known.items() if name != "demand"} | {
            name: tuple(each) for name, each in several.items()
        }
    return Sheet.open(
        path, known, EXAMPLE, ("lat", "lon") if latlon else ("x", "y"),
        needed=needed, chosen=chosen, ignored=ignored, left_out=headers, sign=travel.decimal,
        order=_order,
    )  # fmt: skip


def ignored_places(sheet: Sheet, ignore: Collection[str]) -> set[int]:
    """Return the indices of the columns that the user ignores; a name that the table does not have is an error."""
    places: set[int] = set()
    for word in ignore:
        name = column_name(word)
        names = SERVICES if word.strip().lower() == "service" else (name,) if name else ()
        found, _ = find_columns(sheet.header, {name: stop_columns()[name] for name in names}, {}, ())
        these = {*found.values(), *places_of(sheet.header, [word])}
        if not these:
            import difflib  # slow import, rarely needed

            texts = {fold(cell): cell.strip() for cell in sheet.header if cell.strip()}
            near = difflib.get_close_matches(fold(word), texts, 1)
            have = listed([*texts.values()][:NAMED]) or "no header"
            hint = f"did you mean {quote(texts[near[0]])}?" if near else f"it has {have}"
            raise UsageError(f"{sheet.path} has no column {quote(word)} to ignore (--ignore); {hint}")
        places |= these
    return places


def without_hidden(sheet: Sheet, notes: list[str], *, own_fleet: bool) -> Sheet:
    """Return a sheet without its hidden rows; name what else of a workbook is not used.

    ``own_fleet`` says that the vehicles are in a file of their own.
    """
    grid = sheet.grid
    if not isinstance(grid, Workbook):
        return sheet
    rows = grid.without_hidden(notes, sheet.above)
    if len(rows.values) == sheet.above < len(grid.values):
        raise sheet.header_error(f"all {len(grid.values) - sheet.above} rows below the header are hidden")
    read = {"depots", "guides", *(() if own_fleet else ("vehicles",))}
    unread = [title for title in grid.others if kind_of_sheet(title) not in read]
    if unread:
        others = ", ".join(map(quote, unread[:NAMED]))
        notes.append(f"{sheet.path}: sheets not used: {others}")
    return replace(sheet, grid=rows)


def _order(title: str) -> int:
    """Return the order in which sheets of a workbook are looked at for stops."""
    kind = kind_of_sheet(title)
    return 0 if kind == "stops" else 1 if kind is None else 2


def unused_columns(sheet: Sheet, used: list[str], unwanted: Collection[int]) -> list[int]:
    """Return the indices of the columns that are neither used nor ``unwanted``.

    Service times that do not count have a note of their own.
    """
    known = [*used, "name", *([] if DISTANCE in used else [MINUTES])]
    taken = {at for name, at in sheet.columns.items() if name in known} | {*unwanted}
    return [at for at, cell in enumerate(sheet.header) if at not in taken and cell.strip()]
