"""What counts as a gain: more than the arithmetic's own error."""

from __future__ import annotations

import numpy as np

from warptour.model.metric import EARTH_RADIUS_M
from warptour.model.problem import Problem

RELATIVE = 2.0**-40
"""Error of a move's delta in float64, relative to the largest distance; generous."""


def extent(problem: Problem) -> float:
    """Return a bound on the distance of any two nodes."""
    metric = problem.metric
    if metric.norm == "matrix":
        return float(np.abs(problem.points).max())
    if not metric.planar:
        return 3.2 * EARTH_RADIUS_M
    return float(np.ptp(problem.points, axis=0).sum()) + 1.0 * metric.integral


def least_gain(problem: Problem) -> float:
    """Return the number that a gain must exceed to be one: a half for integers, else the arithmetic's error."""
    return 0.5 if problem.metric.integral else RELATIVE * extent(problem)
