"""Local search in one window: the Python side of ``kernels/tours/window_search.c``.

A window is a cycle of cities, some of whose edges are bonds that no move breaks.
It is either the whole tour (:meth:`Window.whole`), or one cell of a split, loaded
into an arena that a thread reuses (:class:`~warptour.tours.engine.arena.Arena`).
"""

from __future__ import annotations

import ctypes
import time
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.tours.engine.instance import Instance, Ints

BUDGET, MATRIX_BUDGET = 20_000, 4_000
"""Evaluations per call (20 to 50 ms), for coordinates and for a matrix. In a matrix near cities lie anywhere in the
tour, and a step reverses everything between them."""

SLOW_CALL, MAX_SLICES = 0.06, 16
"""Seconds of a call after which the next ones are shorter, and how much at most: on a busy machine calls take longer.
The tour does not depend on where calls end."""

DEPTH: Final = 25
"""Maximum steps of a Lin-Kernighan search, as in the kernel."""

HEAD, QUEUE_LENGTH, DRAWS, KICKS, BETTER, EVALUATIONS = range(6)

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _longs, _reals = array(np.int32), array(np.int64), array(np.float64)
_out = array(np.int32, output=True)
_SEARCH = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _out, _out, _out, _out, _longs, _ints, _longs,
    array(np.int64, output=True), array(np.float64, output=True),
    _uint64, _uint64, _real, _int32, _int32, _int32, _int32, _int64, _int64,
)  # fmt: skip


_PATHS = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _out, _out, _out, _out, _int32,
    array(np.int64, output=True), array(np.int64, output=True), array(np.float64, output=True),
    _real, _real, _real, _int32, _int64, array(np.float64, output=True), array(np.int64, output=True), _out,
)  # fmt: skip

ENDS: Final = 6
"""Ends that the search for alternating paths evaluates in the time of one evaluation of a repair."""

RATIO: Final = 1.3
"""Paths start at edges at least this many times as long as the city's nearest candidate."""

PUSHES: Final = 16
"""Workspace per end, as in the kernel."""


class Window:
    """A cycle of cities with the kernel's state.

    ``tour`` is the cycle and ``place`` its inverse; the kernel explains ``state`` and ``gains``.
    """

    _slices: ClassVar[int] = 1  # calls that make up what is one call on an idle machine

    def __init__(self, instance: Instance, size: int) -> None:
        width = instance.near.shape[1]
        self.instance = instance
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
        self._search = kernel(f"window_search_{instance.points.special}", *_SEARCH)
        self._exchange_paths = kernel(f"window_paths_{instance.points.special}", *_PATHS)
        self._progress = np.zeros(2, np.int64)
        self._budget = BUDGET if instance.problem.matrix is None else MATRIX_BUDGET
        self._workspace: tuple[NDArray[np.float64], NDArray[np.int64], Ints] | None = None
        self.points = instance.points.arguments
        self.near: Ints = instance.near.reshape(-1)
        self.reach: NDArray[np.float64] = instance.reaches.reshape(-1)
        self.bonds: Ints = np.full(2 * size, -1, np.int32) if instance.fixed is None else instance.fixed.reshape(-1)

    @classmethod
    def whole(cls, instance: Instance, tour: Ints, queued: NDArray[np.bool_] | None = None) -> Window:
        """Return the whole tour, in the instance's numbering, as a window with the ``queued`` nodes queued, or all."""
        window = cls(instance, instance.nodes)
        window.restart(tour)
        if queued is None:
            window.enqueue_all()
        else:
            window.enqueue(tour[queued[tour]])
        return window

    def restart(self, tour: Ints) -> None:
        """Continue from another tour, a local optimum."""
        self.tour[:] = tour
        self.place[tour] = np.arange(self.m, dtype=np.int32)

    def enqueue(self, nodes: Ints) -> None:
        """Queue some nodes, in this order; the queue must be empty."""
        self.queue[: len(nodes)] = nodes
        self.queued[nodes] = 1
        self.state[HEAD], self.state[QUEUE_LENGTH] = 0, len(nodes)

    def enqueue_all(self) -> None:
        """Queue all cities."""
        self.enqueue(self.tour)

    def search(
        self,
        kicks: int,
        *,
        seed: int,
        stream: int = 0,
        walk_length: int = 50,
        region: tuple[int, int] | None = None,
        depth: int = DEPTH,
        budget: int | None = None,
    ) -> None:
        """Repair from the queued cities, then kick up to ``kicks`` times at cities of ``region`` (first, count).

        A Lin-Kernighan search has at most ``depth`` steps. Returns early after ``budget`` evaluations, by default about
        20 ms. The interpreter lock is released.
        """
        first, count = region or (0, self.m)
        began = time.perf_counter()
        self._search(
            0, 1, *self.points, self.near, self.reach, self.width, self.bonds, self.tour, self.place,
            self.queue, self.queued, self.offsets, self.heads, self.fragment_offsets, self.state, self.gains,
            seed % 2**64, stream, self.instance.epsilon, depth, walk_length, first, count, kicks,
            budget or self._budget // Window._slices,
        )  # fmt: skip
        if budget is None:
            took = time.perf_counter() - began
            if took > SLOW_CALL:
                Window._slices = min(MAX_SLICES, 2 * Window._slices)
            elif took < SLOW_CALL / 4:
                Window._slices = max(1, Window._slices // 2)

    def repair(self, halted: Over, *, seed: int, depth: int = DEPTH) -> None:
        """Repair from the queued cities until the cycle is a local optimum, or ``halted()``."""
        while not self.locally_optimal and not halted():
            self.search(0, seed=seed, depth=depth)

    def exchange_paths(self, most: int, *, ratio: float = RATIO, pull: float = 0.2, budget: int | None = None) -> bool:
        """Exchange alternating paths of at most ``most`` ends from long edges; return whether all cities were tried.

        The cities of the exchanges are queued. Returns early as :meth:`search` does; the next call continues.
        """
        m, workspace = self.m, PUSHES * most
        if self._workspace is None or len(self._workspace[1]) < workspace:
            size = len(self.tour)
            self._workspace = (
                np.empty(2 * size + workspace),
                np.empty(workspace, np.int64),
                np.empty(5 * size + workspace, np.int32),
            )
        before = int(self._progress[1])
        self._exchange_paths(
            0, 1, *self.points, self.near, self.reach, self.width, self.bonds, self.tour, self.place,
            self.queue, self.queued, m, self.state, self._progress, self.gains, self.instance.epsilon, ratio, pull,
            most, (budget or self._budget) * ENDS, *self._workspace,
        )  # fmt: skip
        self.state[EVALUATIONS] += (int(self._progress[1]) - before) // ENDS
        done = bool(self._progress[0] == m)
        if done:
            self._progress[0] = 0
        return done

    def exchange_all_paths(self, most: int, halted: Over, *, pull: float, ratio: float = RATIO) -> None:
        """Exchange alternating paths as :meth:`exchange_paths` does until all cities were tried, or ``halted()``."""
        while not halted() and not self.exchange_paths(most, ratio=ratio, pull=pull):
            pass

    @property
    def locally_optimal(self) -> bool:
        """Whether no city is queued."""
        return not self.state[QUEUE_LENGTH]

    @property
    def kicks(self) -> int:
        """Kicks so far."""
        return int(self.state[KICKS])

    @property
    def evaluations(self) -> int:
        """Evaluations so far."""
        return int(self.state[EVALUATIONS])

    @property
    def gain(self) -> float:
        """Gain so far."""
        return float(self.gains[0])
