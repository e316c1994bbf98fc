"""Transformation of a TSP with negative distances into an equivalent one without, for searches that need it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.frozen import freeze
from warptour.model.problem import TSP


def lowest_distance(matrix: NDArray[Any]) -> float:
    """Return the minimum of 0 and all distances off the diagonal."""
    if matrix.min() >= 0:
        return 0.0
    apart = matrix.copy()
    np.fill_diagonal(apart, 0)
    return float(apart.min())


def nonnegative(problem: TSP) -> TSP:
    """Return ``problem`` unchanged or, if it has negative distances, with all distances raised by a constant.

    All tours have the same number of edges, and so do all open paths, so all costs rise by the same amount and cost
    differences are unchanged.
    """
    matrix = problem.matrix
    lowest = 0.0 if matrix is None else lowest_distance(matrix)
    if matrix is None or lowest >= 0:
        return problem
    raised = matrix - (np.floor(lowest) if problem.metric.integral else lowest)
    np.fill_diagonal(raised, 0)
    other = copy.copy(problem)
    freeze(other, "points", raised.astype(matrix.dtype))
    return other
