"""Columns of stops that say which vehicles may serve them, and what is lost if nobody does.

    name,lat,lon,demand_kg,demand_pallets,skills,vehicles,prize,alternatives,together,apart
    Meyer,52.51,13.40,120,1,"crane, ramp",,,,kitchen,
    Lopez,52.49,13.43,80,1,,van,25,,,acid
    Silva,52.52,13.41,30,1,,,,,kitchen,food
    Novak,52.50,13.39,20,1,,,,,,"acid, food"
    Blanc A,52.53,13.38,60,2,,,,order 7,,
    Blanc B,52.47,13.45,60,2,,,,order 7,,

Skills are all needed; ``crane | ramp`` needs one of them, ``not crane`` a vehicle without. Of a stop's vehicles any
may serve it, and ``not van`` is any other. A stop with a prize, or with a priority from 1 to 100, need not be served.
Of the stops with the same word below ``alternatives`` one is. Those with the same word below ``together`` are on one
route, and no two with the same word below ``apart`` are. The two stops with the
same word below ``shipment`` are where goods are picked up and where the same vehicle brings them: the first row is the
pickup, unless a column such as ``type`` says ``pickup`` of the other, or its demand is negative; ``max_ride`` limits
how long the goods are on the way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.cells import parse, text_at
from warptour.io.fleets import SEPARATOR, FleetTable
from warptour.io.headers import SECONDS, fold, ignoring, unit_of, unit_seconds, words
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.model.errors import InputError
from warptour.model.fleet import Alternatives
from warptour.model.metric import Floats
from warptour.model.route_problem import joined
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP

SKILLS, VEHICLES, DAYS, PRIORITIES = "skills", "vehicles for certain stops", "days", "priorities"
PRIZES, ALTERNATIVES, TOGETHER, APART = "prizes", "alternatives", "together", "apart"
SHIPMENTS, RIDES, PICKUPS, KINDS = "shipments", "longest rides", "pickups", "pickups by kind"
CHOICES: Final = (SKILLS, VEHICLES, DAYS, PRIORITIES, PRIZES, ALTERNATIVES, TOGETHER, APART, SHIPMENTS, RIDES)
"""What columns of stops may ask for, as ``words.ini`` has it."""
NEED_FLEET: Final = (SKILLS, VEHICLES, DAYS)
NOT: Final = re.compile(r"(?:!|not |no |without |kein(?:e|en)? |ohne |nicht |sans |pas |sin |no )\s*", re.IGNORECASE)
"""What stands before what a vehicle must not have or be."""
ANY: Final = re.compile(r"\s*\|\s*|\s+(?:or|oder|ou|o)\s+", re.IGNORECASE)
"""What stands between skills of which one is enough."""
EMPTY: Final = "or empty where a stop must be served"
HIGHEST: Final = 100
"""Highest priority."""


@dataclass(frozen=True)
class StopChoices:
    """What the columns of a table say, by their meaning: a text for each row."""

    sheet: Sheet
    columns: Mapping[str, int]
    depots: Collection[int] = ()

    def cells(self, meaning: str) -> list[str]:
        """Return the cells of a column; those of depots say nothing."""
        at = self.columns[meaning]
        cells = [text_at(row, at) for _, row in self.sheet.body()]
        return ["" if row in self.depots else cell for row, cell in enumerate(cells)]

    def fail(self, meaning: str, row: int, cell: str, fault: str) -> InputError:
        """Return the error of a cell."""
        header = self.sheet.header[self.columns[meaning]].strip()
        message = f"{quote(header)} is {quote(cell)}; {fault}; or {ignoring([header])}"
        return InputError(message, self.sheet.path, self.sheet.line(row))


def choice_fields(choices: StopChoices, dearest: float) -> dict[str, Any]:
    """Return prizes, alternatives, and who goes together or stays apart, as fields of a VRP.

    ``dearest``: prize of one step of priority: more than any stop can cost, so that stops of low priority are left out
        first
    """
    fields: dict[str, Any] = {}
    if PRIZES in choices.columns and PRIORITIES in choices.columns:
        raise choices.sheet.header_error("prizes and priorities contradict each other; keep one of the columns")
    for meaning, step in ((PRIZES, 1.0), (PRIORITIES, dearest)):
        if meaning in choices.columns:
            fields["prizes"] = _prizes(choices, meaning) * step
    if ALTERNATIVES in choices.columns:
        groups = _groups(choices.cells(ALTERNATIVES))
        several = [rows for rows in groups.values() if len(rows) > 1]
        prized = [row for rows in several for row in rows if "prizes" in fields and np.isfinite(fields["prizes"][row])]
        if prized:
            cell = choices.cells(ALTERNATIVES)[prized[0]]
            raise choices.fail(ALTERNATIVES, prized[0], cell, "of alternatives one is served, so none has a prize")
        fields["alternatives"] = tuple(Alternatives(tuple(rows)) for rows in several)
    for meaning in (TOGETHER, APART):
        if meaning in choices.columns:
            fields[meaning] = _bonds(choices, meaning)
    if fields.keys() >= {TOGETHER, APART}:
        _check_bonds(choices, fields[TOGETHER], fields[APART])
    return fields


def _groups(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each cell that is not empty."""
    groups: dict[str, list[int]] = {}
    for row, cell in enumerate(cells):
        if cell:
            groups.setdefault(cell.lower(), []).append(row)
    return groups


