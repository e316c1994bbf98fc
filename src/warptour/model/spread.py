"""How far apart nodes lie, and where most of them do, a few outliers left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import EARTH_RADIUS_M

if TYPE_CHECKING:
    from warptour.model.problem import Problem

SAMPLE: Final = 10_000
"""Points, at most twice as many, from which that is told."""

TAIL: Final = 0.01
"""Share of the points at either end of an axis that may be outliers."""


def extent(problem: Problem) -> float:
    """Return a bound on the distance of any two nodes; in a matrix the diagonal counts too."""
    metric, points = problem.metric, problem.points
    if metric.norm == "matrix":
        return max(float(points.max()), -float(points.min()))
    if not metric.planar:
        return 3.2 * EARTH_RADIUS_M
    return float(np.ptp(points, axis=0).sum()) + 1.0 * metric.integral


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
