"""Excel workbooks (``.xlsx``), read and written by openpyxl."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import partial
from io import BytesIO
from typing import IO, Any, Final, TypeAlias, TypeVar

from warptour.io.cells import CONTROL
from warptour.io.source import quote
from warptour.io.worksheet import has_values, scan
from warptour.model.errors import InputError, MissingLibrary

Value: TypeAlias = str | int | float | bool | date | time | None

MAX_UNPACKED: Final = 2**30
"""Most bytes of a workbook's files, unpacked: a million rows of ten columns have less than half of it."""
MAX_RATIO: Final = 100
MAX_SUSPECT: Final = 2**26
"""A workbook of more than ``MAX_SUSPECT`` bytes that unpacks to more than ``MAX_RATIO`` times its size was made to fill
the memory: sheets unpack to 5 to 20 times theirs."""
MAX_TAGS: Final = 2**19
MAX_TAGS_PER_BYTE: Final = 16
"""Most tags, or in larger workbooks most per byte: each takes openpyxl some 50 bytes, however small it was packed.
Sheets have one or two per byte."""
CHUNK: Final = 2**20
"""Bytes unpacked at once."""

T = TypeVar("T")

LONGEST_TITLE: Final = 31
"""Maximum length of a sheet's name."""


@dataclass(frozen=True)
class Workbook:
    """One sheet of a workbook in memory.

    Attributes
    ----------
    path : str
        For messages.
    data : bytes
        The whole file.
    title : str
        Name of the sheet.
    values : list
        Row number, from 1, and values of each row that is not blank.
    hidden : frozenset of int
        Numbers of the rows that are hidden.
    others : tuple of str
        Names of the other visible sheets that are not empty.
    """

    path: str
    data: bytes = field(repr=False)
    title: str
    values: list[tuple[int, tuple[Value, ...]]] = field(repr=False)
    hidden: frozenset[int] = field(default=frozenset(), repr=False)
    others: tuple[str, ...] = ()

    @classmethod
    def candidates(cls, path: str, data: bytes) -> Iterator[Workbook]:
        """Yield the visible sheets of a workbook."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # extensions of Excel that openpyxl skips
            book = _load(path, data)
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            filled = [sheet for sheet in visible if _scanned(path, sheet, has_values)]
            for sheet in filled:
                layout = _scanned(path, sheet, partial(scan, path))
                try:
                    sheet.reset_dimensions()  # some programs write wrong ones
                    rows = [
                        (number, values)
                        for number, values in enumerate(sheet.iter_rows(values_only=True), 1)
                        if any(text_of(value).strip() for value in values)
                    ]
                except Exception:  # damaged files raise many types of errors
                    raise _damaged(path, sheet) from None
                if rows:
                    others = tuple(other.title for other in filled if other is not sheet)
                    yield cls(path, data, sheet.title, rows, frozenset(layout.hidden), others)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the row number and the cells, as text, of each row that is not blank."""
        for number, values in self.values:
            yield number, [text_of(value) for value in values]

    def typed(self) -> Iterator[tuple[int, list[str | float]]]:
        """Yield rows as :meth:`rows` does, with numbers that are no integers as such."""
        for number, values in self.values:
            yield number, [value if isinstance(value, float) else text_of(value) for value in values]

    def head(self, count: int) -> list[tuple[int, list[str]]]:
        """Return the first rows."""
        return [(number, [text_of(value) for value in values]) for number, values in self.values[:count]]

    def formats(self) -> tuple[dict[int, list[str | None]], dict[str, float]]:
        """Return the number formats of each row's cells, and the widths of columns by their letters."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheet = _load(self.path, self.data)[self.title]
            sheet.reset_dimensions()
            formats = {number: [cell.number_format for cell in row] for number, row in enumerate(sheet.iter_rows(), 1)}
        count = max(map(len, formats.values()), default=0)
        widths = {
            column_letters(at - 1): width
            for first, last, width in _scanned(self.path, sheet, partial(scan, self.path)).widths
            for at in range(first, min(last, count) + 1)
            if width > 0
        }
        return formats, widths


def write_workbook(
    title: str,
    rows: Iterable[Sequence[tuple[Value, str | None]]],
    header: int,
    widths: Mapping[str, float],
) -> bytes:
    """Return a workbook with one sheet.

    Parameters
    ----------
    title : str
        Name of the sheet.
    rows : iterable of sequences of (value, number format or None)
        Text is never a formula.
    header : int
        Index of the header's row, which becomes bold and stays in view.
    widths : mapping
        Widths of columns by their letters.
    """
    openpyxl = library()
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = openpyxl.Workbook(write_only=True)
    name = "".join(letter for letter in title if letter.isprintable() and letter not in "[]:*?/\\'")
    sheet = book.create_sheet(name[:LONGEST_TITLE] or "Stops")
    for letter, width in widths.items():
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = f"A{header + 2}"
    for number, row in enumerate(rows):
        cells = []
        for value, number_format in row:
            if isinstance(value, str):
                value = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
            cell = WriteOnlyCell(sheet, value=value)
            if isinstance(value, str):
                cell.data_type = "s"
            if number_format is not None:
                cell.number_format = number_format
            if number == header:
                cell.font = Font(bold=True)
            cells.append(cell)
        sheet.append(cells)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def column_letters(index: int) -> str:
    """Return the letters of a column, counted from 0."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


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
        if _tags(data) > max(MAX_TAGS, MAX_TAGS_PER_BYTE * len(data)):
            raise InputError("unpacks to too many cells for a workbook of its size; save the sheet as .csv", path)
        return openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
    except InputError:
        raise
    except Exception:  # damaged archives raise many types of errors
        raise InputError("is not an .xlsx workbook, or it is damaged; save it again, or as .csv", path) from None


def _tags(data: bytes) -> int:
    """Return how many tags the files of a workbook have, or bytes that look like one."""
    tags = 0
    with zipfile.ZipFile(BytesIO(data)) as archive:
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


def text_of(value: Value) -> str:
    """Return a cell's value as a CSV would have it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime) else str(value)
