"""Hilbert curve order: points that are near in space are mostly near in the order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import c_double, c_int32

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.sort import stable_order
from warptour.candidates.space import corners, spots
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.model.problem import Problem

BITS = {2: 32, 3: 21}
"""Bits per coordinate by dimension, for keys of at most 64 bits."""


def hilbert_keys(
    points: NDArray[np.float64],
    *,
    shift: float | Sequence[float] = 0.0,
    rotation: float = 0.0,
    threads: int | None = None,
) -> NDArray[np.uint64]:
    """Return the index of each point along a Hilbert curve over all points.

    ``points``: (n, 2) or (n, 3)
    ``shift``: Offset of the points from the corner of the curve's square (cube), in units of their extent; the square
        then has twice their extent. With the default, 0, the square fits the points exactly, so that 0 gives a
        different curve than a tiny shift.
    ``rotation``: angle in radians by which the points are rotated first, about the third axis in three dimensions
    ``threads``: None for all CPUs

    Returns
    -------
    array of uint64, shape (n,)
    """
    at = np.ascontiguousarray(points, np.float64)
    count, dimensions = at.shape
    if rotation:
        turn = np.eye(dimensions)
        turn[:2, :2] = [[math.cos(rotation), -math.sin(rotation)], [math.sin(rotation), math.cos(rotation)]]
        at = at @ turn.T
    bits = BITS[dimensions]
    low, high = corners(at)
    extent = float((high - low).max()) or 1.0
    away = np.broadcast_to(np.asarray(shift, np.float64), (dimensions,))
    side = extent if not away.any() else 2.0 * extent
    origin = low - away * extent
    keys = np.empty(count, np.uint64)
    call = kernel(
        "hilbert", array(np.float64, 2), array(np.float64), c_double, *(c_int32,) * 3, array(np.uint64, output=True)
    )
    groups = -(-count // (1 << 14))
    run_groups(call, groups, threads, at, origin, 2.0**bits / side, count, dimensions, bits, keys)
    return keys


def space_order(
    where: Problem | NDArray[np.float64],
    *,
    shift: float | Sequence[float] = 0.0,
    rotation: float = 0.0,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Return the permutation that sorts nodes or points along a Hilbert curve; see :func:`hilbert_keys`.

    Ties keep their order, so that the result is the same on every machine. Latitudes and longitudes of a problem are
    converted to points on the unit sphere; a distance matrix raises UnsupportedError.
    """
    points = spots(where) if isinstance(where, Problem) else where
    return stable_order(hilbert_keys(points, shift=shift, rotation=rotation, threads=threads))


def loop_order(points: NDArray[np.float64], *, threads: int | None = None) -> NDArray[np.int64]:
    """Return the permutation that sorts points of the plane along a Moore curve, whose ends meet.

    It is four Hilbert curves, up the left half of the plane and down the right one::

        ┌─ 1 ─┐┌─ 2 ─┐
        └─ ─ ─┘└─ ─ ─┘        each goes from one end of the line in the middle to the other
        ┌─ 0 ─┐┌─ 3 ─┐
        └─ ─ ─┘└─ ─ ─┘
    """
    low, high = corners(points)
    middle, side = (low + high) / 2, float((high - low).max()) / 2 or 1.0
    right, up = (points >= middle).T
    across = np.clip(np.abs(points[:, 0] - middle[0]) / side, 0.0, 1.0)
    along = np.clip((points[:, 1] - middle[1]) / side, -1.0, 1.0) + ~up
    inner = np.column_stack((np.where(right, 1.0 - along, along), across))
    quadrant = np.where(right, 3 - up.astype(np.uint64), up.astype(np.uint64)).astype(np.uint64)
    return stable_order(quadrant << np.uint64(62) | hilbert_keys(inner, threads=threads) >> np.uint64(2))
