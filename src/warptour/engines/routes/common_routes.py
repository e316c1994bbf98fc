"""One solution that several threads anneal together: the wrapper of ``kernels/routes_board.h``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.engines.routes.fleet import DONE, Fleet, Ruin
from warptour.engines.routes.instance import Ints, RouteInstance
from warptour.search.threads import ThreadPool

WRITTEN, LOCKED, STARTED, COUNTERS = 0, 8, 16, 24
"""Indices as in ``kernels/routes_board.h``, a cache line apart."""

ROOM, ROOM_PER_NODE = 1 << 20, 64
"""Length of a board, and at least per node: a thousand posts of X instances per thread of 16 and call."""


class CommonRoutes:
    """A copy of the routes for each thread, and the board by which the copies stay alike.

    Which thread changes a route first depends on how the threads run: equal seeds do not give equal routes.

    Parameters
    ----------
    instance : RouteInstance
    giant : array of int32
        Giant tour of the routes, in which all customers are.
    slots : int
        Maximum number of routes, unless ``giant`` has more.
    pool : ThreadPool
    """

    def __init__(self, instance: RouteInstance, giant: Ints, slots: int, pool: ThreadPool) -> None:
        first = Fleet(instance, giant, slots)
        self.pool = pool
        self.fleets = [first, *(first.copy() for _ in range(pool.threads - 1))]
        nodes = len(first.nodes)
        self._room = max(ROOM, ROOM_PER_NODE * nodes)
        self._posts = np.empty(2 * self._room, np.int32)
        self._counters = np.zeros(COUNTERS, np.int64)
        self._costs = first.costs.copy()
        self._reads = [np.zeros(1, np.int64) for _ in self.fleets]
        self._shown: list[NDArray[np.int32]] = [np.empty(nodes + 2 * first.slots, np.int32) for _ in self.fleets]
        self._turn = 0

    def search(self, iterations: int, temperature: tuple[float, float], *, seed: int, ruin: Ruin) -> int:
        """Run about ``iterations`` iterations on all threads, fewer if the board is full; return how many."""
        done = self._done()
        before = int(self._counters[WRITTEN])
        self._counters[:] = 0
        self._turn = 1 - self._turn
        shared = (self._posts, self._room, self._turn, self._counters, self._costs)

        def work(number: int) -> None:
            board = (*shared, self._reads[number], self._shown[number], before)
            self.fleets[number].search_together(board, iterations, temperature, seed=seed, stream=number, ruin=ruin)

        self.pool.map(work, range(len(self.fleets)))
        return self._done() - done

    def _done(self) -> int:
        return int(sum(fleet.counts[DONE] for fleet in self.fleets))

    @property
    def lowest(self) -> float:
        """Cost of the best routes."""
        return min(fleet.lowest for fleet in self.fleets)

    def best(self) -> Ints:
        """Return the giant tour of the best routes."""
        return min(self.fleets, key=lambda fleet: fleet.lowest).best()
