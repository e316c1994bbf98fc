"""Hours as people write them: ``08:00-12:00, 14:00-18:00``, ``8-12 und 14-18 Uhr``, ``9am-5pm``, ``ab 13 Uhr``.

Times are seconds after midnight. ``06:00 +1`` is on the next day, as results have it. Texts of people who plan without
a clock are plain numbers: ``0-230``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from warptour.model.clock import HOUR, MINUTE, format_time
from warptour.model.errors import InputError
from warptour.model.quantities import finite_number

Window: TypeAlias = tuple[float, float]

DAY: Final = 24 * HOUR
"""Seconds of a day."""
LONGEST: Final = 200
"""Maximum characters of hours: patterns may take the square of a text's length."""

# All patterns are of texts as `_plain` leaves them: in lower case, without accents.
_UNIT: Final = r"(?: ?(?:[ap]\.? ?m\.?|hrs?\.?|h\.?|hs|heures?|horas?|ore|uhr|uur))?"
_TIME: Final = rf"(?:(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?|[0-2]\d[0-5]\d){_UNIT}(?: ?\+\d)?"
"""A time of day: ``8``, ``08:00``, ``8.30``, ``8h30``, ``0830``, ``5 p.m.``, ``06:00 +1``."""
_PARTS: Final = re.compile(
    r"(?P<hours>\d\d?)(?:[:.h](?P<minutes>\d\d)(?::(?P<seconds>\d\d(?:\.\d+)?))?)?(?P<more>\d\d)?"
    r" ?(?:(?P<half>[ap])\.? ?m)?[^+]*(?:\+(?P<days>\d))?"
)
_TO: Final = r"(?:-|–|—|−|~|to|until|till?|bis(?: zu)?|a|al|alle|hasta|jusqu'a|tot|do|ate|as)"
_FROM: Final = "from|von|de|des|desde|da|dalle|del|van|vanaf|od|fra|fran"
_RANGE: Final = re.compile(rf"(?:(?:{_FROM}) )?(?P<opens>{_TIME}) ?{_TO} ?(?P<closes>{_TIME})")
"""``8-12``, ``von 8 bis 12``."""
_BETWEEN: Final = re.compile(
    rf"(?:between|zwischen|entre|tra) (?P<opens>{_TIME}) (?:and|und|et|y|e) (?P<closes>{_TIME})"
)
"""``zwischen 8 und 12``: the word between its times also joins windows."""
_AFTER: Final = re.compile(
    "(?:(?:ab|nach|nicht vor|fruhestens|after|from|since|not before|earliest|apres|des|a partir de|au plus tot|desde|"
    rf"despues de|no antes de|dopo|dalle|na|vanaf|po|efter|fra) |(?:>=?|≥) ?)(?P<opens>{_TIME})"
)
"""An opening without a closing."""
_ONWARD: Final = re.compile(rf"(?P<opens>{_TIME}) ?[-–—−]")
"""The same as results have it: ``13:00-``."""
_BEFORE: Final = re.compile(
    "(?:(?:bis|vor|bis spatestens|spatestens|before|until|till?|by|not after|latest|avant|jusqu'a|au plus tard|"
    rf"antes de|hasta|a mas tardar|prima|entro|voor|tot|przed|do|til) |(?:<=?|≤) ?)(?P<closes>{_TIME})"
)
"""A closing without an opening."""
_FORMS: Final = (_RANGE, _AFTER, _BEFORE, _ONWARD)
_JOINT: Final = re.compile(r" ?(?:[,;/&|]|\b(?:and|und|et|y|e|en|och|og|sowie)\b) ?")
"""What stands between two windows."""
_SPACED: Final = re.compile(r"(\d) h (\d\d)\b")
"""``8 h 30``, as French has it."""
_DATE: Final = re.compile(r"(?P<day>\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})(?:,? |t)(?P<time>.+)")
"""A date before a time."""
_NUMBERS: Final = re.compile(r"(\d+(?:\.\d+)?(?:e\d+)?) ?(?:-|–|to) ?(\d+(?:\.\d+)?(?:e\d+)?|inf)")


class Moment(NamedTuple):
    """A time: its day as written, empty without one, and the seconds after midnight."""

    day: str
    seconds: float


def moment_in(text: str) -> Moment | None:
    """Return the time of day in a text, with or without a date; None if it is none."""
    plain = _plain(text)
    found = _DATE.fullmatch(plain)
    day, time = (found["day"], found["time"]) if found else ("", plain)
    return Moment(day, _seconds(time)) if re.fullmatch(_TIME, time) and _is_time(time) else None


def windows_in(text: str) -> list[Window] | None:
    """Return the windows in a text, in its order; None if it has anything else. Some may end before they begin."""
    plain = _plain(text)
    whole = _BETWEEN.fullmatch(plain)
    windows: list[Window] = []
    for part in [plain] if whole else _JOINT.split(plain):
        found = whole or next((match for form in _FORMS if (match := form.fullmatch(part))), None)
        times = found.groupdict() if found else {}
        if not times or not all(map(_is_time, times.values())):
            return None
        if len(times) == 2:
            windows.append(_range(times["opens"], times["closes"]))
        elif "opens" in times:
            windows.append((_seconds(times["opens"]), math.inf))
        else:
            windows.append((0.0, _seconds(times["closes"])))
    return windows


