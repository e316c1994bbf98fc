"""Tolerance for gains: a gain counts only if it exceeds the arithmetic error.

The error of a delta scales with the edges that the move compares, not with the longest edge of the instance: a matrix
may hold one huge number for "forbidden", a map one far outlier, and all other moves must still be found. Kernels apply
the same rule (``error_share`` in ``kernels/common/metric.h``).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from warptour.model.metric import EARTH_RADIUS_M
from warptour.model.problem import TSP, Problem
from warptour.model.spread import extent, inner_box
from warptour.neighborhoods.move import Ints

RELATIVE: Final = 2.0**-44
"""Error of a sum of float64 distances relative to the removed edges; a generous few dozen roundings of 2^-53."""

ANGLE_ERROR: Final = 2.0**-46 * EARTH_RADIUS_M
"""Error in metres of a great-circle distance between unit vectors, however short."""


class Tolerance(NamedTuple):
    """A gain counts if it exceeds ``absolute`` plus ``relative`` times the length of the edges that a move removes."""

    absolute: float
    relative: float

    def of(self, removed: float) -> float:
        """Return the threshold for the gain of a move that removes edges of length ``removed``."""
        return self.absolute + self.relative * removed

    def improves(self, problem: TSP, tour: Ints, changed: Ints) -> bool:
        """Return whether the closed tour ``changed`` is shorter than ``tour``.

        Only the edges in which they differ are compared. The delta of a move may contain an edge that it removes and
        restores, whose rounding error can exceed the gain.
        """
        removed = removed_length(problem, tour, changed)
        return removed - removed_length(problem, changed, tour) > self.of(removed)


def tolerance(problem: Problem) -> Tolerance:
    """Return the threshold for gains: 0.5 for integers, whose sums are exact, otherwise the arithmetic error."""
    if problem.metric.integral:
        return Tolerance(0.5, 0.0)
    angles = problem.metric.norm in ("geo", "great_circle")
    return Tolerance(ANGLE_ERROR if angles else 0.0, RELATIVE)


def removed_length(problem: TSP, tour: Ints, changed: Ints) -> float:
    """Return the length of the edges of the closed ``tour`` that are not in ``changed``."""
    n = len(tour)
    places = np.empty(n, np.int64)
    places[changed] = np.arange(n)
    after = np.roll(tour, -1)
    steps = np.abs(places[tour] - places[after])
    gone = (steps != 1) & (steps != n - 1)
    return float(problem.distances(tour[gone], after[gone]).sum())


def typical_extent(problem: Problem) -> float:
    """Return the approximate extent of points in the plane, excluding a few outliers."""
    low, high = inner_box(problem.points)
    spread = float((high - low).sum())
    return spread if spread > 0 else extent(problem)
