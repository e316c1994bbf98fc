"""Columns that restrict stops: time windows are read, and what is not supported yet is an error.

A plan without the opening hours of its file looks right and is wrong. Such columns are known by the words of their
headers (``words.ini``), hours also by their cells. They are harmless if they are empty, or say the same of all stops
where only differences matter. The user may ignore any of them.

Openings and closings are times of day, with or without a date, whole hours, or numbers in the unit that their header
names. Several of both are several windows, in the order of the columns. An empty cell does not restrict its stop.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, NoReturn

from warptour.io.cells import are_hours, is_date, name_of, parse
from warptour.io.choices import CHOICES, KINDS, NEED_FLEET, PICKUPS, SHIPMENTS, SKILLS, VEHICLES
from warptour.io.headers import CAMEL, SECONDS, fold, fold_timed, ignoring, words
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

WINDOWS: Final = "time windows"
"""Meaning of a column whose cells are windows."""
DEPOTS: Final = "several depots"
"""What is not supported yet, as ``words.ini`` has it."""
DAYS, UNCLEAR = "several days", "times of day that may be openings or closings"
"""What columns of dates and of times ask for that is not supported."""
BOUNDS: Final = ("begin", "end")
"""Meanings of columns of openings and of closings."""
RESULTS: Final = {"node", "arrival", "departure"}
"""Columns of a solution: beside them, ``start`` is a result, too."""
SAME_FOR_ALL: Final = ("shifts", VEHICLES, SKILLS, "priorities")
"""What restricts nothing if all stops have the same."""
NUMBERS: Final = "numbers that may be hours"
"""What a single column such as ``from`` asks for where its cells are small numbers."""
FLAGS: Final = {"1"}
"""Cells other than 0 and empty ones of a column that says yes or no."""
DIGITS: Final = re.compile(r"[-+]?\d[\d:.,h]*(?: ?[a-z.]{1,5})?")
"""A number or what looks like a time, though it may be none, as ``8:61``."""
CLOCK: Final = re.compile(r"\d:[0-5]\d|\dh[0-5]\d|\d ?uhr\b|\d ?[ap]\.?m\b")
"""What a time of day has and a price or a duration in hours has not."""
KIND: Final = "kind"
"""Meaning of a column whose cells say what a stop is."""
WEAK: Final = {"weak begin", "weak end"}
"""Meanings of columns that may be bounds of a window or anything else."""


@dataclass
class WindowColumns:
    """The indices of columns of windows, of openings, of closings, of releases and of amounts picked up."""

    windows: list[int] = field(default_factory=list)
    opens: list[int] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    release: list[int] = field(default_factory=list)
    pickups: list[int] = field(default_factory=list)
    choices: dict[str, list[int]] = field(default_factory=dict)
    """Columns of what vehicles may serve a stop and what is lost without, by their meaning."""

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
        _fail_twice(sheet, [*columns.windows, *columns.opens, *columns.closes], "say when stops are open")
    if len(columns.opens) != len(columns.closes):
        for places, what in ((columns.opens, "openings"), (columns.closes, "closings")):
            if len(places) > 1:
                _fail_twice(sheet, places, f"are {what}")
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
        found = {day: line for line, cells in sheet.body() for at in places if (day := _day_in(_text(cells, at)))}
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
        text = _text(cells, at)
        if text.lower() in whole_days():
            return None
        unit, number = self._units[at], parse(text, "," if "," in text else ".")
        if unit is not None and number is not None and number >= 0:
            return number * unit
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
    text = _text(cells, at)
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
    label = name_of(_text(cells, sheet.columns["name"])) if "name" in sheet.columns else ""
    return f" of {quote(label)}" if label else ""


def _fail(sheet: Sheet, at: int, line: int, cells: Sequence[Cell], fault: str) -> NoReturn:
    header = sheet.header[at].strip()
    what = f"{quote(header)}{_owner(sheet, line, cells)} is {quote(_text(cells, at))}"
    raise InputError(f"{what}, which {fault}; or {ignoring([header])}", sheet.path, line)


def _fail_twice(sheet: Sheet, places: Sequence[int], what: str) -> NoReturn:
    headers = [sheet.header[at].strip() for at in places]
    names = " and ".join(map(quote, headers))
    raise sheet.header_error(f"the columns {names} {what}; keep one of them: {ignoring(headers[-1:])}")


def _text(cells: Sequence[Cell], at: int) -> str:
    return str(cells[at]).strip() if at < len(cells) else ""


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


def meaning_of(header: str) -> str | None:
    """Return what a column with this header may ask for, None if nothing.

    That is ``WINDOWS``, what is not supported, ``KIND``, or what cells have to decide: bounds of a window (``begin``,
    ``end``), what may be some (``WEAK``), a time of day (``time``), or a window (``slot``).
    """
    windows, beside = words()["windows"], words()["beside"]
    folded = re.sub(r"['’]", "_", fold(CAMEL.sub("_", re.sub(r"[()\[\],]", " ", header))))
    parts = {part for part in folded.split("_") if not part.isdigit()}
    joined = "".join(filter(str.isalpha, folded))
    strong = {"begin": windows["begin"] | windows["opening"], "end": windows["end"]}
    for bound, known in strong.items():
        if joined in known:
            return bound
    if any(word in joined for word in windows["hours"]):
        bounds = {bound: windows[bound] | windows[f"weak {bound}"] for bound in BOUNDS}
        named = [bound for bound in BOUNDS if (parts - beside["small"]) & bounds[bound]]
        return named[0] if len(named) == 1 else WINDOWS
    if {joined, fold(header)} & windows["slot"]:
        return "slot"
    if joined in windows["time"]:
        return "time"
    rest = parts - beside["small"] - beside["times"] - _units_of_time()
    for bound, known in strong.items():
        weak = windows[f"weak {bound}"]
        if parts and parts <= weak:
            return f"weak {bound}"
        if (rest and rest <= weak) or (rest & known and rest <= known | weak | {"date"}):
            return bound
    meaning = _weak_bound(folded.split("_"), parts)
    if meaning is not None:
        return meaning
    begins, ends = (strong[bound] | windows[f"weak {bound}"] for bound in BOUNDS)
    if parts & begins and parts & ends and parts <= begins | ends:
        return "slot"
    if not parts & beside["remarks"]:
        for what, known in words()["parts"].items():
            if any(part in joined for part in known):
                return what
        for what, known in words()["restrictions"].items():
            if parts & known:
                return what
    return KIND if folded.rpartition("_")[2] in beside["kinds"] else None


def _weak_bound(ordered: Sequence[str], parts: Set[str]) -> str | None:
    """Return the bound of a header that ends with a word such as ``from``, beside words of open stops or of times."""
    windows, beside = words()["windows"], words()["beside"]
    for bound in BOUNDS:
        weak = windows[f"weak {bound}"]
        rest = parts - beside["small"] - beside["times"] - beside["state"]
        if len(parts) > 1 and (rest <= weak if rest else ordered[-1] in weak):
            return bound
    return None


def _units_of_time() -> set[str]:
    return {spelling for unit in SECONDS for spelling in words()["units"][unit]}


def judge_columns(
    sheet: Sheet, places: Collection[int], depot: int, *, vehicles: bool, fleet: bool = False
) -> WindowColumns:
    """Return which of the columns ``places``, which are neither used nor ignored, are windows.

    ``depot`` is the row of the depot, or of the first stop; with ``vehicles``, the user may choose it, and with a
    ``fleet``, they may differ.

    Raises :class:`InputError` if one of them would be missed and is not supported.
    """
    meanings = {at: meaning_of(sheet.header[at]) for at in places}
    solution = {fold(cell) for cell in sheet.header} >= RESULTS
    if solution:
        meanings |= {at: None for at in places if fold(sheet.header[at]) == "start"}
    cells, hours, clocks = _cells(sheet, meanings)
    past = words()["beside"]["past"]
    clocks -= {at for at in places if solution or past & {*fold(CAMEL.sub("_", sheet.header[at])).split("_")}}
    bounds = {at for at in cells if meanings[at] in WEAK and _are_mostly_times(cells[at])}
    paired = bounds if {meanings[at] for at in bounds} == WEAK else set()
    columns = WindowColumns()
    found: dict[str, list[str]] = {}
    choosable = [what for what in CHOICES if fleet or what not in NEED_FLEET]
    for at, meaning in meanings.items():
        bound = (meaning or "").removeprefix("weak ")
        what = WINDOWS if at in hours and bound not in BOUNDS else None
        if what is None and at in paired:
            what = bound
        if what is None and meaning is not None and any(_filled(cells[at])):
            if meaning == KIND:
                _check_depot(sheet, at, cells[at], depot, vehicles=vehicles)
            restricts = meaning in NEED_FLEET if fleet else False
            what = meaning if restricts else _restriction(meaning, cells[at], depot)
        if what is None and at in clocks:
            what = UNCLEAR
        if what in (WINDOWS, *BOUNDS):
            {WINDOWS: columns.windows, "begin": columns.opens, "end": columns.closes}[what].append(at)
        elif vehicles and what == PICKUPS and (meaning == KIND or _are_mostly_times(cells[at])):
            (columns.choices.setdefault(KINDS, []) if meaning == KIND else columns.pickups).append(at)
        elif vehicles and what in choosable:
            columns.choices.setdefault(what, []).append(at)
        elif what is not None:
            found.setdefault(what, []).append(sheet.header[at].strip())
    for bound, there, missing in (("end", columns.opens, columns.closes), ("begin", columns.closes, columns.opens)):
        if there and not missing:  # what stands beside a bound is the other one, though it cannot be read
            missing += [at for at in cells if (meanings[at] or "").endswith(bound) and any(_filled(cells[at]))]
        if not missing and len(there) == 1 and {*_filled(cells.get(there[0], ()))} == FLAGS:
            found.setdefault(NUMBERS, []).append(sheet.header[there.pop()].strip())
    for what, there in columns.choices.items():
        if len(there) > 1:
            _fail_twice(sheet, there, f"are both of {what}")
    if found:
        texts = [f"{', '.join(map(quote, names))} ({what})" for what, names in found.items()]
        names = [name for group in found.values() for name in group]
        many = len(names) > 1
        lacking = vehicles and not found.keys() - {*NEED_FLEET}
        unsupported = "not used without a fleet whose vehicles differ (--fleet)" if lacking else "not supported yet"
        if found.keys() == {PICKUPS}:
            unsupported = "not one of amounts" if vehicles else "for vehicles: with a column demand, and --capacity"
        raise sheet.header_error(
            f"the column{'s' if many else ''} {' and '.join(texts)} {'are' if many else 'is'} {unsupported}; "
            f"{ignoring(names)} plans without {'them' if many else 'it'}"
        )
    return columns


def _cells(sheet: Sheet, meanings: dict[int, str | None]) -> tuple[dict[int, list[str]], set[int], set[int]]:
    """Return the cells of the columns that have a meaning.

    Then which of all columns have hours or parts of the day, and which have times of day and nothing else.
    """
    cells: dict[int, list[str]] = {at: [] for at, meaning in meanings.items() if meaning is not None}
    parts_of_days, all_day = words()["cells"]["parts of days"], whole_days()
    hours: set[int] = set()
    days, clocks = {*meanings}, {*meanings}
    parts: set[int] = set()
    times: set[int] = set()
    for _, row in sheet.body() if meanings else ():
        for at in meanings:
            cell = str(row[at]).strip() if at < len(row) else ""
            if at in cells:
                cells[at].append(cell)
            if at not in hours and are_hours(cell):
                hours.add(at)
            if at in days and (word := cell.lower()) not in all_day:
                if word in parts_of_days:
                    parts.add(at)
                else:
                    days.remove(at)
            if at in clocks and cell.lower() not in all_day:
                moment = moment_in(cell) if CLOCK.search(cell.lower()) else None
                if moment is not None and not moment.day:
                    times.add(at)
                else:
                    clocks.remove(at)
    return cells, hours | (parts & days), times & clocks


def _restriction(meaning: str, cells: Sequence[str], depot: int) -> str | None:
    """Return what a column asks for, None if its cells are harmless."""
    filled = _filled(cells)
    others = {cell.lower() for row, cell in enumerate(cells) if row != depot}
    if meaning in SAME_FOR_ALL:
        return meaning if len(others) > 1 else None
    if meaning == KIND:
        return PICKUPS if any(fold(cell) in words()["restrictions"][PICKUPS] for cell in cells) else None
    if meaning == DEPOTS:  # marks of depots, or the depot of each stop
        marked = [row for row, cell in enumerate(cells) if _filled([cell])]
        alike = len({cell.lower() for cell in filled}) == 1
        return None if alike and (marked == [depot] or len(marked) >= len(cells) - 1) else DEPOTS
    if meaning == SHIPMENTS:  # those that are two stops; numbers of orders are harmless
        return SHIPMENTS if len(set(filled)) < len(filled) else None
    if meaning == "slot":
        return None if _are_numbers(cells) else WINDOWS
    if meaning == "time":
        if any(windows_in(cell) is not None for cell in filled):
            return WINDOWS
        days = words()["cells"]["parts of days"] | whole_days()
        return UNCLEAR if all(_tells_time(cell) or cell.lower() in days for cell in filled) else None
    if meaning in WEAK or meaning in BOUNDS:
        return _bound(meaning, filled, len(others))
    return meaning


def _bound(meaning: str, filled: Sequence[str], different: int) -> str | None:
    """Return what a column of openings or closings asks for, by its cells that are not empty.

    ``different`` is the number of different cells of customers.
    """
    bound = meaning.removeprefix("weak ")
    if all(map(is_date, filled)):
        return DAYS if different > 1 and meaning in BOUNDS else None
    if any(map(_tells_time, filled)):
        return bound
    if all(windows_in(cell) is not None for cell in filled):
        return WINDOWS
    if meaning in BOUNDS:
        return bound if _are_numbers(filled) or _are_mostly_times(filled) else None
    return NUMBERS if _are_numbers(filled, most=HOURS) and {*filled} != FLAGS else None


def marked_depots(sheet: Sheet, places: Collection[int]) -> tuple[set[int], list[int]]:
    """Return a column of ``places`` that says of several rows that they are depots, and these rows; else nothing."""
    for at in places:
        if meaning_of(sheet.header[at]) == KIND:
            rows = [row for row, (_, cells) in enumerate(sheet.body()) if _is_depot(_text(cells, at))]
            if len(rows) > 1:
                return {at}, rows
    return set(), []


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
    parts, depots = set(fold(cell).split("_")), words()["restrictions"][DEPOTS]
    return bool(parts & depots) and all(len(part) < 3 or part in words()["beside"]["depots"] for part in parts - depots)


def _tells_time(cell: str) -> bool:
    """Return whether a cell is a time of day and no plain number, with or without a date."""
    return not cell.isdecimal() and moment_in(cell) is not None


def _filled(cells: Iterable[str]) -> list[str]:
    nothing = {"", "-", *words()["cells"]["nothing"]}
    return [cell for cell in cells if cell.lower() not in nothing]


def _are_numbers(cells: Iterable[str], most: float = float("inf")) -> bool:
    """Return whether there are cells, and all of them numbers from 0 to ``most``."""
    values = [parse(cell, "," if "," in cell else ".") for cell in _filled(cells)]
    return bool(values) and all(value is not None and 0 <= value <= most for value in values)


def _are_mostly_times(cells: Iterable[str]) -> bool:
    """Return whether at least half of the cells that are not empty look like numbers or times, right or wrong."""
    filled = _filled(cells)
    alike = sum(DIGITS.fullmatch(cell.lower()) is not None and not is_date(cell) for cell in filled)
    return 0 < len(filled) <= 2 * alike
