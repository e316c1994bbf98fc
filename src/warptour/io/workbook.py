"""Rows of cells of Excel workbooks (``.xlsx``), read by openpyxl.

The XML of a worksheet is scanned before openpyxl reads it: openpyxl pads every row to its last cell and yields a row
for every number that is left out, so that a file of a few kilobytes may run for ever or fill the memory.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import partial
from io import BytesIO
from typing import IO, Any, Final, TypeAlias, TypeVar
from xml.parsers import expat

from warptour.io.source import quote
from warptour.model.errors import InputError, MissingLibrary

Value: TypeAlias = str | int | float | bool | date | time | timedelta | None

MAX_UNPACKED: Final = 2**30
"""Maximum bytes of the files in a workbook, unpacked: a million rows of ten columns have less than half of it."""
MAX_RATIO: Final = 100
MAX_SUSPECT: Final = 2**26
"""A workbook that unpacks to more than ``MAX_SUSPECT`` bytes and to more than ``MAX_RATIO`` times its size was made to
fill the memory: sheets unpack to 5 to 20 times their size."""
MAX_TAGS: Final = 2**19
MAX_TAGS_PER_BYTE: Final = 16
"""Maximum number of tags: ``MAX_TAGS``, or in larger workbooks this many per byte. openpyxl takes about 50 bytes for
each, however well it is packed; sheets have one or two per byte."""
MAX_ROWS: Final = 2**20
MAX_COLUMNS: Final = 2**14
"""Maximum number of rows and columns of a sheet in Excel."""
MAX_CELLS: Final = 2**24
"""Maximum number of cells, with rows padded to their last cell: 134 MB of references alone. A matrix of 4,096 stops has
as many."""
CHUNK: Final = 2**16
"""Bytes unpacked at once."""

PLACE: Final = re.compile(r"([A-Z]{1,8})([0-9]{1,12})")
"""Where a cell is: ``AB12``."""
VALUES: Final = re.compile(rb"<(?:\w{1,20}:)?(?:v|t)[ />]")
"""The beginning of a value, or of text in a cell."""

T = TypeVar("T")


@dataclass(frozen=True)
class Workbook:
    """One sheet, called ``title``, of a workbook in memory; ``data`` is the whole file.

    ``path`` is for messages: it names the sheet, too, where there are several.
    """

    path: str
    data: bytes = field(repr=False)
    title: str
    # row number, from 1, and values of each row that is not blank
    values: list[tuple[int, tuple[Value, ...]]] = field(repr=False)
    hidden: frozenset[int] = field(default=frozenset(), repr=False)  # numbers of the rows that are hidden
    others: tuple[str, ...] = ()  # names of the other visible sheets that are not empty

    @classmethod
    def candidates(
        cls,
        path: str,
        data: bytes,
        wanted: Callable[[str], bool] | None = None,
        order: Callable[[str], int] | None = None,
    ) -> Iterator[Workbook]:
        """Yield the visible sheets of a workbook in an ``order`` of their titles: all, or those that are ``wanted``."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # extensions of Excel that openpyxl skips
            book = _load(path, data)
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            several = len(visible) > 1
            if wanted is not None:
                visible = [sheet for sheet in visible if wanted(sheet.title)]
            if order is not None:
                visible.sort(key=lambda sheet: order(sheet.title))
            filled = [sheet for sheet in visible if _scanned(path, sheet, has_values)]
            for sheet in filled:
                layout = _scanned(path, sheet, partial(scan, path))
                try:
                    sheet.reset_dimensions()  # some programs write wrong ones
                    rows = [
                        (number, values)
                        for number, values in enumerate(layout.with_formulas(sheet.iter_rows(values_only=True)), 1)
                        if any(text_of(value).strip() for value in values)
                    ]
                except Exception:  # damaged files raise many types of errors
                    raise _damaged(path, sheet) from None
                if rows:
                    others = tuple(other.title for other in filled if other is not sheet)
                    where = f"{path} ({sheet.title})" if several else path
                    yield cls(where, data, sheet.title, rows, frozenset(layout.hidden), others)

    def without_hidden(self, notes: list[str], above: int = 0) -> Workbook:
        """Return the sheet without its hidden rows, but for the first ones ``above``; ``notes`` tells of them."""
        rows = [row for at, row in enumerate(self.values) if at < above or row[0] not in self.hidden]
        hidden = len(self.values) - len(rows)
        if hidden:
            what = "1 hidden row is" if hidden == 1 else f"{hidden} hidden rows are"
            notes.append(f"{self.path}: {what} left out")
        return replace(self, values=rows)

    def rows(self) -> Iterator[tuple[int, list[str | float]]]:
        """Yield the row number and the cells of each row that is not blank: text, but numbers that are no integers."""
        for number, values in self.values:
            yield number, [*map(cell_of, values)]

    def head(self, count: int) -> list[tuple[int, list[str]]]:
        """Return the first rows."""
        return [(number, [*map(text_of, values)]) for number, values in self.values[:count]]

    def formats(self) -> tuple[dict[int, list[str | None]], dict[int, float]]:
        """Return the number formats of each row's cells, and the widths of columns, by their numbers from 1."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheet = _load(self.path, self.data)[self.title]
            sheet.reset_dimensions()
            formats = {number: [cell.number_format for cell in row] for number, row in enumerate(sheet.iter_rows(), 1)}
        count = max(map(len, formats.values()), default=0)
        widths = {
            at: width
            for first, last, width in _scanned(self.path, sheet, partial(scan, self.path)).widths
            for at in range(first, min(last, count) + 1)
            if width > 0
        }
        return formats, widths


def library() -> Any:
    """Return openpyxl, or raise :class:`MissingLibrary`."""
    try:
        import openpyxl
    except ImportError:
        raise MissingLibrary(
            "an .xlsx needs openpyxl: pip install 'warptour[sheets]', or save the sheet as .csv"
        ) from None
    return openpyxl


def _load(path: str, data: bytes) -> Any:
    openpyxl = library()
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > MAX_UNPACKED or size > max(MAX_SUSPECT, MAX_RATIO * len(data)):
                raise InputError(f"unpacks to {size:,} bytes, too many for a workbook; save the sheet as .csv", path)
            if _tags(archive) > max(MAX_TAGS, MAX_TAGS_PER_BYTE * len(data)):
                raise InputError("unpacks to too many cells for a workbook of its size; save the sheet as .csv", path)
        return openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
    except InputError:
        raise
    except Exception:  # damaged archives raise many types of errors
        raise InputError("is not an .xlsx workbook, or it is damaged; save it again, or as .csv", path) from None


def _tags(archive: zipfile.ZipFile) -> int:
    """Return how many tags the files of a workbook have, or bytes that look like one."""
    tags = 0
    for member in archive.infolist():
        with archive.open(member) as file:
            while piece := file.read(CHUNK):
                tags += piece.count(b"<")
    return tags


def _scanned(path: str, sheet: Any, scanned: Callable[[IO[bytes]], T]) -> T:
    """Return what ``scanned`` says of the XML of a sheet."""
    try:
        with sheet._get_source() as source:
            return scanned(source)
    except InputError:
        raise
    except Exception:  # damaged files raise many types of errors
        raise _damaged(path, sheet) from None


def _damaged(path: str, sheet: Any) -> InputError:
    return InputError(f"the sheet {quote(sheet.title)} is damaged", path)


def cell_of(value: Value) -> str | float:
    """Return a cell's value as a CSV would have it, but numbers that are no integers as such."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, timedelta):  # a time in a format that counts hours beyond 24
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime) else str(value)


