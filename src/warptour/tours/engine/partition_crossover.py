"""Partition crossover of two tours (Whitley, Hains and Howe 2009), by ``kernels/tours/tour_partition.c``."""

from __future__ import annotations

import ctypes

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.tours.engine.instance import Instance, Ints

_ints, _out, _reals = array(np.int32), array(np.int32, output=True), array(np.float64, output=True)
_PARTITION = (*POINTS_TYPES, ctypes.c_int32, _ints, _out, _out, _out, _out, _reals, ctypes.c_double, _reals)


def partition_crossover(instance: Instance, tour: Ints, other: Ints) -> tuple[Ints, float]:
    """Return the child of two tours and its gain over ``tour``, which is at least 0.

    The edges that only one tour has fall into connected components. The child takes each component from the tour where
    it is shorter, as long as the result is a single cycle.
    """
    n = instance.nodes
    child = tour.copy()
    gains = np.zeros(2)
    links, ends, components = (np.empty(rows * n, np.int32) for rows in (4, 8, 5))
    kernel(f"tour_partition_{instance.points.special}", *_PARTITION)(
        0, 1, *instance.points.arguments, n, other, child, links, ends, components, np.empty(n), instance.epsilon, gains
    )  # fmt: skip
    return child, float(gains[0])
