"""Annealing where a fleet leaves hardly any room: customers may be left out for a while, at a price.

    s := s after ruin and recreate; customers that fit nowhere stay unserved
    the price of an unserved customer is a common factor times the iterations that have left it so;
    the factor falls while all are served and rises while some are not

Between two solutions of a fleet without room there is none that serves everyone, and annealing stays where it began.
The price of each customer is its sum of absences (Christiaens and Vanden Berghe, 2020), which there comes before all
costs: so it is not always the same one that is left out.
"""

from __future__ import annotations

import math
from typing import Final

from warptour.routes.engine.instance import Ints
from warptour.routes.engine.route_state import RouteState
from warptour.routes.strategy.ruin_recreate import Plan, RouteWorker, allotted
from warptour.search.worker import Budget

FIRST_PRICE: Final = 2.0
"""First price of an unserved customer, in multiples of the mean cost per customer."""

SERVED: Final = 0.03
"""Share of the native calls at whose end all customers should be served."""

SPEED: Final = 0.03
"""Change of the logarithm of the factor per call."""

STREAM: Final = 1 << 42
"""First stream of random numbers."""


class AbsenceAnnealing(RouteWorker):
    """An annealing chain per thread, with absences at a price; the best solutions serve all customers."""

    def __init__(self, plan: Plan, giant: Ints, threads: int) -> None:
        self.plan = plan
        self._threads = threads
        super().__init__(plan.instance, giant, plan.instance.cost(giant))
        self.restart(giant)

    def restart(self, giant: Ints) -> None:
        """Search from other routes."""
        instance = self.instance
        self._fleets = [RouteState(instance, giant, self.plan.vehicles) for _ in range(self._threads)]
        self._prices = [FIRST_PRICE * instance.cost(giant) / len(instance.served)] * self._threads

    def step(self, budget: Budget) -> None:
        """Let every thread make a short native call."""
        plan, fleets = self.plan, self._fleets
        counts = allotted(budget.iterations, [-(-plan.call // 4)] * len(fleets))
        heat = plan.cooling.temperature()

        def work(number: int) -> None:
            fleet, count, price = fleets[number], counts[number], self._prices[number]
            stream = STREAM + number
            fleet.search(count, (heat, heat), seed=plan.seed, stream=stream, ruin=plan.ruin, absence=price)
            self._prices[number] = price * math.exp(SPEED * ((fleet.missing > 0) - (1 - SERVED)))

        plan.pool.map(work, range(len(fleets)))
        self.iterations += sum(counts)
        for fleet in fleets:
            if self.instance.cheaper(fleet.lowest, self.lowest):
                self.lowest, self._best = fleet.lowest, fleet.best()
