"""Searches over neighbour lists, one per thread, that exchange their tours."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from warptour.observe.contributions import Contribution
from warptour.papers.ermis.engine.variable import EVALUATIONS, MOVES, VariableSearch
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.instance import Ints


class Shakers(TimedWorker):
    """One search per thread on the whole tour; all continue from the best one's tour after ``exchange`` shakes each."""

    def __init__(self, searches: Sequence[VariableSearch], pool: ThreadPool, exchange: int) -> None:
        self.searches = searches
        self.pool = pool
        self.exchange = exchange
        self._goals = [0] * len(searches)
        self._seconds = np.zeros(len(searches[0].neighborhoods))

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        total = self.gain + gain
        for one in self.searches:
            one.restart(tour, total)

    def step(self, budget: Budget) -> None:
        """Let every search work for one slice; the budget limits the shakes of all together."""
        finished = zip(self.searches, self._goals, strict=True)
        if all(one.locally_optimal and one.shakes >= goal for one, goal in finished):
            best = self._best()
            for one in self.searches:
                if one.gain < best.gain:
                    one.restart(best.best(), best.gain)
            share = shares(budget.iterations, self.exchange, len(self.searches))
            self._goals = [one.shakes + more for one, more in zip(self.searches, share, strict=True)]
        for seconds in self.pool.map(self._work, range(len(self.searches))):
            self._seconds += seconds

    def _work(self, number: int) -> np.ndarray:
        """Run a time slice of one search and return its seconds, attributed to the neighbourhoods by effort."""
        one = self.searches[number]
        before, began = one.efforts, time.perf_counter()
        one.work(self._goals[number], oversubscription=self.pool.oversubscription)
        more = one.efforts - before
        return more * ((time.perf_counter() - began) / max(1, int(more.sum())))

    def _best(self) -> VariableSearch:
        return max(self.searches, key=lambda one: one.gain)

    @property
    def iterations(self) -> int:
        """Number of shakes of all searches."""
        return sum(one.shakes for one in self.searches)

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all searches."""
        return sum(one.evaluations for one in self.searches)

    @property
    def gain(self) -> float:
        """Difference between the first and the best tour length."""
        return self._best().gain

    def best(self) -> Ints:
        """Return the best tour."""
        return self._best().best()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what each neighbourhood has contributed."""
        super().tell(search)
        search.tell_contributions(self.contributions())

    def contributions(self) -> list[Contribution]:
        """Return the contribution of each neighbourhood over all searches."""
        moves, evaluations = (
            np.sum([one.by_level[:, what] for one in self.searches], axis=0) for what in (MOVES, EVALUATIONS)
        )
        gains = np.sum([one.gains for one in self.searches], axis=0)
        names = self.searches[0].neighborhoods
        return [
            Contribution(name, int(moves[at]), float(gains[at]), int(evaluations[at]), float(self._seconds[at]))
            for at, name in enumerate(names)
        ]
