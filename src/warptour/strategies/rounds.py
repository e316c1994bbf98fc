"""Rounds over a large tour: split it into windows, refine them side by side, unite them, split anew."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock

import numpy as np

from warptour.engines.split import SMALLEST, Arena, Split, cells, stretches
from warptour.engines.terrain import Ints, Terrain
from warptour.engines.window import Window
from warptour.observe.progress import money
from warptour.strategies.threads import Crew, Tend

FIRST_EFFORT = 0.1
"""Kicks per city in the first round; each round doubles them up to the wished-for effort, since the first kicks at a
place win most and a run may end before all windows had theirs."""

PREPARED = 150_000
"""From so many cities on, a round in windows that only repairs comes before the global pass."""

BATCH = 100_000
"""Least kicks between two times that windows are united."""

BATCH_SHARE = 0.05
"""Least kicks for each city and thread then: uniting takes one thread a while for each city, which must not show."""


class Rounds:
    """A large tour under refinement in windows of about ``size`` cities.

    It becomes a local optimum first: by a round in windows if it is very large, then by a global pass over the whole
    tour. Then rounds kick ``effort`` times per city, each in other windows, as many for each thread. With a limit on
    kicks the rounds depend on no clock: windows know nothing of each other until they are united, and the tour never
    becomes longer by that.
    """

    def __init__(
        self,
        terrain: Terrain,
        tour: Ints,
        crew: Crew,
        *,
        seed: int,
        paces: int,
        size: int,
        effort: float,
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.terrain = terrain
        self.crew = crew
        self.seed = seed
        self.paces = paces
        self.size = _even(terrain.nodes, size, crew.threads)
        self.effort = effort
        self.tour = terrain.enter(tour)
        self.marks = np.ones(terrain.nodes, np.int32)
        self.round = 0
        self.gain = 0.0
        self.kicks = 0
        self.looks = 0
        self._whole: Window | None = None
        self._split: Split | None = None
        self._lock = Lock()
        self._note = note

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Do one round, the first one with the global pass, and note what it gained."""
        rng = np.random.default_rng([self.seed, self.round])
        before = self.gain
        if self.round > 0:
            effort = min(self.effort, FIRST_EFFORT * 2.0 ** min(self.round - 1, 9))
            self._round(effort, kicks_left, rng, tend)
        else:
            if self.terrain.nodes >= PREPARED:
                self._prepare(tend)
            self._global_pass(tend)
        if self._note is not None:
            what = f"round {self.round}" if self.round else "repair"
            self._note(f"{what} gained {money(self.gain - before)}")
        self.round += 1

    def _round(self, effort: float, kicks_left: float, rng: np.random.Generator, tend: Tend) -> None:
        """Kick in all windows of a new division, in batches that are united one after the other."""
        label = cells(self.terrain, self.size, rng)
        sizes = np.bincount(label)
        wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
        if wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        kicks = np.diff(np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64), prepend=0)
        windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
        least = max(BATCH, BATCH_SHARE * self.crew.threads * self.terrain.nodes)
        batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // least
        for number in range(int(batch[-1]) + 1):
            if number and tend():
                return
            split = Split(self.terrain, self.tour, label, loose=True)
            self._refine(split, [(window, int(kicks[window])) for window in windows[batch == number].tolist()], tend)
            tour, gain = split.united()
            with self._lock:
                self.tour = tour
                self.gain += gain

    def _prepare(self, tend: Tend) -> None:
        """Repair in windows along the order of the cities."""
        split = self._split = Split(self.terrain, self.tour, stretches(self.terrain, self.size))
        windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
        self._refine(split, [(window, 0) for window in windows], tend)
        self.tour = split.joined()
        self._split = None

    def _refine(self, split: Split, works: list[tuple[int, int]], tend: Tend) -> None:
        """Kick so many times in each window, side by side; when ended early, they are put back as they are."""
        arenas: SimpleQueue[Arena] = SimpleQueue()
        for _ in range(self.crew.threads):
            arenas.put(Arena(self.terrain, split.largest))

        def refine(work: tuple[int, int], halted: Tend) -> None:
            window, goal = work
            arena = arenas.get()
            arena.load(split, window, self.marks)
            stream = self.round * split.windows + window
            while (not arena.settled or arena.kicks < goal) and not halted():
                arena.search(goal - arena.kicks, seed=self.seed, stream=stream, paces=self.paces)
            with self._lock:
                arena.unload(split, window)
                if split.links is None:
                    self.gain += arena.gain
                self.kicks += arena.kicks
                self.looks += arena.looks
            arenas.put(arena)

        self.crew.work(refine, works, tend)

    def _global_pass(self, tend: Tend) -> None:
        """Repair the whole tour as one window, by one thread."""
        self._whole = whole = Window.whole(self.terrain, self.tour)
        gain, looks = self.gain, self.looks
        while not whole.settled and not tend():
            whole.search(0, seed=self.seed)
            self.gain, self.looks = gain + whole.gain, looks + whole.looks
        self.marks[:] = 0
        self.tour = whole.tour
        self._whole = None

    def best(self) -> Ints:
        """Return the tour with all that was refined so far, as the problem numbers cities."""
        with self._lock:
            if self._whole is not None:
                return self.terrain.leave(self._whole.tour)
            return self.terrain.leave(self.tour if self._split is None else self._split.joined())


def _even(nodes: int, size: int, threads: int) -> int:
    """Return the size of windows, at most about ``size``, of which every thread gets the same number."""
    each = -(-nodes // (size * threads))
    return -(-nodes // (each * threads))
