"""Output on standard output: one JSON object, or a few lines of text."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from warptour.model.errors import OutputError


def show_json(rows: dict[str, Any]) -> None:
    """Print one JSON object; NaN and infinity become null."""
    odd = [key for key, value in rows.items() if isinstance(value, float) and not math.isfinite(value)]
    print_json(rows | dict.fromkeys(odd))


def print_json(value: Any) -> None:
    """Print a value as JSON; raise :class:`OutputError` if standard output was closed before the program started."""
    if sys.stdout is None:
        raise OutputError("standard output is closed, and --json prints there")
    print(json.dumps(value), flush=True)


def printable(text: str) -> str:
    """Return text with control characters escaped: names of files and problems may hold terminal sequences."""
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def show_rows(rows: Mapping[str, str | None], stream: TextIO | None = None) -> None:
    """Print names and values in two columns, skipping missing values; coloured on a terminal."""
    stream = stream or sys.stdout
    known = {name: value for name, value in rows.items() if value is not None}
    width = max(map(len, known), default=0)
    on_terminal = stream is not None and stream.isatty()
    bold, dim, plain = ("\033[1m", "\033[2m", "\033[0m") if on_terminal else ("", "", "")
    for number, (name, value) in enumerate(known.items()):
        strong = bold if number == 0 else ""
        print(f"{dim}{name:<{width}}{plain}  {strong}{printable(value)}{plain}", file=stream)
