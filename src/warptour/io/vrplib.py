"""What VRPLIB's files, as PyVRP reads them, say of vehicles, of times, and of customers that need not be served.

Vehicle k has row k of each section of vehicles. Neighbouring vehicles with equal rows are of one type.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.nodes import NodeTables
from warptour.io.rows import read_table, row_line
from warptour.io.sections import INTEGER, Document, Section
from warptour.io.source import quote
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.metric import Floats
from warptour.model.windows import LATEST, TimeWindows

FLEET: Final = (
    "CAPACITY", "CAPACITY_SECTION", "VEHICLES_DEPOT_SECTION", "VEHICLES_MAX_DURATION", "VEHICLES_MAX_DURATION_SECTION",
    "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DISTANCE_SECTION", "VEHICLES_FIXED_COST", "VEHICLES_FIXED_COST_SECTION",
    "VEHICLES_UNIT_DISTANCE_COST", "VEHICLES_UNIT_DISTANCE_COST_SECTION", "VEHICLES_UNIT_DURATION_COST",
    "VEHICLES_UNIT_DURATION_COST_SECTION", "VEHICLES_ALLOWED_CLIENTS_SECTION", "VEHICLES_MAX_RELOADS",
    "VEHICLES_MAX_RELOADS_SECTION",
)  # fmt: skip
"""What vehicles have, as one value for all, or as a section with a row for each."""

ABOVE_0: Final = ("CAPACITY", "VEHICLES_MAX_DURATION", "VEHICLES_MAX_DISTANCE")
ALLOWED: Final = "VEHICLES_ALLOWED_CLIENTS_SECTION"
RELOADS: Final = "VEHICLES_RELOAD_DEPOT"
GROUPS: Final = "MUTUALLY_EXCLUSIVE_GROUP_SECTION"

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


def read_choices(layout: NodeTables, depots: NDArray[np.int32]) -> dict[str, Any]:
    """Return prizes and alternatives, as fields of a VRP; a customer without either must be served."""
    document, fields = layout.document, dict[str, Any]()
    section = document.sections.get("PRIZE_SECTION")
    if section is not None:
        prizes = layout.rows(section, "node prize")[:, 0]
        negative = prizes < 0
        if negative.any():
            node = int(negative.argmax())
            message = f"node {node + (layout.base or 0)} has the prize {prizes[node]:g}; it must be at least 0"
            document.fail(message, layout.line_of(node, section, "node prize"))
        fields["prizes"] = np.where(prizes == 0, math.inf, prizes)
    section = document.sections.get(GROUPS)
    if section is not None:
        groups, seen = [], set(depots.tolist())
        for line, nodes in _lists(layout, section):
            twice = seen.intersection(nodes)
            if twice:
                node = min(twice) + (1 if layout.base is None else layout.base)
                what = "is a depot" if node - 1 in depots else "is in two groups"
                document.fail(f"node {node} {what}; a group has clients of which one is visited", line)
            seen.update(nodes)
            groups += [Alternatives(nodes)] if len(nodes) > 1 else []
        fields["alternatives"] = tuple(groups)
    return fields


def _lists(layout: NodeTables, section: Section) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the line and the nodes of each row of a section whose rows are a number, in order from 1, and nodes."""
    document = layout.document
    line, number = document.line_at(section.start) - 1, 0
    for text in document.data[section.start : section.end].split(b"\n"):
        line += 1
        words = text.split()
        if not words:
            continue
        number += 1
        for word in words:
            if not INTEGER.fullmatch(word):
                document.fail(f"{quote(word)} is not a number; a line of {section.name} is a number and nodes", line)
        if int(words[0]) != number:
            document.fail(f"{quote(words[0])} stands where {number} should be, in order from 1", line)
        nodes = layout.nodes(section, np.array(words[1:], np.float64), line).tolist()
        if len(set(nodes)) < len(nodes) or not nodes:
            document.fail("a node stands here twice" if nodes else "there are no nodes in this line", line)
        yield line, tuple(nodes)


