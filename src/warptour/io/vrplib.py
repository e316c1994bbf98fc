"""What VRPLIB's files, as PyVRP reads them, say of vehicles and of times.

Vehicle k has row k of each section of vehicles. They must be the same in all rows, as vehicles do not differ here.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, Final

import numpy as np

from warptour.io.nodes import NodeTables
from warptour.io.rows import read_table, row_line
from warptour.io.sections import Document
from warptour.model.metric import Floats
from warptour.model.windows import LATEST, TimeWindows

FLEET: Final = (
    "CAPACITY", "CAPACITY_SECTION", "VEHICLES_DEPOT_SECTION", "VEHICLES_MAX_DURATION", "VEHICLES_MAX_DURATION_SECTION",
    "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DISTANCE_SECTION", "VEHICLES_FIXED_COST", "VEHICLES_FIXED_COST_SECTION",
    "VEHICLES_UNIT_DISTANCE_COST", "VEHICLES_UNIT_DISTANCE_COST_SECTION", "VEHICLES_UNIT_DURATION_COST",
    "VEHICLES_UNIT_DURATION_COST_SECTION",
)  # fmt: skip
"""What vehicles have, as one value for all, or as a section with a row for each."""

WINDOW: Final = "node opens closes"
GAP: Final = "node shuts opens"


def read_windows(layout: NodeTables) -> TimeWindows | None:
    """Return the time windows of a file; closings beyond 2**50 are none, as PyVRP's largest integer."""
    document = layout.document
    section, gaps = (document.sections.get(f"TIME_WINDOW_{name}") for name in ("SECTION", "GAP_SECTION"))
    if section is None:
        document.refuse(["TIME_WINDOW_GAP_SECTION"], "needs a TIME_WINDOW_SECTION")
        return None
    table = layout.rows(section, WINDOW)
    early, reversed_ = (table[:, 0] < 0) | (table[:, 0] > LATEST), table[:, 1] < table[:, 0]
    if early.any() or reversed_.any():
        node = int((early | reversed_).argmax())
        opens, closes = table[node]
        fault = f"closes at {closes:g}, before it opens at {opens:g}"
        if early[node]:
            fault = f"opens at {opens:g}; it must be at least 0 and at most {LATEST:g}"
        document.fail(f"node {node + (layout.base or 0)} {fault}", layout.line_of(node, section, WINDOW))
    table[table[:, 1] > LATEST, 1] = math.inf
    return TimeWindows.of(table, layout.n) if gaps is None else _with_gaps(layout, table)


def _with_gaps(layout: NodeTables, spans: Floats) -> TimeWindows:
    """Return windows whose spans have gaps; those of a node follow in order."""
    document = layout.document
    section = document.sections["TIME_WINDOW_GAP_SECTION"]
    table = read_table(document, section, GAP)
    base = layout.base or 0
    lists: list[Any] = spans.tolist()
    at = 0
    for number, rows in groupby(table.tolist(), key=lambda row: row[0]):
        node = number - base
        if node not in range(layout.n) or isinstance(lists[int(node)][0], list):
            fault = f"{number:.15g} is not a node, or not for the first time; the gaps of a node follow each other"
            document.fail(fault, row_line(document, section, at))
        edges = [lists[int(node)][0]]
        for _, shuts, opens in rows:
            if not edges[-1] <= shuts < opens <= spans[int(node), 1]:
                fault = (
                    f"the gap from {shuts:g} to {opens:g} is not within the window of node {number:g}, or not in order"
                )
                document.fail(fault, row_line(document, section, at))
            edges += [shuts, opens]
            at += 1
        edges.append(spans[int(node), 1])
        lists[int(node)] = [list(pair) for pair in zip(edges[::2], edges[1::2], strict=True)]
    return TimeWindows.of(lists, layout.n)


