"""Threads that search one whole tour together: each kicks in its own region, and partition crossover joins their gains.

The tours of two threads differ in small exchanges that do not touch, so the better side of each can be taken
(partition crossover: Whitley, Hains and Howe 2009).
"""

from __future__ import annotations

from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.partition_crossover import partition_crossover
from warptour.tours.engine.window import Window

MAX_KICKS = 2000
"""Maximum kicks of a thread between two crossovers."""


class Regions(TimedWorker):
    """A copy of the tour per thread.

    Cities are numbered along a space-filling curve, so a range of numbers is a region. Crossovers come after fixed
    numbers of kicks: the result depends on the seed, the threads and the kicks, and on no clock.

    ``tour``: a closed tour in the instance's numbering
    ``walk_length``: steps of the random walks that choose the edges of a kick
    """

    def __init__(self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, walk_length: int) -> None:
        self.instance = instance
        self.pool = pool
        self.seed = seed
        self.walk_length = walk_length
        self.gain = 0.0
        self.iterations = 0
        self.evaluations = 0
        self._tour = tour
        self._steps = 0
        self._first: Window | None = Window.whole(instance, tour)

    @property
    def host_evaluations(self) -> int:
        """Evaluations and kicks of the host's threads."""
        return self.evaluations + self.iterations

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired."""
        return self._first is None

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self._tour, self._first = tour.copy(), None
        self.gain += gain

    def step(self, budget: Budget) -> None:
        """Repair the first tour, the first time; then kick in regions."""
        self._steps += 1
        if self._first is not None:
            self._repair(self._first, budget.over)
        else:
            self._kick(budget)

    def best(self) -> Ints:
        """Return the best tour."""
        return self._tour if self._first is None else self._first.tour

    def _repair(self, window: Window, poll: Poll) -> None:
        while not window.locally_optimal and not poll():
            window.search(0, seed=self.seed)
            self.gain, self.evaluations = window.gain, window.evaluations
        self._tour, self._first = window.tour, None

    def _kick(self, budget: Budget) -> None:
        """Kick in regions; cross the threads' tours, the best first."""
        nodes, threads = self.instance.nodes, self.pool.threads
        goals = shares(budget.iterations, min(max(100, nodes // 4), MAX_KICKS), threads)
        windows = [Window(self.instance, nodes) for _ in goals]
        share = -(-nodes // threads)
        offset = int(self._steps * 0.381966 * nodes) % nodes

        def search(number: int, halted: Poll) -> None:
            window, goal = windows[number], goals[number]
            region, stream = ((offset + number * share) % nodes, share), self._steps * threads + number
            window.restart(self._tour)
            while (not window.locally_optimal or window.kicks < goal) and not halted():
                left = goal - window.kicks
                window.search(left, seed=self.seed, stream=stream, walk_length=self.walk_length, region=region)

        self.pool.work(search, range(threads), budget.over)
        self.iterations += sum(window.kicks for window in windows)
        self.evaluations += sum(window.evaluations for window in windows)
        ranked = sorted((window for window in windows if window.gain > 0), key=lambda window: -window.gain)
        for number, window in enumerate(ranked):
            best = window.tour, window.gain
            self._tour, more = best if number == 0 else partition_crossover(self.instance, self._tour, window.tour)
            self.gain += more
