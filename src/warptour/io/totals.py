"""Rows of totals below the stops of a table, which are none."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from math import isclose
from typing import Any, Final

from warptour.io.cells import parse, text_at
from warptour.io.delimited import Delimited
from warptour.io.headers import fold, words
from warptour.io.sheet import Cell, Sheet
from warptour.io.source import quote

AXES: Final = ("x", "y", "lat", "lon")
TAIL: Final = 1 << 12
"""Bytes at the end of a file in which its last row is looked for."""
SUMS: Final = re.compile(r"=\s*(SUM|SUBTOTAL|AVERAGE|COUNTA?)\(", re.IGNORECASE)
"""Beginning of a formula that stands for a value that the file lacks."""
NOTED: Final = 40
"""Maximum number of characters of a row in the note."""


def without_totals(sheet: Sheet, notes: list[str]) -> Sheet:
    """Return a table that ends above its totals; ``notes`` receives a line for each of them."""
    axes = [sheet.columns[name] for name in AXES if name in sheet.columns]
    if not sheet.header or not _may_be_total(_last_cells(sheet), axes):
        return sheet
    body = list(sheet.body())
    end = len(body)
    while end > 1 and _is_total(body[end - 1][1], [cells for _, cells in body[: end - 1]], axes):
        end -= 1
    for line, cells in body[end:]:
        text = ", ".join(str(cell).strip() for cell in cells if str(cell).strip())
        notes.append(f"{sheet.path}:{line}: {quote(text, NOTED)} is a row of totals, and left out")
    return sheet if end == len(body) else replace(sheet, ends=end)


def _last_cells(sheet: Sheet) -> Sequence[Any]:
    """Return the cells of the last row; those of a CSV as far as its end shows them."""
    grid = sheet.grid
    if not isinstance(grid, Delimited):
        return grid.values[-1][1]
    lines = grid.data[-TAIL:].decode(grid.encoding, "ignore").rstrip().splitlines()
    return next(csv.reader(lines[-1:], delimiter=grid.separator), [])


def _may_be_total(cells: Sequence[Any], axes: Sequence[int]) -> bool:
    """Return whether a row has no place."""
    return not any(text_at(cells, at) for at in axes)


def _is_total(cells: Sequence[Cell], above: Sequence[Sequence[Cell]], axes: Sequence[int]) -> bool:
    """Return whether a row has no place, and says that it is a total or has nothing but sums of those above."""
    filled = [at for at, cell in enumerate(cells) if str(cell).strip()]
    if not filled or not _may_be_total(cells, axes):
        return False
    if any(_says_total(str(cells[at])) for at in filled):
        return True
    return bool(axes) and all(_sums_up(cells[at], [row[at] if at < len(row) else "" for row in above]) for at in filled)


def _says_total(cell: str) -> bool:
    """Return whether a cell is a word of totals, as in ``Total (82 stops)`` and ``Summe:``."""
    parts = [part for part in fold(cell).split("_") if part.isalpha() or part in "σ∑"]
    known = words()["workbook"]["totals"]
    return bool(parts) and (parts[0] in known or "_".join(parts[:2]) in known or parts[-1] in known) and len(parts) <= 3


def _sums_up(cell: Cell, above: Sequence[Cell]) -> bool:
    """Return whether a number is the sum of those above, however they are written, or a formula says so."""
    if SUMS.match(str(cell)):
        return True
    for sign in (".", ","):
        value, values = parse(cell, sign), [parse(each, sign) for each in above]
        known = [each for each in values if each is not None]
        if value is not None and len(known) > 1 and isclose(value, sum(known), rel_tol=1e-9):
            return True
    return False
