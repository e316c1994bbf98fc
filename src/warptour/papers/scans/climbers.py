"""Iterated local search on batches of tours: descent, kicks and repair by the native kernel (``descent.c``).

A batch of climbers is a set of arrays with one row per climber, and each kernel call does a bounded amount of work on
it. Threads work on different batches, or on different rows of one batch.
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Instance, Ints

EFFORT: Final = {"euc": 1_000_000, "flat": 1_000_000, "ceil": 1_000_000, "any": 200_000}
"""Moves evaluated plus cities moved per native call, by metric build: 10 to 50 ms."""

LOG: Final = 1000
"""Maximum reversals of one kick and its repair."""

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
    """Tours of one problem under iterated local search.

    ``tours``: (climbers, m): closed tours of the instance's nodes, as :meth:`Instance.enter` returns them; with m below
        ``instance.nodes`` the other nodes are left out
    ``seed``: 64 bits; with the climber's number and its draw count it determines every random number
    ``first``: number of the first climber
    ``sealed``: whether the edge from a tour's last to its first node is fixed, so that the tour is a path between two
        ends
    ``queued``: whether all nodes are queued for evaluation; otherwise the tours are assumed locally optimal
    ``slack``: a kick is kept if the repaired tour is longer than the best one by at most this; below 0, only if it is
        shorter than before the kick
    ``segment``: maximum segment length of a kick, in nodes
    ``reach``: maximum nodes that a move may reverse while a kick is repaired
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
        """Queue all nodes, in tour order."""
        np.put_along_axis(self._next, self.cities[:, :-1], self.cities[:, 1:], axis=1)
        np.put_along_axis(self._next, self.cities[:, -1:], np.full((len(self), 1), LAST_IN_QUEUE, np.int32), axis=1)
        self.counters[:, QUEUE_HEAD] = self.cities[:, 0]
        self.counters[:, QUEUE_TAIL] = self.cities[:, -1]

    def climb(
        self, kicks: int = 0, effort: int | None = None, group: int = 0, groups: int = 1, *, oversubscription: int = 1
    ) -> None:
        """Run until all queues are empty and each climber has made ``kicks`` kicks in total, at most for ``effort``.

        The default effort takes a few hundredths of a second, divided by ``oversubscription``, the number of calls that
        share a core. With groups, only climbers group, group + groups, ... run. The interpreter lock is released.
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
        """Run until all queues are empty: the tours are then locally optimal."""
        while not self.locally_optimal:
            self.climb()

    @property
    def locally_optimal(self) -> bool:
        """Whether all queues are empty."""
        return bool((self.counters[:, QUEUE_HEAD] < 0).all())

    @property
    def kicks(self) -> NDArray[np.int64]:
        """Number of kicks of each climber so far."""
        return self.counters[:, KICKS]

    @property
    def evaluations(self) -> int:
        """Moves evaluated so far by all climbers."""
        return int(self.counters[:, EVALUATIONS].sum())

    @property
    def gains(self) -> NDArray[np.float64]:
        """Difference between each climber's first and best tour length, up to rounding errors."""
        return -self.sums[:, 1]

    def best(self) -> Ints:
        """Return the best tour of each climber, shape (climbers, m), in the instance's node numbers."""
        self._write_down(
            0, 1, len(self), self.m, self.cities, self._best, self._journal, self._journal.shape[1] // 2, self.counters
        )
        return self._best

    def unrolled(self) -> Ints:
        """Return the best tour of the first climber, which is sealed, as a path between its given ends."""
        inner = self.best()[0]
        last, first = self.counters[0, [SEAL_A, SEAL_B]]
        at = int(np.flatnonzero(inner == first)[0])
        if inner[at - 1] == last:
            return np.roll(inner, -at)
        return np.roll(inner[::-1], at + 1)

    def restart(self, tours: Ints, total: float = 0.0) -> None:
        """Replace the current tours by local optima, whose gain over the first tours is ``-total``.

        The kick counts and random streams continue.
        """
        self.cities[...] = tours
        np.put_along_axis(self._places, self.cities, np.arange(self.m, dtype=np.int32)[None], axis=1)
        self.counters[:, PENDING] = 1
        self.counters[:, JOURNAL] = 0
        self.sums[...] = total


def list_descent(problem: TSP, tour: Ints, over: Over | None = None) -> Ints:
    """Return a local optimum of 2-opt and or-opt over neighbour lists, or the tour reached once ``over()``."""
    instance = Instance.of(problem, over=over)
    climber = Climbers(instance, instance.enter(tour))
    while not climber.locally_optimal and not (over is not None and over()):
        climber.climb()
    return np.ascontiguousarray(instance.leave(climber.best()[0]))
