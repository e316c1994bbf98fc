"""Merge what several searches have won from one base tour (``kernels/tour_merge.c``)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from warptour.engines.terrain import Ints, Terrain
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES

_ints, _out = array(np.int32), array(np.int32, output=True)
_MERGE = (*POINTS_TYPES, ctypes.c_int32, _ints, _ints, _out, _out, _out, _out, array(np.float64, output=True))


def merge(terrain: Terrain, base: Ints, tours: Sequence[Ints]) -> tuple[Ints, float]:
    """Return the first of ``tours`` with what the others won where it fits, and how much that added.

    All are closed tours of the terrain's nodes that were made from ``base``. Every improvement of the others that is
    an exchange of its own is tried alone, so two searches that worked in different places lose nothing.
    """
    n = terrain.nodes
    tour = tours[0].copy()
    gains = np.zeros(2)
    call = kernel(f"tour_merge_{terrain.points.special}", *_MERGE)
    room = np.empty(6 * n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    for other in tours[1:]:
        call(0, 1, *terrain.points.arguments, n, base, other, tour, *room, gains)
    return tour, float(gains[0])
