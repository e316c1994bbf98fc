"""Few vehicles first, then the cheapest routes of so many.

until no more vehicle is saved, or a share of the budget is used up:
s := s without one of its routes, until all customers are served again
s := s annealed
s := s annealed while customers may be left out at a price (absences.py)
s := s annealed in the way that gained more, and at last from warm to cold; or a population, where one can search
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

import numpy as np

from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints
from warptour.routes.strategy.absences import AbsenceAnnealing
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.ruin_recreate import Plan, RouteWorker
from warptour.search.search import Search
from warptour.search.worker import follow

FIRST_ATTEMPT, ATTEMPT = 0.2, 0.15
"""Share of the budget for a route that cannot be removed: at first, and again from annealed routes."""

PERSISTENCE: Final = 4.0
"""Multiple of the share in which the last route was removed that the next one gets, if that is more."""

FEWEST_SHARE: Final = 0.6
"""Maximum share of the budget in which routes are removed."""

ANNEALED, BRED = 0.2, 0.15
"""Share of the budget in which routes are annealed before more are removed; that where a population follows."""

ABSENT, CHOSEN = 0.35, 0.7
"""Shares of the rest for annealing with absences, and then for the better way to anneal."""

WARM: Final = 4.0
"""First temperature of the last part, in multiples of the last one."""

MakeWorker: TypeAlias = Callable[[Plan, Ints], RouteWorker]


@dataclass
class Attempts:
    """How long routes are removed: a share of the budget, longer if the last one took long."""

    clock: Cooling  # of the budget, with share 1
    share: float
    _began: float = field(init=False)
    _took: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._began = self.clock.used()

    def succeed(self) -> None:
        """Note that a route was removed."""
        self._took = self.clock.used() - self._began

    def over(self) -> bool:
        """Return whether to give up."""
        used = self.clock.used()
        last = self._began + max(self.share, PERSISTENCE * self._took)
        return self.clock.search.over() or used >= min(last, FEWEST_SHARE)


class Reduce(Protocol):
    """Removes routes until the attempts are over; returns the plan for so many vehicles, and a giant tour."""

    def __call__(self, search: Search[VRP], plan: Plan, giant: Ints, attempts: Attempts) -> tuple[Plan, Ints]: ...


def anneal_fewest(
    search: Search[VRP],
    plan: Plan,
    giant: Ints,
    reduce: Reduce,
    plain: MakeWorker,
    *,
    breeds: bool = False,  # whether a population follows
) -> tuple[Plan, Ints]:
    """Return a giant tour with as few routes as are found, annealed, and the plan for so many vehicles."""
    cooling = plan.cooling
    clock = Cooling(search, cooling.hot, cooling.cold)

    def annealed(make: MakeWorker, share: float, hot: float = cooling.hot) -> Ints:
        own = Cooling(search, hot, cooling.cold, share)
        worker = make(replace(plan, cooling=own), giant)
        follow(search, worker, plan.instance.leave, until=own.is_finished)
        return worker.best()

    share, vehicles = FIRST_ATTEMPT, np.inf
    while True:
        plan, giant = reduce(search, plan, giant, Attempts(clock, share))
        if plan.vehicles == vehicles or search.over():
            break
        share, vehicles = ATTEMPT, plan.vehicles
        left = max(1 - clock.used(), 0.01)
        giant = annealed(plain, min(0.5, (BRED if breeds else ANNEALED) / left))
    threads = plan.pool.at_once if np.isinf(search.iterations_left()) else plan.pool.threads

    def absent(plan: Plan, giant: Ints) -> RouteWorker:
        return AbsenceAnnealing(plan, giant, threads)

    if search.over():
        return plan, giant
    before, giant = giant, annealed(absent, ABSENT)
    if breeds or search.over():
        return plan, giant
    gained = plan.instance.cheaper(plan.instance.cost(giant), plan.instance.cost(before))
    giant = annealed(absent if gained else plain, CHOSEN)
    return plan, annealed(plain, 1.0, WARM * cooling.cold)
