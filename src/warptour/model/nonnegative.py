"""Negative distances, and the same TSP without them, for searches that compare lengths with 0."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP, freeze


def lowest_distance(matrix: NDArray[Any]) -> float:
    """Return the least distance between two different nodes, or 0 if none is below that; the diagonal has no say."""
    if matrix.min() >= 0:
        return 0.0
    apart = matrix.copy()
    np.fill_diagonal(apart, 0)
    return float(apart.min())


def nonnegative(problem: TSP) -> TSP:
    """Return ``problem`` with all distances raised by the same amount, if some are negative, or as it is.

    Every tour has the same number of edges, and so has every open path, so all costs rise by the same amount and their
    differences stay.
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
