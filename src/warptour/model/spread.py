"""Where most points lie, a few outliers left out."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

SAMPLE: Final = 10_000
"""Points, at most twice as many, from which that is told."""

TAIL: Final = 0.01
"""Share of the points at either end of an axis that may be outliers."""


def inner_box(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and highest coordinates of most of the points."""
    low, high = np.quantile(_sample(points), (TAIL, 1 - TAIL), axis=0)
    return low, high


def median(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return about the median of each coordinate."""
    middle: NDArray[np.float64] = np.median(_sample(points), axis=0)
    return middle


def _sample(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[:: max(1, len(points) // SAMPLE)]
