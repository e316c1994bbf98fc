"""Cities as the machine holds them: coordinates of a few bits, without sign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

City = tuple[int, int]
"""Coordinates x and y of a city, or of a register."""


def integer_cities(points: NDArray[np.float64], bits: int) -> tuple[list[City], float]:
    """Return cities as integers of ``bits`` bits, and how many of these units are one of the points'.

    Whole coordinates that fit are only moved towards the origin; others are also scaled by the largest power of two
    that fits, and rounded.
    """
    places = points - np.floor(points.min(axis=0))
    largest = 2**bits - 1
    scale = 1.0
    if places.max() > largest or not np.array_equal(places, np.rint(places)):
        scale = 2.0 ** np.floor(np.log2(largest / places.max()))
    whole = np.rint(places * scale).astype(np.int64)
    return [(int(x), int(y)) for x, y in whole], scale


def exceeds(cities: Sequence[City], bits: int) -> bool:
    """Return whether a move might change a sum of squared distances by more than 2 ``bits`` + 2 bits can hold.

    The change is 2 (a - d) (b - c), so at most twice the squared diagonal of all cities.
    """
    x, y = zip(*cities, strict=True)
    return bool(2 * ((max(x) - min(x)) ** 2 + (max(y) - min(y)) ** 2) >= 2 ** (2 * bits + 1))
