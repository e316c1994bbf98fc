"""Climbers: tours that the descent kernel improves, kicks and repairs (``kernels/descent.c``).

A batch of climbers is a few arrays, one row each, and a call to the kernel does
a counted amount of work on them. Threads work on different batches, or on
different rows of one.
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.engines.instance import Instance, Ints
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.model.errors import UsageError

EFFORT: Final = {"euc": 1_000_000, "flat": 1_000_000, "ceil": 1_000_000, "any": 200_000}
"""Moves looked at and cities swapped in one call, by the metric's build: 10 to 50 ms."""

LOG: Final = 1000
"""Reversals that one kick and its repair may take."""

QUEUE_HEAD, QUEUE_TAIL, DRAWS, KICKS, EVALUATIONS, MOVES, ACCEPTED, JOURNAL, PENDING, SEAL_A, SEAL_B, CLIMBER = range(
    12
)
NOT_QUEUED, LAST_IN_QUEUE = -2, -1

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _out = array(np.int32, 2), array(np.int32, 2, output=True)
_CLIMB = (
    *POINTS_TYPES, _int32, _int32, _int32, _ints, array(np.float64, 2), _int32, array(np.int32, 2, optional=True),
    _out, _out, _out, _out, _int32, _out, _out, _int32,
    array(np.int64, 2, output=True), array(np.float64, 2, output=True),
    _uint64, _real, _real, _int32, _int32, _int64, _int64,
)  # fmt: skip
_BEST = (_int32, _int32, _ints, _out, _ints, _int32, array(np.int64, 2, output=True))


class Climbers:
    """Tours of one problem under improvement.

    Parameters
    ----------
    terrain : Terrain
    tours : array of int32, shape (climbers, m)
        Closed tours of the terrain's nodes, as :meth:`Instance.enter` gives them; m below ``instance.nodes`` leaves
        the other nodes out.
    seed : int
        64 bits; with the climber's number and the count of draws it gives every random number.
    first : int
        Number of the first climber.
    sealed : bool
        Whether the edge from a tour's last to its first node is fixed, so that it is a path between two ends.
    queued : bool
        Whether all nodes wait to be looked at; else the tours are taken as local optima.
    slack : float
        A kick is kept if the tour is then at most so much longer than the best one; below 0, only if it is shorter
        than before.
    segment : int
        Longest segment of a kick.
    reach : int
        Moves that must reverse more nodes than this are left out when a kick is repaired.
    """

    def __init__(
        self,
        instance: Instance,
        tours: Ints,
        *,
        seed: int = 0,
        first: int = 0,
        sealed: bool = False,
        queued: bool = True,
        slack: float = -1.0,
        segment: int = 50,
        reach: int = 50_000,
    ) -> None:
        self.instance = instance
        self.cities = np.array(tours, np.int32, ndmin=2, order="C")
        count, self.m = self.cities.shape
        if self.m < 5:
            raise UsageError(f"a climber needs at least 5 nodes, not {self.m}")
        self.seed = seed % 2**64
        self.slack = slack
        self.segment = max(1, min(segment, (self.m - 1) // 3))
        self.reach = reach
        self._places = np.full((count, instance.nodes), -1, np.int32)
        self._next = np.full((count, instance.nodes), NOT_QUEUED, np.int32)
        self._log = np.empty((count, 2 * LOG), np.int32)
        self._journal = np.empty((count, 2 * max(LOG, self.m) if slack > 0 else 2), np.int32)
        self._best = np.empty_like(self.cities)
        self.counters = np.zeros((count, 12), np.int64)
        self.sums = np.zeros((count, 2))
        self.counters[:, CLIMBER] = first + np.arange(count)
        self.counters[:, QUEUE_HEAD] = -1
        self.counters[:, PENDING] = 1
        self.counters[:, [SEAL_A, SEAL_B]] = self.cities[:, [-1, 0]] if sealed else -1
        np.put_along_axis(self._places, self.cities, np.arange(self.m, dtype=np.int32)[None], axis=1)
        self._climb = kernel(f"climb_{instance.points.special}", *_CLIMB)
        self._write_down = kernel(f"climb_best_{instance.points.special}", *_BEST)
        if queued:
            self.enqueue_all()

    def __len__(self) -> int:
        return len(self.cities)

    def enqueue_all(self) -> None:
        """Queue all nodes, in the order of the tour."""
        np.put_along_axis(self._next, self.cities[:, :-1], self.cities[:, 1:], axis=1)
        np.put_along_axis(self._next, self.cities[:, -1:], np.full((len(self), 1), LAST_IN_QUEUE, np.int32), axis=1)
        self.counters[:, QUEUE_HEAD] = self.cities[:, 0]
        self.counters[:, QUEUE_TAIL] = self.cities[:, -1]

    def climb(
        self, kicks: int = 0, effort: int | None = None, group: int = 0, groups: int = 1, *, oversubscription: int = 1
    ) -> None:
        """Work until no city waits and each climber has kicked ``kicks`` times in all, but no more than ``effort``.

        The default effort takes a few hundredths of a second, for ``oversubscription`` calls one after the other.

        With groups, climbers group, group + groups, ... only. Runs without the interpreter lock.
        """
        t = self.instance
        effort = EFFORT[t.points.special] // oversubscription if effort is None else effort
        self._climb(
            group, groups, *t.points.arguments, len(self), t.nodes, self.m, t.near, t.reaches, t.near.shape[1], t.fixed,
            self.cities, self._places, self._next, self._log, LOG,
            self._best, self._journal, self._journal.shape[1] // 2, self.counters, self.sums,
            self.seed, t.epsilon, self.slack, self.segment, self.reach, kicks, effort,
        )  # fmt: skip

    def descend(self) -> None:
        """Work until no city waits: local optima."""
        while not self.locally_optimal:
            self.climb()

    @property
    def locally_optimal(self) -> bool:
        """Whether no city waits to be looked at."""
        return bool((self.counters[:, QUEUE_HEAD] < 0).all())

    @property
    def kicks(self) -> NDArray[np.int64]:
        """Kicks of each climber so far."""
        return self.counters[:, KICKS]

    @property
    def evaluations(self) -> int:
        """Moves evaluated so far, by all."""
        return int(self.counters[:, EVALUATIONS].sum())

    @property
    def gains(self) -> NDArray[np.float64]:
        """By how much each climber's best tour is shorter than the one it began with, but for rounding errors."""
        return -self.sums[:, 1]

    def best(self) -> Ints:
        """Return the best tour of each climber, shape (climbers, m), as the terrain numbers nodes."""
        self._write_down(
            0, 1, len(self), self.m, self.cities, self._best, self._journal, self._journal.shape[1] // 2, self.counters
        )
        return self._best

    def unrolled(self) -> Ints:
        """Return the best tour of the first climber, which is sealed, as a path between the ends it was given."""
        inner = self.best()[0]
        last, first = self.counters[0, [SEAL_A, SEAL_B]]
        at = int(np.flatnonzero(inner == first)[0])
        if inner[at - 1] == last:
            return np.roll(inner, -at)
        return np.roll(inner[::-1], at + 1)

    def restart(self, tours: Ints, total: float = 0.0) -> None:
        """Put local optima in place of the present tours, which count as shorter than the first ones by ``-total``.

        The count of kicks and the random numbers go on.
        """
        self.cities[...] = tours
        np.put_along_axis(self._places, self.cities, np.arange(self.m, dtype=np.int32)[None], axis=1)
        self.counters[:, PENDING] = 1
        self.counters[:, JOURNAL] = 0
        self.sums[...] = total
