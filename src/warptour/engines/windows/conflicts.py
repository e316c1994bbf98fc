"""Changes that windows made side by side to one tour, as far as they do not touch (``kernels/tour_claim.c``)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import run_groups, start_pool
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points

Ints = NDArray[np.int32]

MOST_THREADS = 8
"""More of them take longer to wake than they save."""

ROOMS = 8
"""Numbers for each change of a window, as the kernel has it."""

_int32, _real, _ints, _out = ctypes.c_int32, ctypes.c_double, array(np.int32), array(np.int32, output=True)
_longs, _reals = array(np.int64), array(np.float64, output=True)
_LINKS = (_int32, _ints, _out, _out)
_UNITS = (*POINTS_TYPES, _int32, _int32, _longs, _ints, _ints, _ints, _int32, _out, _out, _reals)
_CLAIM = (
    _int32, _longs, _ints, _ints, array(np.float64), _real, _out, _out, _int32, _out,
    array(np.int64, output=True),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LinkedTour:
    """A tour, the neighbours of each city in it, two a city, and its place."""

    tour: Ints
    links: Ints
    place: Ints


class Claim:
    """Room and threads to choose among changes; 4 bytes a city, and 4 more for each thread."""

    def __init__(self, points: Points, least: float, threads: int) -> None:
        self._points = points
        self._least = least
        self._threads = max(1, min(threads, MOST_THREADS))
        self._pool = start_pool(self._threads)
        self._rooms = np.empty(0, np.int32)
        self._owner = np.zeros(points.n, np.int32)
        self._stamp = 0
        self._lay_out, self._find_units, self._take = (
            kernel(f"tour_{name}_{points.special}", *types)
            for name, types in (("links", _LINKS), ("units", _UNITS), ("claim", _CLAIM))
        )
        self.changed = self.taken = 0
        """Changes so far, and those that were taken."""

    def lay_out(self, tour: Ints) -> LinkedTour:
        """Return a tour as :meth:`take` needs it."""
        layout = LinkedTour(tour, np.empty(2 * self._points.n, np.int32), np.empty(self._points.n, np.int32))
        self._lay_out(0, 1, self._points.n, tour, layout.links, layout.place)
        return layout

    def take(self, sums: NDArray[np.int64], changes: Ints, layout: LinkedTour) -> None:
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
        needed = self._threads * (self._points.n + ROOMS * most)
        if len(self._rooms) < needed:
            self._rooms = np.empty(needed, np.int32)
        unit, saves = np.empty(count, np.int32), np.empty(count)
        arguments = (
            *self._points.arguments, self._points.n, windows, sums, changes, layout.tour, layout.place, most,
            self._rooms, unit, saves,
        )  # fmt: skip
        run_groups(self._find_units, self._threads, self._threads, *arguments, pool=self._pool)
        tally = np.zeros(2, np.int64)
        self._stamp += 1
        self._take(
            0, 1, windows, sums, changes, unit, saves, self._least, layout.links, self._owner, self._stamp,
            np.empty(count, np.int32), tally,
        )  # fmt: skip
        self.changed += int(tally[0])
        self.taken += int(tally[1])