def read_vehicles(layout: NodeTables, depot: int, windows: TimeWindows | None, *, served: bool) -> dict[str, Any]:
    """Return what all vehicles have, as fields of a VRP; ``served`` is whether customers have service times."""
    document = layout.document
    values = {name: _of_all(layout, name) for name in FLEET if not name.endswith("_SECTION")}
    starts = _of_all(layout, "VEHICLES_DEPOT")
    if starts is not None and starts != depot + (layout.base or 0):
        _fail(document, "VEHICLES_DEPOT", f"is {starts:g}, which is not in DEPOT_SECTION")
    for name in ("CAPACITY", "DISTANCE", "VEHICLES_MAX_DURATION", "VEHICLES_MAX_DISTANCE"):
        value = document.number(name) if name == "DISTANCE" else values[name]
        if value is not None and value <= 0:
            _fail(document, name, f"is {value:g}; it must be above 0")
    for name in ("FIXED_COST", "VEHICLES_FIXED_COST", "VEHICLES_UNIT_DURATION_COST"):
        value = document.number(name) if name == "FIXED_COST" else values[name]
        if value is not None and value < 0:
            _fail(document, name, f"is {value:g}; it must be at least 0")
    if values["VEHICLES_UNIT_DISTANCE_COST"] not in (None, 1):
        _fail(document, "VEHICLES_UNIT_DISTANCE_COST", "is not 1; other prices of distances are not supported")
    if values["VEHICLES_MAX_DISTANCE"] is not None and served:
        fault = (
            "leaves out service times, which is not supported; DISTANCE counts them, and so does VEHICLES_MAX_DURATION"
        )
        _fail(document, "VEHICLES_MAX_DISTANCE", fault)
    fixed, of_vehicles = document.number("FIXED_COST"), values["VEHICLES_FIXED_COST"]
    if fixed is not None and of_vehicles is not None:
        _fail(document, "VEHICLES_FIXED_COST", "contradicts FIXED_COST; keep one")
    longest, hour_cost = values["VEHICLES_MAX_DURATION"], values["VEHICLES_UNIT_DURATION_COST"] or 0
    if hour_cost and windows is None:
        windows = TimeWindows.always(layout.n)
    # Without windows there is no waiting, and times are distances.
    limits = [document.number("DISTANCE"), values["VEHICLES_MAX_DISTANCE"], longest if windows is None else None]
    return {
        "capacity": values["CAPACITY"],
        "max_distance": min((limit for limit in limits if limit is not None), default=None),
        "max_duration": None if windows is None else longest,
        "fixed_cost": of_vehicles or fixed or 0,
        "windows": windows,
        "hour_cost": hour_cost,
    }


def _of_all(layout: NodeTables, name: str) -> float | None:
    """Return what every vehicle has, from a header or a section, as int if integral; None if the file has neither."""
    document = layout.document
    value = document.number(name) if name in document.headers else None
    section = document.sections.get(f"{name}_SECTION")
    if section is None:
        return value
    if value is not None:
        _fail(document, f"{name}_SECTION", f"contradicts {name}; keep one")
    table = read_table(document, section, "vehicle value")
    count = document.integer("VEHICLES") or layout.n - 1
    if len(table) != count:
        line = row_line(document, section, count) if len(table) > count else document.last_line(section)
        document.fail(f"{section.name} has {len(table)} lines, but there are {count} vehicles", line)
    if count == 0:
        return None
    wrong = table[:, 0] != np.arange(1, count + 1)
    if wrong.any():
        at = int(wrong.argmax())
        fault = f"vehicle {table[at, 0]:.15g} stands where vehicle {at + 1} should be"
        document.fail(fault, row_line(document, section, at))
    differs = table[:, 1] != table[0, 1]
    if differs.any():
        at = int(differs.argmax())
        fault = f"vehicle {at + 1} has {table[at, 1]:g}, and vehicle 1 has {table[0, 1]:g}"
        document.fail(
            f"{section.name}: {fault}; vehicles that differ are not supported", row_line(document, section, at)
        )
    common = float(table[0, 1])
    return int(common) if common.is_integer() else common


def _fail(document: Document, name: str, fault: str) -> None:
    """Fail at a keyword or its section, by whichever name the file has."""
    found = document.headers.get(name) or document.sections.get(name) or document.sections[f"{name}_SECTION"]
    word = found.name if hasattr(found, "name") else name
    document.fail(f"{word} {fault}", found.line)
