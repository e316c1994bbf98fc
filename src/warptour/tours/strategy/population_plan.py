"""How many individuals a population gets before its next crossover, and of which kind, by the time that they take."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Final

from warptour.search.worker import Budget
from warptour.tours.engine.instance import Instance
from warptour.tours.strategy.individuals import is_curved

FIRST: Final = 8
"""Size of the first population, rounded up to a multiple of the threads; each of the next is twice as large."""

QUICK: Final = 16
"""Individuals of a population below this size are quick: along a curve and repaired, but not kicked."""

MANY: Final = 150
"""Further individuals are quick, too, where there is no time for more of them: many quick ones are worth more than few
that are kicked, but more than that differ too little."""

WORTHWHILE: Final = 6
"""Minimum number of new tours that must fit into the time left to start the first population."""

TIME_SHARE: Final = 0.9
"""Share of the time left that individuals and crossover are planned to take."""

CROSSOVER_GROWTH: Final = math.log2(1.5)
"""Crossover of twice as many tours takes 1.5 times as long for each: the exponent of that growth."""

REPAIR_EVALUATIONS: Final = 3, 10
"""Evaluations per city to repair a new tour along a curve, and a random one; a first estimate, until one was made."""

KICK_EVALUATIONS: Final = 45
"""Evaluations per kick of a new tour; a first estimate, until one was made."""


class PopulationPlan:
    """Plans populations of at most ``most`` tours, whose individuals get ``effort`` kicks per city each.

    ``kicks``: kicks of an individual that is not quick
    ``seconds``: seconds that an individual takes on one thread, by whether it is quick; 0 if not known
    """

    def __init__(self, instance: Instance, *, effort: float, most: int, threads: int) -> None:
        self.kicks = max(1, int(effort * instance.nodes))
        self.seconds = {True: 0.0, False: 0.0}
        self._crossed = 0, 0.0
        self._instance = instance
        self._effort = effort
        self._most = most
        self._threads = threads

    def quick(self, size: int, budget: Budget) -> bool:
        """Return whether the next individuals of a population of ``size`` tours are quick."""
        if self._instance.problem.matrix is not None:
            return False
        return size < QUICK or size + self.fitting(size, budget, quick=True) < min(MANY, self._most)

    def further(self, size: int, budget: Budget, *, quick: bool) -> int | None:
        """Return how many individuals to add to ``size`` before the next crossover; None if there is no time for one.

        As many as there are already; if there is no time to double their number once more after that, as many as fit.
        """
        fitting = self.fitting(size, budget, quick=quick)
        if fitting < (0 if size else WORTHWHILE) or budget.iterations < self.kicks:
            return None
        wanted = -(-max(FIRST, size) // self._threads) * self._threads
        if fitting < 3 * wanted:
            wanted = int(fitting)
        return int(min(wanted, budget.iterations // self.kicks, self._most - size))

    def fitting(self, size: int, budget: Budget, *, quick: bool) -> float:
        """Return how many individuals can be made, and crossed with ``size`` others, in the time left.

        Each thread makes one at a time: they end together, a multiple of the threads, or fewer if there is time for one
        each. Negative if not even those others can be crossed.
        """
        left, seconds, threads = TIME_SHARE * budget.seconds_left(), self.seconds[quick], self._threads
        if math.isinf(left) or not seconds:
            return math.inf

        def takes(count: int) -> float:
            return math.ceil(count / threads) * seconds + self.crossing(size + count)

        count = bisect_right(range(self._most + 1), left, key=takes) - 1
        return count - count % threads if count > threads else count

    def doubles(self, size: int, budget: Budget) -> bool:
        """Return whether there is time to cross ``size`` quick individuals, then to make and cross as many again."""
        left = budget.seconds_left() - self.crossing(size) / TIME_SHARE
        return self.fitting(size, Budget(seconds_left=lambda: left), quick=True) >= size

    def crossable(self, budget: Budget) -> int:
        """Return how many individuals can be crossed in the time left."""
        left = TIME_SHARE * budget.seconds_left()
        return bisect_right(range(self._most + 1), left, key=self.crossing) - 1

    def crossed(self, tours: int, seconds: float) -> None:
        """Note how long all threads took to cross a number of tours."""
        self._crossed = tours, seconds

    def crossing(self, tours: int) -> float:
        """Return the seconds that all threads will take to cross a number of tours."""
        known, seconds = self._crossed
        if not known:
            known, seconds = FIRST, FIRST * (self.seconds[True] or self.seconds[False]) / (3 * self._threads)
        return seconds * math.pow(tours / known, 1 + CROSSOVER_GROWTH)

    def predict(self, seconds: float) -> None:
        """Predict the time of individuals from the ``seconds`` of one evaluation per city on one thread."""
        along_curve, random = REPAIR_EVALUATIONS
        repair = along_curve if is_curved(self._instance.problem) else random
        self.seconds = {True: seconds * along_curve, False: seconds * (repair + KICK_EVALUATIONS * self._effort)}
