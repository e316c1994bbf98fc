"""Hybrid genetic search, for few customers (Vidal 2022).

    until over:
        a, b  := two individuals, chosen for their cost and their diversity
        child := order crossover of a and b, split into routes optimally; with windows, routes of a and of b
        child := local search(child), where exceeding a limit costs a penalty
        add it to the feasible or the infeasible subpopulation

Vidal, "Hybrid genetic search for the CVRP: open-source implementation and SWAP*
neighborhood", 2022. Penalties are adapted so that a fifth of all local searches
end feasible. Between two good solutions often lie infeasible ones, where ruin and
recreate never goes; but a local search takes longer the more customers there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from itertools import count
from typing import Any, Final

import numpy as np

from warptour.model.infeasibility import shortest_paths
from warptour.model.vehicles import Routes
from warptour.routes.engine.instance import Floats, Ints, RouteInstance
from warptour.routes.engine.local_search import LocalSearch, PenalizedRoutes, Penalties
from warptour.routes.strategy.ruin_recreate import RouteWorker
from warptour.routes.strategy.subpopulation import MIN_SIZE, RouteIndividual, Subpopulation
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

NEIGHBOURS, MAX_WHOLE = 20, 50
"""Length of the neighbour lists of the local search, unless there are so few customers that all are neighbours."""

TARGET, TIMED_TARGET = 0.2, 0.4
"""Share of local searches that should end within a limit, and that where routes have a schedule."""

MEMORY: Final = 100
"""Local searches after which the penalties are adapted."""

RISE: Final = 4.0
"""Factor of the penalties then while no feasible routes are known."""

MIN_PENALTY, MAX_PENALTY = 0.01, 1e4
"""Bounds on a penalty, relative to the first one."""

REPAIRED: Final = 0.5
"""Share of infeasible local optima that are repaired at ten times the penalties."""

STRICTER: Final = 4
"""Number of powers of ten by which penalties are multiplied at random for few customers. These have few local optima:
penalties may stay where the cheapest feasible routes are none, because cheaper ones slightly exceed a limit."""

PATIENCE: Final = 20_000
"""Offspring without improvement after which the population restarts."""

BATCH, MAX_OFFSPRING = 1600, 8
"""Customers of the offspring of one thread between two polls, 10 to 30 ms, and the most offspring."""

Parents = tuple[RouteIndividual, RouteIndividual] | Ints
"""Two individuals, or a random tour instead."""


class RoutePopulation(RouteWorker):
    """A feasible and an infeasible subpopulation; each thread makes offspring of its own.

    One offspring counts as one iteration per customer, which take about as long.

    Parameters
    ----------
    instance : RouteInstance
    pool : ThreadPool
    seed : int
    giant : array of int32
        Giant tour of the first individual, feasible or not.
    others : sequence of arrays of int32
        Giant tours of an earlier population, which this one continues.
    """

    def __init__(
        self, instance: RouteInstance, pool: ThreadPool, seed: int, giant: Ints, others: Sequence[Ints] = ()
    ) -> None:
        super().__init__(instance, giant, instance.cost(giant))
        self.lowest = np.inf
        problem, routes = instance.problem, int(np.count_nonzero(giant == 0))
        most = 3 + max(1.3 * float(instance.demands.sum()) / instance.capacity, 1.2 * routes)
        slots = min(problem.n - 1, problem.vehicles or int(most))
        self.pool, self.seed, self._slots = pool, seed, slots
        self._rng = np.random.default_rng([seed, 1])
        self._born = 0
        self._closest: PenalizedRoutes | None = None
        width = NEIGHBOURS if problem.n - 1 > MAX_WHOLE else MAX_WHOLE
        self._local_searches = [LocalSearch(instance, width, slots) for _ in range(pool.threads)]
        places = instance.places
        self._coordinates: Floats | None = None if places is None else places - places[0]
        self.penalties = self._first_penalties = first_penalties(instance)
        self._fits: list[tuple[bool, bool, bool]] = []
        self._ranked: list[RouteIndividual] = []
        self._fitness: Floats = np.empty(0)
        self._begin()
        self._enter(giant)
        for other in others:
            self.adopt(other, 0.0)
            self._to_draw = 0

    def adopt(self, giant: Ints, gain: float) -> None:
        """Add the local optimum of other routes, cheaper by ``gain``, to the population."""
        self._born += 1
        self._enter(giant)

    def welcome(self, giant: Ints, gain: float) -> None:
        """Add the local optimum of another search's routes to the population."""
        self.adopt(giant, gain)

    def step(self, budget: Budget) -> None:
        """Let every thread make a few offspring."""
        customers, threads = self.instance.problem.n - 1, self.pool.threads
        most = threads * min(max(BATCH // customers, 1), MAX_OFFSPRING)
        births = int(min(most, np.ceil(budget.iterations / customers)))
        self._ranked = [*self.feasible.individuals, *self.infeasible.individuals]
        self._fitness = np.concatenate((self.feasible.fitness(), self.infeasible.fitness()))
        parents = [self._parents() for _ in range(births)]
        repair = self._rng.random(births) < REPAIRED
        powers = self._rng.integers(STRICTER, size=births) if customers <= MAX_WHOLE else np.zeros(births)

        offspring: list[list[RouteIndividual]] = [[] for _ in range(births)]
        turns = count()

        def breed(number: int) -> None:
            local_search = self._local_searches[number]
            while (k := next(turns)) < births:
                stream = 1 + self._born + k
                penalties = self.penalties.times(10.0 ** powers[k])
                giant = self._child(local_search, parents[k], stream, penalties)
                offspring[k] = self._descended(local_search, giant, stream, penalties, repair=bool(repair[k]))

        self.pool.map(breed, range(threads))
        for individuals, power in zip(offspring, powers, strict=True):
            self._keep(individuals, adapt=power == 0)
        self._born += births
        self.iterations += int(min(births * customers, budget.iterations))
        if self._since > PATIENCE:
            self._begin()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the generations have gained, and how large the population is.

        Until a generation of feasible routes has competed, nothing is settled.
        """
        if len(self.feasible.individuals) < MIN_SIZE:
            search.unsettle()
        sizes = {"feasible": len(self.feasible.individuals), "infeasible": len(self.infeasible.individuals)}
        search.step("generation", self.advances, gain=self.gain, **sizes)
        search.tell_population(self.advances, self._routes)

    def _routes(self, first: int) -> list[Routes]:
        """Return the routes of all individuals from index ``first`` on."""
        individuals = [*self.feasible.individuals, *self.infeasible.individuals]
        return [self.instance.leave(individual.penalized.giant) for individual in individuals[first:]]

    def best(self) -> Ints:
        """Return the giant tour of the best feasible routes; before the first, of those that exceed limits least."""
        if self.lowest == np.inf and self._closest is not None:
            return self._closest.giant
        return self._best

    def _enter(self, giant: Ints) -> None:
        """Add the local optimum of ``giant`` to the population."""
        local_search = self._local_searches[0]
        self._keep(self._descended(local_search, self._fitting(giant), self._born, self.penalties, repair=True))

    def _fitting(self, giant: Ints) -> Ints:
        """Return ``giant``, split anew if it has more routes than the local search holds."""
        if np.count_nonzero(giant == 0) <= self._slots:
            return giant
        return self._local_searches[0].split(giant[giant != 0], self.penalties)

    def _begin(self) -> None:
        problem = self.instance.problem
        self.feasible, self.infeasible = (Subpopulation(problem.n - 1, directed=problem.directed) for _ in range(2))
        self._since = 0
        self._to_draw = 4 * MIN_SIZE

    def _parents(self) -> Parents:
        """Return two parents, or a random tour while the population is young."""
        if self._to_draw > 0:
            self._to_draw -= 1
            return self._rng.permutation(np.arange(1, self.instance.problem.n, dtype=np.int32))
        return self._parent(), self._parent()

    def _parent(self) -> RouteIndividual:
        """Return the winner of a binary tournament."""
        first, second = self._rng.integers(len(self._ranked), size=2).tolist()
        fitter: int = first if self._fitness[first] <= self._fitness[second] else second
        return self._ranked[fitter]

    def _child(self, local_search: LocalSearch, parents: Parents, stream: int, penalties: Penalties) -> Ints:
        """Return a giant tour, which may lack some customers.

        Windows make most orders of customers bad ones, so with a schedule children take whole routes of their parents.
        """
        if isinstance(parents, np.ndarray):
            return local_search.split(parents, penalties)
        one, other = parents
        if self.instance.schedule is not None:
            return local_search.exchange(one.ordered, other.ordered, seed=self.seed, stream=3 * stream)
        tour = local_search.cross(one.tour, other.tour, seed=self.seed, stream=3 * stream)
        return local_search.split(tour, penalties)

    def _descended(
        self, local_search: LocalSearch, giant: Ints, stream: int, penalties: Penalties, *, repair: bool
    ) -> list[RouteIndividual]:
        """Return the local optimum of ``giant`` and, with ``repair``, the feasible one near an infeasible one."""
        penalized = local_search.descend(giant, penalties, seed=self.seed, stream=3 * stream + 1)
        found = [RouteIndividual.of(penalized, self._coordinates)]
        if repair and not penalized.feasible:
            repaired = local_search.descend(penalized.giant, penalties.times(10), seed=self.seed, stream=3 * stream + 2)
            if repaired.feasible:
                found.append(RouteIndividual.of(repaired, self._coordinates))
        return found

    def _keep(self, individuals: list[RouteIndividual], *, adapt: bool = True) -> None:
        """Add the results of one local search to the subpopulations; adapt the penalties to it if it is time."""
        first = individuals[0].penalized
        self._since += 1
        if adapt:
            self._fits.append((first.over_load == 0, first.over_time == 0, first.over_second == 0))
        for individual in individuals:
            penalized = individual.penalized
            subpopulation = self.feasible if penalized.feasible else self.infeasible
            subpopulation.add(individual, penalized.cost(self.penalties))
            if penalized.feasible and self.instance.cheaper(penalized.travel, self.lowest):
                self.lowest, self._best, self._since = penalized.travel, penalized.giant, 0
            if self._closest is None or self._excess(penalized) < self._excess(self._closest):
                self._closest = penalized
        if len(self._fits) >= MEMORY:
            shares = np.mean(self._fits, axis=0)
            self._fits = []
            pairs = zip(astuple(self.penalties), shares, astuple(self._first_penalties), strict=True)
            rise = RISE if self.lowest == np.inf else 1.2
            target = TARGET if self.instance.schedule is None else TIMED_TARGET
            self.penalties = Penalties(*(_adapted(now, share - target, begin, rise) for now, share, begin in pairs))
            self.infeasible.reprice(self.penalties)

    def _excess(self, penalized: PenalizedRoutes) -> float:
        """Return the excess over all limits, as multiples of them."""
        instance = self.instance
        second = np.inf if instance.second is None else float(instance.second.most[0])
        second = second if instance.schedule is None else instance.schedule.scale
        excess = penalized.over_load / self.instance.capacity + penalized.over_time / self.instance.limit
        return excess + penalized.over_second / second


def first_penalties(instance: RouteInstance) -> Penalties:
    """Return the first penalties: exceeding the capacity by the largest demand costs as much as the longest edge.

    Edges longer than the way to the farthest customer and back do not count: that is how a matrix forbids an edge. What
    is above a limit costs as much as travel.
    """
    problem = instance.problem
    longest, largest = float(instance.table.max()), float(instance.demands.max())
    if problem.matrix is not None:
        there = float(shortest_paths(problem, None, longest).max())
        back = float(shortest_paths(problem, None, longest, back=True).max()) if problem.asymmetric else there
        longest = min(longest, there + back or longest)
    second, rate = instance.second_table, 1.0
    if instance.schedule is not None and instance.schedule.travel is not None:
        second = np.asarray(instance.schedule.travel, np.float64).reshape(-1)
    if second is not None and instance.table.sum() > 0 and second.sum() > 0:
        rate = float(instance.table.sum() / second.sum())
    return Penalties(longest / largest if longest > 0 and largest > 0 else 1.0, 1.0, rate)


def _adapted(penalty: float, excess: float, first: float, rise: float) -> float:
    """Return a penalty adapted to the share of local searches that ended within its limit, less the share wanted."""
    factor = rise if excess < -0.05 else 0.85 if excess > 0.05 else 1.0
    return min(max(factor * penalty, MIN_PENALTY * first), MAX_PENALTY * first)
