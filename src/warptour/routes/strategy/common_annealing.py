"""All threads anneal one solution, as one thread would with all their iterations.

Groups of a few routes have little to exchange, and a chain per thread has a fraction of the iterations. Which change
comes first depends on how the threads run. So a search with a limit on iterations alone, which must be reproducible,
divides many routes into groups instead (route_groups.py), and anneals few of them on one thread.
"""

from __future__ import annotations

import numpy as np

from warptour.routes.engine.common_routes import CommonRoutes
from warptour.routes.engine.instance import Ints
from warptour.routes.strategy.ruin_recreate import CALL_ITERATIONS, Plan, RouteWorker
from warptour.search.worker import Budget

SPARE, MIN_SPARE = 1.25, 20
"""Room for routes: the first, times their number at the start, plus the second."""

CUSTOMERS_PER_ITERATION = 20
"""Maximum customers per iteration of a thread in a call, since each call begins by reading all of them."""


class CommonAnnealing(RouteWorker):
    """One annealing chain over all routes, by ``threads`` threads."""

    def __init__(self, plan: Plan, giant: Ints, threads: int) -> None:
        self.plan = plan
        self._threads = threads
        self._restarts = 0
        self.common = self._from(giant)
        super().__init__(plan.instance, giant, self.common.lowest)

    def restart(self, giant: Ints) -> None:
        """Search from other routes."""
        self._restarts += 1
        self.common = self._from(giant)

    def step(self, budget: Budget) -> None:
        """Let every thread make one native call."""
        plan = self.plan
        least = self.instance.problem.n // CUSTOMERS_PER_ITERATION * plan.call // CALL_ITERATIONS
        count = int(min(max(plan.call, least) * len(self.common.fleets), budget.iterations))
        seed = plan.seed_of(self._restarts)
        self.iterations += self.common.search(count, self.temperatures(count), seed=seed, ruin=plan.ruin)
        if self.instance.cheaper(self.common.lowest, self.lowest):
            self.lowest, self._best = self.common.lowest, self.common.best()

    def temperatures(self, count: int) -> tuple[float, float]:
        """Return the temperature now and after ``count`` iterations."""
        return self.plan.cooling.temperature(), self.plan.cooling.temperature(count)

    def current(self) -> Ints:
        """Return the giant tour of the routes as they are now."""
        return self.common.giant_tour()

    def _from(self, giant: Ints) -> CommonRoutes:
        routes = int(np.count_nonzero(giant == 0))
        slots = min(self.plan.vehicles, int(SPARE * routes) + MIN_SPARE)
        return CommonRoutes(self.plan.instance, giant, slots, self._threads, self.plan.pool.map)
