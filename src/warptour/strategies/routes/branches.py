"""Branches: many short annealings of one solution, whose best parts are put together.

    until over:
        b_1 .. b_k := ruin and recreate(s), each around a random place, from a low temperature
        s          := s with the cheaper parts of b_1 .. b_k

A branch changes some routes for the better, and some for the worse. Partition crossover keeps what is better of every
branch, so that all threads improve one solution together, however few its routes are.
"""

from __future__ import annotations

import math

import numpy as np

from warptour.engines.routes.instance import Ints
from warptour.engines.routes.partition_crossover import cheaper_parts
from warptour.search.worker import Budget, shares
from warptour.strategies.routes.regions import fleet_of, nearest_first
from warptour.strategies.routes.ruin_recreate import Plan, RouteWorker, cooled

BRANCHED = 0.4
"""Share of the budget for branches; before them, routes are annealed."""

BRANCHES = 8
"""Minimum number of branches per round."""

SHARE = 0.25
"""Share of the routes that a branch may change."""

MIN_ROUTES = 3
"""Minimum number of these."""

ITERATIONS = 100
"""Iterations of a branch per customer of these."""

HEAT = 8.0
"""Its first temperature, in multiples of the last."""

MIN_ROUNDS = 12
"""Minimum number of rounds; a shorter run is annealed as a whole to its end."""

STREAM = 1 << 42
"""First stream of random numbers of the branches."""


class Branches(RouteWorker):
    """One solution, annealed in several branches at a time."""

    def __init__(self, plan: Plan, giant: Ints) -> None:
        super().__init__(plan.instance, giant, plan.instance.cost(giant))
        self.plan = plan
        self._trunk = giant
        self._grown = 0

    def adopt(self, giant: Ints, gain: float) -> None:
        """Continue from other routes, cheaper by ``gain``."""
        self.lowest, self._best = self.lowest - gain, giant.copy()

    def welcome(self, giant: Ints, gain: float) -> None:
        """Take the cheaper parts of another search's routes."""
        self._merge(giant)

    def step(self, budget: Budget) -> None:
        """Let every thread grow a branch; those of a round begin with the same routes."""
        plan, threads = self.plan, self.plan.pool.threads
        if self._grown % branches(threads) == 0:
            self._trunk = self._best
        most = shares(budget.iterations, int(ITERATIONS * self.instance.problem.n), threads)
        for giant, made in plan.pool.map(lambda k: self._branch(self._grown + k, most[k]), range(threads)):
            self.iterations += made
            self._merge(giant)
        self._grown += threads

    def _branch(self, number: int, most: int) -> tuple[Ints, int]:
        """Return the routes of a branch of at most so many iterations, and how many it had."""
        plan, instance = self.plan, self.instance
        rng = np.random.default_rng([plan.seed % 2**64, STREAM + number])
        routes = nearest_first(instance, instance.routes(self._trunk), rng)
        inside = max(MIN_ROUTES, int(SHARE * len(routes)))
        others = routes[inside:]
        fleet = fleet_of(instance, routes[:inside], plan.vehicles - len(others))
        iterations = min(most, max(plan.call, ITERATIONS * (len(fleet.nodes) - 1)))
        heats = (HEAT * plan.cooling.cold, plan.cooling.cold)
        made = cooled(plan, fleet, iterations, heats, STREAM + number) if iterations else 0
        return np.concatenate((fleet.giant_tour(), instance.giant_tour(others))), made

    def _merge(self, giant: Ints) -> None:
        """Take the cheaper parts of other routes."""
        merged = cheaper_parts(self.instance, self._best, giant, self.plan.vehicles)
        cost = self.instance.cost(merged)
        if self.instance.cheaper(cost, self.lowest):
            self.lowest, self._best = cost, merged


def branches(threads: int) -> int:
    """Return the branches per round: a multiple of the threads."""
    return -(-BRANCHES // threads) * threads


def fits(iterations: float, customers: int, threads: int) -> bool:
    """Return whether so many iterations are enough for rounds of branches, and not endless."""
    return MIN_ROUNDS * branches(threads) * ITERATIONS * SHARE * customers <= iterations < math.inf
