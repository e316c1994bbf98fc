"""A judge of routes with longest rides, by shortest paths among differences of times, without code of the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np


def judged_rides(
    services: Sequence[float],
    legs: Sequence[float],
    windows: Sequence[Sequence[tuple[float, float]]],
    rides: Sequence[tuple[int, int, float]],
    *,
    max_wait: float = math.inf,
    soft: bool = False,
) -> tuple[float, float] | None:
    """Return the least lateness of a route, then its least time from first to last start; None if there is none.

    ``rides`` are numbers of two stops and the most that may lie between the end of service at one and its start at the
    other. With ``soft``, service may begin after the last closing, which counts as lateness.
    """
    found = []
    for chosen in product(*windows):
        opens, closes = map(list, zip(*chosen, strict=True))
        lasts = [each[-1][1] for each in windows]
        ends = [math.inf if soft and shuts == last else shuts for shuts, last in zip(closes, lasts, strict=True)]
        earliest = _least(services, legs, opens, ends, rides, max_wait)
        if earliest is None:
            continue
        late = sum(max(0.0, start - last) for start, last in zip(earliest[1], lasts, strict=True))
        ends = [max(shuts, start) if soft else shuts for shuts, start in zip(closes, earliest[1], strict=True)]
        again = _least(services, legs, opens, ends, rides, max_wait)
        assert again is not None
        found.append((late, again[0]))
    return min(found, default=None)


def _least(
    services: Sequence[float],
    legs: Sequence[float],
    opens: Sequence[float],
    closes: Sequence[float],
    rides: Sequence[tuple[int, int, float]],
    max_wait: float,
) -> tuple[float, list[float]] | None:
    """Return the least time from the first start to the last, and the earliest starts; None if there are none."""
    count = len(services)
    most = np.full(
        (count + 1, count + 1), np.inf
    )  # of the start of one stop minus that of another; the last is 0 o'clock
    np.fill_diagonal(most, 0)
    most[count, :count], most[:count, count] = closes, [-each for each in opens]
    for at, leg in enumerate(legs):
        most[at + 1, at] = min(most[at + 1, at], -(services[at] + leg))
        most[at, at + 1] = min(most[at, at + 1], services[at] + leg + max_wait)
    for pickup, delivery, longest in rides:
        most[pickup, delivery] = min(most[pickup, delivery], services[pickup] + longest)
    for middle in range(count + 1):
        most = np.minimum(most, most[:, middle : middle + 1] + most[middle : middle + 1, :])
    if (np.diag(most) < 0).any():
        return None
    return float(-most[count - 1, 0]), (-most[:count, count]).tolist()