def span_of(value: Any, what: str, *, timed: bool) -> list[Window]:
    """Return the windows that a user gives: a text, a pair of numbers or texts, or a list of such pairs.

    ``what``: whose windows they are, for messages
    ``timed``: whether there are times of day; otherwise texts are numbers
    """
    if isinstance(value, str):
        windows = windows_in(value) if timed else _numbers_in(value)
        if windows is None:
            right = "'08:00-17:00'" if timed else "'0-230', in the unit of the distances; hours need travel times"
            raise InputError(f"{what}: {value!r} is no window; write it as {right}")
    elif not _is_sequence(value):
        raise InputError(f"{what}: a window is an opening and a closing, not {value!r}")
    else:
        windows = [_pair(each, what, timed=timed) for each in ([value] if _is_pair(value) else value)]
    for opens, closes in windows:
        check_order(opens, closes, what, timed=timed)
    return windows


def check_order(opens: float, closes: float, what: str, *, timed: bool = True) -> None:
    """Raise :class:`InputError` for a window that ends before it begins."""
    if closes < opens:
        begins, ends = (format_time(time) if timed else f"{time:g}" for time in (opens, closes))
        later = ends
        if timed:
            noon = closes + DAY / 2
            later = format_time(noon) if max(opens, closes) <= DAY / 2 else f"{ends} +1"
        right = f"; is {begins}-{later} meant?" if timed else ""
        raise InputError(f"{what} ends at {ends}, before it begins at {begins}{right}")


def _plain(text: str) -> str:
    """Return a text in lower case without accents and repeated spaces; nothing of one that is too long for hours."""
    joined = "" if len(text) > LONGEST else text.strip().replace("\n", ", ").replace("’", "'")
    letters = unicodedata.normalize("NFKD", joined.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _SPACED.sub(r"\1h\2", " ".join(bare.split()).replace(" las ", " "))


def _is_time(time: str) -> bool:
    """Return whether a text that has the form of a time is one: not 13 pm, not 24:30."""
    found = _PARTS.fullmatch(time)
    assert found is not None
    within = _seconds(time) - int(found["days"] or 0) * DAY <= DAY
    return within and (not found["half"] or 1 <= int(found["hours"]) <= 12)


def _seconds(time: str) -> float:
    found = _PARTS.fullmatch(time)
    assert found is not None
    hours, minutes = int(found["hours"]), int(found["minutes"] or found["more"] or 0)
    if found["half"]:
        hours = hours % 12 + (12 if found["half"] == "p" else 0)
    return hours * HOUR + minutes * MINUTE + float(found["seconds"] or 0) + int(found["days"] or 0) * DAY


def _range(opens: str, closes: str) -> Window:
    """Return a window; ``1-5pm`` begins at 13:00, ``8-5pm`` at 08:00."""
    begin, end = _seconds(opens), _seconds(closes)
    half = re.search(r"([ap])\.? ?m", closes)
    if half and not re.search(r"[ap]\.? ?m", opens) and begin <= 12 * HOUR + 59 * MINUTE:
        alike = _seconds(f"{opens} {half[1]}m")
        if alike < end:
            begin = alike
    return begin, end


def _numbers_in(text: str) -> list[Window] | None:
    """Return windows of plain numbers: ``0-230, 300-400``."""
    found = [_NUMBERS.fullmatch(part.strip().lower()) for part in text.split(",")]
    return [(float(each[1]), float(each[2])) for each in found if each] if all(found) else None


def _is_pair(value: Any) -> bool:
    return len(value) == 2 and not any(_is_sequence(each) for each in value)


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str)


def _pair(pair: Sequence[Any], what: str, *, timed: bool) -> Window:
    """Return a window from its two ends, which are numbers, times of day or None."""
    if not _is_sequence(pair) or len(pair) != 2:
        raise InputError(f"{what}: a window is an opening and a closing, not {pair!r}")
    ends = []
    for given, missing in zip(pair, (0.0, math.inf), strict=True):
        end: float | None = missing if given is None or given == math.inf else finite_number(given)
        if isinstance(given, str):
            moment = moment_in(given) if timed else None
            end = moment.seconds if moment is not None and not moment.day else None
        if end is None or end < 0:
            right = "08:00, or a number of seconds after midnight" if timed else "a number of at least 0"
            raise InputError(f"{what}: {given!r} is no time; write it as {right}")
        ends.append(end)
    opens, closes = ends
    if timed and 0 < closes <= DAY / HOUR and not any(isinstance(each, str) for each in pair):
        raise InputError(f"{what} ends {closes:g} seconds after midnight; hours are texts: '{opens:g}-{closes:g}'")
    return opens, closes
