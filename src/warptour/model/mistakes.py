"""Coordinates that are probably mistakes: degrees taken for a plane, 0,0, and a stop at the other end of the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.bounds import bounds
from warptour.model.metric import Floats

SAMPLE: Final = 1_000_000
"""Approximate number of points whose decimals are examined; up to twice as many."""

ADVICE: Final = (
    "look like longitude and latitude in degrees, but are measured as coordinates of a plane: "
    "--latlon (in Python latlon=True) measures metres on the Earth, --no-latlon (latlon=False) means the plane"
)

MARGIN_DEGREES: Final = 5.0
"""Distance in degrees from the box of the other stops within which 0,0 is no surprise."""
MARGIN_BOXES: Final = 3.0
"""Distance from the box of the other stops in the plane, in sizes of that box, within which 0,0 is no surprise: a depot
is often the origin."""
TIMES_MEDIAN: Final = 10.0
TIMES_USUAL: Final = 3.0
"""A stop is far if it is this many times as far from the middle as the median stop, and as nine of ten stops."""
MAX_SHARE: Final = 100
"""Stops far from all others are taken for mistakes if they are at most one in this many; more of them are another
town."""
MIN_STOPS: Final = 4
"""Smallest number of stops among which one is far."""


def look_like_degrees(points: Floats) -> bool:
    """Return whether points of shape (n, 2) are probably degrees: one coordinate within 90, the other within 180.

    At least half of the numbers must have two or more decimals, unlike grids and pixels. One coordinate must be farther
    from 0 than half of its range, as in a city or a country, or exceed 90 on one side of 0 and cross it, as on a world
    map. Random points in a range that starts at 0 or is centred on it do neither.
    """
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        return False
    low, high = bounds(points)
    reach = np.maximum(-low, high)
    if not (reach.min() <= 90 and reach.max() <= 180):  # nor is NaN
        return False
    region = np.maximum(low, -high) > np.maximum((high - low) / 2, 1)
    world = (reach > 90) & (low < 0) & (high > 0)
    if not (region | world).any():
        return False
    some = points[:: max(1, len(points) // SAMPLE)]
    return bool((np.abs(10 * some - np.rint(10 * some)) < 1e-6).mean() <= 0.5)


def missing_places(points: Floats, *, latlon: bool) -> NDArray[np.intp]:
    """Return the stops at 0,0, if the other stops are elsewhere."""
    zero = ~points.any(axis=1)
    if zero.sum() in (0, len(points), len(points) - 1):
        return np.empty(0, np.intp)
    low, high = bounds(points[~zero])
    margin = MARGIN_DEGREES if latlon else MARGIN_BOXES * float((high - low).max())
    inside = bool(((low - margin <= 0) & (high + margin >= 0)).all())
    return np.flatnonzero(zero)[: 0 if inside else None]


def far_places(points: Floats, *, latlon: bool) -> tuple[NDArray[np.intp], float]:
    """Return the stops far from all others, and how many times as far from the middle as the median stop the first is.

    ``points``: (n, dimensions): coordinates, or with ``latlon`` latitudes and longitudes in degrees
    """
    nothing = np.empty(0, np.intp), 0.0
    if len(points) < MIN_STOPS:
        return nothing
    away = points - np.median(points, axis=0)
    if latlon:
        away[:, 1] = (away[:, 1] + 180) % 360 - 180
        away[:, 1] *= np.cos(np.radians(points[:, 0]))
    distances = np.sqrt((away * away).sum(axis=1))
    median, usual = np.quantile(distances, (0.5, 0.9), method="lower")
    found = np.flatnonzero(distances > max(TIMES_MEDIAN * median, TIMES_USUAL * usual))
    if median == 0 or not 0 < len(found) <= max(1, len(points) // MAX_SHARE):
        return nothing
    return found, float(distances[found[0]] / median)


def repeated_stops(points: Floats, labels: Sequence[str] | None) -> list[tuple[int, int]]:
    """Return the stops that have the name and the place of one before them, each with the first of these."""
    counts = Counter(labels or ())
    seen: dict[tuple[str, tuple[float, ...]], int] = {}
    found = []
    for row, label in enumerate(labels or ()):
        if label and counts[label] > 1:
            first = seen.setdefault((label, tuple(points[row].tolist())), row)
            if first != row:
                found.append((first, row))
    return found
