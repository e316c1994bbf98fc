"""Matrices of distances or durations beside stops: NumPy arrays, spreadsheets, JSON of routing services, TSPLIB.

Rows and columns are the stops in the order of their file, or are called by the names of the stops, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from warptour.io.arrays import load_array
from warptour.io.cells import AMBIGUOUS, decimal_sign, doubtful, parse
from warptour.io.delimited import Delimited
from warptour.io.source import ZIP, load_bytes, load_json, quote
from warptour.io.tsplib import read_tsplib
from warptour.io.workbook import Workbook
from warptour.model.errors import InputError
from warptour.model.metric import Floats

SHEETS: Final = (".csv", ".tsv", ".txt", ".xlsx")
TSPLIB: Final = (".tsp", ".atsp", ".vrp")
NAMED: Final = 10
"""Maximum number of unused sheets named in a note."""
SUFFIXES: Final = (".npy", *SHEETS, ".json", *TSPLIB)


@dataclass(frozen=True)
class Stops:
    """The stops that a matrix is for: their file, their number and their names."""

    path: str
    n: int
    labels: tuple[str, ...] | None

    def name(self, stop: int) -> str:
        """Return a stop for messages."""
        return quote(self.labels[stop]) if self.labels and self.labels[stop] else f"stop {stop + 1}"


@dataclass(frozen=True)
class Labelled:
    """A matrix with what its rows and columns are called, None if they have no names."""

    values: NDArray[Any]
    rows: list[str] | None = None
    columns: list[str] | None = None


def read_square(
    path: str | PathLike[str] | None,
    what: Literal["distances", "durations"],
    stops: Stops,
    notes: list[str],
    decimal: str | None = None,
) -> NDArray[Any] | None:
    """Return the (n, n) matrix in a file, in the order of the stops; None if no file is given.

    ``decimal`` is the decimal sign of a spreadsheet; ``notes`` receives a line if a workbook has further sheets.

    Raises :class:`InputError` if there is none, if its size is not that of the stops, or if an entry off the diagonal
    is missing or negative.
    """
    if path is None:
        return None
    name = fspath(path)
    suffix = Path(name).suffix.lower()
    if suffix == ".npy":
        found = Labelled(np.array(load_array(path, "(n, n)")))
    elif suffix in SHEETS:
        found = _sheet(name, what, notes, decimal)
    elif suffix == ".json":
        found = Labelled(_json(name, what))
    elif suffix in TSPLIB:
        matrix = read_tsplib(name).matrix
        if matrix is None:
            raise InputError("has coordinates and no matrix; EDGE_WEIGHT_TYPE EXPLICIT has one", name)
        found = Labelled(matrix)
    else:
        raise InputError(f"is no matrix by its suffix; known are {', '.join(SUFFIXES)}", name)
    if found.values.shape != (stops.n, stops.n):
        size = " x ".join(map(str, found.values.shape))
        raise InputError(
            f"has {size} {what}, and {stops.path} has {stops.n} stops: a matrix has a row and a column for each stop, "
            f"{stops.n} x {stops.n} here",
            name,
        )
    matrix = np.array(found.values[_order(name, found.rows, stops)][:, _order(name, found.columns, stops)])
    _check(name, what, matrix, stops)
    return matrix


def _check(path: str, what: str, matrix: NDArray[Any], stops: Stops) -> None:
    np.fill_diagonal(matrix, 0)
    wrong = ~np.isfinite(matrix) | (matrix < 0)
    if wrong.any():
        i, j = np.argwhere(wrong)[0].tolist()
        value = matrix[i, j]
        fault = f"is {value:g}, below 0" if np.isfinite(value) else "is missing; every stop must be reachable"
        raise InputError(f"the {what[:-1]} from {stops.name(i)} to {stops.name(j)} {fault}", path)


def _order(path: str, labels: Sequence[str] | None, stops: Stops) -> NDArray[np.int64] | slice:
    """Return which row, or column, of a matrix each stop has, by their names."""
    texts = [] if labels is None else [label.strip() for label in labels]
    counted = (list(map(str, range(first, first + stops.n))) for first in (0, 1))
    if labels is None or stops.labels is None or texts in (list(stops.labels), *counted):
        return slice(None)
    where = {text: at for at, text in enumerate(texts)}
    missing = [label for label in stops.labels if label not in where]
    if missing or len(where) < stops.n:
        lack = f"has no row and column for {quote(missing[0])}" if missing else "has the same name for two rows"
        message = f"{lack}, a stop of {stops.path}; they are named as the stops, or in their order without names"
        raise InputError(message, path)
    return np.array([where[label] for label in stops.labels])


def _json(path: str, what: str) -> Floats:
    """Return a list of lists, or that member of an object, as OSRM's table service has it; null is NaN."""
    content = load_json(path)
    rows = content.get(what) if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise InputError(f"has no {what}: a list of rows, or an object with such a member", path)
    try:
        return np.array(rows, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"its {what} are not rows of numbers of the same length", path) from None


def _sheet(path: str, what: str, notes: list[str], decimal: str | None) -> Labelled:
    data = load_bytes(path)
    if data.startswith(ZIP):
        for book in Workbook.candidates(path, data):
            if book.others:
                others = ", ".join(map(quote, book.others[:NAMED]))
                notes.append(f"{path}: {what} are read from the sheet {quote(book.title)}; sheets not used: {others}")
            return _table(path, [cells for _, cells in book.rows()], decimal, "")
    for grid in Delimited.candidates(path, data):
        width = len(next(iter(grid.head(1)), (1, [""]))[1])
        plain = grid.plain_numbers(range(width), 0, width, decimal) if width > 1 else None
        if plain is not None:
            return Labelled(plain)
        rows = [cells for _, cells in grid.rows()] if width > 1 else []
        if rows and all(len(cells) == width for cells in rows):
            return _table(path, rows, decimal, grid.separator)
    words = [row.split() for row in data.decode("utf-8", "replace").splitlines() if row.strip()]
    return _table(path, words, decimal, "")


def _table(path: str, rows: Sequence[Sequence[str | float]], decimal: str | None, separator: str) -> Labelled:
    """Return the numbers of a table; its first row and first column may be names."""
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    inner = [cell for row in rows[1:] for cell in row[1:]]
    outer = [cell for cell in (*rows[0], *(row[0] for row in rows[1:])) if doubtful(cell)] if rows else []
    sign = decimal or decimal_sign([*inner, *outer], separator) or "."
    if sign == AMBIGUOUS:
        cell = next(cell for cell in (*inner, *outer) if doubtful(cell))
        message = f"{quote(str(cell))} of the matrix: thousands or decimals? --decimal , or --decimal . says which"
        raise InputError(message, path)
    words = [str(cell).strip() for cell in rows[0] if parse(cell, sign) is None] if rows else []
    hollow = words == [""] and len(rows) > 1 and not str(rows[1][1]).strip()  # the diagonal is empty
    titled = bool(words) and not hollow
    body = rows[1:] if titled else rows
    named = titled and (width == len(body) + 1 or any(parse(row[0], sign) is None for row in body))
    first = 1 if named else 0
    values = np.full((len(body), width - first), np.nan)
    for at, row in enumerate(body):
        for place, cell in enumerate(row[first:]):
            value = parse(cell, sign)
            if value is None and str(cell).strip():
                raise InputError(f"{quote(str(cell))} in row {at + 1} of the matrix is not a number", path)
            values[at, place] = np.nan if value is None else value
    names = [str(row[0]) for row in body] if named else None
    return Labelled(values, names, [str(cell) for cell in rows[0][first:]] if titled else None)
