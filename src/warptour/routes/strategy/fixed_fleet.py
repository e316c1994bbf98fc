"""Few vehicles first, then the cheapest routes of so many.

    until no more vehicle is saved, or a share of the budget is used up:
        s := s without one of its routes, until all customers are served again
        s := s annealed
    s := s annealed while customers may be left out at a price (absences.py)
    unless a population follows:
        s := s annealed again with absences, if that paid or if plain annealing froze
        s := s annealed plainly, from warm to cold in that case

Every annealing begins from the best routes of the one before.
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

FIRST_ATTEMPT, ATTEMPT = 0.2, 0.1
"""Share of the budget for a route that cannot be removed: at first, and again from annealed routes."""

PERSISTENCE: Final = 4.0
"""Multiple of the share in which the last route was removed that the next one gets, if that is more."""

FEWEST_SHARE: Final = 0.6
"""Maximum share of the budget in which routes are removed."""

ANNEALED: Final = 0.15
"""Share of the budget in which routes are annealed before more are removed."""

HOT_PART: Final = 0.5
"""Share of an annealing in which it is hot. One that finds nothing better later is frozen for want of room."""

ABSENT, FROZEN, CHOSEN = 0.25, 0.8, 0.7
"""Shares of the budget left: for annealing with absences, for it where plain annealing froze, for what then paid."""

CLEAR: Final = 0.01
"""Fraction of the cost from which on the gain by absences tells that a fleet leaves hardly any room."""

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
        """Return whether to give up; until then nothing is settled."""
        self.clock.search.unsettle()
        used = self.clock.used()
        last = self._began + max(self.share, PERSISTENCE * self._took)
        return self.clock.search.over() or used >= min(last, FEWEST_SHARE)


class Reduce(Protocol):
    """Removes routes until the attempts are over; returns the plan for so many vehicles, and a giant tour."""

    def __call__(self, search: Search[VRP], plan: Plan, giant: Ints, attempts: Attempts) -> tuple[Plan, Ints]: ...


@dataclass
class Turns:
    """Annealings one after the other, and the routes that they have come to."""

    search: Search[VRP]
    plan: Plan
    giant: Ints

    def anneal(self, make: MakeWorker, share: float, hot: float | None = None) -> float:
        """Anneal for a share of the budget left, from ``hot``; return after which share of that the best was found."""
        first = self.plan.cooling
        cooling = Cooling(self.search, hot or first.hot, first.cold, share)
        worker = make(replace(self.plan, cooling=cooling), self.giant)
        lowest, found = worker.lowest, 0.0

        def is_finished() -> bool:
            nonlocal lowest, found
            if worker.lowest < lowest:
                lowest, found = worker.lowest, cooling.used()
            return cooling.is_finished()

        follow(self.search, worker, self.plan.instance.leave, until=is_finished)
        self.giant = worker.best()
        return found

    @property
    def cost(self) -> float:
        """Cost of the routes."""
        return self.plan.instance.cost(self.giant)


def anneal_fewest(
    search: Search[VRP],
    plan: Plan,
    giant: Ints,
    reduce: Reduce,
    plain: MakeWorker,
    *,
    breeds: bool = False,  # whether a population follows
) -> tuple[Plan, Ints]:
    """Return the plan for as few vehicles as are found, and a giant tour of theirs, annealed."""
    turns, clock = Turns(search, plan, giant), Cooling(search, plan.cooling.hot, plan.cooling.cold)
    share, vehicles, found = FIRST_ATTEMPT, 0, 1.0
    while True:
        turns.plan, turns.giant = reduce(search, turns.plan, turns.giant, Attempts(clock, share))
        if turns.plan.vehicles == vehicles or search.over():
            break
        share, vehicles = ATTEMPT, turns.plan.vehicles
        found = turns.anneal(plain, min(0.5, ANNEALED / max(1 - clock.used(), ANNEALED)))
    if not search.over():
        anneal_on(turns, plain, frozen=found < HOT_PART, breeds=breeds)
    return turns.plan, turns.giant


def anneal_on(turns: Turns, plain: MakeWorker, *, frozen: bool, breeds: bool) -> None:
    """Anneal with absences, and then, unless a population follows, as long as that paid and plainly.

    ``frozen``: whether plain annealing found nothing when it got cold
    """
    search, pool, before, hot = turns.search, turns.plan.pool, turns.cost, None
    threads = pool.threads if np.isinf(search.seconds_left()) else pool.at_once

    def absent(plan: Plan, giant: Ints) -> RouteWorker:
        return AbsenceAnnealing(plan, giant, threads)

    turns.anneal(absent, FROZEN if frozen and not breeds else ABSENT)
    if breeds or search.over():
        return
    paid = before - turns.cost > CLEAR * before
    if paid and not frozen:
        turns.anneal(absent, CHOSEN)
    if (paid or frozen) and not np.isinf(min(search.seconds_left(), search.iterations_left())):
        hot = WARM * turns.plan.cooling.cold
    turns.anneal(plain, 1.0, hot)
