"""Sections of one long tour, improved in parallel."""

from __future__ import annotations

import numpy as np

from warptour.papers.scans.climbers import Climbers
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.instance import Instance, Ints

DESCENTS = 2
"""Rounds of plain descent before kicks: the second one looks across the cuts of the first."""


class Sections(TimedWorker):
    """A tour cut into one path per thread, each with fixed ends, cut elsewhere in the next round.

    The gains of the threads add up, which chains on copies of a long tour would throw away. A round ends when every
    section has had ``exchange`` kicks; cuts and random numbers depend on the round alone.
    """

    def __init__(
        self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, slack: float, segment: int, exchange: int
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.exchange = exchange
        self.seed, self.slack, self.segment = seed, slack, segment
        self._tour = tour
        self._cuts = np.random.default_rng(seed)
        self._round = 0
        self._sections: list[Climbers] = []
        self._goals: list[int] = []
        self._kicks = self._evaluations = 0
        self._gain = 0.0

    @property
    def iterations(self) -> int:
        """Kicks of all sections in all rounds."""
        return self._kicks + sum(int(part.kicks[0]) for part in self._sections)

    @property
    def evaluations(self) -> int:
        """Moves evaluated in all sections and rounds."""
        return self._evaluations + sum(part.evaluations for part in self._sections)

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self._gain + sum(float(part.gains[0]) for part in self._sections)

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self._collect()
        self._tour = tour.copy()
        self._gain += gain
        self._round = max(self._round, DESCENTS)

    def step(self, budget: Budget) -> None:
        """Let every section work for one slice; the budget limits the kicks of all together."""
        finished = zip(self._sections, self._goals, strict=True)
        if all(part.locally_optimal and part.kicks[0] >= goal for part, goal in finished):
            self._collect()
            self._cut()
            kicked = self._round > DESCENTS
            count = len(self._sections)
            self._goals = shares(budget.iterations, self.exchange, count) if kicked else [0] * count
        parts = self.pool.oversubscription
        self.pool.map(
            lambda work: work[0].climb(work[1], oversubscription=parts), zip(self._sections, self._goals, strict=True)
        )

    def best(self) -> Ints:
        """Return the tour."""
        return np.concatenate([part.unrolled() for part in self._sections]) if self._sections else self._tour

    def _cut(self) -> None:
        workers = self.pool.threads
        self._tour = np.roll(self._tour, int(self._cuts.integers(len(self._tour))))
        self._sections = self.pool.map(
            lambda part: Climbers(
                self.instance,
                part[1],
                first=self._round * workers + part[0],
                sealed=True,
                queued=self._round < DESCENTS,
                seed=self.seed,
                slack=self.slack,
                segment=self.segment,
            ),
            enumerate(np.array_split(self._tour, workers)),
        )
        self._round += 1

    def _collect(self) -> None:
        """Make the best of each section the tour, and forget the sections."""
        if self._sections:
            self._tour = self.best()
            self._kicks, self._evaluations, self._gain = self.iterations, self.evaluations, self.gain
            self._sections, self._goals = [], []
