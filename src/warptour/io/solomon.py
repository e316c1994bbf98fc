"""Solomon's text of problems with time windows, which Gehring and Homberger's have, too.

    C101

    VEHICLE
    NUMBER     CAPACITY
      25         200

    CUSTOMER
    CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME
        0      40         50          0          0       1236          0
        1      45         68         10        912        967         90

Customer 0 is the depot, where vehicles are back by its due date. Distances are Euclidean and not rounded, and travel
times equal them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from warptour.io.rows import read_table, row_line
from warptour.io.sections import NUMBER, Document, Section
from warptour.io.source import load_lines, quote
from warptour.io.tsplib import whole
from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Floats
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

LAYOUT: Final = "customer x y demand ready due service"
HEAD: Final = re.compile(rb"(?:\s*\S[^\n]*\n)?\s*VEHICLE\s+NUMBER\s+CAPACITY\b", re.IGNORECASE)
"""What a file begins with: a name, and the heading of the vehicles."""


def is_solomon(head: bytes) -> bool:
    """Return whether a file that begins so is Solomon's text."""
    return HEAD.match(head) is not None


def read_solomon(path: str | PathLike[str]) -> VRP:
    """Read a problem in Solomon's text; nodes have their numbers as labels.

    Raises :class:`InputError` with the line of the fault and the expected input.
    """
    document = Document(fspath(path), load_lines(path))
    if b"VEHICLE" not in document.data.upper():
        document.fail("there is no heading VEHICLE, as Solomon's text has; a table is a .csv, VRPLIB's text a .vrp", 1)
    head = _Head(document)
    name = head.name()
    count, capacity = head.vehicles()
    head.heading("CUSTOMER")
    head.heading("CUST")
    section = Section("CUSTOMER", document.line_at(head.end), head.end, len(document.data))
    rows = _rows(document, section)
    try:
        return VRP(
            name, METRICS["EUCLIDEAN"], rows[:, 1:3], labels=tuple(map(str, range(len(rows)))),
            demands=whole(rows[:, 3]), capacity=int(capacity) if capacity == int(capacity) else capacity,
            vehicles=int(count), service_times=rows[:, 6], windows=TimeWindows.of(rows[:, 4:6], len(rows)),
        )  # fmt: skip
    except InputError as error:
        document.fail(error.message, row_line(document, section, 0))


class _Head:
    """The lines before the table of customers, without blank ones; ``end`` is where what was read of them ends."""

    def __init__(self, document: Document) -> None:
        self.end = 0
        self._document = document
        self._lines = (line for line in re.finditer(rb"[^\n]+", document.data) if line[0].strip())
        self._first = next(self._lines)

    def name(self) -> str:
        """Return the first line, or the file's name if that is the heading of the vehicles; pass that heading."""
        letters = b" ".join(self._first[0].split())[:1000].decode("utf-8", "replace")
        name = "".join(letter for letter in letters if letter.isprintable())
        if name.upper() != "VEHICLE":
            self.heading("VEHICLE")
        return name if name and name.upper() != "VEHICLE" else Path(self._document.path).stem

    def heading(self, word: str) -> None:
        """Pass a line that begins with a word."""
        found = self._next(f"the heading {word}")
        if found.split()[0].upper() != word.encode():
            self._fail(f"{quote(found.strip())} stands where the heading {word} should be")

    def vehicles(self) -> tuple[float, float]:
        """Return the number of vehicles and their capacity."""
        self.heading("NUMBER")
        words = self._next("the number and the capacity of the vehicles").split()
        for word in words:
            if not NUMBER.fullmatch(word) or not math.isfinite(float(word)):
                self._fail(f"{quote(word)} is not a number; here are the number and the capacity of the vehicles")
        if len(words) != 2:
            self._fail(f"{len(words)} numbers in a line; here are the number and the capacity of the vehicles")
        count, capacity = map(float, words)
        check_vehicles(self._document, count, capacity, self._document.line_at(self.end))
        return count, capacity

    def _next(self, what: str) -> bytes:
        line = next(self._lines, None)
        if line is None:
            self._document.fail(f"the file ends before {what}", self._document.last_line())
        self.end = line.end()
        return line[0]

    def _fail(self, message: str) -> NoReturn:
        self._document.fail(message, self._document.line_at(self.end))


def _rows(document: Document, section: Section) -> Floats:
    """Return the table of customers, in order from the depot."""
    table = read_visits(document, section, LAYOUT, "customer")
    refuse_rows(
        document, section, table, {"customer {row} has the demand {3:g}; it must be at least 0": table[:, 3] < 0}
    )
    return table


def check_vehicles(document: Document, count: float, capacity: float, line: int) -> None:
    """Refuse a number of vehicles, or a capacity, that no problem has."""
    if count != int(count) or not 1 <= count < 2**31:
        document.fail(f"the number of vehicles is {count:g}; it must be an integer of at least 1", line)
    if capacity <= 0:
        document.fail(f"the capacity is {capacity:g}; it must be above 0", line)


def read_visits(document: Document, section: Section, layout: str, what: str) -> Floats:
    """Return the table of customers or tasks: number, place, demand, ready time, due date, service and others.

    ``layout``: names of the columns
    ``what``: what a row is, for messages
    """
    table = read_table(document, section, layout)
    if len(table) < 2:
        document.fail(f"there are no {what}s; after the depot, {what} 0, a line is '{layout}'", document.last_line())
    number, demand, ready, due, service = table[:, [0, 3, 4, 5, 6]].T
    depot = np.arange(len(table)) == 0
    faults = {
        f"{what} {{0:.15g}} stands where {what} {{row}} should be, in order from 0": number != np.arange(len(table)),
        f"{what} {{row}} has the ready time {{4:g}}; it must be at least 0": ready < 0,
        f"{what} {{row}} has the service time {{6:g}}; it must be at least 0": service < 0,
        f"{what} {{row}} has a window that ends at {{5:g}}, before it begins at {{4:g}}": due < ready,
        f"{what} {{row}}, the depot, has the demand {{3:g}}; it must be 0": depot & (demand != 0),
    }
    refuse_rows(document, section, table, faults)
    return table


def refuse_rows(document: Document, section: Section, table: Floats, faults: Mapping[str, NDArray[np.bool_]]) -> None:
    """Fail at the first row with a fault; messages may name its values, by column, and the number of the row."""
    for fault, wrong in faults.items():
        if wrong.any():
            row = int(wrong.argmax())
            document.fail(fault.format(*table[row].tolist(), row=row), row_line(document, section, row))
