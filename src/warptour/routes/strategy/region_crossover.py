"""Crossover of regions: routes of one solution replace those of another around a place, and a short annealing mends it.

    until over:
        a, b  := two individuals
        child := a with the routes of b around a random place
        child := ruin and recreate(child) there, from a low temperature
        a     := child if it is cheaper

A long annealing ends little better than a short one, but several short ones end with different routes: what is good in
one region of each is combined here. The child has routes of b whole, the routes of a that share no customer with them,
and what they leave of the others; where that makes too many routes, the emptiest are dissolved and their customers
inserted one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.fleet import Fleet
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.ruin_recreate import AnnealingChains, Plan, RouteWorker, cooled
from warptour.search.search import Search
from warptour.search.worker import Budget, follow, shares

ANNEALED = 0.5
"""Share of the budget in which the individuals are annealed."""

SMALLEST, LARGEST = 0.15, 0.4
"""Share of the donor's routes that a child inherits."""

ITERATIONS = 30
"""Iterations of ruin and recreate per customer of the region."""

HEAT = 5.0
"""First temperature of the region, in multiples of the last one of the run."""

BORDER = 5
"""Nearest customers of each customer in the region whose routes join it."""

STREAM = 1 << 40
"""First stream of random numbers of the children."""

PATIENCE = 40
"""Generations without a better child after which the individuals are too similar."""


@dataclass(frozen=True)
class Child:
    """Routes after a crossover, some of them to be mended.

    Attributes
    ----------
    kept, region : list of arrays of int32
        Routes outside the region, and inside it.
    left_out : array of int32
        Customers of the region in no route.
    """

    kept: Routes
    region: Routes
    left_out: Ints


def crossed(instance: RouteInstance, receiver: Ints, donor: Ints, rng: np.random.Generator) -> Child | None:
    """Return ``receiver`` with the routes of ``donor`` around a random place, or None if it has them all."""
    places = instance.places
    assert places is not None
    own, others = instance.routes(receiver), instance.routes(donor)
    centres = np.array([places[route].mean(axis=0) for route in others])
    away = ((centres - places[rng.integers(1, instance.problem.n)]) ** 2).sum(axis=1)
    count = max(1, int(len(others) * rng.uniform(SMALLEST, LARGEST)))
    inherited = [others[number] for number in np.argsort(away, kind="stable")[:count]]
    known = {each.tobytes() for route in own for each in (route, route[::-1])}
    if all(route.tobytes() in known for route in inherited):
        return None
    served = np.zeros(instance.problem.n, bool)
    served[np.concatenate(inherited)] = True
    kept = [route for route in own if not served[route].any()]
    rests = [route[~served[route]] for route in own if served[route].any() and not served[route].all()]
    rests.sort(key=lambda route: -float(instance.demands[route].sum()))
    room = max(0, len(own) - len(kept) - len(inherited))
    left_out = np.concatenate([np.empty(0, np.int32), *rests[room:]])
    return Child(kept, inherited + rests[:room], left_out)


def with_border(instance: RouteInstance, child: Child) -> Child:
    """Return ``child`` with the routes next to its region in it."""
    inside = np.concatenate([*child.region, child.left_out])
    near = instance.near[inside, :BORDER]
    adjacent = np.zeros(instance.problem.n, bool)
    adjacent[near[near >= 0]] = True
    border = [route for route in child.kept if adjacent[route].any()]
    return Child([route for route in child.kept if not adjacent[route].any()], child.region + border, child.left_out)


