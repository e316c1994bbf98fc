"""Exact cost of a large tour, computed on all threads, equal to the problem's own ``cost``."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import run_groups, start_pool
from warptour.kernels.library import array, kernel
from warptour.kernels.points import NORMS, ROUNDINGS, special_of
from warptour.model.problem import CHUNK, TSP

LARGE: Final = 100_000
"""Minimum number of cities for the native kernel; NumPy is fast enough for fewer."""

_EDGES = (
    array(np.float64, 2), *(ctypes.c_int32,) * 3, ctypes.c_double, ctypes.c_int64,
    array(np.int32), array(np.float64, output=True),
)  # fmt: skip


class TourCost:
    """Costs of tours of one problem.

    Distances match the metric's own to the last bit and are summed in the problem's order, so that a checker that calls
    the problem gets the same number.
    """

    def __init__(self, problem: TSP, threads: int) -> None:
        self._problem = problem
        self._threads = threads
        # in other metrics the compiler's roots and sines may differ from NumPy's in the last bit
        self._native = problem.n >= LARGE and problem.metric.planar

    def __call__(self, tour: NDArray[np.int32]) -> int | float:
        """Return the cost of ``tour``."""
        problem, metric = self._problem, self._problem.metric
        if not self._native or len(tour) != problem.n:
            return problem.cost(tour)
        sequence = np.ascontiguousarray(tour, np.int32)
        call = kernel(f"tour_edges_{special_of(metric)}", *_EDGES)
        norm = NORMS[metric.norm] + (metric.norm == "euclidean" and metric.dimensions == 3)
        measure = metric.dimensions, norm, ROUNDINGS[metric.rounding], metric.divisor
        gaps = np.empty(CHUNK)
        total: int | float = 0 if metric.integral else 0.0
        kept = start_pool(self._threads) if self._threads > 1 else None
        with kept or nullcontext():
            for at in range(0, len(sequence) - 1, CHUNK):
                part = sequence[at : at + CHUNK + 1]
                here = gaps[: len(part) - 1]
                edges = len(here), part, here
                run_groups(call, self._threads, self._threads, problem.points, *measure, *edges, pool=kept)
                total += (here.astype(np.int64) if metric.integral else here).sum().item()
        return total if problem.open else total + problem.distance(int(sequence[-1]), int(sequence[0]))
