"""Scans of the whole 2-opt neighbourhood on the CPU (``kernels/two_opt_scan.c``, ``two_opt_exact.c``).

The fast scan works in float32 on planar Euclidean distances and finds the row
of the move; the exact one works in the problem's own metric. Both give the
least delta of each row, so that the result does not depend on the threads, and
the column is found by a look at one row.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.engines.tolerance import extent
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.metric import Metric
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints

Over: TypeAlias = Callable[[], bool]

ROWS: Final = 8
"""Rows that the fast scan handles together."""

FAST_CALL, EXACT_CALL = 40_000_000, 2_000_000
"""Moves a thread evaluates between two looks at the clock: 10 to 50 ms."""

FLOAT32_ERROR: Final = 2.0**-20
"""Error of a delta in the fast scan, relative to the largest distance."""

_floats = array(np.float32)
_FAST = (*(ctypes.c_int32,) * 3, *(_floats,) * 3, array(np.float32, output=True))
_EXACT = (*POINTS_TYPES, array(np.int32), array(np.float64), *(ctypes.c_int32,) * 3, array(np.float64, output=True))


def move_count(n: int) -> int:
    """Return the number of 2-opt moves of a tour of ``n`` cities."""
    return max(0, n * (n - 3) // 2)


def fast_metric(metric: Metric) -> bool:
    """Whether the fast scan can measure ``metric``, at least but for its rounding."""
    return metric.norm == "euclidean" and metric.dimensions == 2


def fast_rows(problem: TSP, tour: Ints, threads: int = 1, over: Over | None = None) -> NDArray[np.float32] | None:
    """Return about the least delta of each row of moves, shape (n - 2,), or None if ``over()`` said so.

    Rounded to the nearest as EUC_2D is; other roundings are left out.
    """
    n = len(tour)
    at = problem.points[tour]
    low, high = problem.points.min(axis=0), problem.points.max(axis=0)
    at = (at - (low + high) / 2) / np.sqrt(problem.metric.divisor)
    special = "euc" if problem.metric.rounding == "nearest" else "flat"
    gap = np.roll(at, -1, axis=0) - at
    lengths = np.sqrt((gap * gap).sum(axis=1))
    edge = np.full(n + ROWS + 1, -1e30, np.float32)
    edge[:n] = np.floor(lengths + 0.5) if special == "euc" else lengths
    x, y = (np.concatenate((column, np.resize(column, ROWS + 1))).astype(np.float32) for column in at.T)
    least = np.empty(n - 2, np.float32)
    call = kernel(f"two_opt_scan_{special}", *_FAST)
    for first, last, workers in _slices(n, FAST_CALL, threads):
        if over is not None and over():
            return None
        run_groups(call, workers, workers, n, first, last, x, y, edge, least)
    return least


def exact_rows(
    problem: TSP, tour: Ints, threads: int = 1, over: Over | None = None, points: Points | None = None
) -> NDArray[np.float64] | None:
    """Return the least delta of each row of moves, exactly, shape (n - 2,), or None if ``over()`` said so."""
    n = len(tour)
    points = Points.of(problem) if points is None else points
    cycle = np.append(tour, tour[0]).astype(np.int32)
    if points.special != "any":
        points = replace(points, x=points.x[cycle], y=points.y[cycle])
    edge = problem.distances(cycle[:-1], cycle[1:]).astype(np.float64)
    least = np.empty(n - 2)
    call = kernel(f"two_opt_exact_{points.special}", *_EXACT)
    for first, last, workers in _slices(n, EXACT_CALL, threads):
        if over is not None and over():
            return None
        run_groups(call, workers, workers, *points.arguments, cycle, edge, n, first, last, least)
    return least


def _slices(n: int, moves: int, threads: int) -> Iterator[tuple[int, int, int]]:
    """Cut the rows into slices of about ``moves`` a thread: first row, last row, threads worth their start."""
    workers = threads if move_count(n) >= moves else 1
    first = 0
    while first < n - 2:
        rows = max(1, moves * workers // (n - first - 2))
        last = min(n - 2, first + -(-rows // (ROWS * workers)) * ROWS * workers)
        yield first, last, workers
        first = last


def fast_error(problem: TSP) -> float:
    """Return a bound on the error of what :func:`fast_rows` gives, but for roundings that it leaves out."""
    return FLOAT32_ERROR * extent(problem)
