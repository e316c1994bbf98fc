"""Where nodes lie, in coordinates whose nearness is that of the metric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.points import NORMS, unit_vectors
from warptour.model.errors import UnsupportedError
from warptour.model.problem import Problem


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
