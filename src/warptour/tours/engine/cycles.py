"""One tour from links that may form several cycles, by exchanges between them or by reverting changes.

Patching is ``kernels/tours/tour_patching.c``, subtour repair ``kernels/tours/tour_subtours.c``.
"""

from __future__ import annotations

import ctypes
import math

import numpy as np

from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.tours.engine.instance import Instance, Ints

_int32, _ints, _out = ctypes.c_int32, array(np.int32), array(np.int32, output=True)
_fixed, _reals = array(np.int32, 2, optional=True), array(np.float64, output=True)
_CYCLES = (_int32, _ints, _out, _out, _out)
_COSTS = (*POINTS_TYPES, _fixed, _ints, _int32, array(np.int32, 2), _reals)
_PATCH = (*POINTS_TYPES, _fixed, _int32, array(np.int32, 2), _ints, _int32, _out, _out, _reals)
_SUBTOURS = (*POINTS_TYPES, ctypes.c_int32, _ints, _out, _out, _out, _out, _out, _reals, ctypes.c_double, _reals)


def cycles_of(links: Ints) -> tuple[Ints, Ints, int]:
    """Return the cities cycle by cycle, the cycle of each city, and the number of cycles."""
    n = len(links) // 2
    tour, cycle, count = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(1, np.int32)
    kernel("tour_cycles_any", *_CYCLES)(0, 1, n, links, cycle, tour, count)
    return tour, cycle, int(count[0])


def patch(
    points: Points, links: Ints, cycle: Ints, count: int, fixed: Ints | None, threads: int, near: Ints | None = None
) -> float:
    """Join the cycles of ``links`` where that costs least; return the cost, infinite if nothing joins all of them.

    ``links``: (2 n,): the two neighbours of each city; changed to those of one tour
    ``cycle``, ``count``: as :func:`cycles_of` returns them
    ``fixed``: (n, 2): the cities joined to each city by fixed edges, or -1; these edges are kept
    ``near``: (n, width): neighbour lists, -1 where they end: cycles are joined beside these edges. By default the
        cities are numbered along an earlier tour, and cycles are joined beside its edges.
    """
    name, arguments = points.special, points.arguments
    places = _along(cycle) if near is None else _between(cycle, near)
    costs, result = np.empty(len(places)), np.empty(2)
    call = kernel(f"tour_patch_costs_{name}", *_COSTS)
    run_groups(call, threads, threads, *arguments, fixed, links, len(places), places, costs)
    places = places[np.argsort(costs, kind="stable")]
    leader = np.arange(count, dtype=np.int32)
    kernel(f"tour_patch_{name}", *_PATCH)(
        0, 1, *arguments, fixed, len(places), places, cycle, count, leader, links, result
    )
    return float(result[0]) if result[1] == 1 else math.inf


def _along(cycle: Ints) -> Ints:
    """Return the pairs of consecutive cities of different cycles, shape (m, 2)."""
    froms = np.flatnonzero(cycle != np.roll(cycle, -1))
    return np.column_stack((froms, (froms + 1) % len(cycle))).astype(np.int32)


def _between(cycle: Ints, near: Ints) -> Ints:
    """Return the pairs of a city and one of its candidates in another cycle, shape (m, 2)."""
    froms, columns = np.nonzero((cycle[near] != cycle[:, None]) & (near >= 0))
    return np.column_stack((froms, near[froms, columns])).astype(np.int32)


class SubtourRepair:
    """Reusable workspace for subtour repair: 96 bytes per node.

    ``epsilon``: smallest gain that counts
    """

    def __init__(self, points: Points, nodes: int, epsilon: float) -> None:
        self._points = points
        self._nodes = nodes
        self._epsilon = epsilon
        self._call = kernel(f"tour_subtours_{points.special}", *_SUBTOURS)
        self._workspace = [np.empty(rows * nodes, np.int32) for rows in (2, 8, 5, 7)]
        self._part_gains = np.empty(nodes)

    def repair(self, tour: Ints, links: Ints) -> float:
        """Change ``tour`` to the edges of ``links`` (two neighbours per node) and return the gain.

        Where the links form several cycles, the components of the difference with the smallest gain are reverted until
        one cycle is left. The tour never becomes longer.
        """
        gains = np.zeros(4)
        self._call(
            0, 1, *self._points.arguments, self._nodes, links, tour, *self._workspace, self._part_gains, self._epsilon,
            gains,
        )  # fmt: skip
        return float(gains[0])


def repair_subtours(instance: Instance, tour: Ints, links: Ints) -> tuple[Ints, float]:
    """Return ``tour`` changed to the edges of ``links`` as :meth:`SubtourRepair.repair` does, and the gain."""
    repaired = tour.copy()
    gain = SubtourRepair(instance.points, instance.nodes, instance.epsilon).repair(repaired, links)
    return repaired, gain
