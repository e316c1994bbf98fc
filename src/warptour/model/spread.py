"""Extent of an instance, and robust bounding box and median of its points."""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from warptour.model.bounds import bounds
from warptour.model.metric import EARTH_RADIUS_M, Metric

SAMPLE: Final = 10_000
"""Sample size for quantiles: points are taken at a stride, giving at most twice this number."""

TAIL: Final = 0.01
"""Fraction of points that may be outliers at either end of an axis."""


class Measured(Protocol):
    """What has distances: a problem."""

    @property
    def metric(self) -> Metric:
        """The metric."""

    @property
    def points(self) -> NDArray[Any]:
        """Coordinates, or the distances of a matrix metric."""


def extent(problem: Measured) -> float:
    """Return an upper bound on the distance between any two nodes; for a matrix, the diagonal counts too."""
    metric, points = problem.metric, problem.points
    if metric.norm == "matrix":
        return max(float(points.max()), -float(points.min()))
    if not metric.planar:
        return 3.2 * EARTH_RADIUS_M
    low, high = bounds(points)
    return float((high - low).sum()) + 1.0 * metric.integral


def inner_box(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the minimum and maximum coordinates without outliers."""
    ordered = np.sort(_sample(points), axis=0)
    return _quantile(ordered, TAIL), _quantile(ordered, 1 - TAIL)


def _quantile(ordered: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return what ``np.quantile`` would, which imports a tenth of NumPy on its first call."""
    at = share * (len(ordered) - 1)
    below = int(at)
    part, low, high = at - below, ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    between: NDArray[np.float64] = high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part
    return between


def median(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an estimate of the median of each coordinate."""
    middle: NDArray[np.float64] = np.median(_sample(points), axis=0)
    return middle


def _sample(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[:: max(1, len(points) // SAMPLE)]
