"""Cells that are opening hours, times of day or dates."""

from __future__ import annotations

import re
from typing import Final

PARTS_OF_DAYS: Final = set(
    "am pm a.m. p.m. morning mornings noon afternoon afternoons evening evenings night morgen morgens vormittag "
    "vormittags mittag mittags nachmittag nachmittags abend abends nachts matin matinée midi après-midi soir soirée "
    "mañana mañanas mediodía tarde tardes noche mattina mattino pomeriggio sera manhã ochtend ochtends "
    "middag middags avond rano popołudnie wieczór förmiddag eftermiddag kväll formiddag ettermiddag aften kveld ráno "
    "dopoledne odpoledne večer reggel délelőtt délután este aamu aamupäivä iltapäivä ilta".split()
)
"""Cells that say when to come without hours, in lower case."""
WHOLE_DAYS: Final = {"", "-", "any", "anytime", "any time", "all day", "ganztägig", "ganztags", "egal", "journée"}
"""Other cells of such a column."""

LONGEST: Final = 80
"""Maximum characters of a cell that may be opening hours."""

TIME: Final = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d(?::[0-5]\d)?)?(?: ?(?:h|uhr|hrs?|[ap]\.?m\.?))?"
DAYS: Final = r"(?:[a-z]{2,9}\.?(?: ?[-–/+] ?[a-z]{2,9}\.?){0,6} ?:? )?"
RANGE: Final = re.compile(rf"{DAYS}{TIME} ?(?:-|–|—|~|to|bis|à|a|al|alle|tot|do|till|til) ?{TIME}")
SIDE: Final = re.compile(
    r"(?:ab|nach|vor|bis|after|before|from|until|till|by|apres|après|avant|des|dès|dopo|prima|na|voor|po|przed|od|do|"
    rf"efter|fra|til|desde|hasta) {TIME}"
)
JOINT: Final = re.compile(r" ?(?:[,;/&+]|\b(?:and|und|et|y|e|en|och|og)\b) ?")
"""What stands between two ranges."""
CLEAR: Final = re.compile(r"\d:[0-5]\d|\d ?h\b|\dh\d\d|\d ?uhr\b|\d ?[ap]\.?m\b|\d\.(?:00|15|30|45)\b")
"""What makes numbers times of day."""

CLOCK: Final = re.compile(r"(?:\d{4}-\d\d-\d\d[ t])?(?:[01]?\d|2[0-4])[:h.][0-5]\d(?::[0-5]\d)?(?: ?(?:h|uhr|[ap]m))?")
ROUND: Final = re.compile(r"(?:[01]?\d|2[0-4]) ?(?:h|uhr|[ap]\.?m\.?)")
"""A time of day in whole hours: ``12 Uhr``."""
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


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


def is_time(cell: str) -> bool:
    """Return whether a cell is a time of day, with or without a date."""
    return CLOCK.fullmatch(cell.lower()) is not None or ROUND.fullmatch(cell.lower()) is not None


def is_date(cell: str) -> bool:
    """Return whether a cell is a date without a time."""
    return DATE.fullmatch(cell) is not None
