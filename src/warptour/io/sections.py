"""The common grammar of TSPLIB and CVRPLIB files: ``KEY : value`` lines and sections of numbers.

A :class:`Document` locates keywords and sections; interpreting them is left to its readers. A line that starts with a
letter is a keyword; everything between a section's keyword and the next such line is its data. Keywords are
case-insensitive, with or without the colon; an unknown one is rejected, because ignoring a misspelled ``DISTANCE``
would give a different problem. Text after ``EOF`` is ignored; ``EOF`` may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike, fspath
from typing import Final, NoReturn

from warptour.io.source import load_lines, quote
from warptour.model.errors import InputError

HEADERS: Final = (
    "NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE", "CAPACITY", "DISTANCE", "SERVICE_TIME", "VEHICLES", "FIXED_COST", "VEHICLES_MAX_DURATION",
    "VEHICLES_MAX_DISTANCE", "VEHICLES_FIXED_COST", "VEHICLES_UNIT_DISTANCE_COST", "VEHICLES_UNIT_DURATION_COST",
    "VEHICLES_MAX_RELOADS", "VEHICLES_RELOAD_DEPOT",
)  # fmt: skip
"""Keywords with a value. FIXED_COST, per used vehicle, is an extension of warptour, those that begin with VEHICLES_ of
PyVRP."""

REMARKS: Final = ("COMMENT", "BEST_KNOWN", "OPTIMAL_VALUE", "AUTHOR", "SOURCE", "DATE", "VERSION", "REFERENCE", "URL")
"""Keywords that have no effect and may repeat."""

SECTIONS: Final = (
    "NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION", "FIXED_EDGES_SECTION", "DEMAND_SECTION",
    "DEPOT_SECTION", "SERVICE_TIME_SECTION", "TOUR_SECTION", "TIME_WINDOW_SECTION", "TIME_WINDOW_GAP_SECTION",
    "CAPACITY_SECTION", "VEHICLES_DEPOT_SECTION", "VEHICLES_MAX_DURATION_SECTION", "VEHICLES_MAX_DISTANCE_SECTION",
    "VEHICLES_FIXED_COST_SECTION", "VEHICLES_UNIT_DISTANCE_COST_SECTION", "VEHICLES_UNIT_DURATION_COST_SECTION",
    "VEHICLES_ALLOWED_CLIENTS_SECTION", "PRIZE_SECTION", "MUTUALLY_EXCLUSIVE_GROUP_SECTION", "RELEASE_TIME_SECTION",
    "BACKHAUL_SECTION", "VEHICLES_MAX_RELOADS_SECTION", "VEHICLES_RELOAD_DEPOT_SECTION",
)  # fmt: skip
"""Keywords that data follow. TIME_WINDOW_GAP_SECTION, for several windows of a node, is an extension of warptour."""

ALIASES: Final = {"FIXED_EDGES": "FIXED_EDGES_SECTION"}

UNSUPPORTED: Final = {
    "EDGE_DATA_FORMAT": "graphs given by their edges",
    "EDGE_DATA_SECTION": "graphs given by their edges",
    "PICKUP_AND_DELIVERY_SECTION": "pickups and deliveries",
    "PICKUP_SECTION": "pickups and deliveries",
    "SALESMEN": "several salesmen",
    "GROUP_SECTION": "groups of nodes",
    "GTSP_SETS": "groups of nodes",
    "GTSP_SET_SECTION": "groups of nodes",
    "REQUIRED_NODES_SECTION": "optional nodes",
    "RELEASE_TIME": "one release time for all, instead of a RELEASE_TIME_SECTION,",
}  # fmt: skip

FIRST_LINE: Final = re.compile(rb"[ \t\r\f\v]*([A-Za-z_][^\n]*)")
KEYWORD_LINE: Final = re.compile(rb"\n[ \t\r\f\v]*([A-Za-z_][^\n]*)")
"""Separate from FIRST_LINE, because a pattern that starts with a literal character is ten times faster."""

KEYWORD: Final = re.compile(rb"([^\s:=]+)[ \t]*[:=]?")
INK: Final = re.compile(rb"\S")
NUMBER: Final = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,10})?")
INTEGER: Final = re.compile(rb"[+-]?[0-9]{1,18}")


@dataclass(frozen=True)
class Header:
    """Value of a keyword and its line number."""

    value: str
    line: int


@dataclass(frozen=True)
class Section:
    """Extent of a section's data, ``data[start:end]``, with its keyword in line ``line``."""

    name: str
    line: int
    start: int
    end: int


