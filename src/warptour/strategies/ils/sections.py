"""Sections of one long tour, improved side by side."""

from __future__ import annotations

import numpy as np

from warptour.engines.climbers import Climbers
from warptour.engines.instance import Instance, Ints
from warptour.search.team import shares
from warptour.search.threads import Poll, ThreadPool


class Sections:
    """A tour cut into one path per thread, each with fixed ends, cut elsewhere in the next round.

    What the threads gain adds up, which chains on copies of a long tour would throw away. A round ends when every
    section has kicked ``exchange`` times; cuts and random numbers depend on the round alone.
    """

    def __init__(
        self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, slack: float, segment: int, exchange: int
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.exchange = exchange
        self.seed, self.slack, self.segment = seed, slack, segment
        self._tour = instance.enter(tour)
        self._cuts = np.random.default_rng(seed)
        self._round = 0
        self._sections: list[Climbers] = []
        self._goals: list[int] = []
        self._kicks = self._evaluations = 0
        self._gain = 0.0

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Let every section work for one slice; ``kicks_left`` limits the kicks of all together."""
        if all(
            part.locally_optimal and part.kicks[0] >= goal
            for part, goal in zip(self._sections, self._goals, strict=True)
        ):
            self._collect()
            self._cut()
            self._goals = shares(kicks_left, self.exchange, len(self._sections)) if self._round > DESCENTS else []
            self._goals = self._goals or [0] * len(self._sections)
        self.pool.map(
            lambda work: work[0].climb(work[1], oversubscription=self.pool.oversubscription),
            zip(self._sections, self._goals, strict=True),
        )

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
            self._tour = self._joined()
            self._kicks, self._evaluations, self._gain = self.kicks, self.evaluations, self.gain
            self._sections = []

    def _joined(self) -> Ints:
        return np.concatenate([part.unrolled() for part in self._sections]) if self._sections else self._tour

    @property
    def kicks(self) -> int:
        """Kicks of all sections in all rounds."""
        return self._kicks + sum(int(part.kicks[0]) for part in self._sections)

    @property
    def evaluations(self) -> int:
        """Moves evaluated in all sections and rounds."""
        return self._evaluations + sum(part.evaluations for part in self._sections)

    @property
    def gain(self) -> float:
        """By how much the tour is shorter than the first one."""
        return self._gain + sum(float(part.gains[0]) for part in self._sections)

    def best(self) -> Ints:
        """Return the tour, as the problem numbers cities."""
        return self.instance.leave(self._joined())


DESCENTS = 2
"""Rounds of plain descent before kicks: the second one looks across the cuts of the first."""
