"""A CSV file as spreadsheets write it: columns found by their names, numbers and labels with the line of every fault.

Commas, semicolons and tabs separate; a decimal comma is understood where the separator is another. Text is UTF-8, or
Windows-1252 if it cannot be.
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

from warptour.io.sections import NUMBER
from warptour.io.source import load, quote
from warptour.model.errors import InputError
from warptour.model.metric import Floats

UNIT: Final = re.compile(r"\s*[(\[].*?[)\]]")
SEPARATOR_LINE: Final = re.compile(r"sep=(.)[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """An opened CSV.

    Attributes
    ----------
    path, text, separator : str
    width : int
        Number of columns.
    columns : dict of int
        Where each recognised column is.
    headless : bool
        Whether the first row is data already.
    """

    path: str
    text: str
    separator: str
    width: int
    columns: dict[str, int]
    headless: bool

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
            The names that each column may have, in lower case, the best first.
        example : str
            What a header should be, for messages.
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
        sheet = cls(fspath(path), text, marked[1] if marked else _separator(text), 0, {}, False)
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
            return cls(sheet.path, text, sheet.separator, len(header), columns, False)
        numeric = all(_number(cell, sheet.separator) is not None for cell in header)
        if headless and len(header) == len(headless) and numeric:
            columns = {name: at for at, name in enumerate(headless)}
            return cls(sheet.path, text, sheet.separator, len(header), columns, True)
        found = ", ".join(quote(cell, 20) for cell in header[:8])
        raise InputError(f"the first row is {found}; {example}", path, line)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the cells of each row that is not blank, the header included."""
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
        """Yield the line and the cells of each row of data."""
        rows = self.rows()
        if not self.headless:
            next(rows, None)
        for line, cells in rows:
            if any(cell.strip() for cell in cells[self.width :]):
                message = f"{len(cells)} columns here, {self.width} in the first row; quote cells that hold a separator"
                raise InputError(message, self.path, line)
            yield line, cells

    def line(self, row: int) -> int:
        """Return the line of a row of data, counted from 0."""
        for at, (line, _) in enumerate(self.body()):
            if at == row:
                return line
        return 1

    def labels(self, name: str) -> tuple[str, ...]:
        """Return a column's text."""
        at = self.columns[name]
        return tuple(cells[at].strip() if at < len(cells) else "" for _, cells in self.body())

    def numbers(self, names: Sequence[str], optional: Sequence[str] = ()) -> Floats:
        """Return columns of finite numbers, shape (rows, columns); an empty cell is NaN in the ``optional`` ones.

        Raises
        ------
        InputError
            With the line of a cell that is not a number, or if there are no rows.
        """
        fast = self._fast_numbers([self.columns[name] for name in names])
        if fast is not None:
            return fast
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
        if not values:
            raise InputError("there are no rows below the header", self.path, 1)
        return np.frombuffer(values).reshape(-1, len(names))

    def _fast_numbers(self, places: list[int]) -> Floats | None:
        """Return the columns if all is plain, else None, for the careful way to find what is not."""
        text = self.text.rstrip()
        if '"' in text or SEPARATOR_LINE.match(text) or (not self.headless and "\n" not in text):
            return None
        start = 0 if self.headless else len(text) - len(text.lstrip())
        start = start if self.headless else text.index("\n", start) + 1 if "\n" in text[start:] else len(text)
        body = text[start:]
        if not body.strip():
            return None
        try:
            table = np.loadtxt(io.StringIO(body), delimiter=self.separator, usecols=places, comments=None, ndmin=2)
        except (ValueError, IndexError):
            return None
        good = np.isfinite(table).all() and body.count(self.separator) == len(table) * (self.width - 1)
        return table if good else None


def _separator(text: str) -> str:
    first = re.sub(r'"[^"]*"', "", text.lstrip()[: 1 << 16].split("\n", 1)[0])
    return ";" if ";" in first else "\t" if "\t" in first else ","


def _normal(cell: str) -> str:
    return re.sub(r"[\s\-]+", "_", UNIT.sub("", cell[:200]).strip().lower())


def _number(cell: str, separator: str) -> float | None:
    text = cell.strip()
    if separator != "," and "." not in text:
        text = text.replace(",", ".", 1)
    if not text.isascii() or not NUMBER.fullmatch(text.encode()):
        return None
    value = float(text)
    return value if np.isfinite(value) else None
