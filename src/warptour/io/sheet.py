"""Tables by the names of their columns: numbers and labels, and the row of every error.

A table is a CSV or a sheet of a workbook. Its header is the first row that has the columns looked for; a title may
stand above it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from os import PathLike
from typing import Final, TypeAlias

import numpy as np

from warptour.io.cells import AMBIGUOUS, decimal_sign, doubtful, name_of, parse, parse_time
from warptour.io.coordinates import is_link, looks_like_place, place_in, why_no_place
from warptour.io.delimited import Delimited
from warptour.io.headers import (
    DEGREES,
    MINUTES,
    PAIRS,
    PLACE,
    Columns,
    degrees_named,
    find_columns,
    fold,
    listed,
    unit_seconds,
)
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.io.workbook import Workbook
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats

Cell: TypeAlias = str | float
"""A cell of a CSV is text; numbers of a workbook that are no integers are such."""
HEADER_ROWS: Final = 20
"""Rows in which the header is looked for."""
CALCULATED: Final = "open the workbook in a spreadsheet program and save it"
"""What gives formulas their values."""
PLACES: Final = 3
"""Rows below a header by whose cells a column of places is known."""
SHOWN: Final = 8
"""Maximum number of cells of a first row that are quoted in the message that it is no header."""


@dataclass(frozen=True)
class Sheet:
    """A table whose header has been found."""

    grid: Delimited | Workbook
    above: int  # number of rows above the first row of data
    columns: dict[str, int]  # index of each recognised column
    header: tuple[str, ...]  # the header verbatim, or empty if the first row is data
    width: int  # number of columns
    sign: str | None = None  # decimal sign, if the user gave it
    ends: int | None = None  # number of rows of data, where totals stand below them

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
        order: Callable[[str], int] | None = None,
    ) -> Sheet:
        """Open a table whose header has the columns of ``synonyms``, as :func:`find_columns` finds them.

        ``example``: a valid header, for messages
        ``headless``: columns of a file whose first row is all numbers; without them a header is required
        ``needed``: sets of columns of which a header has at least one
        ``sign``: decimal sign, given by the user
        ``order``: the sheets of a workbook with the lowest order of their titles are looked at first
        """
        name, data, chosen = display_name(path), load_bytes(path), chosen or {}
        find = partial(find_columns, synonyms=synonyms, chosen=chosen, ignored=ignored, left_out=left_out)
        found: Sheet | None = None
        for grid in grids(name, data, order):
            sheet = cls._of(grid, find, headless, needed, chosen, sign)
            complete = any(set(names) <= sheet.columns.keys() for names in needed)
            if found is None or complete or len(sheet.columns) > len(found.columns):
                found = sheet
            if complete:
                break
        if found is None:
            raise InputError("is empty", name, 1)
        if not found.columns:
            line, row = next(iter(found.grid.head(1)), (1, [""]))
            cells = ", ".join(quote(cell, 20) for cell in row[:SHOWN])
            raise InputError(f"the first row is {cells}; {example}; or say which is which: --columns", found.path, line)
        for column, header in chosen.items():
            if column not in found.columns and not (column == PLACE and found.in_one_cell):
                have = listed(found.header)
                raise UsageError(f"{name} has no column {quote(header)} (--columns {column}=...); it has {have}")
        _, twice = find(found.header)
        if twice:
            same = next(cell for cell in found.header if fold(cell) == fold(twice[0]))
            raise found.header_error(f"two columns are called {quote(same)}; keep one, or rename one")
        return found

    @classmethod
    def over(
        cls,
        grid: Delimited | Workbook,
        synonyms: Mapping[str, Sequence[str]],
        example: str,
        needed: Sequence[Sequence[str]] = (),
    ) -> Sheet:
        """Return a grid with its header: the first that has some set of columns, by default any of ``synonyms``."""
        find = partial(find_columns, synonyms=synonyms, chosen={}, ignored=())
        found = cls._of(grid, find, (), needed or [(name,) for name in synonyms], {}, None)
        if not found.columns:
            raise InputError(f"the sheet {quote(getattr(grid, 'title', ''))} has no header; {example}", grid.path)
        return found

    @classmethod
    def _of(
        cls,
        grid: Delimited | Workbook,
        find: Callable[[Sequence[str]], Columns],
        headless: Sequence[str],
        needed: Sequence[Sequence[str]],
        chosen: Mapping[str, str],
        sign: str | None,
    ) -> Sheet:
        """Return a grid with its header: the first that is complete, or else the one with the most columns."""
        best = cls(grid, 0, {}, (), 0, sign)
        head = [cells for _, cells in grid.head(HEADER_ROWS + PLACES)]
        for at, cells in enumerate(head[:HEADER_ROWS]):
            if at == 0 and headless and len(cells) == len(headless):
                mark = sign or (decimal_sign(cells) if isinstance(grid, Workbook) or grid.separator != "," else ".")
                if all(parse(cell, mark or ".") is not None for cell in cells):
                    return cls(grid, 0, {name: place for place, name in enumerate(headless)}, (), len(cells), sign)
            columns, _ = find(cells)
            if (PLACE,) in needed:
                columns = _with_place(columns, cells, head[at + 1 : at + 1 + PLACES], wanted=PLACE in chosen)
            sheet = cls(grid, at + 1, columns, tuple(cells), len(cells), sign)
            if any(set(names) <= columns.keys() for names in needed) and chosen.keys() - {PLACE} <= columns.keys():
                return sheet
            if len(columns) > len(best.columns):
                best = sheet
        return best

    @property
    def path(self) -> str:
        """The file's name, for messages."""
        return self.grid.path

    @property
    def in_one_cell(self) -> bool:
        """Whether latitude and longitude are one column."""
        return "lat" in self.columns and self.columns["lat"] == self.columns.get("lon")

    @property
    def header_line(self) -> int:
        """Line number of the header, or of the first row."""
        return self.grid.head(max(self.above, 1))[-1][0]

    def header_error(self, message: str) -> InputError:
        """Return an error at the header."""
        return InputError(message, self.path, self.header_line)

    def called(self, column: str) -> str:
        """Return the header of a recognised column, in quotes."""
        return quote(self.header[self.columns[column]].strip())

    def body(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield the line or row number and the cells of each row of data."""
        rows: Iterator[tuple[int, Sequence[Cell]]] = self.grid.rows()
        for line, cells in islice(rows, self.above, None if self.ends is None else self.above + self.ends):
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
        return tuple(name_of(str(cells[at])) if at < len(cells) else "" for _, cells in self.body())

    def decimal(self, names: Sequence[str], rows: int | None = None) -> str | None:
        """Return the decimal sign of columns as :func:`decimal_sign` does; degrees have no thousands.

        With ``rows``, only as many are looked at.
        """
        if self.sign is not None:
            return self.sign
        separator = self.grid.separator if isinstance(self.grid, Delimited) else ""
        sign = decimal_sign((cell for _, _, cell in self._cells(names, rows)), separator)
        if sign != AMBIGUOUS:
            return sign
        degrees = (doubtful(cell) for _, name, cell in self._cells(names, rows) if name in DEGREES)
        return next(filter(None, degrees), sign)

    def _cells(self, names: Sequence[str], rows: int | None = None) -> Iterator[tuple[int, str, Cell]]:
        """Yield the line or row number, the column and the cell for the cells of some columns."""
        places = [(name, self.columns[name]) for name in names]
        halves = DEGREES if self.in_one_cell else ()
        lon_first = self.in_one_cell and degrees_named(self.header[self.columns["lat"]])[:1] == ["lon"]
        for line, cells in islice(self.body(), rows):
            for name, at in places:
                cell = cells[at] if at < len(cells) else ""
                if name in halves and (place := place_in(str(cell), lon_first=lon_first)) is not None:
                    cell = place[halves.index(name)]
                yield line, name, cell

    def numbers(self, names: Sequence[str], optional: Sequence[str] = ()) -> Floats:
        """Return columns of finite numbers, shape (rows, columns); empty cells are NaN in ``optional`` columns.

        Raises :class:`InputError` with the line of a cell that is not a number, or if there are no rows.
        """
        table = None
        if isinstance(self.grid, Delimited) and not self.in_one_cell and self.ends is None:
            places = [self.columns[name] for name in names]
            table = self.grid.plain_numbers(places, self.above, self.width, self.sign)
        if table is None:
            table = self._careful_numbers(names, optional)
        if len(table) == 0:
            raise self.header_error("there are no rows below the header")
        return table

    def _careful_numbers(self, names: Sequence[str], optional: Sequence[str]) -> Floats:
        """Return the columns, parsed cell by cell."""
        sign = self.decimal(names) or "."
        if sign == AMBIGUOUS:
            line, name, cell = next(found for found in self._cells(names) if doubtful(found[2]))
            message = f"{name} is {quote(str(cell))}: thousands or decimals? --decimal , or --decimal . says which"
            raise InputError(message, self.path, line)
        unit = unit_seconds(self.header[self.columns[MINUTES]]) if MINUTES in names else 0.0
        values = array("d")
        for line, name, cell in self._cells(names):
            value = parse_time(cell, sign, unit) if name == MINUTES else parse(cell, sign)
            text = str(cell).strip()
            if value is None and (text or name not in optional):
                labels = self._cells(["name"]) if "name" in self.columns else ()
                label = next((name_of(str(called)) for at, _, called in labels if at == line), "")
                who = f" of {quote(label)}" if label else ""
                message = f"{name}{who} is {quote(text)}; it must be a number"
                if self.in_one_cell and name in DEGREES:
                    message = f"{self.called(name)}{who} is {quote(text)}, {why_no_place(text)}"
                if text.startswith("="):
                    message = f"{name}{who} is the formula {quote(text)} without its value; {CALCULATED}"
                missing = f"there is no {name}{who}; fill it in, or delete the row"
                raise InputError(message if text else missing, self.path, line)
            values.append(float("nan") if value is None else value)
        return np.array(values).reshape(-1, len(names))


def _with_place(
    columns: dict[str, int], header: Sequence[str], below: Sequence[Sequence[str]], *, wanted: bool
) -> dict[str, int]:
    """Return columns with latitude and longitude in one, if the cells below a header are such; without, if not.

    With ``wanted`` the user says which column it is.
    """
    columns = dict(columns)
    named = columns.pop(PLACE, None)
    if wanted:
        return columns if named is None else columns | dict.fromkeys(DEGREES, named)
    if any(set(pair) <= columns.keys() for pair in PAIRS):
        return columns
    likely = [at for at, cell in enumerate(header) if at == named or {*degrees_named(cell)} == {*DEGREES}]
    for at in dict.fromkeys((*likely, *range(len(header)))):
        cells = [row[at].strip() for row in below if at < len(row) and row[at].strip()]
        found = [place_in(cell) or is_link(cell) for cell in cells] if at in likely else map(looks_like_place, cells)
        if cells and (any if at in likely else all)(found) and not looks_like_place(header[at]):
            return {name: place for name, place in columns.items() if place != at} | dict.fromkeys(DEGREES, at)
    return columns


def grids(
    path: str, data: bytes, order: Callable[[str], int] | None = None
) -> Iterator[Delimited] | Iterator[Workbook]:
    """Yield the readings of a spreadsheet that are possible, the most plausible ones first."""
    if data.startswith(ZIP):
        return Workbook.candidates(path, data, order=order)
    return Delimited.candidates(path, data)
