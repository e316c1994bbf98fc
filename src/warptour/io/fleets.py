"""Fleets from tables of vehicles: a row for each vehicle, or for several that are alike.

    name,count,capacity_kg,capacity_pallets,start,end,shift_from,shift_to,max_hours,fixed_cost,cost_km,skills
    van,3,900,4,Depot,Depot,08:00,17:00,8,40,0.35,
    truck,1,5000,18,Depot,none,06:00,15:00,,120,0.80,"crane, ramp"

Columns have any order, also words of other languages (``words.ini``). Only known ones are allowed, as a limit that is
not read would be missed. What a row leaves empty is as the options say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from warptour.io.cells import fraction_of_day, text_at
from warptour.io.headers import CAPACITY, fold, kind_of_sheet, listed, measure_of, words
from warptour.io.sheet import Sheet
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.io.totals import without_totals
from warptour.io.workbook import Workbook
from warptour.model.clock import HOUR, METRES, MINUTE, format_time
from warptour.model.errors import InputError
from warptour.model.fleet import VehicleType
from warptour.model.hours import moment_in, span_of
from warptour.model.quantities import finite_number
from warptour.model.rests import MOST, Break, DrivingRule
from warptour.model.vehicles import VRP

NUMBERS: Final = (
    "max_hours", "max_km", "max_stops", "fixed_cost", "cost_km", "cost_hour", "overtime_hours", "overtime_cost",
    "speed_factor",
)  # fmt: skip
TEXTS: Final = (
    "name",
    "count",
    "depot",
    "start",
    "end",
    "shift",
    "shift_from",
    "shift_to",
    "breaks",
    "skills",
    "max_trips",
    "days",
)
SHIFT: Final = {"start": "shift_from", "end": "shift_to"}
"""Columns of a shift, and those of places which may be called so, too."""
EXAMPLE: Final = (
    "a fleet has columns such as name, count, capacity, start, end, shift_from, shift_to, max_hours, cost_km"
)
SEPARATOR: Final = re.compile(r"\s*[,;+&/]\s*")
"""What stands between two skills or names."""
BREAK: Final = re.compile(r"(\d+(?:[.,]\d+)?)(?:\s*min\w*\.?)?[\s:,@]+(\d.*)", re.IGNORECASE)
"""A length, in minutes by the clock, and hours."""
COUNT: Final = re.compile(r"\d{1,9}(?:[.,]0+)?")


@dataclass(frozen=True)
class FleetTable:
    """What a table says of vehicles.

    Attributes
    ----------
    path : str
        For messages.
    lines : tuple of int
        Line or row number of each row.
    rows : tuple of dict
        Cells by their columns: texts, and numbers, which are None where the cell is empty.
    loads : tuple of str
        Name of each dimension of the capacities, such as ``kg``; empty for one without a name.
    """

    path: str
    lines: tuple[int, ...]
    rows: tuple[Mapping[str, Any], ...]
    loads: tuple[str, ...]

    def text(self, row: int, column: str) -> str:
        """Return a cell of text, empty where there is no such column."""
        return str(self.rows[row].get(column, ""))

    def number(self, row: int, column: str) -> float | None:
        """Return a number, None where there is none."""
        value: float | None = self.rows[row].get(column)
        return value

    def skills(self, row: int) -> frozenset[str]:
        """Return the skills of a row, folded."""
        return frozenset(filter(None, map(fold, SEPARATOR.split(self.text(row, "skills")))))

    def fail(self, row: int, column: str, fault: str) -> NoReturn:
        """Raise :class:`InputError` for a cell."""
        who = f" of {quote(self.text(row, 'name'))}" if self.text(row, "name") else ""
        value = self.rows[row][column]
        what = f"{value:g}" if isinstance(value, float) else quote(str(value))
        raise InputError(f"{column}{who} is {what}; {fault}", self.path, self.lines[row])


def read_fleet(path: str | PathLike[str], notes: list[str]) -> FleetTable:
    """Read a table of vehicles, of a workbook the sheet that is called so; ``notes`` tells of rows that are left out.

    Raises :class:`InputError` with the line of a cell that is none, or naming a column that is unknown.
    """
    columns = fleet_columns()
    sheet = Sheet.open(
        path, columns, EXAMPLE, needed=[(name,) for name in columns], order=lambda title: not is_fleet_sheet(title)
    )
    if isinstance(sheet.grid, Workbook):
        sheet = replace(sheet, grid=sheet.grid.without_hidden(notes, sheet.above))
    return _table(without_totals(sheet, notes))


def fleet_in_workbook(path: str | PathLike[str], notes: list[str]) -> FleetTable | None:
    """Return the fleet in a workbook's sheet of vehicles; None if it has none, or none below its header."""
    if Path(path).suffix.lower() != ".xlsx" or not (data := load_bytes(path)).startswith(ZIP):
        return None
    name = display_name(path)
    grid = next(Workbook.candidates(name, data, is_fleet_sheet), None)
    if grid is None:
        return None
    sheet = without_totals(Sheet.over(grid.without_hidden(notes), fleet_columns(), EXAMPLE), notes)
    return _table(sheet) if any(True for _ in sheet.body()) else None


