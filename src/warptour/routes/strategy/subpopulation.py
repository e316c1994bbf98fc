"""A subpopulation of hybrid genetic search: individuals kept for their cost and their diversity (Vidal 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from warptour.routes.engine.instance import Floats, Ints
from warptour.routes.engine.local_search import PenalizedRoutes, Penalties

MIN_SIZE: Final = 25
"""Individuals that survive a selection."""

GENERATION: Final = 40
"""Individuals added between two selections."""

ELITE: Final = 4
"""Number of cheapest individuals that survive whatever their diversity."""

CLOSEST: Final = 5
"""Number of most similar individuals to which the diversity of an individual is measured."""


@dataclass(frozen=True, eq=False)
class RouteIndividual:
    """Routes, and what crossover and comparison need of them.

    Attributes
    ----------
    penalized : PenalizedRoutes
    ordered : array of int32
        Its giant tour with the routes in the order of ``tour``.
    tour : array of int32
        All customers, route after route.
    after, before : arrays of int32
        Successor and predecessor of each customer; 0 is the depot.
    """

    penalized: PenalizedRoutes
    ordered: Ints
    tour: Ints
    after: Ints
    before: Ints

    @classmethod
    def of(cls, penalized: PenalizedRoutes, coordinates: Floats | None) -> RouteIndividual:
        """Return an individual whose tour visits the routes by angle around the depot, which has coordinates 0."""
        giant = tour = penalized.giant
        customers = int(giant.max())
        if coordinates is not None:
            ends = np.flatnonzero(giant == 0)
            firsts = np.concatenate(([0], ends[:-1] + 1))
            sums = np.add.reduceat(coordinates[giant], firsts, axis=0)
            tour = giant[np.argsort(np.repeat(_turns(sums), ends + 1 - firsts), kind="stable")]
        after, before = np.zeros((2, customers + 1), np.int32)
        after[giant[:-1]] = giant[1:]
        before[giant[1:]] = giant[:-1]
        before[giant[0]] = 0
        return cls(penalized, tour, tour[tour != 0], after[1:], before[1:])


class Subpopulation:
    """Individuals that are all feasible, or all infeasible; with ``directed``, a reversed route is another one."""

    def __init__(self, customers: int, *, directed: bool = False) -> None:
        self.directed = directed
        size = MIN_SIZE + GENERATION + 1
        self.individuals: list[RouteIndividual] = []
        self._costs: Floats = np.zeros(size)
        self._after, self._before = np.zeros((2, size, customers), np.int32)
        self._distance: Ints = np.zeros((size, size), np.int32)  # broken pairs: sums are exact in any order

    def add(self, individual: RouteIndividual, cost: float) -> None:
        """Add ``individual``; remove the least fit when there are too many."""
        k = len(self.individuals)
        after, before = self._after[:k], self._before[:k]
        broken, first = individual.after != after, before == 0
        if not self.directed:
            broken, first = broken & (individual.after != before), first | (after == 0)
        broken |= (individual.before == 0) & ~first
        self._distance[k, :k] = self._distance[:k, k] = np.count_nonzero(broken, axis=1)  # at most one per customer
        self._distance[k, k] = individual.after.size + 1
        self._after[k], self._before[k], self._costs[k] = individual.after, individual.before, cost
        self.individuals.append(individual)
        if len(self.individuals) > MIN_SIZE + GENERATION:
            self._select()

    def fitness(self) -> Floats:
        """Return the biased fitness of each individual; less is better."""
        k = len(self.individuals)
        return _biased_fitness(self._costs[:k], self._distance[:k, :k])

    def reprice(self, penalties: Penalties) -> None:
        """Recompute the costs with other penalties."""
        for k, individual in enumerate(self.individuals):
            self._costs[k] = individual.penalized.cost(penalties)

    def _select(self) -> None:
        """Keep ``MIN_SIZE`` individuals: remove the least fit one by one, clones first, never the cheapest."""
        k = len(self.individuals)
        survivors, costs, distance = np.arange(k), self._costs[:k], self._distance[:k, :k]
        while len(survivors) > MIN_SIZE:
            fitness = _biased_fitness(costs, distance)
            fitness[distance.min(axis=1) == 0] += 2 * len(survivors)
            fitness[np.argmin(costs)] = -1
            rest = np.delete(np.arange(len(survivors)), np.argmax(fitness))
            survivors, costs, distance = survivors[rest], costs[rest], distance[np.ix_(rest, rest)]
        k = len(survivors)
        self.individuals = [self.individuals[number] for number in survivors]
        self._costs[:k], self._distance[:k, :k] = costs, distance
        self._after[:k], self._before[:k] = self._after[survivors], self._before[survivors]


def _turns(vectors: Floats) -> Floats:
    """Return a number from -2 to 2 that grows with each vector's angle: unlike an arctangent, the same everywhere."""
    x, y = vectors.T
    length = np.abs(x) + np.abs(y)
    turns: Floats = np.copysign(1 - np.divide(x, length, out=np.ones_like(x), where=length > 0), y)
    return turns


def _biased_fitness(costs: Floats, distance: Ints) -> Floats:
    """Return a fitness from the ranks by cost and by diversity; less is better."""
    k = len(costs)
    if k < 2:
        return np.zeros(k)
    close = min(CLOSEST, k - 1)
    diversity = np.partition(distance, close - 1, axis=1)[:, :close].sum(axis=1)
    by_cost, by_diversity = np.empty(k), np.empty(k)
    by_cost[np.argsort(costs, kind="stable")] = np.arange(k)
    by_diversity[np.argsort(-diversity, kind="stable")] = np.arange(k)
    return by_cost + max(0.0, 1 - ELITE / k) * by_diversity
