"""One window under refinement: the Python side of ``kernels/window_search.c``.

A window is a cycle of cities with bonds that stay. It is either the whole tour
(:meth:`Window.whole`), searched as a cycle, or one cell of a split, loaded into
an arena that a worker thread uses again and again (:class:`Arena`).
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.engines.instance import Ints, Terrain
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES

BUDGET, MATRIX_BUDGET = 20_000, 4_000
"""Cities looked at in one call: 20 to 50 ms. In a matrix near cities lie anywhere in the tour, and a step reverses all
that is between them."""

HEAD, DIRTY, DRAWS, KICKS, BETTER, LOOKS = range(6)

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _longs, _reals = array(np.int32), array(np.int64), array(np.float64)
_out = array(np.int32, output=True)
_SEARCH = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _out, _out, _out, _out, _longs, _ints, _longs,
    array(np.int64, output=True), array(np.float64, output=True),
    _uint64, _uint64, _real, _int32, _int32, _int32, _int64, _int64,
)  # fmt: skip


_WALK = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _out, _out, _out, _out, _int32,
    array(np.int64, output=True), array(np.int64, output=True), array(np.float64, output=True),
    _real, _real, _real, _int32, _int64, array(np.float64, output=True), array(np.int64, output=True), _out,
)  # fmt: skip

ENDS: Final = 6
"""Ends that a walk looks at in the time of one city that a repair looks at."""

RATIO: Final = 1.3
"""Walks start at edges that are so much longer than others could be."""

PUSHES: Final = 16
"""As in the kernel."""


class Window:
    """A cycle of cities and all that the kernel needs to search it.

    ``tour`` is the cycle and ``place`` its inverse; ``state`` and ``gains`` are as the kernel explains them.
    """

    def __init__(self, terrain: Terrain, size: int) -> None:
        width = terrain.near.shape[1]
        self.terrain = terrain
        self.width = width
        self.m = size
        self.tour = np.arange(size, dtype=np.int32)
        self.place = np.arange(size, dtype=np.int32)
        self.queue = np.zeros(size, np.int32)
        self.queued = np.zeros(size, np.int32)
        self.offsets = np.array([0, size], np.int64)
        self.heads = np.zeros(1, np.int32)
        self.fragment_offsets = np.array([0, 1], np.int64)
        self.state = np.zeros(6, np.int64)
        self.gains = np.zeros(1)
        self._search = kernel(f"window_search_{terrain.points.special}", *_SEARCH)
        self._walk = kernel(f"window_walk_{terrain.points.special}", *_WALK)
        self._progress = np.zeros(2, np.int64)
        self._budget = BUDGET if terrain.problem.matrix is None else MATRIX_BUDGET
        self._room: tuple[NDArray[np.float64], NDArray[np.int64], Ints] | None = None
        self.points = terrain.points.arguments
        self.near: Ints = terrain.near.reshape(-1)
        self.reach: NDArray[np.float64] = terrain.reaches.reshape(-1)
        self.bonds: Ints = np.full(2 * size, -1, np.int32) if terrain.fixed is None else terrain.fixed.reshape(-1)

    @classmethod
    def whole(cls, terrain: Terrain, tour: Ints) -> Window:
        """Return the whole tour as a window; all cities are dirty. Cities keep the terrain's numbers."""
        window = cls(terrain, terrain.nodes)
        window.restart(tour)
        window.soil()
        return window

    def restart(self, tour: Ints) -> None:
        """Go on from another tour, taken as a local optimum."""
        self.tour[:] = tour
        self.place[tour] = np.arange(self.m, dtype=np.int32)

    def soil(self) -> None:
        """Make all cities dirty."""
        self.queue[:] = self.tour
        self.queued[:] = 1
        self.state[DIRTY] = self.m

    def search(
        self,
        kicks: int,
        *,
        seed: int,
        stream: int = 0,
        paces: int = 50,
        region: tuple[int, int] | None = None,
        budget: int | None = None,
    ) -> None:
        """Repair what is dirty, then kick up to ``kicks`` times at cities of ``region`` (first, count).

        Ends early after looking at ``budget`` cities, by default so many as take about 20 ms. Runs without the
        interpreter's lock.
        """
        first, count = region or (0, self.m)
        self._search(
            0, 1, *self.points, self.near, self.reach, self.width, self.bonds, self.tour, self.place,
            self.queue, self.queued, self.offsets, self.heads, self.fragment_offsets, self.state, self.gains,
            seed % 2**64, stream, self.terrain.least, paces, first, count, kicks, budget or self._budget,
        )  # fmt: skip

    def walk(self, most: int, *, ratio: float = RATIO, pull: float = 0.2, budget: int | None = None) -> bool:
        """Make exchanges by walks of at most ``most`` ends from long edges; return whether all cities had their turn.

        The cities of the exchanges become dirty. Ends early as :meth:`search` does; the next call goes on.
        """
        m, room = self.m, PUSHES * most
        if self._room is None or len(self._room[1]) < room:
            size = len(self.tour)
            self._room = np.empty(2 * size + room), np.empty(room, np.int64), np.empty(5 * size + room, np.int32)
        before = int(self._progress[1])
        self._walk(
            0, 1, *self.points, self.near, self.reach, self.width, self.bonds, self.tour, self.place,
            self.queue, self.queued, m, self.state, self._progress, self.gains, self.terrain.least, ratio, pull,
            most, (budget or self._budget) * ENDS, *self._room,
        )  # fmt: skip
        self.state[LOOKS] += (int(self._progress[1]) - before) // ENDS
        done = bool(self._progress[0] == m)
        if done:
            self._progress[0] = 0
        return done

    @property
    def settled(self) -> bool:
        """Whether no city is dirty."""
        return not self.state[DIRTY]

    @property
    def kicks(self) -> int:
        """Kicks made so far."""
        return int(self.state[KICKS])

    @property
    def looks(self) -> int:
        """Cities looked at so far."""
        return int(self.state[LOOKS])

    @property
    def gain(self) -> float:
        """What was won so far."""
        return float(self.gains[0])