def annealed(search: Search[VRP], plan: Plan, giant: Ints, fewest: int) -> list[Ints]:
    """Return at least ``fewest`` solutions, one per thread at a time, each annealed from ``giant``; fewer in a hurry.

    Those of a population that the search continues are returned as they are.
    """
    instance, cooling = plan.instance, plan.cooling
    kept = [routes for routes in search.population if isinstance(routes, list)]
    individuals = [instance.enter(routes) for routes in kept if search.problem.check(routes).feasible]
    if len(individuals) >= fewest:
        return individuals
    rounds = -(-fewest // plan.pool.threads)
    for done in range(rounds):
        own = Cooling(search, cooling.hot, cooling.cold, ANNEALED / (rounds - done * ANNEALED))
        chains = AnnealingChains(replace(plan, cooling=own, seed=plan.seed_of(done)), giant, exchanging=False)
        follow(search, chains, instance.leave, instance.enter, until=own.is_finished)
        individuals += [fleet.best() for fleet in chains.fleets]
        if search.over():
            break
    return individuals


class RegionCrossover(RouteWorker):
    """A few individuals, each replaced by its better children.

    Parameters
    ----------
    plan : Plan
    individuals : list of arrays of int32
        Giant tours.
    """

    def __init__(self, plan: Plan, individuals: list[Ints]) -> None:
        self.plan = plan
        self._individuals = list(individuals)
        self._costs = [plan.instance.cost(giant) for giant in individuals]
        lowest = int(np.argmin(self._costs))
        super().__init__(plan.instance, individuals[lowest], self._costs[lowest])
        self._rng = np.random.default_rng([plan.seed % 2**64, 2])
        self._pairs: list[tuple[int, int]] = []
        self._born = self._generation = self._fruitful = 0

    def is_finished(self) -> bool:
        """Return whether the individuals are too similar for better children."""
        return len(self._costs) < 2 or self._generation - self._fruitful > PATIENCE

    def adopt(self, giant: Ints, gain: float) -> None:
        """Let other routes, cheaper than the best by ``gain``, replace the most expensive individual."""
        worst, cost = int(np.argmax(self._costs)), self.lowest - gain
        if self.instance.cheaper(cost, self._costs[worst]):
            self._replace(worst, giant.copy(), cost)

    def welcome(self, giant: Ints, gain: float) -> None:
        """Let another search's routes replace the most expensive individual, if they are cheaper."""
        self.adopt(giant, gain)

    def step(self, budget: Budget) -> None:
        """Let every thread make a child of another individual."""
        if not self._pairs:
            order = self._rng.permutation(len(self._costs)).tolist()
            self._pairs = list(zip(order, order[1:] + order[:1], strict=True))
            self._generation += 1
        threads = self.plan.pool.threads
        batch, self._pairs = self._pairs[:threads], self._pairs[threads:]
        most = shares(budget.iterations, ITERATIONS * self.instance.problem.n + self.plan.call, len(batch))
        made = self.plan.pool.map(lambda k: self._child(*batch[k], self._born + k, most[k]), range(len(batch)))
        self._born += len(batch)
        for (receiver, _), (giant, iterations) in zip(batch, made, strict=True):
            self.iterations += iterations
            if giant is not None and self.instance.cheaper(cost := self.instance.cost(giant), self._costs[receiver]):
                self._replace(receiver, giant, cost)

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the generations have gained, and the individuals."""
        search.step("generation", self._generation, gain=self.gain, individuals=len(self._costs))
        search.tell_population(self._generation, self._routes)

    def _routes(self, first: int) -> list[Routes]:
        """Return the routes of all individuals from index ``first`` on."""
        return [self.instance.leave(giant) for giant in self._individuals[first:]]

    def _replace(self, number: int, giant: Ints, cost: float) -> None:
        self._individuals[number], self._costs[number] = giant, cost
        self._fruitful = self._generation
        if self.instance.cheaper(cost, self.lowest):
            self.lowest, self._best = cost, giant

    def _child(self, receiver: int, donor: int, number: int, most: int) -> tuple[Ints | None, int]:
        """Return the giant tour of a child, if it serves all, and the iterations of ruin and recreate in its region."""
        plan, instance = self.plan, self.instance
        rng = np.random.default_rng([plan.seed % 2**64, STREAM + number])
        child = crossed(instance, self._individuals[receiver], self._individuals[donor], rng)
        if child is None or len(child.kept) + len(child.region) > plan.vehicles:
            return None, 0
        child = with_border(instance, child)
        giant = instance.giant_tour(child.region)
        members = np.concatenate((giant[giant != 0], child.left_out))
        home, rank = np.full((2, instance.problem.n), -1, np.int32)
        home[members], rank[members] = 0, np.arange(1, len(members) + 1)
        slots = min(plan.vehicles - len(child.kept), len(child.region) + len(child.left_out))
        left_out = child.left_out if len(child.left_out) else None
        fleet = Fleet(instance, giant, slots, (0, home, rank), left_out)
        iterations = min(most, max(plan.call, ITERATIONS * len(members)))
        heats = (HEAT * plan.cooling.cold, plan.cooling.cold)
        made = cooled(plan, fleet, iterations, heats, STREAM + number)
        if made < iterations or not fleet.complete:
            return None, made
        return np.concatenate((fleet.best(), instance.giant_tour(child.kept))), iterations
