"""CSV files as written by spreadsheets: columns by name, numbers and labels, and the line number of every error.

Separators are commas, semicolons and tabs; a decimal comma is accepted unless the comma separates. Text is UTF-8, or
Windows-1252 if it is not valid UTF-8.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

import numpy as np

from warptour.io.cells import name_of
from warptour.io.source import load, quote
from warptour.io.units import without_unit
from warptour.model.errors import InputError
from warptour.model.metric import Floats

SEPARATOR_LINE: Final = re.compile(r"sep=([^\r\n])[ \t]*(?:\r\n?|\n)", re.IGNORECASE)
SEPARATORS: Final = ",;\t|:~^!#$%&*/"
"""Separators that a first line such as ``sep=;`` may declare."""

NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Sheet:
    """An opened CSV.

    Attributes
    ----------
    path, text, separator : str
    width : int
        Number of columns.
    columns : dict of int
        Index of each recognised column.
    header : tuple of str
        The first row verbatim, or empty if it is data.
    """

    path: str
    text: str
    separator: str
    width: int
    columns: dict[str, int]
    header: tuple[str, ...] = ()

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        synonyms: Mapping[str, Sequence[str]],
        example: str,
        headless: Sequence[str] = (),
    ) -> Sheet:
        """Open a CSV whose header uses ``synonyms``.

        Parameters
        ----------
        synonyms : mapping
            Accepted names of each column, in lower case, in order of preference.
        example : str
            A valid header, for messages.
        headless : sequence of str
            Columns of a file whose first row is all numbers; without them a header is required.
        """
        data = load(path)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            try:
                text = data.decode("cp1252")
            except UnicodeDecodeError:
                line = 1 + data.count(b"\n", 0, error.start)
                raise InputError("is not text; save it as CSV in UTF-8", path, line) from None
        marked = SEPARATOR_LINE.match(text)
        if marked and marked[1] not in SEPARATORS:
            raise InputError(f"sep={marked[1]} names no separator; a comma, semicolon or tab is one", path, 1)
        sheet = cls(fspath(path), text, marked[1] if marked else _separator(text), 0, {})
        line, header = next(sheet.rows(), (1, [""]))
        columns: dict[str, int] = {}
        names = [_normal(cell) for cell in header]
        for column, spellings in synonyms.items():
            places = [at for spelling in spellings for at, name in enumerate(names) if name == spelling]
            if len({names[at] for at in places}) < len(places):
                raise InputError(f"two columns are called {quote(header[places[0]])}; keep one", path, line)
            if places:
                columns[column] = places[0]
        if columns:
            return cls(sheet.path, text, sheet.separator, len(header), columns, tuple(header))
        numeric = all(_number(cell, sheet.separator) is not None for cell in header)
        if headless and len(header) == len(headless) and numeric:
            columns = {name: at for at, name in enumerate(headless)}
            return cls(sheet.path, text, sheet.separator, len(header), columns)
        found = ", ".join(quote(cell, 20) for cell in header[:8])
        raise InputError(f"the first row is {found}; {example}", path, line)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line number and the cells of each non-blank row, including the header."""
        marked = SEPARATOR_LINE.match(self.text)
        reader = csv.reader(
            io.StringIO(self.text, newline=""), delimiter=self.separator, strict=True, skipinitialspace=True
        )
        last = 0
        try:
            for cells in reader:
                line, last = last + 1, reader.line_num
                if any(cell.strip() for cell in cells) and not (marked and line == 1):
                    yield line, cells
        except csv.Error as error:
            raise InputError(f"is not CSV here: {error}", self.path, last + 1) from None

    def body(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line number and the cells of each data row."""
        rows = self.rows()
        if self.header:
            next(rows, None)
        for line, cells in rows:
            if any(cell.strip() for cell in cells[self.width :]):
                message = f"{len(cells)} columns here, {self.width} in the first row; quote cells that hold a separator"
                raise InputError(message, self.path, line)
            yield line, cells

    def line(self, row: int) -> int:
        """Return the line number of a data row, counted from 0."""
        for at, (line, _) in enumerate(self.body()):
            if at == row:
                return line
        return 1

    def labels(self, name: str) -> tuple[str, ...]:
        """Return a column of names."""
        at = self.columns[name]
        return tuple(name_of(cells[at]) if at < len(cells) else "" for _, cells in self.body())

    def unused(self, used: Sequence[str]) -> list[str]:
        """Return the header of every named column that is not in ``used``."""
        taken = {self.columns[name] for name in used}
        return [cell.strip() for at, cell in enumerate(self.header) if at not in taken and cell.strip()]

    def numbers(self, names: Sequence[str], optional: Sequence[str] = ()) -> Floats:
        """Return columns of finite numbers, shape (rows, columns); empty cells are NaN in ``optional`` columns.

        Raises
        ------
        InputError
            With the line of a cell that is not a number, or if there are no rows.
        """
        table = self._plain_numbers([self.columns[name] for name in names])
        if table is None:
            table = self._careful_numbers(names, optional)
        if len(table) == 0:
            raise InputError("there are no rows below the header", self.path, 1)
        return table

    def _careful_numbers(self, names: Sequence[str], optional: Sequence[str]) -> Floats:
        """Return the columns, parsed cell by cell."""
        values = array("d")
        for line, cells in self.body():
            for name in names:
                at = self.columns[name]
                cell = cells[at].strip() if at < len(cells) else ""
                value = _number(cell, self.separator)
                if value is None and (cell or name not in optional):
                    have = f"{name} is {quote(cell)}" if cell else f"there is no {name}"
                    raise InputError(f"{have}; it must be a number", self.path, line)
                values.append(float("nan") if value is None else value)
        return np.array(values).reshape(-1, len(names))

    def _plain_numbers(self, places: list[int]) -> Floats | None:
        """Return the columns of a file without quotes, empty cells and ragged rows, parsed ten times as fast by NumPy.

        Returns None for any other file, which :meth:`_careful_numbers` reads or rejects.
        """
        text = self.text.rstrip()
        if '"' in text or text.count("\r") != text.count("\r\n") or SEPARATOR_LINE.match(text):
            return None
        start = text.find("\n", len(text) - len(text.lstrip())) + 1 if self.header else 0
        body = text[start:]
        rows = 0 if self.header and start == 0 else self._even_rows(body)
        if rows == 0:
            return None
        try:
            table = np.loadtxt(io.StringIO(body), delimiter=self.separator, usecols=places, comments=None, ndmin=2)
        except (ValueError, IndexError):
            return None
        return table if len(table) == rows and np.isfinite(table).all() else None

    def _even_rows(self, body: str) -> int:
        """Return the number of non-empty lines, or 0 if any of them has another number of columns than the header."""
        letters = np.frombuffer(body.encode(), np.uint8)
        ends = np.append(np.flatnonzero(letters == ord("\n")), len(letters))
        starts = np.append(0, ends[:-1] + 1)
        filled = (ends > starts) & (letters[np.minimum(starts, len(letters) - 1)] != ord("\r"))
        separators = np.diff(np.searchsorted(np.flatnonzero(letters == ord(self.separator)), ends), prepend=0)
        return int(filled.sum()) if (separators[filled] == self.width - 1).all() else 0


def _separator(text: str) -> str:
    first = re.sub(r'"[^"]*"', "", re.split(r"[\r\n]", text.lstrip()[: 1 << 16], maxsplit=1)[0])
    return ";" if ";" in first else "\t" if "\t" in first else ","


def _normal(cell: str) -> str:
    return re.sub(r"[\s\-]+", "_", without_unit(cell[:200]).strip().lower())


def _number(cell: str, separator: str) -> float | None:
    text = cell.strip()
    if separator != "," and "." not in text:
        text = text.replace(",", ".", 1)
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if np.isfinite(value) else None
