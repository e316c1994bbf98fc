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

from warptour.engines.routes.fleet import Country, Floats, Ints
from warptour.engines.routes.local_search import Draft, Ground, Prices, Rota
from warptour.model.vehicles import Routes
from warptour.search.threads import Crew
from warptour.strategies.routes.subpopulation import LEAST, Herd, Member

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

    def __init__(self, country: Country, crew: Crew, seed: int, routes: Routes) -> None:
        problem = country.problem
        most = 3 + max(1.3 * float(country.demands.sum()) / country.capacity, 1.2 * len(routes))
        slots = min(problem.n - 1, problem.vehicles or int(most))
        self.ground = ground = Ground.of(country, NEIGHBOURS, slots)
        self.crew, self.seed = crew, seed
        self.attempts = 0
        self.lowest = np.inf
        self._rng = np.random.default_rng([seed, 1])
        self._born = 0
        self._best: Draft | None = None
        self._closest: Draft | None = None
        self._rotas = [Rota(ground) for _ in range(crew.threads)]
        self._spots: Floats | None = None
        if problem.map is not None:
            places = np.asarray(problem.map, np.float64)[:, :2]
            self._spots = (places - places[problem.depot])[ground.nodes]
        self.prices = self._first_prices = first_prices(ground)
        self._fits: list[tuple[bool, bool]] = []
        self._ranked: list[Member] = []
        self._fitness: Floats = np.empty(0)
        self._begin()
        walk = ground.numbered(country.walk(routes))
        if np.count_nonzero(walk == 0) > slots:
            walk = self._rotas[0].split(walk[walk != 0], self.prices)
        self._keep(self._descended(self._rotas[0], walk, 0, repair=True))

    def advance(self, attempts_left: float) -> None:
        """Let every thread raise a few children."""
        customers, threads = len(self.ground.nodes) - 1, self.crew.threads
        most = threads * min(max(BATCH // customers, 1), 4)
        births = int(min(most, np.ceil(attempts_left / customers)))
        self._ranked = [*self.good.members, *self.bad.members]
        self._fitness = np.concatenate((self.good.fitness(), self.bad.fitness()))
        parents = [self._parents() for _ in range(births)]
        repair = self._rng.random(births) < REPAIRED

        def raised(number: int) -> list[list[Member]]:
            rota, found = self._rotas[number], []
            for k in range(number, births, threads):
                (one, other), stream = parents[k], 1 + self._born + k
                tour = one if other is None else rota.cross(one, other, seed=self.seed, stream=3 * stream)
                walk = rota.split(tour, self.prices)
                found.append(self._descended(rota, walk, stream, repair=bool(repair[k])))
            return found

        for found in self.crew.map(raised, range(threads)):
            for members in found:
                self._keep(members)
        self._born += births
        self.attempts += int(min(births * customers, attempts_left))
        if self._since > PATIENCE:
            self._begin()

    def best(self) -> Ints:
        """Return the walk of the best routes that keep the limits."""
        assert self._best is not None
        return self.ground.named(self._best.walk)

    def closest(self) -> Ints:
        """Return the walk of the routes that break limits least."""
        assert self._closest is not None
        return self.ground.named(self._closest.walk)

    def _begin(self) -> None:
        customers = len(self.ground.nodes) - 1
        self.good, self.bad = Herd(customers), Herd(customers)
        self._since = 0
        self._to_draw = 4 * LEAST

    def _parents(self) -> tuple[Ints, Ints | None]:
        """Return the tours of two solutions, or one at random while there are few solutions."""
        if self._to_draw > 0:
            self._to_draw -= 1
            tour: Ints = self._rng.permutation(np.arange(1, len(self.ground.nodes), dtype=np.int32))
            return tour, None
        return self._parent(), self._parent()

    def _parent(self) -> Ints:
        """Return the tour of the fitter of two members."""
        first, second = self._rng.integers(len(self._ranked), size=2).tolist()
        fitter: int = first if self._fitness[first] <= self._fitness[second] else second
        return self._ranked[fitter].tour

    def _descended(self, rota: Rota, walk: Ints, stream: int, *, repair: bool) -> list[Member]:
        """Return what a descent ends in and, if that breaks a limit, perhaps also how it is repaired."""
        prices = self.prices
        draft = rota.descend(walk, prices, seed=self.seed, stream=3 * stream + 1)
        found = [Member.of(draft, self._spots)]
        if repair and not draft.feasible:
            dear = Prices(10 * prices.load, 10 * prices.time)
            repaired = rota.descend(draft.walk, dear, seed=self.seed, stream=3 * stream + 2)
            if repaired.feasible:
                found.append(Member.of(repaired, self._spots))
        return found

    def _keep(self, members: list[Member]) -> None:
        """Take in what a descent has found, and set prices anew if it is time."""
        first = members[0].draft
        self._since += 1
        self._fits.append((first.over_load == 0, first.over_time == 0))
        for member in members:
            draft = member.draft
            herd = self.good if draft.feasible else self.bad
            herd.add(member, draft.cost(self.prices))
            if draft.feasible and self.ground.country.cheaper(draft.travel, self.lowest):
                self.lowest, self._best, self._since = draft.travel, draft, 0
            if self._closest is None or self._miss(draft) < self._miss(self._closest):
                self._closest = draft
        if len(self._fits) >= MEMORY:
            load, time = np.mean(self._fits, axis=0)
            self._fits = []
            now, begin = self.prices, self._first_prices
            self.prices = Prices(_moved(now.load, load, begin.load), _moved(now.time, time, begin.time))
            self.bad.price(self.prices)

    def _miss(self, draft: Draft) -> float:
        """By how much ``draft`` breaks limits, as parts of them."""
        country = self.ground.country
        return draft.over_load / country.capacity + draft.over_time / country.limit


def first_prices(ground: Ground) -> Prices:
    """Return what a run begins with: the heaviest customer too much costs as much as the farthest drive.

    Farther than twice the way to the farthest customer is no drive: that is how a matrix forbids one.
    """
    problem = ground.country.problem
    farthest, heaviest = float(ground.table.max()), float(ground.demands.max())
    if problem.matrix is not None:
        farthest = min(farthest, 2 * float(problem.shortest_paths(farthest).max()) or farthest)
    return Prices(farthest / heaviest if farthest > 0 and heaviest > 0 else 1.0, 1.0)


def _moved(price: float, kept: float, first: float) -> float:
    """Return a higher price if too few descents keep the limit, a lower one if too many do."""
    factor = 1.2 if kept < WANTED - 0.05 else 0.85 if kept > WANTED + 0.05 else 1.0
    return min(max(factor * price, CHEAPEST * first), DEAREST * first)
