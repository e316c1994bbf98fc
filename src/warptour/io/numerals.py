"""Numbers as spreadsheets of several languages write them: decimal points and commas, digits in groups of three."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final

NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
GROUPED: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,' \u00a0\u2009\u202f\u2019])[0-9]{3}(?:\1[0-9]{3})*")
"""Digits in groups of three, such as 1.234.567 or 12 500."""

SIGNS: Final = (",", ".")
"""Decimal signs."""
AMBIGUOUS: Final = "?"
"""Sign of a sheet whose only marks are in numbers such as 1,234, which may be a thousand."""


def parse(cell: str | float, decimal: str = ".") -> float | None:
    """Return the finite number in a cell, or None; a number of a workbook is what it is.

    ``decimal`` is the sheet's decimal sign; the other one, a space or an apostrophe may separate groups of three
    digits. A decimal point is understood beside decimal commas, too, unless it could be a separator of groups.
    """
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
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


def decimal_sign(cells: Iterable[str | float], separator: str = ",") -> str | None:
    """Return the decimal sign of numbers, None if all of them are integers, :data:`AMBIGUOUS` if it may be either.

    Any number that can be read in one way only decides. Without one, ``separator``, which stands between the cells,
    does: semicolons are written where commas are decimal, and points beside anything else are decimal.
    """
    point = commas = points = False  # a decimal point; commas, points that may separate thousands
    for cell in cells:
        if isinstance(cell, float):
            continue
        if "," in cell:
            text = cell.strip()
            if "." in text:
                return "," if text.rfind(",") > text.rfind(".") else "."
            if text.count(",") > 1:
                return "."
            if not GROUPED.fullmatch(text):
                return ","
            commas = True
        elif "." in cell:
            text = cell.strip()
            if text.count(".") > 1 and GROUPED.fullmatch(text):
                return ","
            if GROUPED.fullmatch(text):
                points = True
            else:
                point = True
    if point:
        return "."
    if commas:
        return "," if separator == ";" and not points else AMBIGUOUS
    return (AMBIGUOUS if separator == ";" else ".") if points else None


def number_text(value: float) -> str:
    """Return a number in Python syntax, integers without a decimal point."""
    return str(int(value)) if abs(value) < 2**53 and value == int(value) else repr(float(value))


def with_sign(text: str, decimal: str) -> str:
    """Return a number in Python's syntax with another decimal sign."""
    return text if decimal == "." else text.replace(".", decimal)


def doubtful(cell: str | float) -> str | None:
    """Return the comma or point in a number such as 1,234 or 1.234, which may separate thousands; otherwise None."""
    found = GROUPED.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return found[1] if found and found[1] in SIGNS else None
