"""Where nodes lie, in coordinates whose nearness is that of the metric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.points import NORMS, unit_vectors
from warptour.model.errors import UnsupportedError
from warptour.model.problem import Problem
from warptour.model.spread import inner_box

OUTLYING = 1000.0
"""Points are outliers if they stretch the box of the others as many times."""


def spots(problem: Problem) -> NDArray[np.float64]:
    """Return coordinates of the nodes, shape (n, 2) or (n, 3): on the unit sphere for latitudes and longitudes.

    A straight line through the sphere is longer exactly if the arc above it is, so that the same searches serve both.
    """
    if problem.metric.norm == "matrix":
        raise UnsupportedError("a matrix of distances has no coordinates")
    if problem.metric.planar:
        return problem.points
    return np.ascontiguousarray(unit_vectors(problem).T)


def norm_code(problem: Problem) -> int:
    """Return the number by which the kernels know the norm between :func:`spots`."""
    metric = problem.metric
    return NORMS[metric.norm] + (metric.norm == "euclidean" and metric.dimensions == 3)


def corners(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and highest coordinates of all points, or of most where a few lie extremely far off.

    A curve or a chequerboard over the box of all would have every other point in one cell; outliers count to the
    nearest cell of the box.
    """
    low = np.array([column.min() for column in points.T])  # a tenth of the time of points.min(axis=0)
    high = np.array([column.max() for column in points.T])
    inner_low, inner_high = inner_box(points)
    spread = inner_high - inner_low
    if not 0 < OUTLYING * float(spread.max()) < float((high - low).max()):
        return low, high
    margin = OUTLYING / 2 * float(spread.max())
    return np.maximum(low, inner_low - margin), np.minimum(high, inner_high + margin)
