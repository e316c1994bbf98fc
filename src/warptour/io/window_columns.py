"""Time windows of stops: openings, closings and releases in the cells of a table.

Openings and closings are times of day, with or without a date, whole hours, or numbers in the unit that their header
names. Several of both are several windows, in the order of the columns. An empty cell does not restrict its stop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, NoReturn

from warptour.io.cells import fraction_of_day, is_date, name_of, parse, text_at
from warptour.io.headers import SECONDS, fold_timed, ignoring, words
from warptour.io.sheet import Cell, Sheet
from warptour.io.source import quote
from warptour.model.clock import HOUR
from warptour.model.errors import InputError
from warptour.model.hours import DAY, Window, check_order, moment_in, windows_in
from warptour.model.windows import TimeWindows

HOURS: Final = 24
"""Largest number that may be an hour of the day."""
EXAMPLE: Final = "write hours such as 08:00-12:00, 14:00-18:00"
DATES: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d.%m.%y")
"""Forms of dates that can be read in one way only."""


@dataclass
class WindowColumns:
    """The indices of columns of windows, of openings, of closings, of releases and of amounts picked up."""

    windows: list[int] = field(default_factory=list)
    opens: list[int] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    release: list[int] = field(default_factory=list)
    pickups: list[int] = field(default_factory=list)
    # columns of what vehicles may serve a stop and what is lost without, by their meaning
    choices: dict[str, list[int]] = field(default_factory=dict)

    @property
    def places(self) -> list[int]:
        """All columns of times in order."""
        return sorted((*self.windows, *self.opens, *self.closes, *self.release))

    @property
    def moments(self) -> list[int]:
        """Those with one time in a cell, all of which count from the same day."""
        return [*self.opens, *self.closes, *self.release]


def whole_days() -> set[str]:
    """Return the cells, in lower case, of stops that may be visited all day."""
    cells = words()["cells"]
    nothing = {word for word in cells["nothing"] if not word[0].isdigit()}
    return {"", "-"} | nothing | {word.replace("_", " ") for word in cells["whole days"]}


def read_windows(sheet: Sheet, columns: WindowColumns) -> TimeWindows | None:
    """Return the windows of the rows of a table in seconds after midnight of the first day; None if none has any."""
    if len(columns.windows) + bool(columns.opens or columns.closes) > 1:
        fail_twice(sheet, [*columns.windows, *columns.opens, *columns.closes], "say when stops are open")
    if len(columns.opens) != len(columns.closes):
        for places, what in ((columns.opens, "openings"), (columns.closes, "closings")):
            if len(places) > 1:
                fail_twice(sheet, places, f"are {what}")
    days = _Days(sheet, columns.moments)
    stops: list[list[Window] | None] = []
    for line, cells in sheet.body():
        windows = [window for at in columns.windows for window in _windows(sheet, at, line, cells)]
        for k in range(max(len(columns.opens), len(columns.closes))):
            opens, closes = (
                days.seconds(places[k], line, cells) if places else None for places in (columns.opens, columns.closes)
            )
            if opens is not None or closes is not None:
                windows.append((opens or 0.0, math.inf if closes is None else closes))
        for opens, closes in windows:
            _check_order(sheet, columns, line, cells, opens, closes)
        stops.append(windows or None)
    return TimeWindows.of(stops, len(stops)) if any(stops) else None


def read_releases(sheet: Sheet, columns: WindowColumns) -> list[float] | None:
    """Return when the goods of each row are at the depot, as :func:`read_windows` does; None without such a column."""
    if not columns.release:
        return None
    days = _Days(sheet, columns.moments)
    return [days.seconds(columns.release[0], line, cells) or 0.0 for line, cells in sheet.body()]


class _Days:
    """Reads openings and closings, all of which count from the first day that any of them names."""

    def __init__(self, sheet: Sheet, places: Sequence[int]) -> None:
        self._sheet = sheet
        self._units = {at: SECONDS.get(fold_timed(sheet.header[at]).rpartition("_")[2]) for at in places}
        self._days: dict[str, float] = {}
        found = {day: line for line, cells in sheet.body() for at in places if (day := _day_in(text_at(cells, at)))}
        dates = {day: _date_of(day) for day in found}
        if len(found) > 1:
            odd = next((day for day, known in dates.items() if known is None), None)
            if odd is not None:
                message = f"the date {quote(odd)} is ambiguous; write it as 2026-05-31"
                raise InputError(message, sheet.path, found[odd])
        first = min((known for known in dates.values() if known is not None), default=None)
        self._days = {
            day: 0.0 if known is None or first is None else (known - first).days * DAY for day, known in dates.items()
        }

    def seconds(self, at: int, line: int, cells: Sequence[Cell]) -> float | None:
        """Return the time in a cell; None if it is empty."""
        text = text_at(cells, at)
        if text.lower() in whole_days():
            return None
        unit, number = self._units[at], parse(text, "," if "," in text else ".")
        if unit is not None and number is not None and number >= 0:
            return number * unit
        if (fraction := fraction_of_day(cells[at])) is not None:
            return fraction
        if text.isdecimal():
            if int(text) <= HOURS:
                return int(text) * HOUR
            header = self._sheet.header[at].strip()
            right = f"write a time such as 08:30, or name the unit in the header: {quote(header + ' (min)')}"
            _fail(self._sheet, at, line, cells, f"has no unit; {right}")
        if is_date(text) and text in self._days:
            return self._days[text]
        moment = moment_in(text)
        if moment is not None:
            if not moment.day and len(self._days) > 1:
                _fail(self._sheet, at, line, cells, "has no date, as others do")
            return moment.seconds + self._days.get(moment.day, 0.0)
        sides = windows_in(text) or []
        if len(sides) == 1 and (sides[0][0] == 0) != math.isinf(sides[0][1]):  # `ab 9 Uhr` below `from`
            return sides[0][0] if math.isinf(sides[0][1]) else sides[0][1]
        _fail(self._sheet, at, line, cells, "is no time of day; write it as 08:00")


def _windows(sheet: Sheet, at: int, line: int, cells: Sequence[Cell]) -> list[Window]:
    """Return the windows in a cell."""
    text = text_at(cells, at)
    if text.lower() in whole_days():
        return []
    windows = windows_in(text)
    if windows is None:
        moment = moment_in(text)
        clear = moment is not None and not moment.day
        right = (
            f"may be an opening or a closing; write 'from {text}' or 'until {text}'"
            if clear
            else f"is no window; {EXAMPLE}"
        )
        _fail(sheet, at, line, cells, right)
    return windows


def _check_order(
    sheet: Sheet, columns: WindowColumns, line: int, cells: Sequence[Cell], opens: float, closes: float
) -> None:
    """Raise :class:`InputError` for a window that ends before it begins."""
    try:
        check_order(opens, closes, f"the window{_owner(sheet, line, cells)}")
    except InputError as error:
        raise InputError(error.message, sheet.path, line) from None


def _owner(sheet: Sheet, line: int, cells: Sequence[Cell]) -> str:
    """Return whose row it is, if it has a name."""
    label = name_of(text_at(cells, sheet.columns["name"])) if "name" in sheet.columns else ""
    return f" of {quote(label)}" if label else ""


def _fail(sheet: Sheet, at: int, line: int, cells: Sequence[Cell], fault: str) -> NoReturn:
    header = sheet.header[at].strip()
    what = f"{quote(header)}{_owner(sheet, line, cells)} is {quote(text_at(cells, at))}"
    raise InputError(f"{what}, which {fault}; or {ignoring([header])}", sheet.path, line)


def fail_twice(sheet: Sheet, places: Sequence[int], what: str) -> NoReturn:
    headers = [sheet.header[at].strip() for at in places]
    names = " and ".join(map(quote, headers))
    raise sheet.header_error(f"the columns {names} {what}; keep one of them: {ignoring(headers[-1:])}")


def _day_in(text: str) -> str:
    """Return the date in a cell, without its time."""
    if is_date(text):
        return text
    moment = moment_in(text)
    return moment.day if moment is not None else ""


def _date_of(day: str) -> date | None:
    """Return a date that can be read in one way only; None for others."""
    for form in DATES:
        try:
            return datetime.strptime(day, form).date()
        except ValueError:
            continue
    return None
