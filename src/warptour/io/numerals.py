"""Numbers as spreadsheets of several languages write them: decimal points and commas, digits in groups of three."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final

NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
GROUPED: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,' \u00a0\u2009\u202f\u2019])[0-9]{3}(?:\1[0-9]{3})*")
"""Digits in groups of three, such as 1.234.567 or 12 500."""

AMBIGUOUS: Final = "?"
"""Sign of a sheet whose only commas are in numbers such as 1,234."""


def parse(cell: str, decimal: str = ".") -> float | None:
    """Return the finite number in a cell, or None.

    ``decimal`` is the sheet's decimal sign; the other one, a space or an apostrophe may separate groups of three
    digits. A decimal point is understood beside decimal commas, too, unless it could be a separator of groups.
    """
    text = cell.strip().replace("\u2212", "-")
    if NUMBER.fullmatch(text):
        if decimal == "," and GROUPED.fullmatch(text):
            text = text.replace(".", "")
    else:
        whole, sign, fraction = text.partition(decimal)
        grouped = GROUPED.fullmatch(whole)
        if grouped and grouped[1] != decimal:
            whole = whole.replace(grouped[1], "")
        text = f"{whole}.{fraction}" if sign else whole
        if not NUMBER.fullmatch(text):
            return None
    value = float(text)
    return value if math.isfinite(value) else None


def decimal_sign(cells: Iterable[str]) -> str | None:
    """Return the decimal sign of numbers, :data:`AMBIGUOUS`, or None if all of them are integers."""
    doubtful = point = False
    for cell in cells:
        if "," in cell:
            text = cell.strip()
            if "." in text:
                return "," if text.rfind(",") > text.rfind(".") else "."
            if text.count(",") > 1:
                return "."
            if not GROUPED.fullmatch(text):
                return ","
            doubtful = True
        elif "." in cell:
            point = True
    return "." if point else AMBIGUOUS if doubtful else None


def number_text(value: float) -> str:
    """Return a number in Python syntax, integers without a decimal point."""
    return str(int(value)) if abs(value) < 2**53 and value == int(value) else repr(float(value))


def with_sign(text: str, decimal: str) -> str:
    """Return a number in Python's syntax with another decimal sign."""
    return text if decimal == "." else text.replace(".", decimal)
