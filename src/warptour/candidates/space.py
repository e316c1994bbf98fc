"""Coordinates of nodes in which proximity agrees with the metric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.points import NORMS, unit_vectors
from warptour.model.bounds import bounds
from warptour.model.errors import UnsupportedError
from warptour.model.problem import Problem
from warptour.model.spread import inner_box

OUTLYING = 1000.0
"""Points are outliers if they enlarge the bounding box of the others by more than this factor."""


def spots(problem: Problem) -> NDArray[np.float64]:
    """Return coordinates of the nodes, shape (n, 2) or (n, 3): on the unit sphere for latitudes and longitudes.

    Chord length increases with arc length, so the same nearest-neighbour searches serve both.
    """
    if problem.metric.norm == "matrix":
        raise UnsupportedError("a matrix of distances has no coordinates")
    if problem.metric.planar:
        return problem.points
    return np.ascontiguousarray(unit_vectors(problem).T)


def norm_code(problem: Problem) -> int:
    """Return the kernels' code for the norm between :func:`spots`."""
    metric = problem.metric
    return NORMS[metric.norm] + (metric.norm == "euclidean" and metric.dimensions == 3)


def corners(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounding box (low, high) of all points, or of most of them if a few lie extremely far off.

    A curve or a chequerboard over the box of all points would put all others into one cell; outliers are assigned to
    the nearest cell of the returned box.
    """
    low, high = bounds(points)
    inner_low, inner_high = inner_box(points)
    spread = inner_high - inner_low
    if not 0 < OUTLYING * float(spread.max()) < float((high - low).max()):
        return low, high
    margin = OUTLYING / 2 * float(spread.max())
    return np.maximum(low, inner_low - margin), np.minimum(high, inner_high + margin)