def _bonds(choices: StopChoices, meaning: str) -> tuple[tuple[int, ...], ...]:
    """Return the rows of each word below a column, of which a cell may have several."""
    groups: dict[str, list[int]] = {}
    for row, cell in enumerate(choices.cells(meaning)):
        for word in dict.fromkeys(fold(part) for part in SEPARATOR.split(cell) if part.strip()):
            groups.setdefault(word, []).append(row)
    for word, rows in groups.items():
        if len(rows) == 1:
            cell = choices.cells(meaning)[rows[0]]
            raise choices.fail(meaning, rows[0], cell, f"no other stop has the word {quote(word)}")
    return tuple(map(tuple, groups.values()))


def _check_bonds(choices: StopChoices, together: Sequence[tuple[int, ...]], apart: Sequence[tuple[int, ...]]) -> None:
    """Raise :class:`InputError` for stops that are to be together and apart."""
    company = {row: at for at, group in enumerate(joined(together)) for row in group}
    for group in apart:
        seen: dict[int, int] = {}
        for row in group:
            other = seen.setdefault(company.get(row, -1 - row), row)
            if other != row:
                fault = f"it is to be together with the stop in line {choices.sheet.line(other)}, and apart from it"
                raise choices.fail(APART, row, choices.cells(APART)[row], fault)


def read_shipments(choices: StopChoices, loads: Floats, *, timed: bool) -> tuple[Shipment, ...]:
    """Return the shipments of the rows with the same words.

    ``loads`` are the first demands: that of a delivery may be negative. With ``timed``, there are travel times.
    """
    cells = choices.cells(SHIPMENTS) if SHIPMENTS in choices.columns else []
    kinds, shipments = said_pickups(choices, len(loads)), []
    for rows in _groups(cells).values():
        first, cell = rows[0], cells[rows[0]]
        if len(rows) != 2:
            what = "no other row has it" if len(rows) == 1 else f"{len(rows)} rows have it"
            right = "a shipment is a row of its pickup and one of its delivery, and others are empty"
            raise choices.fail(SHIPMENTS, rows[-1], cell, f"{what}: {right}")
        pickups = [row for row in rows if kinds[row]]
        negative = [row for row in rows if loads[row] < 0]
        if len(pickups) > 1 or len(negative) > 1 or (pickups and pickups == negative):
            fault = "both of its rows are pickups" if len(pickups) > 1 else "what is picked up has a demand above 0"
            raise choices.fail(SHIPMENTS, (pickups or negative)[-1], cell, fault)
        pickup = pickups[0] if pickups else next((row for row in rows if negative and row != negative[0]), first)
        shipments.append(Shipment(pickup, sum(rows) - pickup))
    return _with_rides(choices, shipments, timed=timed) if RIDES in choices.columns else tuple(shipments)


def _with_rides(choices: StopChoices, shipments: Sequence[Shipment], *, timed: bool) -> tuple[Shipment, ...]:
    """Return shipments with the longest rides that one of their rows has, or both have alike."""
    cells, header = choices.cells(RIDES), choices.sheet.header[choices.columns[RIDES]]
    unit, longest = unit_of(header), dict[int, float]()
    if timed and unit is not None and unit not in SECONDS:
        raise choices.sheet.header_error(f"a longest ride is a time, and {quote(header.strip())} has another unit")
    for row, cell in enumerate(cells):
        value = parse(cell, "," if "," in cell else ".") if cell else math.inf
        if value is None or value < 0:
            right = f"it must be a number of at least 0{', of minutes' if timed and unit is None else ''}"
            raise choices.fail(RIDES, row, cell, f"{right}, or empty where a ride may be long")
        longest |= {row: value * unit_seconds(header) if timed else value} if cell else {}
    found = []
    for each in shipments:
        given = {row: longest.pop(row) for row in (each.pickup, each.delivery) if row in longest}
        if len({*given.values()}) > 1:
            raise choices.fail(RIDES, each.delivery, cells[each.delivery], f"its pickup has {cells[each.pickup]}")
        found.append(replace(each, max_ride=next(iter(given.values()), None)))
    for row in longest:
        raise choices.fail(RIDES, row, cells[row], "the row is in no shipment, so nothing rides from or to it")
    return tuple(found)


