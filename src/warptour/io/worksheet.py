"""The XML of a worksheet, scanned before openpyxl reads it: its size, hidden rows and widths of columns.

openpyxl pads every row to its last cell and yields a row for every number that is left out, so that a file of a few
kilobytes may run for ever or fill the memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import IO, Final
from xml.parsers import expat

from warptour.model.errors import InputError

MAX_ROWS: Final = 2**20
MAX_COLUMNS: Final = 2**14
"""Most rows and columns of a sheet in Excel."""
MAX_CELLS: Final = 2**24
"""Most cells, rows being padded to their last one: 134 MB of references alone. A matrix of 4,096 stops has as many."""
CHUNK: Final = 1 << 16
"""Bytes read at once."""

PLACE: Final = re.compile(r"([A-Z]{1,8})([0-9]{1,12})")
"""Where a cell is: ``AB12``."""
VALUES: Final = re.compile(rb"<(?:\w{1,20}:)?(?:v|t)[ />]")
"""The beginning of a value, or of text in a cell."""


@dataclass
class Layout:
    """What a worksheet says of its rows and columns.

    Attributes
    ----------
    hidden : set of int
        Numbers of the rows that are hidden, by hand or by a filter; from 1.
    widths : list of (int, int, float)
        First and last column, from 1, and their width.
    """

    hidden: set[int] = field(default_factory=set)
    widths: list[tuple[int, int, float]] = field(default_factory=list)


def scan(path: str, source: IO[bytes]) -> Layout:
    """Return the layout of a worksheet.

    Raises
    ------
    InputError
        If it is too large, for the file ``path``.
    ValueError, KeyError, expat.ExpatError
        If it is damaged.
    """
    layout = Layout()
    row = column = cells = 0

    def start(tag: str, facts: dict[str, str]) -> None:
        nonlocal row, column, cells
        name = tag.rpartition(":")[2]
        if name == "row":
            cells += column
            before, row, column = row, int(facts.get("r", row + 1)), 0
            if row <= before:
                raise ValueError
            if facts.get("hidden") in ("1", "true"):
                layout.hidden.add(row)
        elif name == "c":
            column = _column(facts["r"], row) if "r" in facts else column + 1
        elif name == "col":
            layout.widths.append((int(facts["min"]), int(facts["max"]), float(facts.get("width", 0))))
        if row > MAX_ROWS:
            raise InputError(f"a sheet has at most {MAX_ROWS:,} rows", path, row)
        if column > MAX_COLUMNS:
            raise InputError(f"a sheet has at most {MAX_COLUMNS:,} columns", path, row)
        if cells + column > MAX_CELLS:
            raise InputError(f"a sheet has at most {MAX_CELLS:,} cells here; save it as .csv", path, row)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.ParseFile(source)
    return layout


def has_values(source: IO[bytes]) -> bool:
    """Return whether a worksheet has a cell that is not empty."""
    rest = b""
    while data := source.read(CHUNK):
        if VALUES.search(rest + data):
            return True
        rest = data[-32:]
    return False


def _column(place: str, row: int) -> int:
    """Return the number of a cell's column, from 1; raise ValueError unless it is in ``row``."""
    found = PLACE.fullmatch(place)
    if found is None or int(found[2]) != row:
        raise ValueError
    number = 0
    for letter in found[1]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