def is_fleet_sheet(title: str) -> bool:
    """Return whether a sheet of a workbook is called as one of vehicles."""
    return kind_of_sheet(title) == "vehicles"


def fleet_columns() -> dict[str, tuple[str, ...]]:
    """Return the words of each column of a table of vehicles, folded."""
    return {name: tuple(words()["fleet"][name]) for name in (*TEXTS, CAPACITY, *NUMBERS)}


def _table(sheet: Sheet) -> FleetTable:
    """Return the fleet in a table whose header has been found."""
    sheet = _by_cells(sheet)
    loads: dict[str, int] = {}
    known = {at for name, at in sheet.columns.items() if name != CAPACITY}
    for at, header in enumerate(sheet.header):
        name = None if at in known else measure_of(header, words()["fleet"][CAPACITY])
        if name is not None and name in loads:
            raise sheet.header_error(f"two columns are capacities{f' of {name}' if name else ''}")
        if name is not None:
            loads[name] = at
    remarks = words()["beside"]["remarks"] | words()["restrictions"]["vehicles for certain stops"]
    unknown = [
        cell
        for at, cell in enumerate(sheet.header)
        if at not in {*known, *loads.values()} and cell.strip() and not {*fold(cell).split("_")} & remarks
    ]
    if unknown:
        have = ", ".join((*TEXTS[:2], "capacity or several such as 'capacity (kg)'", *TEXTS[2:], *NUMBERS))
        raise sheet.header_error(f"a fleet has no column {listed(unknown)}; there are {have}")
    sheet = replace(sheet, columns=sheet.columns | {_capacity(name): at for name, at in loads.items()})
    names = [*map(_capacity, loads), *(name for name in NUMBERS if name in sheet.columns)]
    body = list(sheet.body())
    if not body:
        raise sheet.header_error("there are no vehicles below the header")
    values = sheet.numbers(names, optional=names) if names else np.empty((len(body), 0))
    texts = [name for name in TEXTS if name in sheet.columns]
    rows = [
        {name: _cell(cells, sheet.columns[name], time=name in SHIFT.values()) for name in texts}
        | {name: None if math.isnan(value) else value for name, value in zip(names, amounts, strict=True)}
        for (_, cells), amounts in zip(body, values.tolist(), strict=True)
    ]
    table = _by_days(FleetTable(sheet.path, tuple(line for line, _ in body), tuple(rows), tuple(loads)))
    for row, name in ((row, name) for row in range(len(rows)) for name in names):
        if (table.number(row, name) or 0) < 0:
            table.fail(row, name, "it must be a number of at least 0")
    return table


def _by_days(table: FleetTable) -> FleetTable:
    """Return a table with a row for each day on which the vehicles of a row drive, one day after the other."""
    given = [[part for part in SEPARATOR.split(table.text(row, "days")) if part] for row in range(len(table.rows))]
    names = {fold(day): day for days in reversed(given) for day in reversed(days)}
    if not names:
        return table
    for row, days in enumerate(given):
        if not days:
            table.fail(row, "days", f"other vehicles drive on {', '.join(reversed(names.values()))}")
        if len({*map(fold, days)}) < len(days):
            table.fail(row, "days", "a day is in it twice")
    order = [fold(day) for days in given for day in days]
    driven = [(row, day) for day in dict.fromkeys(order) for row, days in enumerate(given) if day in map(fold, days)]
    rows = tuple({**table.rows[row], "days": names[day]} for row, day in driven)
    return replace(table, lines=tuple(table.lines[row] for row, _ in driven), rows=rows)