def text_of(value: Value) -> str:
    """Return a cell's value as a CSV would have it."""
    return str(cell_of(value))


@dataclass
class Layout:
    """What a worksheet says of its rows and columns."""

    hidden: set[int] = field(default_factory=set)  # numbers of the rows that are hidden, by hand or by a filter; from 1
    widths: list[tuple[int, int, float]] = field(default_factory=list)  # first and last column, from 1, and their width
    formulas: dict[int, dict[int, str]] = field(default_factory=dict)
    """Formulas whose values the file lacks, as programs that do not calculate leave them, by row and column, from 1."""

    def with_formulas(self, rows: Iterable[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
        """Yield the rows of values, with formulas in place of the values that are missing."""
        for row, values in enumerate(rows, 1):
            missing = self.formulas.get(row)
            yield tuple(missing.get(at, value) for at, value in enumerate(values, 1)) if missing else values


def scan(path: str, source: IO[bytes]) -> Layout:
    """Return the layout of a worksheet.

    Raises :class:`InputError` if it is too large, for the file ``path``, and :class:`ValueError` or :class:`KeyError`
    or ``expat.ExpatError`` if it is damaged.
    """
    layout = Layout()
    row = column = cells = 0
    name = formula = ""
    typed = False  # whether a cell says of which type its value is, as those of texts do

    def text(letters: str) -> None:
        nonlocal formula
        if name == "f":
            formula += letters
        elif letters.strip():  # its value
            formula = ""

    def end_of_cell() -> None:
        nonlocal formula
        if formula and not typed:
            layout.formulas.setdefault(row, {})[column] = formula
        formula, parser.CharacterDataHandler = "", None

    def start(tag: str, facts: dict[str, str]) -> None:
        nonlocal row, column, cells, name, typed, formula
        name = tag.rpartition(":")[2]
        if name in ("row", "c"):
            end_of_cell()
        if name == "row":
            cells += column
            before, row, column = row, int(facts.get("r", row + 1)), 0
            if row <= before:
                raise ValueError
            if facts.get("hidden") in ("1", "true"):
                layout.hidden.add(row)
        elif name == "c":
            column = _column(facts["r"], row) if "r" in facts else column + 1
            typed = "t" in facts
        elif name == "f":
            formula, parser.CharacterDataHandler = "=", text
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
    end_of_cell()
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
