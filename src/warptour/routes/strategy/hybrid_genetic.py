"""Hybrid genetic search, for few customers (Vidal 2022).

    until over:
        a, b  := two individuals, chosen for their cost and their diversity
        child := order crossover of a and b, split into routes optimally; with windows, or where vehicles differ or
                 customers may stay out, routes of a and of b
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
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.infeasibility import shortest_paths
from warptour.model.vehicles import Routes
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.local_search import RANDOM, Births, LocalSearch, PenalizedRoutes, Penalties
from warptour.routes.engine.subpopulation import MIN_SIZE, ROOM, Subpopulation
from warptour.routes.strategy.ruin_recreate import RouteWorker
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


class RoutePopulation(RouteWorker):
    """A feasible and an infeasible subpopulation; each thread makes offspring of its own.

    One offspring counts as one iteration per customer, which take about as long.

    ``giant``: giant tour of the first individual, feasible or not
    ``others``: giant tours of an earlier population, which this one continues
    """

    def __init__(
        self, instance: RouteInstance, pool: ThreadPool, seed: int, giant: Ints, others: Sequence[Ints] = ()
    ) -> None:
        super().__init__(instance, giant, instance.cost(giant))
        self.lowest = np.inf
        problem = instance.problem
        slots = rooms(instance, giant)
        self.pool, self.seed, self._slots = pool, seed, slots
        self._rng = np.random.default_rng([seed, 1])
        self._born = 0
        self._closest: Ints | None = None
        self._least_excess = np.inf
        width = NEIGHBOURS if problem.n - 1 > MAX_WHOLE else MAX_WHOLE
        self._local_searches = [LocalSearch(instance, width, slots) for _ in range(pool.threads)]
        self.penalties = self._first_penalties = first_penalties(instance)
        self._fits: list[NDArray[np.bool_]] = []
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
        """Let all threads make a few offspring each."""
        customers, threads = self.instance.problem.n - 1, self.pool.threads
        most = threads * min(max(BATCH // customers, 1), MAX_OFFSPRING)
        count = int(min(most, np.ceil(budget.iterations / customers)))
        repairs = self._rng.random(count) < REPAIRED
        powers = self._rng.integers(STRICTER, size=count) if customers <= MAX_WHOLE else np.zeros(count, np.int64)
        births = Births.of(self._parents(count), 10.0 ** powers.astype(np.float64), repairs, self.instance.problem.n)

        def breed(number: int) -> None:
            self._local_searches[number].breed(
                births, self._individuals, self.penalties, seed=self.seed, born=1 + self._born
            )

        self.pool.map(breed, range(threads))
        self._keep(births.found, powers == 0)
        self._born += count
        self.iterations += int(min(count * customers, budget.iterations))
        if self._since > PATIENCE:
            self._begin()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the generations have gained, and how large the population is.

        Until a generation of feasible routes has competed, nothing is settled.
        """
        if len(self.feasible) < MIN_SIZE:
            search.unsettle()
        sizes = {"feasible": len(self.feasible), "infeasible": len(self.infeasible)}
        search.step("generation", self.advances, gain=self.gain, **sizes)
        search.tell_population(self.advances, self._routes)

    def _routes(self, first: int) -> list[Routes]:
        """Return the routes of all individuals from index ``first`` on."""
        both = [each.individuals.giant(k) for each in (self.feasible, self.infeasible) for k in range(len(each))]
        return [self.instance.leave(self.instance.decoded(giant)) for giant in both[first:]]

    def best(self) -> Ints:
        """Return the giant tour of the best feasible routes; before the first, of those that exceed limits least."""
        if self.lowest == np.inf and self._closest is not None:
            return self._closest
        return self._best

    def _enter(self, giant: Ints) -> None:
        """Add the local optimum of ``giant`` to the population, and if that is infeasible, its repair."""
        nodes = self.instance.problem.n
        births = Births.of(np.array([[0, RANDOM]], np.int32), np.ones(1), np.ones(1, np.bool_), nodes)
        given = PenalizedRoutes.of(self.instance.coded(giant), nodes)
        self._local_searches[0].breed(births, given, self.penalties, seed=self.seed, born=self._born)
        self._keep(births.found, np.ones(1, np.bool_))

    def _begin(self) -> None:
        problem = self.instance.problem
        self._individuals = PenalizedRoutes.room(2 * ROOM, problem.n)
        self.feasible = Subpopulation(self._individuals[:ROOM], directed=problem.directed)
        self.infeasible = Subpopulation(self._individuals[ROOM:], directed=problem.directed)
        self._since = 0
        self._to_draw = 4 * MIN_SIZE

    def _parents(self, count: int) -> Ints:
        """Return the parents of offspring: winners of binary tournaments, or none while the population is young.

        Where nobody is worth serving it stays empty.
        """
        parents = np.full((count, 2), RANDOM, np.int32)
        young = min(count, self._to_draw) if len(self.feasible) + len(self.infeasible) else count
        self._to_draw = max(0, self._to_draw - young)
        if young < count:
            fitness = np.concatenate((self.feasible.fitness, self.infeasible.fitness))
            rows = np.concatenate((np.arange(len(self.feasible)), ROOM + np.arange(len(self.infeasible))))
            first, second = self._rng.integers(len(rows), size=(2, count - young, 2))
            parents[young:] = rows[np.where(fitness[first] <= fitness[second], first, second)]
        return parents

    def _keep(self, found: PenalizedRoutes, adapt: NDArray[np.bool_]) -> None:
        """Add offspring to the subpopulations, and adapt the penalties to some of them if it is time."""
        feasible, costs = found.feasible, found.penalized(self.penalties)
        for subpopulation, rows in (self.feasible, feasible), (self.infeasible, ~feasible & (found.sizes > 0)):
            if rows.any():
                subpopulation.add(found, np.flatnonzero(rows).astype(np.int32), costs)
        self._since += len(adapt)
        if feasible.any():
            best = int(np.argmin(np.where(feasible, found.costs[:, 0], np.inf)))
            if self.instance.cheaper(float(found.costs[best, 0]), self.lowest):
                self.lowest, self._best = float(found.costs[best, 0]), self.instance.decoded(found.giant(best))
                self._since = 0
        elif self.lowest == np.inf:
            self._keep_closest(found)
        self._fits.extend(found.costs[::2, 1:][adapt] == 0)
        if len(self._fits) >= MEMORY:
            shares = np.mean(self._fits, axis=0)
            self._fits = []
            pairs = zip(astuple(self.penalties), shares, astuple(self._first_penalties), strict=True)
            rise = RISE if self.lowest == np.inf else 1.2
            target = TIMED_TARGET if self.instance.timed else TARGET
            self.penalties = Penalties(*(_adapted(now, share - target, begin, rise) for now, share, begin in pairs))
            self.infeasible.reprice(self.penalties)

    def _keep_closest(self, found: PenalizedRoutes) -> None:
        """Keep the routes that exceed the limits least, as multiples of them."""
        instance = self.instance
        second = np.inf if instance.second is None else float(instance.second.most[0])
        second = instance.schedule.scale if instance.schedule is not None else second
        excess = found.costs[:, 1:] @ (1 / np.array([instance.capacity, instance.limit, second]))
        least = int(np.argmin(np.where(found.sizes > 0, excess, np.inf)))
        if excess[least] < self._least_excess:
            self._least_excess, self._closest = float(excess[least]), instance.decoded(found.giant(least))


def rooms(instance: RouteInstance, giant: Ints) -> int | Ints:
    """Return how many routes a population has room for, of vehicles of several kinds of each."""
    problem = instance.problem
    needed = 1.3 * float(instance.demands.sum()) / instance.capacity
    if problem.fleet is None:
        most = int(3 + max(needed, 1.2 * np.count_nonzero(giant == 0)))
        return min(problem.n - 1, problem.vehicles or most)
    coded = instance.coded(giant)
    used = np.bincount(-coded[coded <= 0], minlength=len(problem.fleet.types))
    counts: Ints = np.minimum(problem.fleet.counts, 3 + np.maximum(needed, 1.2 * used)).astype(np.int32)
    return counts


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
