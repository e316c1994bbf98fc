"""Cordeau's text of problems with several depots, also with time windows.

    2 4 50 4
    0 80
    0 80
    ...
    1 37 52 0 7 1 4 1 2 4 8
    ...
    51 20 20 0 0 0 0

First the kind (2, or 6 with time windows), and the numbers of vehicles at each depot, of customers, and of depots. Then
the longest route with its services (0 for none) and the capacity of each depot's vehicles. Then a line for each
customer and each depot: number, place, service time, demand, and numbers that say when it may be visited in problems of
several days, which mean nothing here; with time windows the last two are its window. Distances are Euclidean and not
rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Final

import numpy as np

from warptour.io.sections import NUMBER, Document
from warptour.io.source import load_lines, quote
from warptour.io.tsplib import whole
from warptour.model.errors import InputError
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

NUMBERS: Final = rb"[ \t\r]*(?:[-+.0-9eE]+[ \t\r]+){%d}[-+.0-9eE]+[ \t\r]*"
HEAD: Final = re.compile(rb"\s*[0-9]" + NUMBERS % 2 + rb"\n" + NUMBERS % 1 + rb"\n")
"""First lines: kind, vehicles, customers and depots, and limits of the first depot."""
KINDS: Final = {
    0: "one depot", 1: "several days", 2: "", 3: "vehicles for certain customers", 4: "one depot", 5: "several days",
    6: "", 7: "vehicles for certain customers",
}  # fmt: skip
"""What a kind of problem has that is not read from this text."""
LINE: Final = "number x y service demand ..."


def is_cordeau(data: bytes) -> bool:
    """Return whether a file that begins so is Cordeau's text."""
    return HEAD.match(data) is not None


def read_cordeau(path: str | PathLike[str]) -> VRP:
    """Read a problem in Cordeau's text: customers in their order, then the depots; their numbers are labels.

    Raises :class:`InputError` with the line of the fault and the expected input.
    """
    document = Document(fspath(path), load_lines(path))
    rows = _rows(document)
    kind, vehicles, customers, depots = _head(document, rows)
    types, places = [], customers + np.arange(depots)
    for place in places.tolist():
        line, (longest, capacity) = _next(document, rows, 2, "the longest route and the capacity of a depot's vehicles")
        if longest < 0 or capacity < 0:
            document.fail("the longest route and the capacity are at least 0", line)
        limit, most = (math.inf if value == 0 else value for value in (longest, capacity))
        types.append(
            VehicleType(count=vehicles, capacities=(most,), start=place, end=place, max_duration=limit)
        )  # fmt: skip
    table, windows = np.empty((customers + depots, 4)), np.empty((customers + depots, 2))
    line = 0
    for node in range(customers + depots):
        timed = kind == 6
        line, values = _next(document, rows, None, f"a line '{LINE}'")
        if len(values) < 5 + 2 * timed:
            layout = f"{LINE}{' opens closes' if timed else ''}"
            document.fail(f"{len(values)} numbers in a line; a line is '{layout}'", line)
        if values[0] != node + 1:
            document.fail(f"{values[0]:g} stands where {node + 1} should be, in order from 1", line)
        table[node] = values[1:5]
        windows[node] = values[-2:] if timed else (0, math.inf)
        if min(values[3:5]) < 0:
            document.fail("the service time and the demand are at least 0", line)
        if not 0 <= windows[node, 0] <= windows[node, 1]:
            document.fail(f"a window from {values[-2]:g} to {values[-1]:g}; it begins at 0 or later, then ends", line)
    extra = next(rows, None)
    if extra is not None:
        document.fail(f"a line after those of {customers} customers and {depots} depots", extra[0])
    try:
        return VRP(
            Path(fspath(path)).stem, METRICS["EUCLIDEAN"], table[:, :2], demands=whole(table[:, 3]), depot=customers,
            labels=tuple(str(number) for number in range(1, len(table) + 1)), service_times=table[:, 2],
            windows=TimeWindows.of(windows, len(windows)) if kind == 6 else None, fleet=Fleet(tuple(types)),
        )  # fmt: skip
    except InputError as error:
        document.fail(error.message, 1)


def _head(document: Document, rows: Iterator[tuple[int, list[float]]]) -> tuple[int, int, int, int]:
    """Return the kind, and the numbers of vehicles a depot, of customers and of depots."""
    line, values = _next(document, rows, 4, "kind, vehicles, customers and depots")
    if any(value != int(value) or not 0 <= value < 2**31 for value in values):
        document.fail("kind, vehicles, customers and depots are whole numbers", line)
    kind, vehicles, customers, depots = map(int, values)
    what = KINDS.get(kind, "an unknown kind")
    if what:
        document.fail(f"a problem of kind {kind} ({what}) is not read from this text; 2 and 6 are", line)
    if min(vehicles, customers, depots) < 1:
        document.fail("there are at least one vehicle, one customer and one depot", line)
    if customers + 2 * depots > document.data.count(b"\n"):
        document.fail(f"the file ends before {customers} customers and {depots} depots", document.last_line())
    return kind, vehicles, customers, depots


def _rows(document: Document) -> Iterator[tuple[int, list[float]]]:
    """Yield the number and the values of each line that is not blank."""
    for line, text in enumerate(document.data.split(b"\n"), 1):
        words = text.split()
        for word in words:
            if not NUMBER.fullmatch(word) or not math.isfinite(float(word)):
                document.fail(f"{quote(word)} is not a number", line)
        if words:
            yield line, [float(word) for word in words]


def _next(
    document: Document, rows: Iterator[tuple[int, list[float]]], count: int | None, what: str
) -> tuple[int, list[float]]:
    """Return the next line and its number; fail if there is none, or not of so many numbers."""
    row = next(rows, None)
    if row is None:
        document.fail(f"the file ends before {what}", document.last_line())
    if count is not None and len(row[1]) != count:
        document.fail(f"{len(row[1])} numbers in a line; here are {what}", row[0])
    return row