@dataclass
class Document:
    """A file split into keywords and sections.

    Attributes
    ----------
    path : str
    data : bytes
        The whole file.
    headers : dict of Header
    sections : dict of Section
    comments : list of str
    """

    path: str
    data: bytes
    headers: dict[str, Header] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Document:
        """Read and split a file; raise :class:`InputError` with the line of a syntax error."""
        document = cls(fspath(path), load_lines(path))
        document._cut()
        return document

    def _cut(self) -> None:
        line, counted, open_section = 1, 0, ""
        begin = 0  # start of the data after the latest keyword
        begin_line = 1
        first = FIRST_LINE.match(self.data)
        for match in chain([first] if first else [], KEYWORD_LINE.finditer(self.data)):
            at = match.start(1)
            line += self.data.count(b"\n", counted, at)
            counted = at
            self._close(open_section, begin_line, begin, at)
            word = KEYWORD.match(self.data, at)
            assert word is not None  # the line starts with a letter
            name = word[1][:200].decode("utf-8", "replace").upper()
            name = ALIASES.get(name, name)
            if name == "EOF":
                return
            open_section = name if name in SECTIONS else ""
            begin, begin_line = (word.end() if open_section else match.end(1)), line
            if open_section:
                if name in self.sections:
                    self.fail(f"a second {name}; line {self.sections[name].line} has the first", line)
                self.sections[name] = Section(name, line, begin, begin)
            else:
                self._note(name, word[1], self.data[word.end() : match.end(1)], line)
        self._close(open_section, begin_line, begin, len(self.data))

    def _close(self, open_section: str, line: int, begin: int, end: int) -> None:
        if open_section:
            self.sections[open_section] = Section(open_section, line, begin, end)
            return
        stray = INK.search(self.data, begin, end)
        if stray:
            token = self.data[stray.start() : stray.start() + 200].split(None, 1)[0]
            message = f"{quote(token)} stands outside of a section; here a line is 'KEYWORD : value'"
            self.fail(message, self.line_at(stray.start()))

    def _note(self, name: str, word: bytes, value: bytes, line: int) -> None:
        text = " ".join(value[:1000].decode("utf-8", "replace").split())
        text = "".join(letter for letter in text if letter.isprintable())
        if name in REMARKS:
            if name == "COMMENT":
                self.comments.append(text)
            return
        if name in UNSUPPORTED:
            self.fail(f"{name}: {UNSUPPORTED[name]} are not supported", line)
        if name not in HEADERS:
            import difflib  # slow import, rarely needed

            near = difflib.get_close_matches(name[:60], (*HEADERS, *SECTIONS), 1)
            common = ", ".join(word for word in (*HEADERS, *SECTIONS) if not word.startswith("VEHICLES_"))
            hint = f"did you mean {near[0]}?" if near else f"known are {common}, EOF"
            self.fail(f"unknown keyword {quote(word)}; {hint}", line)
        old = self.headers.get(name)
        if old is not None and old.value != text:
            self.fail(f"{name} is {quote(text)} here and {quote(old.value)} in line {old.line}; keep one", line)
        self.headers.setdefault(name, Header(text, line))

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise :class:`InputError` for this file."""
        raise InputError(message, self.path, line)

    def line_at(self, offset: int) -> int:
        """Return the line number, from 1, of a byte offset."""
        return 1 + self.data.count(b"\n", 0, offset)

    def last_line(self, section: Section | None = None) -> int:
        """Return the last non-blank line of a section, or of the file."""
        start, end = (0, len(self.data)) if section is None else (section.start, section.end)
        while end > start and self.data[end - 1] in b" \t\r\n\f\v":
            end -= 1
        return self.line_at(end) if end > start else section.line if section else 1

    def word(self, key: str, default: str | None = None) -> str:
        """Return the first word of a keyword's value in capitals; without a default, a missing value is an error."""
        header = self.headers.get(key)
        if header is None:
            if default is None:
                self.fail(f"there is no {key}", self.first_section_line())
            return default
        if not header.value:
            self.fail(f"{key} has no value", header.line)
        return header.value.split()[0].upper()

    def number(self, key: str) -> float | None:
        """Return a keyword's finite value, as int if integral, or None if the keyword is missing."""
        header = self.headers.get(key)
        if header is None:
            return None
        text = header.value.encode()
        if INTEGER.fullmatch(text):
            return int(text)
        value = float(text) if NUMBER.fullmatch(text) else float("inf")
        if value in (float("inf"), float("-inf")):
            self.fail(f"{key} is {quote(header.value)}; it must be a number", header.line)
        return value

    def integer(self, key: str) -> int | None:
        """Return a keyword's value as a positive integer, or None if the keyword is missing."""
        header = self.headers.get(key)
        if header is None:
            return None
        if not INTEGER.fullmatch(header.value.encode()) or int(header.value) < 1:
            self.fail(f"{key} is {quote(header.value)}; it must be an integer of at least 1", header.line)
        return int(header.value)

    def dimension(self) -> int:
        """Return the mandatory DIMENSION. It is unverified: compare it with the data before allocating by it."""
        n = self.integer("DIMENSION")
        if n is None:
            self.fail("there is no DIMENSION, the number of nodes", self.first_section_line())
        return n

    def first_section_line(self) -> int:
        """Return the line of the first section, where the header ends."""
        return min((section.line for section in self.sections.values()), default=self.last_line())

    def require(self, name: str, because: str, line: int | None = None) -> Section:
        """Return a section, or fail with the reason it is needed."""
        if name not in self.sections:
            self.fail(f"there is no {name}; {because}", line or self.last_line())
        return self.sections[name]

    def refuse(self, names: Iterable[str], because: str) -> None:
        """Fail if one of these keywords or sections is present."""
        for name in names:
            found = self.headers.get(name) or self.sections.get(name)
            if found is not None:
                self.fail(f"{name} {because}", found.line)
