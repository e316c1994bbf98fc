"""One solution that several threads anneal together: the wrapper of ``kernels/routes/board.h``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.hilbert import loop_order
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import DONE, RouteState, Ruin

InParallel: TypeAlias = Callable[[Callable[[int], None], Iterable[int]], object]
"""Calls a function for all items, in parallel."""

WRITTEN: Final = 0
COUNTERS: Final = 48
"""Index and number of the counters in ``kernels/routes/board.h``."""

ROOM, ROOM_PER_NODE = 1 << 20, 64
"""Minimum length of a board, in all and per node: room for the posts of 16 threads with 2000 iterations each."""

SECTOR = 2000
"""Maximum number of customers at which the ruins of a thread begin in a call, or its iterations if there are more: what
is near them stays in its cache, and all customers are visited at many temperatures."""

GOLDEN = 0.6180339887498949
"""Share of the customers by which sectors move on after each call, so that their borders fall everywhere in turn."""


class CommonRoutes:
    """A copy of the routes for each thread, and the board by which the copies stay alike.

    Customers are numbered along a closed space-filling curve. In each call the ruins of a thread begin in a sector of
    its own, so that threads rarely change the same routes; what is removed and where it is inserted is not confined.
    Which thread is first depends on how they run: equal seeds do not give equal routes.

    ``giant``: giant tour of the routes, in which all customers are
    ``slots``: maximum number of routes, unless ``giant`` has more
    ``threads``: number of copies
    ``in_parallel``: runs the threads, as ``map`` of a pool
    """

    def __init__(self, instance: RouteInstance, giant: Ints, slots: int, threads: int, in_parallel: InParallel) -> None:
        first = RouteState(instance, giant, slots, (0, instance.whole[0], along_a_curve(instance, giant)))
        self.fleets = [first, *(first.copy() for _ in range(threads - 1))]
        self._in_parallel = in_parallel
        nodes = len(first.nodes)
        self._room = max(ROOM, ROOM_PER_NODE * nodes)
        self._posts = np.empty(2 * self._room, np.int32)
        self._counters = np.zeros(COUNTERS, np.int64)
        self._costs = first.costs.copy()
        self._own = [np.zeros(2, np.int64) for _ in self.fleets]
        self._seen: list[NDArray[np.int32]] = [np.empty(nodes + 2 * first.slots, np.int32) for _ in self.fleets]
        self._calls = 0

    def search(self, iterations: int, temperature: tuple[float, float], *, seed: int, ruin: Ruin) -> int:
        """Run ``iterations`` iterations on all threads, fewer if the board is full; return how many."""
        done, written = self._done(), int(self._counters[WRITTEN])
        self._counters[:] = 0
        self._calls += 1

        def work(number: int) -> None:
            board = self._board(number, written, iterations)
            self.fleets[number].search_together(board, iterations, temperature, seed=seed, stream=number, ruin=ruin)

        self._in_parallel(work, range(len(self.fleets)))
        return self._done() - done

    @property
    def lowest(self) -> float:
        """Cost of the best routes."""
        return min(fleet.lowest for fleet in self.fleets)

    @property
    def clashes(self) -> int:
        """Number of changes that were accepted but not posted: another thread had changed one of the same routes."""
        return int(sum(own[1] for own in self._own))

    def best(self) -> Ints:
        """Return the giant tour of the best routes."""
        return min(self.fleets, key=lambda fleet: fleet.lowest).best()

    def giant_tour(self) -> Ints:
        """Return the giant tour of the current routes."""
        self.search(0, (1.0, 1.0), seed=0, ruin=Ruin())  # no iterations: threads only read the rest of the board
        return self.fleets[0].giant_tour()

    def _board(self, number: int, written: int, iterations: int) -> tuple[Any, ...]:
        """Return the board of a call as a thread sees it; ``written``: length of the posts of the last call."""
        customers, threads = len(self.fleets[0].instance.served), len(self.fleets)
        sector = min(-(-customers // threads), max(SECTOR, iterations // threads))
        begin = int((self._calls * GOLDEN + number / threads) % 1 * customers)
        return (
            self._posts, self._room, self._calls % 2, written, self._counters, self._costs, self._own[number],
            self._seen[number], begin, sector,
        )  # fmt: skip

    def _done(self) -> int:
        return int(sum(fleet.counts[DONE] for fleet in self.fleets))


def along_a_curve(instance: RouteInstance, giant: Ints) -> Ints:
    """Return numbers of the nodes along a closed curve, or as routes visit them where there are no coordinates."""
    places = instance.places
    customers, copies = instance.served, instance.problem.copies
    if places is None:
        visited = giant[np.isin(giant, customers)]
        order: Ints = np.concatenate((visited, np.setdiff1d(customers, giant))).astype(np.int32)
    else:
        order = (1 + loop_order(places[1 : len(customers) + 1])).astype(np.int32)
    number = np.zeros(instance.problem.n, np.int32)
    number[[*order, *copies]] = np.arange(1, len(order) + len(copies) + 1, dtype=np.int32)  # copies behind the others
    return number