def read_vehicles(
    layout: NodeTables, depots: NDArray[np.int32], windows: TimeWindows | None, *, served: bool
) -> dict[str, Any]:
    """Return what vehicles have, as fields of a VRP; ``served`` is whether customers have service times."""
    document = layout.document
    values = {name: _of_vehicles(layout, name) for name in FLEET if not name.endswith("_SECTION")}
    values["VEHICLES_DEPOT"] = _starts(layout, depots)
    for name in ("DISTANCE", "FIXED_COST"):
        value = document.number(name)
        if value is not None and (value <= 0 if name == "DISTANCE" else value < 0):
            _fail(document, name, f"is {value:g}; it must be {'above' if name == 'DISTANCE' else 'at least'} 0")
    if document.number("FIXED_COST") is not None and values["VEHICLES_FIXED_COST"] is not None:
        _fail(document, "VEHICLES_FIXED_COST", "contradicts FIXED_COST; keep one")
    longest, hour_cost = values["VEHICLES_MAX_DURATION"], values["VEHICLES_UNIT_DURATION_COST"] or 0
    plain = (
        len(depots) == 1
        and ALLOWED not in document.sections
        and RELOADS not in document.headers
        and f"{RELOADS}_SECTION" not in document.sections
        and not any(isinstance(value, np.ndarray) for value in values.values())
        and values["VEHICLES_UNIT_DISTANCE_COST"] in (None, 1)
        and not (values["VEHICLES_MAX_DISTANCE"] is not None and served)
    )
    if not plain:
        return _fleet_fields(layout, values, depots) | {"windows": windows}
    if hour_cost and windows is None:
        windows = TimeWindows.always(layout.n)
    # Without windows there is no waiting, and times are distances.
    limits = [document.number("DISTANCE"), values["VEHICLES_MAX_DISTANCE"], longest if windows is None else None]
    return {
        "vehicles": document.integer("VEHICLES"),
        "capacity": values["CAPACITY"],
        "max_distance": min((limit for limit in limits if limit is not None), default=None),
        "max_duration": None if windows is None else longest,
        "fixed_cost": values["VEHICLES_FIXED_COST"] or document.number("FIXED_COST") or 0,
        "windows": windows,
        "hour_cost": hour_cost,
    }


def _fleet_fields(layout: NodeTables, values: dict[str, Any], depots: NDArray[np.int32]) -> dict[str, Any]:
    """Return the fleet of vehicles that differ, or do what those that are alike cannot."""
    document, n = layout.document, layout.n
    if document.number("DISTANCE") is not None:
        _fail(document, "DISTANCE", "is for vehicles that are alike; others have VEHICLES_MAX_DISTANCE")
    section = document.sections.get(ALLOWED)
    lists = [None] if section is None else [frozenset(nodes) for _, nodes in _lists(layout, section)]
    count = document.integer("VEHICLES") or n - len(depots)
    if section is not None and len(lists) != count:
        document.fail(f"{section.name} has {len(lists)} lines, but there are {count} vehicles", section.line)
    reloads = _reloads(layout, depots, count)
    defaults = {
        "VEHICLES_DEPOT": int(depots[0]), "VEHICLES_UNIT_DISTANCE_COST": 1, "VEHICLES_UNIT_DURATION_COST": 0,
        "VEHICLES_FIXED_COST": document.number("FIXED_COST") or 0, "VEHICLES_MAX_DURATION": math.inf,
        "VEHICLES_MAX_DISTANCE": math.inf, "CAPACITY": 0, "VEHICLES_MAX_RELOADS": math.inf,
    }  # fmt: skip
    given = {name: default if values[name] is None else values[name] for name, default in defaults.items()}
    varied = max(len(lists), len(reloads)) > 1 or any(isinstance(value, np.ndarray) for value in given.values())
    columns: list[list[Any]] = [
        np.broadcast_to(value, count).tolist() if varied else [value] for value in given.values()
    ]
    columns += [each * (count if varied and len(each) == 1 else 1) for each in (reloads, lists)]
    rows = zip(*columns, strict=True)
    types, served = [], []
    for row, alike in groupby(rows):
        start, per_distance, per_time, fixed, duration, distance, capacity, most, docks, nodes = row
        number = sum(1 for _ in alike) if varied else count
        types.append(
            VehicleType(
                count=number, capacities=(capacity,), start=int(start), end=int(start), fixed_cost=fixed,
                distance_cost=per_distance, hour_cost=per_time, max_distance=distance, max_duration=duration,
                reloads=docks, max_trips=1 if not docks else None if math.isinf(most) else 1 + int(most),
            )
        )  # fmt: skip
        served.append(nodes)
    allowed = None
    if section is not None:
        allowed = np.zeros((n, len(types)), np.bool_)
        allowed[depots] = True
        for kind, nodes in enumerate(served):
            allowed[list(nodes or ()), kind] = True
    return {"fleet": Fleet(tuple(types), allowed=allowed), "depots": tuple(depots.tolist())}


