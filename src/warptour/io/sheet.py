"""Tables by the names of their columns: numbers and labels, and the row of every error.

A table is a CSV or a sheet of a workbook. Its header is the first row that has the columns looked for; a title may
stand above it. Headers are compared without case, accents and units: ``Länge (°)`` is ``lange``. The words of several
languages are in ``words.ini``; among several columns that fit, the one whose word comes first in its list is used.
"""

from __future__ import annotations

import csv
import re
import shlex
import unicodedata
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping, Sequence, Set
from configparser import ConfigParser
from dataclasses import dataclass
from functools import cache, partial
from io import StringIO
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from warptour.io.cells import AMBIGUOUS, decimal_sign, doubtful, name_of, parse
from warptour.io.grids import Delimited, Workbook
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats

LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not decompose into a letter and an accent."""
CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a word of a header such as ``stopLatitude`` begins."""
BRACKETS: Final = re.compile(r"\s*[(\[](.*?)[)\]]")
LONGEST_HEADER: Final = 200
"""Maximum number of characters of a header that are examined: searching for brackets takes time in the square of it."""

SECONDS: Final = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0}
"""Seconds in each unit of time in which service times may be given."""
PAIRS: Final = (("lat", "lon"), ("x", "y"))
"""Coordinates of a place."""
WINDOW_COLUMNS: Final = ("opens", "closes", "windows", "release")
"""Columns of openings, of closings, and of whole windows, if the user names them; others are found by their cells."""
ALIASES: Final = {
    "service": "service_time", "service_min": "service_minutes", "label": "name", "latitude": "lat", "longitude": "lon",
    "window": "windows", "time_window": "windows", "time_windows": "windows", "from": "opens", "to": "closes",
    "release_time": "release",
}  # fmt: skip
"""Other names of columns for users who choose or ignore them."""

Cell: TypeAlias = str | float
"""A cell of a CSV is text; numbers of a workbook that are no integers are such."""
Columns: TypeAlias = tuple[dict[str, int], list[str]]

CAPACITY: Final = "capacity"
"""Column of a table of vehicles of which there may be several: ``capacity (kg)``, ``capacity_pallets``."""
LOAD: Final = "load of "
"""What the columns of a table are called that has demands of several loads."""
HEADER_ROWS: Final = 20
"""Rows in which the header is looked for."""
DEGREES: Final = ("lat", "lon")
"""Columns of degrees."""
SHOWN: Final = 8
"""Maximum number of cells of a first row that are quoted in the message that it is no header."""


@cache
def words() -> dict[str, dict[str, KeysView[str]]]:
    """Return the lists of words in each section of ``words.ini``, in their order."""
    parser = ConfigParser(interpolation=None)
    parser.read_string(Path(__file__).with_name("words.ini").read_text(encoding="utf-8"))
    sections = {name: parser[name].items() for name in parser.sections()}
    return {name: {key: dict.fromkeys(text.split()).keys() for key, text in lists} for name, lists in sections.items()}


@cache
def stop_columns() -> dict[str, tuple[str, ...]]:
    """Return the words of each column of a table of stops, folded, in order of preference."""
    known = words()["columns"]
    columns = {name: (*known[name], *known.get(f"{name} alone", ())) for name in "x y z lat lon name demand".split()}
    timed = (*known["service"], *known["service with a unit"])
    columns["service_minutes"] = tuple(f"{word}_{unit}" for unit in SECONDS for word in timed)
    columns |= {"service_time": tuple(known["service"])} | dict.fromkeys(WINDOW_COLUMNS, ())
    columns["release"] = (*known["release"], *(f"{word}_{unit}" for unit in SECONDS for word in known["release"]))
    return columns


def column_name(word: str) -> str | None:
    """Return a column's name as tables have it, None if there is no such column."""
    name = word.strip().lower().replace("-", "_")
    name = ALIASES.get(name, name)
    return name if name in stop_columns() else None


def required_name(word: str, option: str) -> str:
    """Return a column's name as :func:`column_name` does, or raise :class:`UsageError`."""
    name = column_name(word)
    if name is None:
        raise UsageError(f"{option}: {quote(word)} is no column of stops; there are {', '.join(stop_columns())}")
    return name


def unit_called(text: str) -> str | None:
    """Return the usual name of a unit, None if there is no such unit."""
    return next((unit for unit, spellings in words()["units"].items() if text in spellings), None)


def unit_of(header: str) -> str | None:
    """Return the unit in a header's brackets, or their text if it is not a known unit; None without brackets."""
    found = BRACKETS.search(header[:LONGEST_HEADER])
    if found is None:
        return None
    text = " ".join(found[1].lower().replace(".", "").split())
    return unit_called(text) or text