def said_pickups(choices: StopChoices, rows: int) -> NDArray[np.bool_]:
    """Return which of the rows a column such as ``type`` calls a pickup."""
    cells = choices.cells(KINDS) if KINDS in choices.columns else [""] * rows
    taken = words()["restrictions"][PICKUPS]
    return np.array([fold(cell) in taken for cell in cells], np.bool_)


def _prizes(choices: StopChoices, meaning: str) -> Floats:
    """Return the numbers below prizes or priorities, infinite where the cell is empty."""
    prizes = []
    for row, cell in enumerate(choices.cells(meaning)):
        value = math.inf if cell in ("", "-") else parse(cell, "," if "," in cell else ".")
        if value is None or value < 0:
            raise choices.fail(meaning, row, cell, f"it must be a number of at least 0, {EMPTY}")
        if meaning == PRIORITIES and value != math.inf and not 1 <= value <= HIGHEST:
            raise choices.fail(meaning, row, cell, f"a priority is from 1 to {HIGHEST}, {EMPTY}")
        prizes.append(value)
    return np.array(prizes)


def allowed_types(choices: StopChoices, table: FleetTable, problem: VRP) -> NDArray[np.bool_] | None:
    """Return which types of a fleet may serve each stop; None if all may."""
    if not choices.columns.keys() & {*NEED_FLEET}:
        return None
    allowed = np.ones((problem.n, len(table.rows)), np.bool_)
    if SKILLS in choices.columns:
        owned = [table.skills(row) for row in range(len(table.rows))]
        known = frozenset().union(*owned)
        for row, cell in enumerate(choices.cells(SKILLS)):
            for clause in SEPARATOR.split(cell) if cell else ():
                absent, wanted = _negated(clause)
                one_of = {fold(word) for word in ANY.split(wanted)}
                unknown = [word for word in ANY.split(wanted) if fold(word) not in known]
                if len(unknown) == len(one_of) and not absent:
                    have = ", ".join(sorted(known)) or "none"
                    raise choices.fail(
                        SKILLS, row, cell, f"no vehicle has the skill {quote(unknown[0])}; they have {have}"
                    )
                allowed[row] &= np.array([bool(skills & one_of) != absent for skills in owned])
    for meaning, column in ((VEHICLES, "name"), (DAYS, "days")):
        names = [fold(table.text(row, column)) for row in range(len(table.rows))]
        if meaning == DAYS in choices.columns and not any(names):
            without = ignoring([choices.sheet.header[choices.columns[DAYS]].strip()])
            raise choices.sheet.header_error(
                f"days of stops need those of vehicles: a column days of {table.path}; or {without}"
            )
        for row, cell in enumerate(choices.cells(meaning) if meaning in choices.columns else ()):
            if cell:
                allowed[row] &= _named(choices, meaning, row, cell, names)
    unused = np.flatnonzero(~allowed[problem.customers].any(axis=0))
    if len(unused):
        row = int(unused[0])
        raise InputError("no stop may be served by these vehicles", table.path, table.lines[row])
    return allowed


def _negated(text: str) -> tuple[bool, str]:
    """Return whether a text begins with a word of negation, and the rest."""
    found = NOT.match(text)
    return found is not None, text[found.end() :] if found else text


def _named(choices: StopChoices, meaning: str, row: int, cell: str, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which types a cell names, or whose day, or all others where it negates them."""
    some, others = np.zeros(len(names), np.bool_), np.ones(len(names), np.bool_)
    positive = False
    for word in (part for clause in SEPARATOR.split(cell) for part in ANY.split(clause)):
        absent, name = _negated(word)
        same = np.array([known == fold(name) for known in names])
        if not same.any():
            fault, are = ("is called", "are") if meaning == VEHICLES else ("drives on", "drive on")
            known = ", ".join(dict.fromkeys(names))
            raise choices.fail(meaning, row, cell, f"no vehicle {fault} {quote(name)}; they {are} {known}")
        if absent:
            others &= ~same
        else:
            some |= same
            positive = True
    return some & others if positive else others
