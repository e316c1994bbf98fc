"""Coordinates that are probably mistakes: 0,0 far from the other stops, and a stop at the other end of the world."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.bounds import bounds
from warptour.model.metric import Floats

MARGIN_DEGREES: Final = 5.0
"""Distance in degrees from the box of the other stops within which 0,0 is no surprise."""
MARGIN_BOXES: Final = 3.0
"""Distance from the box of the other stops in the plane, in sizes of that box, within which 0,0 is no surprise: a depot
is often the origin."""
TIMES_MEDIAN: Final = 10.0
TIMES_USUAL: Final = 3.0
"""A stop is far if it is this many times as far from the middle as the median stop, and as nine of ten stops."""
MAX_SHARE: Final = 100
"""Divisor of the stops: more than that part of them, far from all others, are no mistakes but another town."""
MIN_STOPS: Final = 4
"""Smallest number of stops among which one is far."""


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

    Parameters
    ----------
    points : array of float64, shape (n, dimensions)
        Coordinates, or with ``latlon`` latitudes and longitudes in degrees.
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
