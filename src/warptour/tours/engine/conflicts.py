"""Conflict resolution: changes of overlapping windows to one tour that do not touch (``tour_conflicts.c``)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points

Ints = NDArray[np.int32]

WORKSPACE = 8
"""Integers of workspace per change, as in the kernel."""

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
    """A tour, with the two neighbours and the position of each city."""

    tour: Ints
    links: Ints
    place: Ints


class GroupThreads(Protocol):
    """Threads that run the groups of a kernel in parallel; ``search/threads.py`` has them."""

    threads: int

    def run_groups(self, call: Callable[..., None], *arguments: Any) -> None:
        """Call ``call(group, groups, *arguments)`` for as many groups as there are threads."""


class ConflictResolution:
    """Workspace and threads for conflict resolution: 4 bytes per city, and 4 more per city and thread.

    ``epsilon``: smallest gain that counts
    ``pool``: at most 8 threads pay off: more take longer to wake than they save
    """

    def __init__(self, points: Points, epsilon: float, pool: GroupThreads) -> None:
        self._points = points
        self._epsilon = epsilon
        self._pool = pool
        self._workspace = np.empty(0, np.int32)
        self._owner = np.zeros(points.n, np.int32)
        self._stamp = 0
        self._link, self._find_units, self._resolve = (
            kernel(f"tour_{name}_{points.special}", *types)
            for name, types in (("links", _LINKS), ("units", _UNITS), ("conflicts", _CONFLICTS))
        )

    def link(self, tour: Ints) -> LinkedTour:
        """Return a tour in the form of :meth:`resolve`."""
        linked = LinkedTour(tour, np.empty(2 * self._points.n, np.int32), np.empty(self._points.n, np.int32))
        self._link(0, 1, self._points.n, tour, linked.links, linked.place)
        return linked

    def resolve(self, sums: NDArray[np.int64], changes: Ints, linked: LinkedTour) -> None:
        """Apply changes that do not touch each other to the links of the tour from which the windows started.

        ``sums``: window w made the changes ``sums[w - 1]`` to ``sums[w] - 1``
        ``changes``: three numbers per change: a city and its two new neighbours
        """
        count, windows = max(1, int(sums[-1])), len(sums)
        most = int(np.diff(sums, prepend=0).max())
        needed = self._pool.threads * (self._points.n + WORKSPACE * most)
        if len(self._workspace) < needed:
            self._workspace = np.empty(needed, np.int32)
        unit, gains = np.empty(count, np.int32), np.empty(count)
        self._pool.run_groups(
            self._find_units, *self._points.arguments, self._points.n, windows, sums, changes, linked.tour,
            linked.place, most, self._workspace, unit, gains,
        )  # fmt: skip
        self._stamp += 1
        self._resolve(
            0, 1, windows, sums, changes, unit, gains, self._epsilon, linked.links, self._owner, self._stamp,
            np.empty(count, np.int32), np.zeros(2, np.int64),
        )  # fmt: skip
