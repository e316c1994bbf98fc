"""Many searches over neighbour lists that exchange their tours."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.observe.contributions import Contribution
from warptour.papers.ermis.engine.variable import EVALUATIONS, MOVES, VariableSearches
from warptour.search.search import Search
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.instance import Ints


class Shakers(TimedWorker):
    """Searches on the whole tour; all continue from the best one's tour after ``exchange`` shakes each."""

    def __init__(self, searches: VariableSearches, exchange: int) -> None:
        self.searches = searches
        self.exchange = exchange
        self._goals: NDArray[np.int64] = np.zeros(searches.count, np.int64)
        self._seconds = np.zeros(len(searches.neighborhoods))

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.searches.adopt(tour, self.gain + gain)

    def step(self, budget: Budget) -> None:
        """Let every search work for one slice; the budget limits the shakes of all together."""
        searches = self.searches
        if searches.locally_optimal and (searches.shakes >= self._goals).all():
            searches.meet()
            self._goals = searches.shakes + shares(budget.iterations, self.exchange, searches.count)
        before, began = searches.efforts, time.perf_counter()
        searches.work(self._goals)
        more = searches.efforts - before
        self._seconds += more * ((time.perf_counter() - began) / max(1, int(more.sum())))

    @property
    def iterations(self) -> int:
        """Number of shakes of all searches."""
        return int(self.searches.shakes.sum())

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all searches."""
        return self.searches.evaluations

    @property
    def gain(self) -> float:
        """Difference between the first and the best tour length."""
        return float(self.searches.gains.max())

    def best(self) -> Ints:
        """Return the best tour."""
        return self.searches.best()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what each neighbourhood has contributed."""
        super().tell(search)
        search.tell_contributions(self.contributions())

    def contributions(self) -> list[Contribution]:
        """Return the contribution of each neighbourhood over all searches."""
        by_level = self.searches.by_level.sum(axis=0)
        gains = self.searches.gains_by_level.sum(axis=0)
        return [
            Contribution(name, int(row[MOVES]), float(gain), int(row[EVALUATIONS]), float(seconds))
            for name, row, gain, seconds in zip(
                self.searches.neighborhoods, by_level, gains, self._seconds, strict=True
            )
        ]
