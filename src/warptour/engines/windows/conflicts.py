"""Changes that windows made side by side to one tour, as far as they do not touch (``kernels/tour_conflicts.c``)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import run_groups, start_pool
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points

Ints = NDArray[np.int32]

MAX_THREADS = 8
"""More of them take longer to wake than they save."""

WORKSPACES = 8
"""Numbers for each change of a window, as the kernel has it."""

_int32, _real, _ints, _out = ctypes.c_int32, ctypes.c_double, array(np.int32), array(np.int32, output=True)
_longs, _reals = array(np.int64), array(np.float64, output=True)
_LINKS = (_int32, _ints, _out, _out)
_UNITS = (*POINTS_TYPES, _int32, _int32, _longs, _ints, _ints, _ints, _int32, _out, _out, _reals)
_CONFLICTS = (
    _int32, _longs, _ints, _ints, array(np.float64), _real, _out, _out, _int32, _out,
    array(np.int64, output=True),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LinkedTour:
    """A tour, the neighbours of each city in it, two a city, and its place."""

    tour: Ints
    links: Ints
    place: Ints


class ConflictResolution:
    """Room and threads to choose among changes; 4 bytes a city, and 4 more for each thread."""

    def __init__(self, points: Points, epsilon: float, threads: int) -> None:
        self._points = points
        self._epsilon = epsilon
        self._threads = max(1, min(threads, MAX_THREADS))
        self._pool = start_pool(self._threads)
        self._workspaces = np.empty(0, np.int32)
        self._owner = np.zeros(points.n, np.int32)
        self._stamp = 0
        self._link, self._find_units, self._resolve = (
            kernel(f"tour_{name}_{points.special}", *types)
            for name, types in (("links", _LINKS), ("units", _UNITS), ("conflicts", _CONFLICTS))
        )
        self.changed = self.taken = 0
        """Changes so far, and those that were taken."""

    def link(self, tour: Ints) -> LinkedTour:
        """Return a tour as :meth:`resolve` needs it."""
        linked = LinkedTour(tour, np.empty(2 * self._points.n, np.int32), np.empty(self._points.n, np.int32))
        self._link(0, 1, self._points.n, tour, linked.links, linked.place)
        return linked

    def resolve(self, sums: NDArray[np.int64], changes: Ints, linked: LinkedTour) -> None:
        """Write changes that do not touch each other to the links of the tour that windows began with.

        Parameters
        ----------
        sums : array of int64
            Window w made the changes ``sums[w - 1]`` to ``sums[w] - 1``.
        changes : array of int32
            Three numbers a change: a city and its two neighbours.
        layout : LinkedTour
        """
        count, windows = max(1, int(sums[-1])), len(sums)
        most = int(np.diff(sums, prepend=0).max())
        needed = self._threads * (self._points.n + WORKSPACES * most)
        if len(self._workspaces) < needed:
            self._workspaces = np.empty(needed, np.int32)
        unit, saves = np.empty(count, np.int32), np.empty(count)
        arguments = (
            *self._points.arguments, self._points.n, windows, sums, changes, linked.tour, linked.place, most,
            self._workspaces, unit, saves,
        )  # fmt: skip
        run_groups(self._find_units, self._threads, self._threads, *arguments, pool=self._pool)
        tally = np.zeros(2, np.int64)
        self._stamp += 1
        self._resolve(
            0, 1, windows, sums, changes, unit, saves, self._epsilon, linked.links, self._owner, self._stamp,
            np.empty(count, np.int32), tally,
        )  # fmt: skip
        self.changed += int(tally[0])
        self.taken += int(tally[1])
