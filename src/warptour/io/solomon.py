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
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Final, NoReturn

import numpy as np

from warptour.io.sections import NUMBER
from warptour.io.source import display_name, load_lines, quote
from warptour.io.tsplib import whole
from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Floats
from warptour.model.vehicles import VRP
from warptour.model.windows import Windows

LAYOUT: Final = "customer x y demand ready due service"
HEAD: Final = re.compile(rb"\s*(?:[^\n]*\n\s*)?VEHICLE\s+NUMBER\s+CAPACITY\b", re.IGNORECASE)
"""What a file begins with: a name, and the heading of the vehicles."""

NUMBERS: Final = rb"[ \t\r]*(?:[-+.0-9eE]+[ \t\r]+){%d}[-+.0-9eE]+[ \t\r]*"
LI_LIM: Final = re.compile(NUMBERS % 2 + rb"\n" + NUMBERS % 8 + rb"(?:\n|\Z)")
"""First lines of Li and Lim's text: vehicles, capacity and speed, and the depot."""
CORDEAU: Final = re.compile(rb"[ \t]*[0-9]" + NUMBERS % 2 + rb"\n" + NUMBERS % 1 + rb"\n")
"""First lines of Cordeau's text: kind, vehicles, customers and depots, and limits of the first depot."""

REFUSED: Final = {
    LI_LIM: "pickups with their deliveries, as Li and Lim's text has them, are not supported yet",
    CORDEAU: "several depots, as Cordeau's text has them, are not supported yet",
}


def is_text_of_problem(head: bytes) -> bool:
    """Return whether a file that begins so is read, or refused by name, by :func:`read_solomon`."""
    return HEAD.match(head) is not None or any(form.match(head) for form in REFUSED)


def read_solomon(path: str | PathLike[str]) -> VRP:
    """Read a problem in Solomon's text; nodes have their numbers as labels.

    Raises
    ------
    InputError
        With the line of the fault and the expected input.
    """
    data = load_lines(path)
    for form, reason in REFUSED.items():
        if form.match(data):
            raise InputError(f"{reason}; Solomon's text and .vrp are read", display_name(path), 1)
    if b"VEHICLE" not in data.upper():
        reason = "has no heading VEHICLE, so it is no text as Solomon's; a table is a .csv, and VRPLIB's a .vrp"
        raise InputError(reason, display_name(path), 1)
    text = _Text(fspath(path), data)
    name = text.name()
    text.heading("VEHICLE", "NUMBER")
    line, (count, capacity) = text.numbers("number and capacity of the vehicles", 2)
    if count != int(count) or not 1 <= count < 2**31:
        text.fail(f"the number of vehicles is {count:g}; it must be an integer of at least 1", line)
    if capacity <= 0:
        text.fail(f"the capacity is {capacity:g}; it must be above 0", line)
    text.heading("CUSTOMER", "CUST")
    first, rows = text.at, text.table()
    try:
        return VRP(
            name, METRICS["EUCLIDEAN"], rows[:, 1:3], labels=tuple(map(str, range(len(rows)))),
            demands=whole(rows[:, 3]), capacity=int(capacity) if capacity == int(capacity) else capacity,
            vehicles=int(count), service_times=rows[:, 6], windows=Windows.of(rows[:, 4:6], len(rows)),
        )  # fmt: skip
    except InputError as error:
        text.fail(error.message, first)


class _Text:
    """Lines of a file that are not blank; ``at`` is the number of the next."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self._lines = [(number, words) for number, line in enumerate(data.split(b"\n"), 1) if (words := line.split())]
        self._next = 0

    @property
    def at(self) -> int:
        return self._lines[min(self._next, len(self._lines) - 1)][0]

    def fail(self, message: str, line: int) -> NoReturn:
        raise InputError(message, display_name(self.path), line)

    def name(self) -> str:
        """Return the first line, or the file's name if the heading of the vehicles is there."""
        words = self._lines[0][1]
        if words[0].upper() == b"VEHICLE":
            return Path(self.path).stem
        self._next = 1
        letters = b" ".join(words)[:1000].decode("utf-8", "replace")
        return "".join(letter for letter in letters if letter.isprintable()) or Path(self.path).stem

    def heading(self, *words: str) -> None:
        """Pass the lines that begin with these words."""
        for word in words:
            line, found = self._lines[self._next] if self._next < len(self._lines) else (self.at, [b""])
            if found[0].upper() != word.encode():
                what = quote(b" ".join(found)) if found[0] else "the end of the file"
                self.fail(f"{what} stands where the heading {word} should be", line)
            self._next += 1

    def numbers(self, layout: str, count: int) -> tuple[int, list[float]]:
        """Return the numbers of the next line, and which line that is."""
        if self._next >= len(self._lines):
            self.fail(f"the file ends before the {layout}", self.at)
        line, words = self._lines[self._next]
        self._next += 1
        for word in words:
            if not NUMBER.fullmatch(word) or not math.isfinite(float(word)):
                self.fail(f"{quote(word)} is not a number; a line is '{layout}'", line)
        if len(words) != count:
            self.fail(f"{len(words)} numbers in a line; it is '{layout}'", line)
        return line, [float(word) for word in words]

    def table(self) -> Floats:
        """Return the rest of the file, a line for each customer in order."""
        rows = list(self._rows())
        if len(rows) < 2:
            self.fail(f"there are no customers; after the depot, customer 0, a line is '{LAYOUT}'", self.at)
        return np.array(rows, np.float64)

    def _rows(self) -> Iterator[list[float]]:
        for customer in range(len(self._lines) - self._next):
            line, row = self.numbers(LAYOUT, 7)
            who = f"customer {customer}"
            if row[0] != customer:
                self.fail(f"customer {row[0]:.15g} stands where {who} should be; they follow in order from 0", line)
            for what, value in (("demand", row[3]), ("ready time", row[4]), ("service time", row[6])):
                if value < 0:
                    self.fail(f"{who} has the {what} {value:g}; it must be at least 0", line)
            if row[5] < row[4]:
                self.fail(f"{who} has a window that ends at {row[5]:g}, before it begins at {row[4]:g}", line)
            if customer == 0 and row[3] != 0:
                self.fail(f"customer 0, the depot, has the demand {row[3]:g}; it must be 0", line)
            yield row