def fold(header: str) -> str:
    """Return a header without case, accents, units and punctuation, with underscores between words."""
    text = BRACKETS.sub("", header[:LONGEST_HEADER]).casefold().translate(LETTERS)
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.sub(r"[\s\-_./:]+", "_", letters).strip("_")


def fold_timed(header: str) -> str:
    """Return a folded header whose last word is the unit of time that it names: ``Standzeit in Min.`` is in minutes.

    Any other header is returned as :func:`fold` does.
    """
    folded = fold(header)
    parts = folded.split("_")
    unit = unit_of(header)
    if unit not in SECONDS and len(parts) > 1:
        unit = unit_called(parts.pop())
        parts = parts[:-1] if parts[-1] in words()["beside"]["before a unit"] else parts
    return "_".join([*parts, unit]) if unit in SECONDS else folded


def fold_measured(header: str) -> str:
    """Return a folded header with what stands in its brackets as its last word: ``Menge (kg)`` is ``menge_kg``."""
    found = BRACKETS.search(header[:LONGEST_HEADER])
    return "_".join(filter(None, (fold(header), fold(found[1]) if found else "")))


def measure_of(header: str, known: Iterable[str]) -> str | None:
    """Return what a column measures: ``kg`` of ``Menge (kg)``; None if it has none of the known words."""
    measured = fold_measured(header)
    for word in known:
        if measured == word:
            return ""
        if measured.startswith(f"{word}_"):
            return measured.removeprefix(f"{word}_")
    return None


def find_columns(
    header: Sequence[str],
    synonyms: Mapping[str, Sequence[str]],
    chosen: Mapping[str, str],
    ignored: Collection[str],
    left_out: Collection[str] = (),
) -> tuple[dict[str, int], list[str]]:
    """Return the index of each column found, and the headers that fit one column and occur twice.

    Parameters
    ----------
    header : sequence of str
    synonyms : mapping
        Accepted words of each column, folded, in order of preference.
    chosen : mapping
        Headers of columns, given by the user instead.
    ignored, left_out : collection of str
        Columns not to look for, and headers not to look at.
    """
    without = places_of(header, left_out)
    header = ["" if at in without else cell for at, cell in enumerate(header)]
    plain, timed, measured = ([form(cell) for cell in header] for form in (fold, fold_timed, fold_measured))
    found: dict[str, int] = {}
    twice: list[str] = []
    for column in (name for name in synonyms if name not in ignored):
        names = timed if column.startswith("service") and column not in chosen else plain
        names = measured if column.startswith(LOAD) else names
        if column == CAPACITY:  # several, each of another load
            several = [at for at, cell in enumerate(header) if measure_of(cell, synonyms[column]) is not None]
            found |= {column: several[0]} if several else {}
            continue
        spellings = (fold(chosen[column]),) if column in chosen else synonyms[column]
        places = [at for word in spellings for at, name in enumerate(names) if name == word]
        if len({names[at] for at in places}) < len(places) and column != "name":
            exact = [at for at in places if column in chosen and header[at].strip() == chosen[column].strip()]
            if len(exact) != 1:
                twice.append(header[places[0]])
            places = exact or places
        if places:
            found[column] = places[0]
    if header and "name" in synonyms.keys() - ignored - chosen.keys():
        place = found.get("name")
        if place is None or plain[place] not in words()["columns"]["name"]:
            phrases = [at for at, name in enumerate(plain) if _is_name(name)]
            found |= {"name": phrases[0]} if phrases else {}
    if "lat" in synonyms and not any(set(pair) <= found.keys() for pair in PAIRS):
        for pair in PAIRS:
            found |= _within(header, [name for name in pair if name not in found and name not in {*ignored, *chosen}])
    return found, twice


def places_of(header: Sequence[str], names: Iterable[str]) -> set[int]:
    """Return the indices of the columns that are called by names: verbatim, or else without case, accents and units."""
    found: set[int] = set()
    for name in names:
        alike = {at for at, cell in enumerate(header) if cell.strip() and fold(cell) == fold(name)}
        found |= {at for at in alike if header[at].strip() == name.strip()} or alike
    return found


def ignoring(names: Iterable[str]) -> str:
    """Return the option that ignores columns."""
    text = StringIO()
    printable = ("".join(letter for letter in " ".join(name.split()) if letter.isprintable()) for name in names)
    csv.writer(text, lineterminator="").writerow(printable)
    return f"--ignore {shlex.quote(text.getvalue())}"


def _is_name(folded: str) -> bool:
    """Return whether all words of a header are about names, as in ``Nom du client``."""
    parts = set(folded.split("_")) - words()["beside"]["small"]
    return bool(parts) and parts <= words()["columns"]["name"]


