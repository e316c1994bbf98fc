"""Threads that search one whole tour together: each kicks in a region of its own, and what they win is merged.

Two threads' tours differ in small exchanges that do not touch each other, and the better side of each can be had
(Whitley's partition crossover, Helsgaun's tour merging).
"""

from __future__ import annotations

from warptour.engines.instance import Ints, Terrain
from warptour.engines.windows.partition_crossover import merge
from warptour.engines.windows.window import Window
from warptour.search.team import shares
from warptour.search.threads import Crew, Tend

STRETCH = 2000
"""Most kicks of a thread between two merges."""


class Regions:
    """A copy of the tour per thread.

    Cities are numbered along a space-filling curve, so a range of numbers is a region. Threads exchange at fixed
    counts of kicks, so the result depends on the seed, the threads and the kicks, and on no clock.
    """

    def __init__(self, terrain: Terrain, tour: Ints, crew: Crew, *, seed: int, paces: int) -> None:
        self.terrain = terrain
        self.crew = crew
        self.seed = seed
        self.paces = paces
        self.tour = terrain.enter(tour)
        self.gain = 0.0
        self.kicks = 0
        self.looks = 0
        self._stretches = 0
        self._first: Window | None = Window.whole(terrain, self.tour)

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Repair the start, or let every thread polish for a stretch."""
        self._stretches += 1
        if self._first is not None:
            self._repair_start(tend)
        else:
            self._polish(kicks_left, tend)

    @property
    def crew_looks(self) -> int:
        """Cities that the threads of the crew looked at, and kicks."""
        return self.looks + self.kicks

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""
        self.tour = tour
        self.gain += gain

    def _repair_start(self, tend: Tend) -> None:
        window = self._first
        assert window is not None
        while not window.settled and not tend():
            window.search(0, seed=self.seed)
            self.gain, self.looks = window.gain, window.looks
        self.tour, self._first = window.tour, None

    def _polish(self, kicks_left: float, tend: Tend) -> None:
        """Kick in regions; merge what the threads win, best first."""
        nodes, threads = self.terrain.nodes, self.crew.threads
        goals = shares(kicks_left, min(max(100, nodes // 4), STRETCH), threads)
        windows = [Window(self.terrain, nodes) for _ in goals]
        share = -(-nodes // threads)
        offset = int(self._stretches * 0.381966 * nodes) % nodes

        def search(number: int, halted: Tend) -> None:
            window, goal = windows[number], goals[number]
            region, stream = ((offset + number * share) % nodes, share), self._stretches * threads + number
            window.restart(self.tour)
            while (not window.settled or window.kicks < goal) and not halted():
                window.search(goal - window.kicks, seed=self.seed, stream=stream, paces=self.paces, region=region)

        self.crew.work(search, range(threads), tend)
        self.kicks += sum(window.kicks for window in windows)
        self.looks += sum(window.looks for window in windows)
        ranked = sorted((window for window in windows if window.gain > 0), key=lambda window: -window.gain)
        for number, window in enumerate(ranked):
            tour, more = (window.tour, window.gain) if number == 0 else merge(self.terrain, self.tour, window.tour)
            self.tour = tour
            self.gain += more

    def best(self) -> Ints:
        """Return the best tour, as the problem numbers cities."""
        return self.terrain.leave(self.tour if self._first is None else self._first.tour)
