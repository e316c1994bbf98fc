"""Exact cost of a large tour, computed on all threads, equal to the problem's own ``cost``."""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.problem import CHUNK, TSP

LARGE: Final = 100_000
"""Minimum number of cities for the native kernel; NumPy is fast enough for fewer."""

_ints = array(np.int32)
_DISTANCES = (*POINTS_TYPES, ctypes.c_int64, ctypes.c_int32, _ints, _ints, array(np.float64, output=True))


class TourCost:
    """Costs of tours of one problem.

    Distances match the metric's own to the last bit and are summed in the problem's order, so that a checker that calls
    the problem gets the same number.
    """

    def __init__(self, problem: TSP, threads: int) -> None:
        self._problem = problem
        self._threads = threads
        # in other metrics the compiler's roots and sines may differ from NumPy's in the last bit
        self._points = Points.of(problem) if problem.n >= LARGE and problem.metric.planar else None

    def __call__(self, tour: NDArray[np.int32]) -> int | float:
        """Return the cost of ``tour``."""
        problem, points = self._problem, self._points
        if points is None or len(tour) != problem.n:
            return problem.cost(tour)
        sequence = np.ascontiguousarray(tour, np.int32)
        call = kernel(f"distances_{points.special}", *_DISTANCES)
        gaps = np.empty(CHUNK)
        total: int | float = 0 if problem.metric.integral else 0.0
        for at in range(0, len(sequence) - 1, CHUNK):
            part = sequence[at : at + CHUNK + 1]
            here = gaps[: len(part) - 1]
            run_groups(call, self._threads, self._threads, *points.arguments, len(here), 1, part[:-1], part[1:], here)
            total += (here.astype(np.int64) if problem.metric.integral else here).sum().item()
        return total if problem.open else total + problem.distance(int(sequence[-1]), int(sequence[0]))
