"""Threads that search one whole tour together: each kicks in a region of its own, and what they win is merged.

Two threads' tours differ in small exchanges that do not touch each other, and the better side of each can be had
(Whitley's partition crossover, Helsgaun's tour merging).
"""

from __future__ import annotations

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.partition_crossover import partition_crossover
from warptour.engines.windows.window import Window
from warptour.search.team import shares
from warptour.search.threads import Poll, ThreadPool

STRETCH = 2000
"""Most kicks of a thread between two merges."""


class Regions:
    """A copy of the tour per thread.

    Cities are numbered along a space-filling curve, so a range of numbers is a region. Threads exchange at fixed
    counts of kicks, so the result depends on the seed, the threads and the kicks, and on no clock.
    """

    def __init__(self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, walk_length: int) -> None:
        self.instance = instance
        self.pool = pool
        self.seed = seed
        self.walk_length = walk_length
        self.tour = instance.enter(tour)
        self.gain = 0.0
        self.kicks = 0
        self.evaluations = 0
        self._stretches = 0
        self._first: Window | None = Window.whole(instance, self.tour)

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Repair the start, or let every thread polish for a stretch."""
        self._stretches += 1
        if self._first is not None:
            self._repair_start(poll)
        else:
            self._polish(kicks_left, poll)

    @property
    def host_evaluations(self) -> int:
        """Cities that the threads of the crew looked at, and kicks."""
        return self.evaluations + self.kicks

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""
        self.tour = tour
        self.gain += gain

    def _repair_start(self, poll: Poll) -> None:
        window = self._first
        assert window is not None
        while not window.locally_optimal and not poll():
            window.search(0, seed=self.seed)
            self.gain, self.evaluations = window.gain, window.evaluations
        self.tour, self._first = window.tour, None

    def _polish(self, kicks_left: float, poll: Poll) -> None:
        """Kick in regions; merge what the threads win, best first."""
        nodes, threads = self.instance.nodes, self.pool.threads
        goals = shares(kicks_left, min(max(100, nodes // 4), STRETCH), threads)
        windows = [Window(self.instance, nodes) for _ in goals]
        share = -(-nodes // threads)
        offset = int(self._stretches * 0.381966 * nodes) % nodes

        def search(number: int, halted: Poll) -> None:
            window, goal = windows[number], goals[number]
            region, stream = ((offset + number * share) % nodes, share), self._stretches * threads + number
            window.restart(self.tour)
            while (not window.locally_optimal or window.kicks < goal) and not halted():
                window.search(
                    goal - window.kicks, seed=self.seed, stream=stream, walk_length=self.walk_length, region=region
                )

        self.pool.work(search, range(threads), poll)
        self.kicks += sum(window.kicks for window in windows)
        self.evaluations += sum(window.evaluations for window in windows)
        ranked = sorted((window for window in windows if window.gain > 0), key=lambda window: -window.gain)
        for number, window in enumerate(ranked):
            tour, more = (
                (window.tour, window.gain)
                if number == 0
                else partition_crossover(self.instance, self.tour, window.tour)
            )
            self.tour = tour
            self.gain += more

    def best(self) -> Ints:
        """Return the best tour, as the problem numbers cities."""
        return self.instance.leave(self.tour if self._first is None else self._first.tour)
