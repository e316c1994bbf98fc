"""Rounds over a large tour: split it into windows, refine them side by side, join them, split anew."""

from __future__ import annotations

import math
from queue import SimpleQueue

import numpy as np

from warptour.engines.split import SMALLEST, Arena, Split, cells
from warptour.engines.terrain import Ints, Terrain
from warptour.strategies.threads import Crew


class Rounds:
    """A large tour under refinement in windows of about ``size`` cities.

    The first round only repairs, so that the whole tour is soon a local optimum; each round after it kicks ``effort``
    times per city. A round that is cut short joins what it has. With a limit on kicks the rounds depend on no clock.
    """

    def __init__(
        self, terrain: Terrain, tour: Ints, crew: Crew, *, seed: int, paces: int, size: int, effort: float
    ) -> None:
        self.terrain = terrain
        self.crew = crew
        self.seed = seed
        self.paces = paces
        self.size = size
        self.effort = effort
        self.tour = terrain.enter(tour)
        self.marks = np.ones(terrain.nodes, np.int32)
        self.round = 0
        self.gain = 0.0
        self.kicks = 0
        self.looks = 0
        self._arenas: SimpleQueue[Arena] = SimpleQueue()
        self._split: Split | None = None
        self._todo: list[tuple[int, int]] = []

    def advance(self, kicks_left: float) -> None:
        """Refine the next few windows, one a thread; begin a round if none is under way."""
        if self._split is None:
            self._begin(kicks_left)
        assert self._split is not None
        batch, self._todo = self._todo[: self.crew.threads], self._todo[self.crew.threads :]
        for gain, kicks, looks in self.crew.map(self._refine, batch):
            self.gain += gain
            self.kicks += kicks
            self.looks += looks
        if not self._todo:
            self.tour = self._split.joined()
            self._split = None
            self.round += 1

    def _begin(self, kicks_left: float) -> None:
        rng = np.random.default_rng([self.seed, self.round])
        split = Split(self.terrain, self.tour, cells(self.terrain, self.size, rng))
        while self._arenas.qsize() < self.crew.threads:
            self._arenas.put(Arena(self.terrain, 0))
        sizes = np.diff(split.offsets)
        wanted = sizes * self.effort if self.round else np.zeros_like(sizes)
        if not math.isinf(kicks_left) and wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        ends = np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64)
        self._split = split
        self._todo = [
            (window, kicks)
            for window, kicks in enumerate(np.diff(ends, prepend=0).tolist())
            if sizes[window] >= SMALLEST
        ]

    def _refine(self, work: tuple[int, int]) -> tuple[float, int, int]:
        window, kicks = work
        assert self._split is not None
        arena = self._arenas.get()
        if arena.m < self._split.largest:
            arena = Arena(self.terrain, self._split.largest)
        arena.load(self._split, window, self.marks)
        stream = self.round * self._split.windows + window
        while not arena.settled or arena.kicks < kicks:
            arena.search(kicks - arena.kicks, seed=self.seed, stream=stream, paces=self.paces)
        arena.unload(self._split, window)
        self._arenas.put(arena)
        return arena.gain, arena.kicks, arena.looks

    def best(self) -> Ints:
        """Return the tour with all that was refined so far, as the problem numbers cities."""
        tour = self.tour if self._split is None else self._split.joined()
        return self.terrain.leave(tour)