def _reloads(layout: NodeTables, depots: NDArray[np.int32], count: int) -> list[tuple[int, ...]]:
    """Return the depots where each vehicle is loaded again, or those of all."""
    document = layout.document
    header, section = document.headers.get(RELOADS), document.sections.get(f"{RELOADS}_SECTION")
    if section is not None:
        rows = [(line, nodes) for line, nodes in _lists(layout, section)]
        if len(rows) != count:
            document.fail(f"{section.name} has {len(rows)} lines, but there are {count} vehicles", section.line)
    elif header is not None:
        numbers = np.array([document.integer(RELOADS)], np.float64)
        rows = [(header.line, tuple(layout.nodes(Section(RELOADS, header.line, 0, 0), numbers, header.line).tolist()))]
    else:
        return [()]
    for line, nodes in rows:
        outside = [node for node in nodes if node not in depots]
        if outside:
            document.fail(f"{RELOADS}: {outside[0] + (layout.base or 0)} is not in DEPOT_SECTION", line)
    return [nodes for _, nodes in rows]


def _starts(layout: NodeTables, depots: NDArray[np.int32]) -> NDArray[np.float64] | float | None:
    """Return the depot of each vehicle, or of all."""
    document = layout.document
    section = document.sections.get("VEHICLES_DEPOT_SECTION")
    starts = _of_vehicles(layout, "VEHICLES_DEPOT")
    if section is None or starts is None:
        return None
    nodes = np.atleast_1d(starts) - (layout.base or 0)
    outside = ~np.isin(nodes, depots)
    if outside.any():
        at = int(outside.argmax())
        fault = f"is {np.atleast_1d(starts)[at]:g}, which is not in DEPOT_SECTION"
        document.fail(f"VEHICLES_DEPOT_SECTION {fault}", row_line(document, section, at))
    return float(nodes[0]) if len(nodes) == 1 else nodes


def _of_vehicles(layout: NodeTables, name: str) -> Any:
    """Return what vehicles have, from a header or a section: a number if all have the same, None if they have none."""
    document = layout.document
    value = document.number(name) if name in document.headers else None
    section = document.sections.get(f"{name}_SECTION")
    least = "above" if name in ABOVE_0 else "at least"
    if section is None:
        if value is not None and (value <= 0 if name in ABOVE_0 else value < 0):
            _fail(document, name, f"is {value:g}; it must be {least} 0")
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
    wrong = table[:, 1] <= 0 if name in ABOVE_0 else table[:, 1] < 0
    if wrong.any():
        at = int(wrong.argmax())
        fault = f"{section.name}: vehicle {at + 1} has {table[at, 1]:g}; it must be {least} 0"
        document.fail(fault, row_line(document, section, at))
    if (table[:, 1] != table[0, 1]).any():
        return table[:, 1]
    common = float(table[0, 1])
    return int(common) if common.is_integer() else common


def _fail(document: Document, name: str, fault: str) -> None:
    """Fail at a keyword or its section, by whichever name the file has."""
    found = document.headers.get(name) or document.sections.get(name) or document.sections[f"{name}_SECTION"]
    word = found.name if hasattr(found, "name") else name
    document.fail(f"{word} {fault}", found.line)
