r"""What the cells of spreadsheets say: numbers as several languages write them, names, opening hours and dates.

In a CSV, a name that a spreadsheet would interpret as a formula gets a leading apostrophe. Control characters become
``\u001b``, as in JSON. Surrounding white space is stripped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from warptour.model.hours import DAY

NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
GROUPED: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,' \u00a0\u2009\u202f\u2019])[0-9]{3}(?:\1[0-9]{3})*")
"""Digits in groups of three, such as 1.234.567 or 12 500."""
SIGNS: Final = (",", ".")
"""Decimal signs."""
AMBIGUOUS: Final = "?"
"""Returned for a sheet whose commas or points may all separate thousands, as in 1,234."""

FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠]")
"""Start of a formula, possibly escaped already by apostrophes."""
CODE: Final = r"u00(?:[01][0-9a-f]|7f|[89][0-9a-f]|5c)"
CODED: Final = re.compile(rf"\\{CODE}")
CONTROL: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\\(?={CODE})")
"""Characters to escape: control characters except tab and line feed, and backslashes that look like an escape."""

LONGEST: Final = 80
"""Maximum number of characters of a cell that may be opening hours."""
TIME: Final = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d(?::[0-5]\d)?)?(?: ?(?:h|uhr|hrs?|[ap]\.?m\.?))?"
DAYS: Final = r"(?:[a-z]{2,9}\.?(?: ?[-–/+] ?[a-z]{2,9}\.?){0,6} ?:? )?"
RANGE: Final = re.compile(rf"{DAYS}{TIME} ?(?:-|–|—|−|~|to|bis|à|a|al|alle|tot|do|till|til) ?{TIME}")
SIDE: Final = re.compile(
    r"(?:ab|nach|vor|bis|after|before|from|until|till|by|apres|après|avant|des|dès|dopo|prima|na|voor|po|przed|od|do|"
    rf"efter|fra|til|desde|hasta) {TIME}"
)
JOINT: Final = re.compile(r" ?(?:[,;/&+]|\b(?:and|und|et|y|e|en|och|og)\b) ?")
"""What stands between two ranges."""
CLEAR: Final = re.compile(r"\d:[0-5]\d|\d ?h\b|\dh\d\d|\d ?uhr\b|\d ?[ap]\.?m\b|\d\.(?:00|15|30|45)\b")
"""What makes numbers times of day."""
AMOUNT: Final = re.compile(r"([-+\d.,]+) ?(s(?:ec(?:ond)?s?)?|min(?:ute[ns]?|s)?|h(?:ours?|rs?)?)\.?", re.IGNORECASE)
AMOUNTS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds of an amount of time with its unit, by the first letter of that."""
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def text_at(cells: Sequence[object], at: int) -> str:
    """Return the text of one of the cells of a row, which may be short."""
    return "" if at >= len(cells) or cells[at] is None else str(cells[at]).strip()


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


def parse_time(cell: str | float, decimal: str, unit: float) -> float | None:
    """Return the amount of time in a cell, in units of so many seconds: ``5 min`` and ``1.5 h`` say their own."""
    found = None if isinstance(cell, float) else AMOUNT.fullmatch(cell.strip())
    if found is None:
        return parse(cell, decimal)
    value = parse(found[1], decimal)
    return None if value is None else value * AMOUNTS[found[2][0].lower()] / unit


def fraction_of_day(cell: str | float) -> float | None:
    """Return the seconds after midnight of a time that a spreadsheet keeps as a part of a day, 0.375; None of others.

    Texts of two decimals are none, as 0.30 is half past midnight.
    """
    value = cell if isinstance(cell, float) else parse(cell, "," if "," in cell else ".") if len(cell) > 4 else None
    return None if value is None or not 0 < value < 1 else float(round(value * DAY))


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


def doubtful(cell: str | float) -> str | None:
    """Return the comma or point in a number such as 1,234 or 1.234, which may separate thousands; otherwise None."""
    found = GROUPED.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return found[1] if found and found[1] in SIGNS else None


def escaped(text: str) -> str:
    """Return a text with its control characters escaped."""
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def safe_text(name: str) -> str:
    """Return a name as spreadsheets and terminals may show it: no formula, no control characters."""
    text = escaped(name).strip()
    return f"'{text}" if FORMULA.match(text) else text


def cell_text(name: str) -> str:
    """Return a name as a CSV cell, quoted if necessary."""
    text = safe_text(name)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",;\t\n]', text) else text


def name_of(cell: str) -> str:
    """Return the name in a cell: the inverse of :func:`cell_text`."""
    text = cell.strip()
    if text.startswith("'") and FORMULA.match(text):
        text = text[1:]
    return CODED.sub(lambda found: chr(int(found[0][2:], 16)), text)


def are_hours(cell: str) -> bool:
    """Return whether a cell clearly is opening hours: ``13:00-18:00``, ``8-12, 14-18``, ``ab 9 Uhr``."""
    if not 3 <= len(cell) <= LONGEST or not any(map(str.isdigit, cell)):
        return False
    text = " ".join(cell.lower().split())
    if SIDE.fullmatch(text):
        return CLEAR.search(text) is not None
    parts = [part for part in JOINT.split(text) if part]
    ranges = sum(RANGE.fullmatch(part) is not None for part in parts)
    return 0 < ranges == len(parts) and (ranges > 1 or CLEAR.search(text) is not None)


def is_date(cell: str) -> bool:
    """Return whether a cell is a date without a time."""
    return DATE.fullmatch(cell) is not None
