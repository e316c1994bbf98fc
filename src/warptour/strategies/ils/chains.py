"""Chains on one tour that exchange the best at fixed counts of kicks."""

from __future__ import annotations

from warptour.engines.climbers import Climbers
from warptour.engines.instance import Instance, Ints
from warptour.search.team import shares
from warptour.search.threads import Poll, ThreadPool


class KickChains:
    """One chain of kicks per thread, all on the whole tour.

    When each has kicked ``exchange`` times, all but the best go on from the best one's tour (the first of equals), so
    the result depends on the seed, the threads and the kicks, and on no clock.
    """

    def __init__(
        self, instance: Instance, tour: Ints, pool: ThreadPool, *, seed: int, slack: float, segment: int, exchange: int
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.exchange = exchange
        inner = instance.enter(tour)
        self.chains = [
            Climbers(instance, inner, seed=seed, first=number, slack=slack, segment=segment)
            for number in range(pool.threads)
        ]
        self._goals = [0] * pool.threads

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Let every chain work for one slice; ``kicks_left`` limits the kicks of all chains together."""
        if all(
            chain.locally_optimal and chain.kicks[0] >= goal
            for chain, goal in zip(self.chains, self._goals, strict=True)
        ):
            self._share_best()
            self._goals = [
                int(chain.kicks[0]) + share
                for chain, share in zip(self.chains, shares(kicks_left, self.exchange, len(self.chains)), strict=True)
            ]
        self.pool.map(
            lambda work: work[0].climb(work[1], oversubscription=self.pool.oversubscription),
            zip(self.chains, self._goals, strict=True),
        )

    def _share_best(self) -> None:
        best = max(self.chains, key=lambda chain: chain.gains[0])
        for chain in self.chains:
            if chain.gains[0] < best.gains[0]:
                chain.restart(best.best(), -best.gains[0])

    @property
    def kicks(self) -> int:
        """Kicks of all chains."""
        return sum(int(chain.kicks[0]) for chain in self.chains)

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all chains."""
        return sum(chain.evaluations for chain in self.chains)

    @property
    def gain(self) -> float:
        """By how much the best tour is shorter than the first one."""
        return max(float(chain.gains[0]) for chain in self.chains)

    def best(self) -> Ints:
        """Return the best tour, as the problem numbers cities."""
        best = max(self.chains, key=lambda chain: chain.gains[0])
        return self.instance.leave(best.best()[0])
