"""Variable neighbourhood search over neighbour lists (``kernels/papers/ermis/vns_search.c``)."""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.model.errors import UsageError
from warptour.tours.engine.instance import Instance, Ints

KINDS: Final = {"2-opt": 0, "or-opt": 1, "3-opt": 2, "swap": 3, "relocate": 4}
"""Neighbourhoods and their numbers in the kernel."""

EFFORT: Final = {"euc": 1_000_000, "flat": 1_000_000, "ceil": 1_000_000, "any": 200_000}
"""Moves evaluated plus cities moved per native call, by metric build: 10 to 50 ms."""

LOG: Final = 1000
"""Maximum reversals of one shake and its repair."""

DRAWS, SHAKES, STRENGTH, KEPT, NUMBER, PENDING = range(6)
PRESENT, BEST = range(2)
QUEUE_HEAD, QUEUE_TAIL, EVALUATIONS, MOVES, SWAPS = range(5)
NOT_QUEUED, LAST_IN_QUEUE = -2, -1

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_out = array(np.int32, output=True)
_SEARCH = (
    *POINTS_TYPES, _int32, _int32, array(np.int32, 2), array(np.float64, 2), _int32, array(np.int32, 2, optional=True),
    array(np.int32), _int32, _out, _out, array(np.int32, 2, output=True), _out, _int32, _out,
    array(np.int64, output=True), array(np.int64, 2, output=True), array(np.float64, output=True),
    array(np.float64, output=True), _uint64, _real, _real, *(_int32,) * 4, _int64, _int64,
)  # fmt: skip


class VariableSearch:
    """One tour under variable neighbourhood descent through a list of neighbourhoods, shaken at each local optimum.

    Parameters
    ----------
    instance : Instance
    tour : array of int32, shape (nodes,)
        As :meth:`Instance.enter` returns it.
    neighborhoods : list of str
        Keys of :data:`KINDS`, in the order in which they are tried.
    seed, number : int
        64 bits each; with the draw count they determine every random number.
    longest : int
        Maximum number of cities in an or-opt segment.
    segment : int
        Maximum segment length of a shake's double bridges, in nodes.
    strongest : int
        Number of double bridges in the strongest shake.
    slack : float
        A shaken and repaired tour is kept if it is longer than the best one by at most this.
    reach : int
        Maximum nodes that a move may reverse while a shake is repaired.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Ints,
        neighborhoods: list[str],
        *,
        seed: int = 0,
        number: int = 0,
        longest: int = 3,
        segment: int = 50,
        strongest: int = 3,
        slack: float = 0.0,
        reach: int = 50_000,
    ) -> None:
        self.instance = instance
        self.m = instance.nodes
        if self.m < 8:
            raise UsageError(f"variable neighbourhood search needs at least 8 nodes, not {self.m}")
        levels = len(neighborhoods)
        self.neighborhoods = list(neighborhoods)
        self.kinds = np.array([KINDS[name] for name in neighborhoods], np.int32)
        self.seed = seed % 2**64
        self.longest = longest
        self.segment = max(1, min(segment, (self.m - 1) // 3))
        self.strongest = max(1, strongest)
        self.slack = slack
        self.reach = reach
        self.cities = np.array(tour, np.int32)
        self._places = np.empty(self.m, np.int32)
        self._places[self.cities] = np.arange(self.m, dtype=np.int32)
        self._next = np.empty((levels, self.m), np.int32)
        self._log = np.empty(2 * LOG, np.int32)
        self._best = self.cities.copy()
        self.counters = np.zeros(6, np.int64)
        self.counters[NUMBER] = number
        self.counters[PENDING] = 1
        self.by_level = np.zeros((levels, 5), np.int64)
        self.gains = np.zeros(levels)
        self._sums = np.zeros(2)
        self._search = kernel(f"vns_search_{instance.points.special}", *_SEARCH)
        self.enqueue_all()

    def enqueue_all(self) -> None:
        """Queue all nodes for every neighbourhood, in tour order."""
        self._next[:, self.cities[:-1]] = self.cities[1:]
        self._next[:, self.cities[-1]] = LAST_IN_QUEUE
        self.by_level[:, QUEUE_HEAD] = self.cities[0]
        self.by_level[:, QUEUE_TAIL] = self.cities[-1]

    def work(self, shakes: int = 0, effort: int | None = None, *, oversubscription: int = 1) -> None:
        """Run until all queues are empty and ``shakes`` shakes have been made in total, at most for ``effort``.

        The default effort takes a few hundredths of a second, divided by ``oversubscription``, the number of calls that
        share a core. The interpreter lock is released.
        """
        t = self.instance
        effort = EFFORT[t.points.special] // oversubscription if effort is None else effort
        self._search(
            0, 1, *t.points.arguments, 1, self.m, t.near, t.reaches, t.near.shape[1], t.fixed, self.kinds,
            len(self.kinds), self.cities, self._places, self._next, self._log, LOG, self._best, self.counters,
            self.by_level, self.gains, self._sums, self.seed, t.epsilon, self.slack,
            self.longest, self.segment, self.strongest, self.reach, shakes, effort,
        )  # fmt: skip

    @property
    def locally_optimal(self) -> bool:
        """Whether all queues are empty: the tour is a local optimum of all neighbourhoods."""
        return bool((self.by_level[:, QUEUE_HEAD] < 0).all())

    @property
    def shakes(self) -> int:
        """Number of shakes so far."""
        return int(self.counters[SHAKES])

    @property
    def evaluations(self) -> int:
        """Moves evaluated so far."""
        return int(self.by_level[:, EVALUATIONS].sum())

    @property
    def gain(self) -> float:
        """Difference between the first and the best tour length, up to rounding errors."""
        return float(self._sums[BEST])

    def best(self) -> Ints:
        """Return the best tour, in the instance's node numbers."""
        return self.cities if self.counters[PENDING] else self._best

    @property
    def efforts(self) -> NDArray[np.int64]:
        """Moves evaluated plus cities moved by each neighbourhood."""
        return self.by_level[:, EVALUATIONS] + self.by_level[:, SWAPS]

    def restart(self, tour: Ints, gain: float) -> None:
        """Continue from another local optimum, shorter than the first tour by ``gain``."""
        self.cities[...] = tour
        self._places[self.cities] = np.arange(self.m, dtype=np.int32)
        self.counters[PENDING] = 1
        self._sums[...] = gain