def _within(header: Sequence[str], columns: Sequence[str]) -> dict[str, int]:
    """Return the columns that exactly one header has as a word among others: ``Stop latitude``."""
    known: dict[str, Set[str]] = {**words()["columns"], "x": {"x"}, "y": {"y"}}
    parts = [set(fold(CAMEL.sub("_", cell)).split("_")) for cell in header]
    fitting = {name: [at for at, those in enumerate(parts) if those & known[name]] for name in columns}
    return {name: places[0] for name, places in fitting.items() if len(places) == 1}


@dataclass(frozen=True)
class Sheet:
    """A table whose header has been found."""

    grid: Delimited | Workbook
    above: int
    """Number of rows above the first row of data."""
    columns: dict[str, int]
    """Index of each recognised column."""
    header: tuple[str, ...]
    """The header verbatim, or empty if the first row is data."""
    width: int
    """Number of columns."""
    sign: str | None = None
    """Decimal sign, if the user gave it."""

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
        """Open a table whose header has the columns of ``synonyms``, as :func:`find_columns` finds them.

        Parameters
        ----------
        example : str
            A valid header, for messages.
        headless : sequence of str
            Columns of a file whose first row is all numbers; without them a header is required.
        needed : sequence of sequences of str
            Sets of columns of which a header has at least one.
        sign : str, optional
            Decimal sign, given by the user.
        """
        name, data, chosen = display_name(path), load_bytes(path), chosen or {}
        find = partial(find_columns, synonyms=synonyms, chosen=chosen, ignored=ignored, left_out=left_out)
        found: Sheet | None = None
        for grid in grids(name, data):
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
            raise InputError(f"the first row is {cells}; {example}; or say which is which: --columns", name, line)
        for column, header in chosen.items():
            if column not in found.columns:
                have = listed(found.header)
                raise UsageError(f"{name} has no column {quote(header)} (--columns {column}=...); it has {have}")
        _, twice = find(found.header)
        if twice:
            same = next(cell for cell in found.header if fold(cell) == fold(twice[0]))
            raise found.header_error(f"two columns are called {quote(same)}; keep one, or rename one")
        return found

    @classmethod
    def over(cls, grid: Delimited | Workbook, synonyms: Mapping[str, Sequence[str]], example: str) -> Sheet:
        """Return a grid with its header, which has some column of ``synonyms``."""
        find = partial(find_columns, synonyms=synonyms, chosen={}, ignored=())
        found = cls._of(grid, find, (), [(name,) for name in synonyms], {}, None)
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
        for at, (_, cells) in enumerate(grid.head(HEADER_ROWS)):
            if at == 0 and headless and len(cells) == len(headless):
                mark = sign or (decimal_sign(cells) if isinstance(grid, Workbook) or grid.separator != "," else ".")
                if all(parse(cell, mark or ".") is not None for cell in cells):
                    return cls(grid, 0, {name: place for place, name in enumerate(headless)}, (), len(cells), sign)
            columns, _ = find(cells)
            sheet = cls(grid, at + 1, columns, tuple(cells), len(cells), sign)
            if any(set(names) <= columns.keys() for names in needed) and chosen.keys() <= columns.keys():
                return sheet
            if len(columns) > len(best.columns):
                best = sheet
        return best

    @property
    def path(self) -> str:
        """The file's name, for messages."""
        return self.grid.path

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
        for line, cells in islice(rows, self.above, None):
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
        for line, cells in islice(self.body(), rows):
            for name, at in places:
                yield line, name, cells[at] if at < len(cells) else ""

    def numbers(self, names: Sequence[str], optional: Sequence[str] = ()) -> Floats:
        """Return columns of finite numbers, shape (rows, columns); empty cells are NaN in ``optional`` columns.

        Raises
        ------
        InputError
            With the line of a cell that is not a number, or if there are no rows.
        """
        table = None
        if isinstance(self.grid, Delimited):
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
        values = array("d")
        for line, name, cell in self._cells(names):
            value = parse(cell, sign)
            text = str(cell).strip()
            if value is None and (text or name not in optional):
                labels = self._cells(["name"]) if "name" in self.columns else ()
                label = next((name_of(str(called)) for at, _, called in labels if at == line), "")
                who = f" of {quote(label)}" if label else ""
                message = f"{name}{who} is {quote(text)}; it must be a number"
                missing = f"there is no {name}{who}; fill it in, or delete the row"
                raise InputError(message if text else missing, self.path, line)
            values.append(float("nan") if value is None else value)
        return np.array(values).reshape(-1, len(names))


def grids(path: str, data: bytes) -> Iterator[Delimited] | Iterator[Workbook]:
    """Yield the readings of a spreadsheet that are possible, the most plausible ones first."""
    return Workbook.candidates(path, data) if data.startswith(ZIP) else Delimited.candidates(path, data)


def listed(cells: Iterable[str]) -> str:
    """Return the cells that are not blank, for a message."""
    return ", ".join(quote(cell.strip(), 20) for cell in cells if cell.strip())
