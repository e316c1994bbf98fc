"""Numeric sections, parsed in blocks by NumPy; read again line by line only to locate an error.

``numpy.fromstring`` skips any whitespace, so a block is valid exactly if the number of values equals the number of
words and every line has the expected number of words.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from warptour.io.sections import NUMBER, Document, Section
from warptour.io.source import quote
from warptour.model.metric import Floats

BLOCK: Final = 1 << 21
"""Bytes parsed per block; the temporary arrays of a block are about ten times as large."""

LONGEST: Final = 1 << 16
"""Maximum bytes by which a table line or a word may extend past a block."""

EXACT: Final = 2**53
"""Integers of this magnitude may be wrong, since the integer parser saturates; they are parsed as floats."""

GAP: Final = re.compile(rb"\s")
LINE_END: Final = re.compile(rb"\n")


def read_table(document: Document, section: Section, layout: str) -> Floats:
    """Return the rows of a section, one per line, as an array of shape (rows, columns).

    ``layout``: column names, such as ``"node x y"``: their number, and the text for error messages
    """
    columns = len(layout.split())
    parts = []
    for at, block in _blocks(document, section, LINE_END, f"a line of over {LONGEST} characters; a line is '{layout}'"):
        numbers, lines = _parse(block)
        if numbers is None or not _is_table(lines, columns):
            _explain_table(document, section, at, block, layout)
        parts.append(numbers.reshape(-1, columns))
    return np.concatenate(parts) if parts else np.empty((0, columns))


def read_stream(document: Document, section: Section) -> Floats:
    """Return all numbers of a section, regardless of line breaks."""
    parts = []
    for at, block in _blocks(document, section, GAP, f"a word of over {LONGEST} characters; numbers stand here"):
        numbers, _ = _parse(block)
        if numbers is None:
            _explain_stream(document, at, block)
        parts.append(numbers)
    return np.concatenate(parts) if parts else np.empty(0)


def _blocks(document: Document, section: Section, gap: re.Pattern[bytes], fault: str) -> Iterator[tuple[int, bytes]]:
    """Yield where each block of a section begins, and the block; ``gap`` ends one, ``fault`` is for one without."""
    at = section.start
    while at < section.end:
        end = min(at + BLOCK, section.end)
        if end < section.end:
            limit = min(end + LONGEST, section.end)
            found = gap.search(document.data, end, limit)
            if found is None and limit < section.end:
                document.fail(fault, document.line_at(end))
            end = section.end if found is None else found.end()
        yield at, document.data[at:end]
        at = end


def row_line(document: Document, section: Section, row: int) -> int:
    """Return the line number of a table row (``row`` from 0); the last line if there are fewer rows."""
    line = document.line_at(section.start)
    for match in re.finditer(rb"[^\n]*\n?", document.data[section.start : section.end]):
        if match[0].strip():
            if row == 0:
                return line
            row -= 1
        line += 1
    return document.last_line(section)


def word_line(document: Document, section: Section, index: int) -> int:
    """Return the line number of a stream's number (``index`` from 0); the last line if there are fewer."""
    words = re.compile(rb"\S+").finditer(document.data, section.start, section.end)
    for at, match in enumerate(words):
        if at == index:
            return document.line_at(match.start())
    return document.last_line(section)


def _parse(block: bytes) -> tuple[Floats | None, NDArray[np.int32]]:
    """Return the numbers of a block and the line of each; None for the numbers if a word is not a finite number."""
    letters = np.frombuffer(block, np.uint8)
    gaps = letters <= 32
    starts = np.empty(len(letters), bool)
    starts[:1] = ~gaps[:1]
    np.logical_and(gaps[:-1], ~gaps[1:], out=starts[1:])
    lines = np.cumsum(letters == 10, dtype=np.int32)[starts]
    if len(lines) == 0:
        return np.empty(0), lines
    numbers = None
    if not any(mark in block for mark in b".eE"):  # integers parse four times as fast
        integers = _fromstring(block, np.int64)
        if integers is not None and integers.min() > -EXACT and integers.max() < EXACT:
            numbers = integers.astype(np.float64)
    if numbers is None:
        numbers = _fromstring(block, np.float64)
    good = numbers is not None and len(numbers) == len(lines) and bool(np.isfinite(numbers).all())
    return (numbers if good else None), lines


def _fromstring(block: bytes, kind: type[np.number[Any]]) -> NDArray[Any] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # older NumPy warns instead of raising
            return np.fromstring(block, dtype=kind, sep=" ")
    except (ValueError, DeprecationWarning):
        return None


def _is_table(lines: NDArray[np.int32], columns: int) -> bool:
    if len(lines) % columns:
        return False
    table = lines.reshape(-1, columns)
    return bool((table[:, 0] == table[:, -1]).all() and (table[1:, 0] > table[:-1, -1]).all())


def _explain_table(document: Document, section: Section, at: int, block: bytes, layout: str) -> NoReturn:
    columns = len(layout.split())
    line = document.line_at(at)
    for text in block.split(b"\n"):
        words = text.split()
        for word in words[: columns + 1]:
            _check_word(document, word, line, f"a line of {section.name} is '{layout}'")
        if words and len(words) != columns:
            document.fail(f"{len(words)} numbers in a line of {section.name}; a line is '{layout}'", line)
        line += 1
    document.fail(f"{section.name} is not a table of numbers, '{layout}' a line", section.line)


def _explain_stream(document: Document, at: int, block: bytes) -> NoReturn:
    line = document.line_at(at)
    for text in block.split(b"\n"):
        for word in text.split():
            _check_word(document, word, line, "numbers stand here")
        line += 1
    document.fail("not all of this is numbers", document.line_at(at))


def _check_word(document: Document, word: bytes, line: int, right: str) -> None:
    if not NUMBER.fullmatch(word):
        document.fail(f"{quote(word)} is not a number; {right}", line)
    if not np.isfinite(float(word)):
        document.fail(f"{quote(word)} is too large for a number", line)