def _by_cells(sheet: Sheet) -> Sheet:
    """Return a table with the columns whose meaning their cells tell: ``start`` of 07:00, ``Nombre`` beside ``Nom``."""
    columns = dict(sheet.columns)
    rows = [cells for _, cells in sheet.body()]
    for place, shift in SHIFT.items():
        texts = [_cell(cells, columns[place], time=True) for cells in rows] if place in columns else []
        filled = [text for text in texts if text]
        if shift not in columns and filled and all(moment_in(text) and not text.isdecimal() for text in filled):
            columns[shift] = columns.pop(place)
    known = words()["beside"]["numbers"]
    counts = [at for at, cell in enumerate(sheet.header) if at not in columns.values() and fold(cell) in known]
    if "name" in columns and counts:
        columns.setdefault("count", counts[0])
    return replace(sheet, columns=columns)


def _cell(cells: Sequence[Any], at: int, *, time: bool = False) -> str:
    """Return the text of a cell; a ``time`` that is a part of a day is written as one."""
    seconds = fraction_of_day(cells[at]) if time and at < len(cells) else None
    return text_at(cells, at) if seconds is None else format_time(seconds)


def _capacity(load: str) -> str:
    """Return what the column of a capacity is called."""
    return f"capacity {load}" if load else "capacity"


def places_of_types(table: FleetTable, row: int, place: Any, depot: int) -> tuple[int | None, int | None]:
    """Return where the vehicles of a row begin and end; ``place`` finds a node by its name or number."""
    nowhere = words()["fleet"]["no place"]
    home = table.text(row, "depot")
    found: list[int | None] = []
    for column in ("start", "end"):
        text, said = table.text(row, column), column
        if not text:
            text, said = home, "depot"
        if text == "-" or (text and text.lower() in nowhere):
            found.append(None)
            continue
        try:
            found.append(place(text) if text else depot)
        except InputError as error:
            table.fail(row, said, error.message)
    return found[0], found[1]


def with_fleet(
    problem: VRP, table: FleetTable, base: VehicleType, places: Sequence[tuple[int | None, int | None]]
) -> VRP:
    """Return a problem whose vehicles are those of a table.

    ``base``: what the table does not say; its capacities may be fewer
    ``places``: where the vehicles of each row begin and end
    """
    types = []
    for row, (start, end) in enumerate(places):
        capacities = [table.number(row, _capacity(load)) for load in table.loads]
        own = [*base.capacities, *[math.inf] * problem.dimensions]
        if capacities:
            own = [other if given is None else given for given, other in zip(capacities, own, strict=False)]
        changes: dict[str, Any] = {
            "name": table.text(row, "name"), "count": _number(table, row, "count"), "start": start, "end": end,
            "capacities": tuple(own[: problem.dimensions]), "max_trips": _number(table, row, "max_trips"),
            "day": table.text(row, "days"),
        }  # fmt: skip
        changes |= _amounts(problem, table, row) | _shift(problem, table, row, base)
        if fold(table.text(row, "breaks")) in words()["fleet"]["driving rule"]:
            types.append(replace(base, **changes, driving=_driving_rule(problem, table, row)))
        else:
            types.append(replace(base, **changes, breaks=_breaks(problem, table, row)))
    return problem.with_types(types)


