"""Several teams of threads, each with routes of its own: where one group per thread would have too few routes.

Groups of two or three routes have little to exchange, and an annealing chain per thread has few iterations. A team in
between anneals all routes in larger groups, and those that fall behind continue from the best.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from warptour.routes.engine.instance import Ints
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.route_groups import RouteGroups
from warptour.routes.strategy.ruin_recreate import Plan, RouteWorker
from warptour.search.threads import Poll
from warptour.search.worker import Budget, shares

EXCHANGE = 40
"""Steps of all teams, each of a native call or more per thread, between two exchanges: about two seconds. With two
steps between them the teams are one, and X-n1001-k43 ends 1.3% worse."""


@dataclass
class SharedCooling(Cooling):
    """Cooling of one of several teams: the iterations that it makes, the others make too."""

    teams: int = 1

    def temperature(self, more: int = 0) -> float:
        """Return the temperature after ``more`` iterations of this team."""
        return super().temperature(more * self.teams)


class RouteTeams(RouteWorker):
    """Teams of threads, each of which improves all routes in groups.

    Parameters
    ----------
    plan : Plan
    giant : array of int32
    size : int
        Threads of a team; those that are left over are shared out.
    """

    def __init__(self, plan: Plan, giant: Ints, size: int) -> None:
        count = plan.pool.threads // size
        self.plan = plan
        self.teams = [
            RouteGroups(_plan_of(plan, number, count, threads), giant)
            for number, threads in enumerate(shares(plan.pool.threads, plan.pool.threads, count))
        ]
        super().__init__(plan.instance, giant, self.teams[0].lowest)

    def adopt(self, giant: Ints, gain: float) -> None:
        """Let every team continue from other routes, cheaper by ``gain``."""
        lowest = self.lowest - gain
        for team in self.teams:
            team.adopt(giant, team.lowest - lowest)
        self.lowest, self._best = lowest, giant.copy()

    def step(self, budget: Budget) -> None:
        """Let every team do a step, and exchange if it is time."""
        teams = self.teams
        iterations = (
            [budget.iterations] * len(teams)
            if np.isinf(budget.iterations)
            else shares(budget.iterations, int(budget.iterations), len(teams))
        )

        def work(number: int, halted: Poll) -> None:
            if iterations[number] > 0:
                teams[number].step(Budget(iterations[number], halted, budget.seconds_left))

        self.plan.pool.work(work, range(len(teams)), budget.over)
        self.iterations = sum(team.iterations for team in teams)
        best = min(teams, key=lambda team: team.lowest)
        if self.instance.cheaper(best.lowest, self.lowest):
            self.lowest, self._best = best.lowest, best.best()
        if (self.advances + 1) % EXCHANGE == 0:
            for team in teams:
                if self.instance.cheaper(self.lowest, team.lowest):
                    team.adopt(self._best, team.lowest - self.lowest)

    def current(self) -> Ints:
        """Return the giant tour of the best team as it is now."""
        return min(self.teams, key=lambda team: team.lowest).current()


def _plan_of(plan: Plan, number: int, teams: int, threads: int) -> Plan:
    """Return the plan of one team, with threads and random numbers of its own."""
    cooling = plan.cooling
    own = SharedCooling(cooling.search, cooling.hot, cooling.cold, cooling.share, teams=teams)
    return replace(plan, pool=plan.pool.beside(threads), cooling=own, seed=plan.seed_of(number))
