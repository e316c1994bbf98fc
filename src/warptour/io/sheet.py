"""Tables by the names of their columns: numbers and labels, and the row of every error.

A table is a CSV or a sheet of a workbook. Its header is the first row that has the columns looked for; a title may
stand above it.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Final, TypeVar

import numpy as np

from warptour.io.cells import name_of
from warptour.io.delimited import Delimited
from warptour.io.headers import PAIRS, find_columns, fold
from warptour.io.numerals import AMBIGUOUS, decimal_sign, doubtful, parse
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.io.workbook import Workbook
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats

C = TypeVar("C", str, str | float)

HEADER_ROWS: Final = 20
"""Rows in which the header is looked for."""
DEGREES: Final = ("lat", "lon")
"""Columns of degrees."""
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
    sign : str or None
        Decimal sign, if the user gave it.
    """

    grid: Delimited | Workbook
    above: int
    columns: dict[str, int]
    header: tuple[str, ...]
    width: int
    sign: str | None = None

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
        left_out: Collection[str] = (),
        sign: str | None = None,
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
        left_out : collection of str
            Headers of columns not to use.
        sign : str, optional
            Decimal sign, given by the user.
        """
        name, data = display_name(path), load_bytes(path)
        chosen = chosen or {}
        found: Sheet | None = None
        for grid in _candidates(name, data):
            sheet = cls._of(grid, synonyms, headless, needed, chosen, ignored, left_out, sign)
            if sheet is not None and any(set(columns) <= sheet.columns.keys() for columns in needed):
                return sheet._checked(synonyms, chosen, ignored, left_out)
            if found is None or (sheet is not None and len(sheet.columns) > len(found.columns)):
                found = sheet
        if found is not None and found.columns:
            return found._checked(synonyms, chosen, ignored, left_out)
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
        left_out: Collection[str],
        sign: str | None,
    ) -> Sheet | None:
        """Return a grid with its header: the first that is complete, or else the one with the most columns."""
        best: Sheet | None = None
        for at, (_, cells) in enumerate(grid.head(HEADER_ROWS)):
            if at == 0 and headless and len(cells) == len(headless):
                mark = sign or (decimal_sign(cells) if isinstance(grid, Workbook) or grid.separator != "," else ".")
                if all(parse(cell, mark or ".") is not None for cell in cells):
                    return cls(grid, 0, {name: place for place, name in enumerate(headless)}, (), len(cells), sign)
            columns, _ = find_columns(cells, synonyms, chosen, ignored, left_out)
            sheet = cls(grid, at + 1, columns, tuple(cells), len(cells), sign)
            if any(set(names) <= columns.keys() for names in needed) and chosen.keys() <= columns.keys():
                return sheet
            if columns and (best is None or len(columns) > len(best.columns)):
                best = sheet
        return best

    def _checked(
        self,
        synonyms: Mapping[str, Sequence[str]],
        chosen: Mapping[str, str],
        ignored: Collection[str],
        left_out: Collection[str],
    ) -> Sheet:
        """Return the sheet, or raise if a column is missing or there twice."""
        for column, header in chosen.items():
            if column not in self.columns:
                have = ", ".join(quote(cell.strip(), 20) for cell in self.header if cell.strip())
                raise UsageError(f"{self.path} has no column {quote(header)} (--columns {column}=...); it has {have}")
        _, twice = find_columns(self.header, synonyms, chosen, ignored, left_out)
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

    def shown(self) -> tuple[Sheet, int]:
        """Return the table without the hidden rows of a workbook below its header, and how many those are."""
        if not isinstance(self.grid, Workbook):
            return self, 0
        values = self.grid.values
        kept = [row for at, row in enumerate(values) if at < self.above or row[0] not in self.grid.hidden]
        return replace(self, grid=replace(self.grid, values=kept)), len(values) - len(kept)

    def body(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line or row number and the cells of each row of data."""
        return self._below(self.grid.rows())

    def typed(self) -> Iterator[tuple[int, Sequence[str | float]]]:
        """Yield rows as :meth:`body` does; numbers of a workbook that are no integers are such."""
        return self._below(self.grid.typed()) if isinstance(self.grid, Workbook) else self.body()

    def _below(self, rows: Iterator[tuple[int, list[C]]]) -> Iterator[tuple[int, list[C]]]:
        for _ in range(self.above):
            next(rows, None)
        for line, cells in rows:
            if any(str(cell).strip() for cell in cells[self.width :]):
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

    def unused(self, used: Sequence[str], ignored: Iterable[int] = ()) -> list[int]:
        """Return the index of every named column that is neither in ``used`` nor in ``ignored``."""
        taken = {self.columns[name] for name in used} | {*ignored}
        return [at for at, cell in enumerate(self.header) if at not in taken and cell.strip()]

    def decimal(self, names: Sequence[str]) -> str | None:
        """Return the decimal sign of the numbers in these columns, None if all of them are integers.

        Raises
        ------
        InputError
            If it cannot be known what a comma or a point means.
        """
        if self.sign is not None:
            return self.sign
        places = [self.columns[name] for name in names]
        separator = self.grid.separator if isinstance(self.grid, Delimited) else ""
        sign = decimal_sign((cells[at] for _, cells in self.typed() for at in places if at < len(cells)), separator)
        if sign != AMBIGUOUS:
            return sign
        marks = [
            (mark, name, cells[at], line)
            for line, cells in self.typed()
            for name, at in zip(names, places, strict=True)
            if at < len(cells) and (mark := doubtful(cells[at]))
        ]
        degrees = [mark for mark, name, _, _ in marks if name in DEGREES]
        if degrees:  # there are no thousands of degrees
            return degrees[0]
        _, name, cell, line = marks[0]
        message = f"{name} is {quote(str(cell))}: thousands or decimals? --decimal , or --decimal . says which"
        raise InputError(message, self.path, line)

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
        if not isinstance(self.grid, Delimited):
            return None
        return self.grid.plain_numbers(places, self.above, self.width, self.sign)

    def _careful_numbers(self, names: Sequence[str], optional: Sequence[str]) -> Floats:
        """Return the columns, parsed cell by cell."""
        sign = self.decimal(names) or "."
        values = array("d")
        for line, cells in self.typed():
            for name in names:
                at = self.columns[name]
                cell = cells[at] if at < len(cells) else ""
                value = parse(cell, sign)
                cell = str(cell).strip()
                if value is None and (cell or name not in optional):
                    label = self.label([*map(str, cells)])
                    who = f" of {quote(label)}" if label else ""
                    message = f"{name}{who} is {quote(cell)}; it must be a number"
                    missing = f"there is no {name}{who}; fill it in, or delete the row"
                    raise InputError(message if cell else missing, self.path, line)
                values.append(float("nan") if value is None else value)
        return np.array(values).reshape(-1, len(names))


def _candidates(name: str, data: bytes) -> Iterator[Delimited] | Iterator[Workbook]:
    return Workbook.candidates(name, data) if data.startswith(ZIP) else Delimited.candidates(name, data)
