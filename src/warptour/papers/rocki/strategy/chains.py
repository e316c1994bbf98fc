"""Chains of kicks on one tour that exchange the best at fixed counts of kicks."""

from __future__ import annotations

from warptour.papers.scans.climbers import Climbers
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.instance import Instance, Ints


class KickChains(TimedWorker):
    """One chain of kicks per thread, all on the whole tour.

    When each has had ``exchange`` kicks, all but the best continue from the best one's tour (the first of equals), so
    the result depends on the seed, the threads and the kicks, and on no clock.
    """

    def __init__(
        self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, slack: float, segment: int, exchange: int
    ) -> None:
        self.pool = pool
        self.exchange = exchange
        self.chains = [
            Climbers(instance, tour, seed=seed, first=number, slack=slack, segment=segment)
            for number in range(pool.threads)
        ]
        self._goals = [0] * pool.threads

    @property
    def iterations(self) -> int:
        """Kicks of all chains."""
        return sum(int(chain.kicks[0]) for chain in self.chains)

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all chains."""
        return sum(chain.evaluations for chain in self.chains)

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return max(float(chain.gains[0]) for chain in self.chains)

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        total = self.gain + gain
        for chain in self.chains:
            chain.restart(tour.reshape(1, -1), -total)

    def step(self, budget: Budget) -> None:
        """Let every chain work for one slice; the budget limits the kicks of all chains together."""
        finished = zip(self.chains, self._goals, strict=True)
        if all(chain.locally_optimal and chain.kicks[0] >= goal for chain, goal in finished):
            self._share_best()
            more = shares(budget.iterations, self.exchange, len(self.chains))
            self._goals = [int(chain.kicks[0]) + share for chain, share in zip(self.chains, more, strict=True)]
        parts = self.pool.oversubscription
        self.pool.map(
            lambda work: work[0].climb(work[1], oversubscription=parts), zip(self.chains, self._goals, strict=True)
        )

    def best(self) -> Ints:
        """Return the best tour."""
        tour: Ints = max(self.chains, key=lambda chain: chain.gains[0]).best()[0]
        return tour

    def _share_best(self) -> None:
        best = max(self.chains, key=lambda chain: chain.gains[0])
        for chain in self.chains:
            if chain.gains[0] < best.gains[0]:
                chain.restart(best.best(), -best.gains[0])
