"""Columns that restrict stops: time windows are read, and what is not supported yet is an error.

A plan without the opening hours of its file looks right and is wrong. Such columns are known by the words of their
headers (``words.ini``), hours also by their cells. They are harmless if they are empty, or say the same of all stops
where only differences matter. The user may ignore any of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from typing import Final

from warptour.io.cells import are_hours, is_date, parse, text_at
from warptour.io.choices import CHOICES, DAYS, KINDS, NEED_FLEET, PICKUPS, RIDES, SHIPMENTS, SKILLS, VEHICLES
from warptour.io.headers import CAMEL, SECONDS, fold, ignoring, words
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.io.window_columns import HOURS, WindowColumns, fail_twice, whole_days
from warptour.model.errors import InputError
from warptour.model.hours import moment_in, windows_in

WINDOWS: Final = "time windows"
"""Meaning of a column whose cells are windows."""
DEPOTS: Final = "several depots"
"""What is not supported yet, as ``words.ini`` has it."""
DATED, UNCLEAR = "several days", "times of day that may be openings or closings"
"""What columns of dates and of times ask for that is not supported."""
BOUNDS: Final = ("begin", "end")
"""Meanings of columns of openings and of closings."""
RESULTS: Final = {"node", "arrival", "departure"}
"""Columns of a solution: beside them, ``start`` is a result, too."""
SAME_FOR_ALL: Final = ("shifts", VEHICLES, SKILLS, DAYS, "priorities")
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


def meaning_of(header: str) -> str | None:
    """Return what a column with this header may ask for, None if nothing.

    That is ``WINDOWS``, what is not supported, ``KIND``, or what cells have to decide: bounds of a window (``begin``,
    ``end``), what may be some (``WEAK``), a time of day (``time``), or a window (``slot``).
    """
    windows, beside = words()["windows"], words()["beside"]
    if fold(header) in windows["days"]:
        return DAYS
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
    if any(part in joined for part in words()["parts"][RIDES]):  # also in km, where these are times
        return RIDES
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
            fail_twice(sheet, there, f"are both of {what}")
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
            cell = text_at(row, at)
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
        return DATED if different > 1 and meaning in BOUNDS else None
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
            rows = [row for row, (_, cells) in enumerate(sheet.body()) if _is_depot(text_at(cells, at))]
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