def _amounts(problem: VRP, table: FleetTable, row: int) -> dict[str, Any]:
    """Return limits and costs of a row, in the units of a type; those that it does not give are left out."""
    given = {name: value for name in NUMBERS if (value := table.number(row, name)) is not None}
    for name in ("max_hours", "cost_hour", "overtime_hours", "overtime_cost", "speed_factor"):
        if name in given and problem.clock is None and given[name]:
            table.fail(row, name, "it needs travel times: --speed, --durations or --roads")
    if "cost_km" in given and problem.minimizes == "duration":
        table.fail(row, "cost_km", "durations are minimised (--minimize), and distances cost nothing")
    if given.get("speed_factor") == 0:
        table.fail(row, "speed_factor", "it must be above 0")
    kilometre = 1000 / METRES[problem.unit] if problem.unit in METRES else 1.0
    fields: dict[str, Any] = {}
    for name, field, factor in (
        ("max_hours", "max_duration", HOUR), ("max_km", "max_distance", kilometre), ("fixed_cost", "fixed_cost", 1),
        ("cost_km", "distance_cost", 1 / kilometre), ("cost_hour", "hour_cost", 1), ("speed_factor", "speed", 1),
        ("overtime_hours", "overtime", HOUR), ("overtime_cost", "overtime_cost", 1),
    ):  # fmt: skip
        if name in given:
            fields[field] = given[name] * factor
    if "max_stops" in given:
        if given["max_stops"] != int(given["max_stops"]) or given["max_stops"] < 1:
            table.fail(row, "max_stops", "it must be a whole number of at least 1")
        fields["max_stops"] = int(given["max_stops"])
    return fields


def _shift(problem: VRP, table: FleetTable, row: int, base: VehicleType) -> dict[str, float]:
    """Return when the vehicles of a row may leave, and must be back."""
    opens, closes = base.opens, base.closes
    timed = problem.clock is not None
    if table.text(row, "shift"):
        try:
            ((opens, closes),) = span_of(table.text(row, "shift"), "the shift", timed=timed)
        except (InputError, ValueError):
            table.fail(row, "shift", "write it as 08:00-17:00")
    for column in ("shift_from", "shift_to"):
        text = table.text(row, column)
        if not text:
            continue
        moment = moment_in(text) if timed else None
        value = finite_number(_float(text)) if moment is None and not timed else moment and moment.seconds
        if value is None or value < 0:
            right = (
                "write it as 08:00" if timed else "without travel times it is a number, in the unit of the distances"
            )
            table.fail(row, column, right)
        opens, closes = (value, closes) if column == "shift_from" else (opens, value)
    if closes < opens:
        column = (
            "shift_to" if table.text(row, "shift_to") else "shift_from" if table.text(row, "shift_from") else "shift"
        )
        table.fail(row, column, "a shift ends after it begins")
    return {"opens": opens, "closes": closes}


def _driving_rule(problem: VRP, table: FleetTable, row: int) -> DrivingRule:
    """Return the European rule on driving times."""
    if problem.clock is None:
        table.fail(row, "breaks", "it needs travel times: --speed, --durations or --roads")
    return DrivingRule()


def _breaks(problem: VRP, table: FleetTable, row: int) -> tuple[Break, ...]:
    """Return the breaks of a row: how long each takes, and within which hours it lies."""
    timed, breaks = problem.clock is not None, []
    for part in filter(None, map(str.strip, table.text(row, "breaks").split(";"))):
        found = BREAK.fullmatch(part)
        length = _float(found[1]) * (MINUTE if timed else 1) if found else 0.0
        try:
            ((opens, closes),) = span_of(found[2] if found else "", "the break", timed=timed)
        except (InputError, ValueError):
            length = 0.0
        if not length > 0:
            right = "30 min 11:30-13:30; 15 min 16:00-17:00" if timed else "5 20-40; 3 60-70"
            table.fail(row, "breaks", f"write a break as its length and the hours in which it lies: {right}")
        if closes - length < opens:
            table.fail(row, "breaks", "a break is longer than the hours in which it lies")
        breaks.append(Break(opens, closes - length, length))
    if len(breaks) > MOST:
        table.fail(row, "breaks", f"a driver may have {MOST} breaks")
    return tuple(breaks)


def _float(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def _number(table: FleetTable, row: int, column: str) -> int | None:
    """Return how many vehicles a row has, or trips they make: 1 if it does not say it, None for any number."""
    text = table.text(row, column)
    if text and fold(text) in words()["fleet"]["any number"]:
        return None
    if not text:
        return 1
    value = int(float(text.replace(",", "."))) if COUNT.fullmatch(text) else 0
    if value < 1:
        table.fail(row, column, "it must be a whole number of at least 1, or 'any'")
    return value
