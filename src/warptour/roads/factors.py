"""Speed factors by hour and class of street, from a small table.

    hour,*,motorway,primary
    7,0.9,0.6,0.5
    8-10,0.8,0.5,0.5

The column ``*`` is for all classes without one of their own; 8-10 lasts from 8:00 to 10:00; hours without a row are
free.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

import numpy as np

from warptour.model.errors import InputError
from warptour.model.metric import Floats
from warptour.model.traffic import DAY
from warptour.roads.network import Int64s
from warptour.roads.profile import Profile

HOURS: Final = re.compile(r"(\d{1,2})(?::00)?(?:\s*-\s*(\d{1,2})(?::00)?)?")
OTHERS: Final = "*"
LEAST, MOST = 0.01, 10.0
"""Smallest and largest factor."""
LARGEST: Final = 1 << 20
"""Maximum size of a table, in bytes."""


@dataclass(frozen=True)
class SpeedFactors:
    """Factors of speed."""

    columns: Int64s  # column of each class of a profile, by its number
    factors: Floats  # (columns, 24)


def read_factors(path: str | PathLike[str], profile: Profile) -> SpeedFactors:
    """Return the factors in a table, or raise :class:`InputError` with its line."""
    name = fspath(path)
    try:
        with open(name, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file.read(LARGEST).splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", name) from None
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if len(header) < 2 or header[0] != "hour" or len({*header}) < len(header):
        raise InputError("a table of speeds begins with hour and classes of streets: hour,*,motorway,primary", name, 1)
    unknown = [word for word in header[1:] if word not in (OTHERS, *profile.classes)]
    if unknown:
        known = ", ".join(profile.classes)
        raise InputError(f"{unknown[0]!r} is no class of street of a {profile.name}; there are {known} and *", name, 1)
    factors, seen = np.ones((len(header), DAY)), dict[int, int]()
    for line, cells in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            raise InputError(f"has {len(cells)} cells below a header of {len(header)}", name, line)
        values = [_factor(cell, name, line) for cell in cells[1:]]
        for hour in _hours(cells[0], name, line):
            if hour in seen:
                raise InputError(f"the hour {hour} stands in line {seen[hour]}, too", name, line)
            seen[hour] = line
            factors[1:, hour] = values
    column = {word: at for at, word in enumerate(header)}
    columns = np.array([column.get(kind, column.get(OTHERS, 0)) for kind in profile.classes])
    return SpeedFactors(columns, factors)


def _hours(text: str, name: str, line: int) -> list[int]:
    found = HOURS.fullmatch(text.strip())
    first = -1 if found is None else int(found[1])
    last = first if found is None or found[2] is None else int(found[2]) - 1
    if found is None or not 0 <= first <= last < DAY:
        raise InputError(f"{text.strip()!r} is no hour, 0 to 23, and no span of hours such as 7-10", name, line)
    return list(range(first, last + 1))


def _factor(text: str, name: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not LEAST <= value <= MOST:
        raise InputError(f"{text.strip()!r} is no factor of a speed, a number from {LEAST} to {MOST:g}", name, line)
    return value
