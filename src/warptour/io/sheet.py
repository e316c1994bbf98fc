"""Tables by the names of their columns: numbers and labels, and the row of every error.

A table is a CSV or a sheet of a workbook. Its header is the first row that has the columns looked for; a title may
stand above it.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Final

import numpy as np

from warptour.io.cells import name_of
from warptour.io.delimited import Delimited
from warptour.io.headers import PAIRS, find_columns, fold
from warptour.io.numerals import AMBIGUOUS, decimal_sign, parse
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.io.workbook import Workbook
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats

HEADER_ROWS: Final = 20
"""Rows in which the header is looked for."""
SHOWN: Final = 8
"""Headers listed in a message at most."""


@dataclass(frozen=True)
class Sheet:
    """A table whose header has been found.

    Attributes
    ----------
    grid : Delimited or Workbook
    above : int
        Number of rows above the first row of data.
    columns : dict of int
        Index of each recognised column.
    header : tuple of str
        The header verbatim, or empty if the first row is data.
    width : int
        Number of columns.
    """

    grid: Delimited | Workbook
    above: int
    columns: dict[str, int]
    header: tuple[str, ...]
    width: int

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        synonyms: Mapping[str, Sequence[str]],
        example: str,
        headless: Sequence[str] = (),
        *,
        needed: Sequence[Sequence[str]] = PAIRS,
        chosen: Mapping[str, str] | None = None,
        ignored: Collection[str] = (),
    ) -> Sheet:
        """Open a table whose header uses ``synonyms``.

        Parameters
        ----------
        synonyms : mapping
            Accepted words of each column, folded, in order of preference.
        example : str
            A valid header, for messages.
        headless : sequence of str
            Columns of a file whose first row is all numbers; without them a header is required.
        needed : sequence of sequences of str
            Sets of columns of which a header has at least one.
        chosen : mapping, optional
            Headers of columns, given by the user.
        ignored : collection of str
            Columns not to use.
        """
        name, data = display_name(path), load_bytes(path)
        chosen = chosen or {}
        found: Sheet | None = None
        for grid in _candidates(name, data):
            sheet = cls._of(grid, synonyms, headless, needed, chosen, ignored)
            if sheet is not None and any(set(columns) <= sheet.columns.keys() for columns in needed):
                return sheet._checked(synonyms, chosen, ignored)
            if found is None or (sheet is not None and len(sheet.columns) > len(found.columns)):
                found = sheet
        if found is not None and found.columns:
            return found._checked(synonyms, chosen, ignored)
        for grid in _candidates(name, data):
            line, header = next(iter(grid.head(1)), (1, [""]))
            cells = ", ".join(quote(cell, 20) for cell in header[:SHOWN])
            raise InputError(f"the first row is {cells}; {example}; or say which is which: --columns", name, line)
        raise InputError("is empty", name, 1)

    @classmethod
    def _of(
        cls,
        grid: Delimited | Workbook,
        synonyms: Mapping[str, Sequence[str]],
        headless: Sequence[str],
        needed: Sequence[Sequence[str]],
        chosen: Mapping[str, str],
        ignored: Collection[str],
    ) -> Sheet | None:
        """Return a grid with its header: the first that is complete, or else the one with the most columns."""
        best: Sheet | None = None
        for at, (_, cells) in enumerate(grid.head(HEADER_ROWS)):
            if at == 0 and headless and len(cells) == len(headless):
                sign = decimal_sign(cells) if isinstance(grid, Workbook) or grid.separator != "," else "."
                if all(parse(cell, sign or ".") is not None for cell in cells):
                    return cls(grid, 0, {name: place for place, name in enumerate(headless)}, (), len(cells))
            columns, _ = find_columns(cells, synonyms, chosen, ignored)
            sheet = cls(grid, at + 1, columns, tuple(cells), len(cells))
            if any(set(names) <= columns.keys() for names in needed) and chosen.keys() <= columns.keys():
                return sheet
            if columns and (best is None or len(columns) > len(best.columns)):
                best = sheet
        return best

    def _checked(
        self, synonyms: Mapping[str, Sequence[str]], chosen: Mapping[str, str], ignored: Collection[str]
    ) -> Sheet:
        """Return the sheet, or raise if a column is missing or there twice."""
        for column, header in chosen.items():
            if column not in self.columns:
                have = ", ".join(quote(cell.strip(), 20) for cell in self.header if cell.strip())
                raise UsageError(f"{self.path} has no column {quote(header)} (--columns {column}=...); it has {have}")
        _, twice = find_columns(self.header, synonyms, chosen, ignored)
        if twice:
            same = [at for at, cell in enumerate(self.header) if fold(cell) == fold(twice[0])]
            message = f"two columns are called {quote(self.header[same[0]])}; keep one, or rename one"
            raise InputError(message, self.path, self.header_line)
        return self

    @property
    def path(self) -> str:
        """The file's name, for messages."""
        return self.grid.path

    @property
    def header_line(self) -> int:
        """Line number of the header, or of the first row."""
        return self.grid.head(max(self.above, 1))[-1][0]

    @property
    def commas_separate(self) -> bool:
        """Whether commas stand between cells."""
        return isinstance(self.grid, Delimited) and self.grid.separator == ","

    def body(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line or row number and the cells of each row of data."""
        rows = self.grid.rows()
        for _ in range(self.above):
            next(rows, None)
        for line, cells in rows:
            if any(cell.strip() for cell in cells[self.width :]):
                where = "the header" if self.above > 1 else "the first row"
                message = f"{len(cells)} columns here, {self.width} in {where}; quote cells that hold a separator"
                raise InputError(message, self.path, line)
            yield line, cells

    def line(self, row: int) -> int:
        """Return the line or row number of a row of data, counted from 0."""
        for at, (line, _) in enumerate(self.body()):
            if at == row:
                return line
        return 1

    def labels(self, name: str) -> tuple[str, ...]:
        """Return a column of names."""
        at = self.columns[name]
        return tuple(name_of(cells[at]) if at < len(cells) else "" for _, cells in self.body())

    def label(self, cells: Sequence[str]) -> str:
        """Return the name in a row, or an empty string."""
        at = self.columns.get("name", len(cells))
        return name_of(cells[at]) if at < len(cells) else ""

    def unused(self, used: Sequence[str], ignored: Iterable[int] = ()) -> list[str]:
        """Return the header of every named column that is neither in ``used`` nor at an index in ``ignored``."""
        taken = {self.columns[name] for name in used} | {*ignored}
        return [cell.strip() for at, cell in enumerate(self.header) if at not in taken and cell.strip()]

    def decimal(self, names: Sequence[str]) -> str | None:
        """Return the decimal sign of the numbers in these columns, None if all of them are integers.

        Raises
        ------
        InputError
            If it cannot be known what a comma means.
        """
        places = [self.columns[name] for name in names]
        sign = decimal_sign(cells[at] for _, cells in self.body() for at in places if at < len(cells))
        if sign != AMBIGUOUS:
            return sign
        if not self.commas_separate or {"lat", "lon"} & set(names):
            return ","
        for line, cells in self.body():
            for name, at in zip(names, places, strict=True):
                if at < len(cells) and "," in cells[at]:
                    message = f"{name} is {quote(cells[at])}: thousands or decimals? Write numbers without the comma"
                    raise InputError(message, self.path, line)
        return None

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
            raise InputError("there are no rows below the header", self.path, self.header_line)
        return table

    def _plain_numbers(self, places: list[int]) -> Floats | None:
        """Return the columns if :meth:`Delimited.plain_numbers` can, otherwise None."""
        return self.grid.plain_numbers(places, self.above, self.width) if isinstance(self.grid, Delimited) else None

    def _careful_numbers(self, names: Sequence[str], optional: Sequence[str]) -> Floats:
        """Return the columns, parsed cell by cell."""
        sign = self.decimal(names) or "."
        values = array("d")
        for line, cells in self.body():
            for name in names:
                at = self.columns[name]
                cell = cells[at].strip() if at < len(cells) else ""
                value = parse(cell, sign)
                if value is None and (cell or name not in optional):
                    label = self.label(cells)
                    who = f" of {quote(label)}" if label else ""
                    message = f"{name}{who} is {quote(cell)}; it must be a number"
                    missing = f"there is no {name}{who}; fill it in, or delete the row"
                    raise InputError(message if cell else missing, self.path, line)
                values.append(float("nan") if value is None else value)
        return np.array(values).reshape(-1, len(names))


def _candidates(name: str, data: bytes) -> Iterator[Delimited] | Iterator[Workbook]:
    return Workbook.candidates(name, data) if data.startswith(ZIP) else Delimited.candidates(name, data)
