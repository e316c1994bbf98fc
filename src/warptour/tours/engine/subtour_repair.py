"""One tour from edges that may form several cycles, by ``kernels/tours/tour_subtours.c``."""

from __future__ import annotations

import ctypes

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.tours.engine.instance import Instance, Ints

_ints, _out, _reals = array(np.int32), array(np.int32, output=True), array(np.float64, output=True)
_SUBTOURS = (*POINTS_TYPES, ctypes.c_int32, _ints, _out, _out, _out, _out, _out, _reals, ctypes.c_double, _reals)


class SubtourRepair:
    """Reusable workspace for subtour repair: 96 bytes per node.

    Parameters
    ----------
    points : Points
    nodes : int
    epsilon : float
        Smallest gain that counts.
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
