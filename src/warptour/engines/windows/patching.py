"""One tour from links that may form several cycles, by exchanges between them (``kernels/tour_patching.c``)."""

from __future__ import annotations

import ctypes
import math

import numpy as np

from warptour.engines.instance import Ints
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points

_int32, _ints, _out = ctypes.c_int32, array(np.int32), array(np.int32, output=True)
_fixed, _reals = array(np.int32, 2, optional=True), array(np.float64, output=True)
_CYCLES = (_int32, _ints, _out, _out, _out)
_COSTS = (*POINTS_TYPES, _fixed, _ints, _int32, _ints, _reals)
_PATCH = (*POINTS_TYPES, _fixed, _int32, _ints, _ints, _int32, _out, _out, _reals)


def cycles_of(links: Ints) -> tuple[Ints, Ints, int]:
    """Return the cities cycle by cycle, the cycle of each city, and the number of cycles."""
    n = len(links) // 2
    tour, cycle, count = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(1, np.int32)
    kernel("tour_cycles_any", *_CYCLES)(0, 1, n, links, cycle, tour, count)
    return tour, cycle, int(count[0])


def patch(points: Points, links: Ints, cycle: Ints, count: int, fixed: Ints | None, threads: int) -> float:
    """Join the cycles of ``links`` where that costs least; return the cost, infinite if fixed edges prevent it.

    Parameters
    ----------
    points : Points
        Numbered along a tour of all cities; cycles are joined beside its edges.
    links : array of int32, shape (2 n,)
        The two neighbours of each city; changed to those of one tour.
    cycle, count
        As :func:`cycles_of` returns them.
    fixed : array of int32, shape (n, 2), optional
        The cities joined to each city by fixed edges, or -1; these edges are kept.
    threads : int
    """
    name, arguments = points.special, points.arguments
    places = np.flatnonzero(cycle != np.roll(cycle, -1)).astype(np.int32)
    costs, result = np.empty(len(places)), np.empty(2)
    call = kernel(f"tour_patch_costs_{name}", *_COSTS)
    run_groups(call, threads, threads, *arguments, fixed, links, len(places), places, costs)
    places = places[np.argsort(costs, kind="stable")]
    leader = np.arange(count, dtype=np.int32)
    kernel(f"tour_patch_{name}", *_PATCH)(
        0, 1, *arguments, fixed, len(places), places, cycle, count, leader, links, result
    )
    return float(result[0]) if result[1] == 1 else math.inf
