"""A herd: solutions that are kept because they are cheap, and because they are unlike each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from warptour.engines.routes.fleet import Floats, Ints
from warptour.engines.routes.local_search import PenalizedRoutes, Penalties

LEAST: Final = 25
"""Solutions that survive a culling."""

MORE: Final = 40
"""How many more are taken in before the next."""

ELITE: Final = 4
"""So many of the cheapest are safe, however alike they are."""

CLOSE: Final = 5
"""How unlike others a solution is, is seen at so many that are most like it."""


@dataclass(frozen=True, eq=False)
class RouteIndividual:
    """A solution, and what crossing and comparing it needs.

    Attributes
    ----------
    draft : Draft
    tour : array of int32
        All customers, route after route.
    after, before : arrays of int32
        Whom each customer is followed and preceded by; 0 is the depot.
    """

    penalized: PenalizedRoutes
    tour: Ints
    after: Ints
    before: Ints

    @classmethod
    def of(cls, penalized: PenalizedRoutes, spots: Floats | None) -> RouteIndividual:
        """Return ``penalized`` with its routes sorted round the depot, which is where ``spots`` are counted from."""
        giant = tour = penalized.giant
        customers = int(giant.max())
        if spots is not None:
            ends = np.flatnonzero(giant == 0)
            firsts = np.concatenate(([0], ends[:-1] + 1))
            sums = np.add.reduceat(spots[giant], firsts, axis=0)
            angles = np.repeat(np.arctan2(sums[:, 1], sums[:, 0]), ends + 1 - firsts)
            tour = giant[np.argsort(angles, kind="stable")]
        after, before = np.zeros((2, customers + 1), np.int32)
        after[giant[:-1]] = giant[1:]
        before[giant[1:]] = giant[:-1]
        before[giant[0]] = 0
        return cls(penalized, tour[tour != 0], after[1:], before[1:])


class Subpopulation:
    """Members that all keep the limits, or all break one."""

    def __init__(self, customers: int) -> None:
        size = LEAST + MORE + 1
        self.individuals: list[RouteIndividual] = []
        self._costs: Floats = np.zeros(size)
        self._after, self._before = np.zeros((2, size, customers), np.int32)
        self._unlike: Floats = np.zeros((size, size))

    def add(self, individual: RouteIndividual, cost: float) -> None:
        """Take in ``individual``; when there are too many, the worst go."""
        k = len(self.individuals)
        after, before = self._after[:k], self._before[:k]
        broken = (individual.after != after) & (individual.after != before)
        broken |= (individual.before == 0) & (before != 0) & (after != 0)
        self._unlike[k, :k] = self._unlike[:k, k] = broken.mean(axis=1)
        self._unlike[k, k] = np.inf
        self._after[k], self._before[k], self._costs[k] = individual.after, individual.before, cost
        self.individuals.append(individual)
        if len(self.individuals) > LEAST + MORE:
            while len(self.individuals) > LEAST:
                self._drop(self._worst())

    def fitness(self) -> Floats:
        """Return a rank for each member, by cost and by how unlike the most similar ones it is; less is better."""
        k = len(self.individuals)
        if k < 2:
            return np.zeros(k)
        close = min(CLOSE, k - 1)
        unlike = np.partition(self._unlike[:k, :k], close - 1, axis=1)[:, :close].sum(axis=1)
        by_cost, by_unlikeness = np.empty(k), np.empty(k)
        by_cost[np.argsort(self._costs[:k], kind="stable")] = np.arange(k)
        by_unlikeness[np.argsort(-unlike, kind="stable")] = np.arange(k)
        return by_cost + max(0.0, 1 - ELITE / k) * by_unlikeness

    def price(self, penalties: Penalties) -> None:
        """Compute the costs anew."""
        for k, individual in enumerate(self.individuals):
            self._costs[k] = individual.penalized.cost(penalties)

    def _worst(self) -> int:
        """Return who goes: a member that is there twice, or the least fit; never the cheapest."""
        k = len(self.individuals)
        fitness = self.fitness()
        fitness[self._unlike[:k, :k].min(axis=1) == 0] += 2 * k
        fitness[np.argmin(self._costs[:k])] = -1
        return int(np.argmax(fitness))

    def _drop(self, which: int) -> None:
        k = len(self.individuals)
        keep = np.delete(np.arange(k), which)
        del self.individuals[which]
        self._costs[: k - 1] = self._costs[keep]
        self._after[: k - 1], self._before[: k - 1] = self._after[keep], self._before[keep]
        self._unlike[: k - 1, : k - 1] = self._unlike[np.ix_(keep, keep)]
