"""Columns of stops whose loss would mislead: what is not supported yet is an error until the user ignores it.

A plan without the opening hours of its file looks right and is wrong. Such columns are known by their headers, hours
also by their cells. They are harmless if they are empty, or say the same of all stops where only differences matter.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Collection, Iterable, Sequence
from io import StringIO
from typing import Final

from warptour.io.headers import fold
from warptour.io.numerals import parse
from warptour.io.opening_hours import PARTS_OF_DAYS, WHOLE_DAYS, are_hours, is_date, is_time
from warptour.io.restriction_words import (
    BEGIN,
    DEPOTS,
    END,
    KIND,
    PICKUPS,
    PRIORITIES,
    SHIFTS,
    SHIPMENTS,
    SKILLS,
    SLOT,
    TIME,
    VEHICLES,
    WEAK_BEGIN,
    WEAK_END,
    WINDOWS,
    WORDS,
    meaning_of,
)
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.model.errors import InputError

SAME_FOR_ALL: Final = (SHIFTS, VEHICLES, SKILLS, PRIORITIES)
"""What restricts nothing if all stops have the same."""

NOTHING: Final = {
    "",
    "-",
    "–",
    "0",
    "0.0",
    "no",
    "none",
    "n/a",
    "false",
    "nein",
    "non",
    "nee",
    "nie",
    "nej",
    "nei",
    "ne",
}
"""Cells that say that there is nothing, in lower case."""

MAIN: Final = {"main", "start", "end", "central", "second", "haupt", "nord", "north", "south", "east", "west"}
"""Words beside that of a depot."""

HOURS: Final = 24
"""Largest number that may be an hour of the day."""


def refuse_unsupported(sheet: Sheet, places: Collection[int], depot: int, *, vehicles: bool) -> None:
    """Raise :class:`InputError` if a column that is not used would be missed.

    Parameters
    ----------
    sheet : Sheet
    places : collection of int
        Columns that are neither used nor ignored.
    depot : int
        Row of the depot, or of the first stop.
    vehicles : bool
        Whether the problem has a depot, which the user may choose.
    """
    meanings = {at: meaning_of(sheet.header[at]) for at in places}
    cells, hours = _cells(sheet, meanings)
    bounds = {at for at in cells if meanings[at] in (WEAK_BEGIN, WEAK_END) and _are_numbers(cells[at], most=HOURS)}
    paired = bounds if len({meanings[at] for at in bounds}) == 2 else set()
    found: dict[str, list[str]] = {}
    for at, meaning in meanings.items():
        what = WINDOWS if at in hours or at in paired else None
        if what is None and meaning is not None and any(_filled(cells[at])):
            if meaning == KIND:
                _check_depot(sheet, at, cells[at], depot, vehicles=vehicles)
            what = _restriction(meaning, cells[at], depot)
        if what is not None:
            found.setdefault(what, []).append(sheet.header[at].strip())
    if found:
        texts = [f"{', '.join(map(quote, names))} ({what})" for what, names in found.items()]
        names = [name for group in found.values() for name in group]
        many = len(names) > 1
        raise InputError(
            f"the column{'s' if many else ''} {' and '.join(texts)} {'are' if many else 'is'} not supported yet; "
            f"{ignoring(names)} plans without {'them' if many else 'it'}",
            sheet.path,
            sheet.header_line,
        )


def ignoring(names: Iterable[str]) -> str:
    """Return the option that ignores columns."""
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(" ".join(name.split()) for name in names)
    return f"--ignore {shlex.quote(text.getvalue())}"


def _cells(sheet: Sheet, meanings: dict[int, str | None]) -> tuple[dict[int, list[str]], set[int]]:
    """Return the cells of the columns that have a meaning, and which of all columns have hours or parts of the day."""
    cells: dict[int, list[str]] = {at: [] for at, meaning in meanings.items() if meaning is not None}
    hours: set[int] = set()
    days = {*meanings}
    parts: set[int] = set()
    for _, row in sheet.body() if meanings else ():
        for at in meanings:
            cell = row[at].strip() if at < len(row) else ""
            if at in cells:
                cells[at].append(cell)
            if at not in hours and are_hours(cell):
                hours.add(at)
            if at in days and (word := cell.lower()) not in WHOLE_DAYS:
                if word in PARTS_OF_DAYS:
                    parts.add(at)
                else:
                    days.remove(at)
    return cells, hours | (parts & days)


def _restriction(meaning: str, cells: Sequence[str], depot: int) -> str | None:
    """Return what a column asks for, None if its cells are harmless."""
    filled = _filled(cells)
    others = {cell.lower() for row, cell in enumerate(cells) if row != depot}
    if meaning in SAME_FOR_ALL:
        return meaning if len(others) > 1 else None
    if meaning == KIND:
        if any(fold(cell) in WORDS[PICKUPS] for cell in cells):
            return PICKUPS
        return DEPOTS if sum(map(_is_depot, cells)) > 1 else None
    if meaning == SLOT:
        return None if _are_numbers(cells) else WINDOWS
    if meaning == DEPOTS:  # marks of depots, or the depot of each stop
        marked = [row for row, cell in enumerate(cells) if cell.lower() not in NOTHING]
        alike = len({cell.lower() for cell in filled}) == 1
        return None if alike and (marked == [depot] or len(marked) >= len(cells) - 1) else DEPOTS
    if meaning == SHIPMENTS:  # those that are two stops; numbers of orders are harmless
        return SHIPMENTS if len(set(filled)) < len(filled) else None
    if meaning == TIME:
        return WINDOWS if all(is_time(cell) or cell.lower() in PARTS_OF_DAYS | WHOLE_DAYS for cell in filled) else None
    if meaning in (WEAK_BEGIN, WEAK_END):
        return WINDOWS if all(map(is_time, filled)) else None
    if meaning in (BEGIN, END):
        if all(map(is_date, filled)):
            return WINDOWS if len(others) > 1 else None
        return WINDOWS if all(map(is_time, filled)) or _are_numbers(filled) else None
    return meaning


def _check_depot(sheet: Sheet, at: int, cells: Sequence[str], depot: int, *, vehicles: bool) -> None:
    """Raise :class:`InputError` if one row is marked as the depot, and another is taken for it."""
    marked = [row for row, cell in enumerate(cells) if _is_depot(cell)]
    if len(marked) == 1 and marked[0] != depot:
        header, row = sheet.header[at].strip(), marked[0]
        right = f"--depot {row + 1} begins there" if vehicles else "move it to the first row"
        raise InputError(
            f"this is the depot by the column {quote(header)}, but row {depot + 1} is taken for it; {right}, "
            f"or {ignoring([header])}",
            sheet.path,
            sheet.line(row),
        )


def _is_depot(cell: str) -> bool:
    """Return whether what a stop is says that it is a depot: ``Depot 2``, but not ``Home Depot``."""
    words = set(fold(cell).split("_"))
    return bool(words & WORDS[DEPOTS]) and all(len(word) < 3 or word in MAIN for word in words - WORDS[DEPOTS])


def _filled(cells: Iterable[str]) -> list[str]:
    return [cell for cell in cells if cell.lower() not in NOTHING]


def _are_numbers(cells: Iterable[str], most: float = float("inf")) -> bool:
    """Return whether there are cells, and all of them numbers from 0 to ``most``."""
    values = [parse(cell, "," if "," in cell else ".") for cell in _filled(cells)]
    return bool(values) and all(value is not None and 0 <= value <= most for value in values)
