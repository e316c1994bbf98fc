"""Merge two tours, taking the better side where they differ (``kernels/tour_merge.c``)."""

from __future__ import annotations

import ctypes

import numpy as np

from warptour.engines.instance import Ints, Terrain
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points

_ints, _out, _reals = array(np.int32), array(np.int32, output=True), array(np.float64, output=True)
_MERGE = (*POINTS_TYPES, ctypes.c_int32, _ints, _out, _out, _out, _out, _reals, ctypes.c_double, _reals)
_UNITE = (*POINTS_TYPES, ctypes.c_int32, _ints, _out, _out, _out, _out, _out, _reals, ctypes.c_double, _reals)


def merge(terrain: Terrain, tour: Ints, other: Ints) -> tuple[Ints, float]:
    """Return ``tour`` with what is better in ``other``, and by how much that is shorter.

    Both are closed tours of the terrain's nodes. The edges that only one of them has form components, and each is
    taken from the tour where it is shorter, as far as the result is one tour. It is never longer than ``tour``.
    """
    n = terrain.nodes
    merged = tour.copy()
    gains = np.zeros(2)
    call = kernel(f"tour_merge_{terrain.points.special}", *_MERGE)
    links, ends, rooms = np.empty(4 * n, np.int32), np.empty(8 * n, np.int32), np.empty(5 * n, np.int32)
    call(0, 1, *terrain.points.arguments, n, other, merged, links, ends, rooms, np.empty(n), terrain.least, gains)
    return merged, float(gains[0])


class Union:
    """Room in which windows' tours of ``nodes`` nodes are united, 96 bytes a node, used again and again.

    Parameters
    ----------
    points : Points
    nodes : int
    least : float
        What a gain must exceed.
    """

    def __init__(self, points: Points, nodes: int, least: float) -> None:
        self._points = points
        self._nodes = nodes
        self._least = least
        self._call = kernel(f"tour_unite_{points.special}", *_UNITE)
        self._rooms = [np.empty(rows * nodes, np.int32) for rows in (2, 8, 5, 7)]
        self._part_gains = np.empty(nodes)

    def unite(self, tour: Ints, links: Ints) -> float:
        """Give ``tour`` the neighbours in ``links`` (two a node), as far as that is one tour; return what it saves.

        Where the links make several cycles, some of the differences are given up, those that save least first. The
        tour never becomes longer (``kernels/tour_unite.c``).
        """
        gains = np.zeros(4)
        self._call(
            0, 1, *self._points.arguments, self._nodes, links, tour, *self._rooms, self._part_gains, self._least, gains
        )  # fmt: skip
        return float(gains[0])


def unite(terrain: Terrain, tour: Ints, links: Ints) -> tuple[Ints, float]:
    """Return ``tour`` with the neighbours in ``links``, as :meth:`Union.unite` has it, and what that saves."""
    united = tour.copy()
    gain = Union(terrain.points, terrain.nodes, terrain.least).unite(united, links)
    return united, gain
