"""Traces that are read: complete ones, and ones that still grow. Those of version 1 open, too."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from warptour.io.files import open_regular
from warptour.io.source import load
from warptour.model.errors import InputError

Line: TypeAlias = dict[str, Any]

CHUNK: Final = 2**20
LONGEST_LINE: Final = 2**22
"""Maximum bytes of a line: one with a thousand workers takes a tenth of a megabyte."""
MAX_LINES: Final = 2_000_000
"""Maximum lines that are kept in memory."""
MAX_DEPTH: Final = 20
"""Maximum depth of lists and objects in a line; the trace itself has four."""
FORM: Final = 'a line of a trace is {"t": ..., "cost": ...}'


class TraceLines:
    """The lines of a trace, as far as it has been written.

    ``name``: what errors call the file
    ``lines``: each has ``event``, whatever the version; lines of unknown events are left out
    ``error``: the first line that could not be read; nothing after it is
    """

    def __init__(self, path: str | PathLike[str], name: str | None = None) -> None:
        self.path = Path(path)
        self.name = str(path) if name is None else name
        self.lines: list[Line] = []
        self.error: InputError | None = None
        self._read = self._number = 0
        self._rest = b""

    @property
    def begin(self) -> Line | None:
        """The first line of version 2; None before it is there, and of version 1."""
        return self.lines[0] if self.lines and self.lines[0]["event"] == "begin" else None

    @property
    def ended(self) -> bool:
        """Whether the last line is there."""
        return bool(self.lines) and self.lines[-1]["event"] == "end"

    def grow(self) -> int:
        """Read what has been appended; return the number of new lines. A missing file counts as empty."""
        before = len(self.lines)
        try:
            with open_regular(self.path) as file:
                if os.fstat(file.fileno()).st_size < self._read:
                    raise InputError("the trace was replaced by a shorter one", self.name)
                file.seek(self._read)
                while self.error is None and (data := file.read(CHUNK)):
                    self._read += len(data)
                    self._take(data)
        except FileNotFoundError:
            pass
        except OSError as error:
            self.error = InputError(f"cannot be read: {error.strerror}", self.name)
        except InputError as error:
            self.error = error
        return len(self.lines) - before

    def _take(self, data: bytes) -> None:
        *complete, self._rest = (self._rest + data).split(b"\n")
        for text in complete:
            self._number += 1
            self._keep(text)
        if len(self._rest) > LONGEST_LINE:
            raise InputError(FORM, self.name, self._number + 1)

    def _keep(self, text: bytes) -> None:
        if not text.strip():
            return
        line = parse_line(text, self.name, self._number)
        if len(self.lines) >= MAX_LINES:
            raise InputError(f"a trace has at most {MAX_LINES:,} lines here", self.name, self._number)
        if line is not None:
            self.lines.append(line)


def parse_line(text: bytes, name: str, number: int) -> Line | None:
    """Return a line as version 2 has it, None if its event is unknown, or raise :class:`InputError`."""
    try:
        line = checked_json(text.decode("utf-8", "replace"))
        if "event" not in line:
            line = {"event": "workers" if "workers" in line else "improvement", **line}
        check = SHAPES.get(line["event"])
        if not _is_number(line["t"]) or (check is not None and not check(line)):
            raise ValueError(FORM)
    except UnsoundError as error:
        raise InputError(f"a trace has {error}", name, number) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(FORM, name, number) from None
    return line if check is not None else None


class UnsoundError(ValueError):
    """JSON that cannot be handed on; the text says what it should have."""


def checked_json(text: str) -> Any:
    """Return the value of a JSON text that every reader takes: its numbers are finite, its texts Unicode.

    Raises :class:`ValueError` or :class:`RecursionError` if it is none.
    """
    value = json.loads(text, parse_constant=_refuse)
    _check(value, MAX_DEPTH)
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise UnsoundError("Unicode text, no half of a surrogate pair") from None
    return value


def _refuse(word: str) -> NoReturn:
    raise UnsoundError("finite numbers")


def _check(value: Any, depth: int) -> None:
    if isinstance(value, dict | list):
        if not depth:
            raise UnsoundError(f"at most {MAX_DEPTH} levels of lists and objects")
        for part in value.values() if isinstance(value, dict) else value:
            _check(part, depth - 1)
    elif isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        raise UnsoundError("finite numbers")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _has_cost(line: Line) -> bool:
    bound = line.get("lower_bound")
    return _is_number(line["cost"]) and (bound is None or _is_number(bound))


SHAPES: Final[dict[str, Callable[[Line], bool]]] = {
    "begin": lambda line: isinstance(line["version"], int),
    "improvement": _has_cost,
    "bound": _has_cost,
    "step": lambda line: (
        isinstance(line["of"], str)
        and _is_number(line["number"])
        and isinstance(line["facts"], dict)
        and all(map(_is_number, line["facts"].values()))
    ),
    "contributions": lambda line: _is_rows(line["rows"]),
    "workers": lambda line: _is_rows(line["workers"]),
    "note": lambda line: isinstance(line["text"], str),
    "end": lambda line: line["cost"] is None or _has_cost(line),
}
"""What the line of each event must have."""


@dataclass(frozen=True)
class Point:
    """A cost in a trace: elapsed seconds, cost, and the lower bound if one was known."""

    seconds: float
    cost: float
    lower_bound: float | None = None


def points(lines: list[Line]) -> list[Point]:
    """Return the costs of a trace."""
    costs = (line for line in lines if line["event"] in ("improvement", "bound", "end") and line["cost"] is not None)
    return [Point(float(line["t"]), float(line["cost"]), _bound(line)) for line in costs]


def _bound(line: Line) -> float | None:
    bound = line.get("lower_bound")
    return None if bound is None else float(bound)


def read_trace(path: str | PathLike[str]) -> list[Point]:
    """Return the costs of a trace; a last line that is cut off, as of a run that goes on, is left out.

    Raises :class:`InputError` if the file is no trace or has no complete line.
    """
    *complete, last = load(path).split(b"\n")
    lines = [parse_line(text, str(path), number) for number, text in enumerate(complete, 1) if text.strip()]
    try:
        lines.append(parse_line(last, str(path), len(complete) + 1) if last.strip() else None)
    except InputError:
        if not any(lines):
            raise
    found = points([line for line in lines if line is not None])
    if not found:
        raise InputError("there is no line in this trace yet", path)
    return found
