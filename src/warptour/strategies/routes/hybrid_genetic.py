"""A population of routes that are crossed and descended from, for few customers.

    until over:
        a, b  := two solutions, chosen for their cost and for being unlike others
        child := a piece of a, the other customers in the order of b, cut into routes as cheaply as can be
        child := descend(child), where a vehicle may carry or travel too much at a price
        keep it with those that break limits, or with those that do not

Vidal, "Hybrid genetic search for the CVRP: open-source implementation and SWAP*
neighborhood", 2022. The prices move so that a fifth of all descents end within
the limits. What lies between two good solutions often breaks a limit, and ruin
and recreate never goes there; but a descent takes longer the more customers
there are.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.engines.routes.fleet import Floats, Ints, RouteInstance
from warptour.engines.routes.local_search import DenseInstance, LocalSearch, PenalizedRoutes, Penalties
from warptour.model.vehicles import Routes
from warptour.search.threads import ThreadPool
from warptour.strategies.routes.subpopulation import LEAST, RouteIndividual, Subpopulation

NEIGHBOURS: Final = 20
"""Customers beside which a descent tries to put each customer."""

WANTED: Final = 0.2
"""The part of all descents that should end within a limit."""

MEMORY: Final = 100
"""Descents after which prices are set anew."""

CHEAPEST, DEAREST = 0.01, 1e4
"""Bounds on the price of a unit too much, relative to the price that a run begins with."""

REPAIRED: Final = 0.5
"""The part of all descents that are repeated at higher prices if they end outside the limits."""

PATIENCE: Final = 20_000
"""Births without a better solution after which everything begins again."""

BATCH: Final = 400
"""Customers that the children of each thread have together, between two looks at the clock: 5 to 20 ms."""


class RoutePopulation:
    """A team that crosses routes: each thread raises children of its own.

    A child counts as so many attempts as there are customers, which takes about as long.
    """

    def __init__(self, instance: RouteInstance, pool: ThreadPool, seed: int, routes: Routes) -> None:
        problem = instance.problem
        most = 3 + max(1.3 * float(instance.demands.sum()) / instance.capacity, 1.2 * len(routes))
        slots = min(problem.n - 1, problem.vehicles or int(most))
        self.dense = dense = DenseInstance.of(instance, NEIGHBOURS, slots)
        self.pool, self.seed = pool, seed
        self.attempts = 0
        self.lowest = np.inf
        self._rng = np.random.default_rng([seed, 1])
        self._born = 0
        self._best: PenalizedRoutes | None = None
        self._closest: PenalizedRoutes | None = None
        self._local_searches = [LocalSearch(dense) for _ in range(pool.threads)]
        self._spots: Floats | None = None
        if problem.map is not None:
            places = np.asarray(problem.map, np.float64)[:, :2]
            self._spots = (places - places[problem.depot])[dense.nodes]
        self.penalties = self._first_penalties = first_penalties(dense)
        self._fits: list[tuple[bool, bool]] = []
        self._ranked: list[RouteIndividual] = []
        self._fitness: Floats = np.empty(0)
        self._begin()
        giant = dense.numbered(instance.giant_tour(routes))
        if np.count_nonzero(giant == 0) > slots:
            giant = self._local_searches[0].split(giant[giant != 0], self.penalties)
        self._keep(self._descended(self._local_searches[0], giant, 0, repair=True))

    def advance(self, attempts_left: float) -> None:
        """Let every thread raise a few children."""
        customers, threads = len(self.dense.nodes) - 1, self.pool.threads
        most = threads * min(max(BATCH // customers, 1), 4)
        births = int(min(most, np.ceil(attempts_left / customers)))
        self._ranked = [*self.good.individuals, *self.bad.individuals]
        self._fitness = np.concatenate((self.good.fitness(), self.bad.fitness()))
        parents = [self._parents() for _ in range(births)]
        repair = self._rng.random(births) < REPAIRED

        def raised(number: int) -> list[list[RouteIndividual]]:
            local_search, found = self._local_searches[number], []
            for k in range(number, births, threads):
                (one, other), stream = parents[k], 1 + self._born + k
                tour = one if other is None else local_search.cross(one, other, seed=self.seed, stream=3 * stream)
                giant = local_search.split(tour, self.penalties)
                found.append(self._descended(local_search, giant, stream, repair=bool(repair[k])))
            return found

        for found in self.pool.map(raised, range(threads)):
            for individuals in found:
                self._keep(individuals)
        self._born += births
        self.attempts += int(min(births * customers, attempts_left))
        if self._since > PATIENCE:
            self._begin()

    def best(self) -> Ints:
        """Return the walk of the best routes that keep the limits."""
        assert self._best is not None
        return self.dense.named(self._best.giant)

    def closest(self) -> Ints:
        """Return the walk of the routes that break limits least."""
        assert self._closest is not None
        return self.dense.named(self._closest.giant)

    def _begin(self) -> None:
        customers = len(self.dense.nodes) - 1
        self.good, self.bad = Subpopulation(customers), Subpopulation(customers)
        self._since = 0
        self._to_draw = 4 * LEAST

    def _parents(self) -> tuple[Ints, Ints | None]:
        """Return the tours of two solutions, or one at random while there are few solutions."""
        if self._to_draw > 0:
            self._to_draw -= 1
            tour: Ints = self._rng.permutation(np.arange(1, len(self.dense.nodes), dtype=np.int32))
            return tour, None
        return self._parent(), self._parent()

    def _parent(self) -> Ints:
        """Return the tour of the fitter of two members."""
        first, second = self._rng.integers(len(self._ranked), size=2).tolist()
        fitter: int = first if self._fitness[first] <= self._fitness[second] else second
        return self._ranked[fitter].tour

    def _descended(self, local_search: LocalSearch, giant: Ints, stream: int, *, repair: bool) -> list[RouteIndividual]:
        """Return what a descent ends in and, if that breaks a limit, perhaps also how it is repaired."""
        penalties = self.penalties
        penalized = local_search.descend(giant, penalties, seed=self.seed, stream=3 * stream + 1)
        found = [RouteIndividual.of(penalized, self._spots)]
        if repair and not penalized.feasible:
            dear = Penalties(10 * penalties.load, 10 * penalties.time)
            repaired = local_search.descend(penalized.giant, dear, seed=self.seed, stream=3 * stream + 2)
            if repaired.feasible:
                found.append(RouteIndividual.of(repaired, self._spots))
        return found

    def _keep(self, individuals: list[RouteIndividual]) -> None:
        """Take in what a descent has found, and set prices anew if it is time."""
        first = individuals[0].penalized
        self._since += 1
        self._fits.append((first.over_load == 0, first.over_time == 0))
        for individual in individuals:
            penalized = individual.penalized
            subpopulation = self.good if penalized.feasible else self.bad
            subpopulation.add(individual, penalized.cost(self.penalties))
            if penalized.feasible and self.dense.instance.cheaper(penalized.travel, self.lowest):
                self.lowest, self._best, self._since = penalized.travel, penalized, 0
            if self._closest is None or self._miss(penalized) < self._miss(self._closest):
                self._closest = penalized
        if len(self._fits) >= MEMORY:
            load, time = np.mean(self._fits, axis=0)
            self._fits = []
            now, begin = self.penalties, self._first_penalties
            self.penalties = Penalties(_moved(now.load, load, begin.load), _moved(now.time, time, begin.time))
            self.bad.price(self.penalties)

    def _miss(self, penalized: PenalizedRoutes) -> float:
        """By how much ``penalized`` breaks limits, as parts of them."""
        instance = self.dense.instance
        return penalized.over_load / instance.capacity + penalized.over_time / instance.limit


def first_penalties(dense: DenseInstance) -> Penalties:
    """Return what a run begins with: the heaviest customer too much costs as much as the farthest drive.

    Farther than twice the way to the farthest customer is no drive: that is how a matrix forbids one.
    """
    problem = dense.instance.problem
    farthest, heaviest = float(dense.table.max()), float(dense.demands.max())
    if problem.matrix is not None:
        farthest = min(farthest, 2 * float(problem.shortest_paths(farthest).max()) or farthest)
    return Penalties(farthest / heaviest if farthest > 0 and heaviest > 0 else 1.0, 1.0)


def _moved(price: float, kept: float, first: float) -> float:
    """Return a higher price if too few descents keep the limit, a lower one if too many do."""
    factor = 1.2 if kept < WANTED - 0.05 else 0.85 if kept > WANTED + 0.05 else 1.0
    return min(max(factor * price, CHEAPEST * first), DEAREST * first)
