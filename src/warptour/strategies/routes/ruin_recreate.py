"""How threads share a search for routes: as chains of their own, or each in its part of the country.

Both work in short compiled calls, so many attempts each, and meet after fixed
counts; the clock decides only how hot it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from warptour.engines.routes.fleet import Fleet, Ints, RouteInstance, Ruin
from warptour.search.threads import ThreadPool
from warptour.strategies.routes.cooling import Cooling
from warptour.strategies.routes.division import Division, divide

MIN_ATTEMPTS = 4000
"""Attempts of one compiled call at least: 10 to 30 ms with the strategy's own parameters."""

MAX_ATTEMPTS = 20_000
"""Attempts of one compiled call at most; longer work on a group is made of several."""

REMOVED, NEAREST = 10, 70
"""What the strategy's own parameters are."""


@dataclass(frozen=True)
class Plan:
    """What does not change during a run.

    Attributes
    ----------
    effort : float
        Attempts per customer before the groups are drawn anew.
    size : int
        Customers of a group, about.
    exchange : int
        Calls after which chains go on from the best of them.
    """

    instance: RouteInstance
    pool: ThreadPool
    cooling: Cooling
    ruin: Ruin
    seed: int
    effort: float
    size: int
    exchange: int

    @property
    def call(self) -> int:
        """Minimum attempts per compiled call, fewer where parameters make an attempt take longer than usual."""
        slower = max(1.0, self.ruin.mean / REMOVED, self.ruin.longest / REMOVED)
        slower *= max(1.0, self.instance.near.shape[1] / NEAREST)
        return max(1, int(MIN_ATTEMPTS / slower))

    @property
    def vehicles(self) -> int:
        """How many routes there may be."""
        problem = self.instance.problem
        return problem.n if problem.vehicles is None else problem.vehicles


class RouteTeam(Protocol):
    """Threads at work on one problem. ``lowest`` is the cost of :meth:`best`, as the search computes it."""

    lowest: float
    attempts: int

    def advance(self, attempts_left: float) -> None:
        """Let every thread make one compiled call."""

    def best(self) -> Ints:
        """Return the walk of the best routes."""


class AnnealingChains:
    """Each thread changes all routes, in a chain of its own; now and then all go on from the best of them."""

    def __init__(self, plan: Plan, giant: Ints) -> None:
        self.plan = plan
        self.attempts = 0
        self.calls = 0
        self.fleets = [Fleet(plan.instance, giant, plan.vehicles) for _ in range(plan.pool.threads)]
        self.lowest = self.fleets[0].lowest
        self._best = giant

    def advance(self, attempts_left: float) -> None:
        """Let every thread make one compiled call; exchange if it is time."""
        plan = self.plan
        counts = shares(attempts_left, [plan.call] * len(self.fleets))
        heat = (plan.cooling.heat(), plan.cooling.heat(sum(counts)))

        def work(number: int) -> None:
            self.fleets[number].search(counts[number], heat, seed=plan.seed, stream=number, ruin=plan.ruin)

        plan.pool.map(work, range(len(self.fleets)))
        self.attempts += sum(counts)
        self.calls += 1
        incumbent = min(self.fleets, key=lambda fleet: fleet.lowest)
        if plan.instance.cheaper(incumbent.lowest, self.lowest):
            self.lowest, self._best = incumbent.lowest, incumbent.best()
        if self.calls % plan.exchange == 0 and len(self.fleets) > 1:
            self._exchange()

    def _exchange(self) -> None:
        """Let the dearest chain go on from where the cheapest is."""
        ranked = sorted(range(len(self.fleets)), key=lambda number: self.fleets[number].cost)
        first, last = self.fleets[ranked[0]], ranked[-1]
        draws = self.fleets[last].counts.copy()
        self.fleets[last] = Fleet(self.plan.instance, first.giant_tour(), self.plan.vehicles)
        self.fleets[last].counts[2:5] = draws[2:5]

    def best(self) -> Ints:
        """Return the walk of the best routes."""
        return self._best


@dataclass
class _Part:
    """A group of a round: its walk now, the best one, and what that costs."""

    giant: Ints
    best: Ints
    lowest: float


class Groups:
    """Each thread changes the routes of a group of neighbours; the groups are drawn anew each round."""

    def __init__(self, plan: Plan, giant: Ints) -> None:
        self.plan = plan
        self.attempts = 0
        self.round = 0
        self.giant = giant
        self.lowest = float(plan.instance.problem.cost(plan.instance.routes(giant)))
        self._best = giant
        self._parts: list[_Part | None] = []
        self._todo: list[int] = []
        self._division: Division | None = None

    def advance(self, attempts_left: float) -> None:
        """Let every thread work on the next group; begin a round if none is under way."""
        plan = self.plan
        if self._division is None:
            self._begin()
        assert self._division is not None
        batch, self._todo = self._todo[: plan.pool.threads], self._todo[plan.pool.threads :]
        wanted = [max(plan.call, int(plan.effort * np.count_nonzero(self._division.group == g))) for g in batch]
        counts = shares(attempts_left, wanted)
        heat = (plan.cooling.heat(), plan.cooling.heat(sum(counts)))
        done = plan.pool.map(lambda k: self._work(batch[k], counts[k], heat), range(len(batch)))
        for number, (part, _) in zip(batch, done, strict=True):
            self._parts[number] = part
        self.attempts += sum(made for _, made in done)
        if not self._todo or attempts_left <= sum(counts):
            self._join()

    def _begin(self) -> None:
        plan, problem = self.plan, self.plan.instance.problem
        customers = problem.n - 1
        groups = -(-customers // plan.size)
        groups = -(-groups // plan.pool.threads) * plan.pool.threads
        routes = int(np.count_nonzero(self.giant == problem.depot))
        groups = max(1, min(groups, routes // 2))
        rng = np.random.default_rng([plan.seed, self.round])
        self._division = divide(problem, self.giant, groups, rng)
        self._parts = [None] * groups
        self._todo = rng.permutation(groups).tolist()

    def _work(self, number: int, attempts: int, heat: tuple[float, float]) -> tuple[_Part, int]:
        """Return what so many attempts on a group lead to, and how many there was time for."""
        plan, division = self.plan, self._division
        assert division is not None
        giant = self.giant[division.group == number]
        spare = plan.vehicles - int(division.routes.sum())
        groups = len(division.routes)
        slots = int(division.routes[number]) + spare // groups + (number < spare % groups)
        fleet = Fleet(plan.instance, giant, slots, (number, division.home, division.number))
        stream = (self.round << 20) + number
        calls = -(-attempts // (MAX_ATTEMPTS * plan.call // MIN_ATTEMPTS or 1)) or 1
        temperatures = np.geomspace(*heat, calls + 1).tolist() if calls > 1 else heat
        ends = [attempts * call // calls for call in range(calls + 1)]
        for call in range(calls):
            if call and plan.cooling.search.hurried():
                return _Part(fleet.giant_tour(), fleet.best(), fleet.lowest), ends[call]
            heats = (temperatures[call], temperatures[call + 1])
            fleet.search(ends[call + 1] - ends[call], heats, seed=plan.seed, stream=stream, ruin=plan.ruin)
        return _Part(fleet.giant_tour(), fleet.best(), fleet.lowest), attempts

    def _join(self) -> None:
        """Put the groups together again, also those that nobody worked on."""
        division = self._division
        assert division is not None
        rest = self.giant[~np.isin(division.group, [k for k, part in enumerate(self._parts) if part is not None])]
        instance = self.plan.instance
        idle = float(instance.problem.cost(instance.routes(rest)))
        parts = [part for part in self._parts if part is not None]
        lowest = idle + sum(part.lowest for part in parts)
        if instance.cheaper(lowest, self.lowest):
            self.lowest = lowest
            self._best = np.concatenate([*(part.best for part in parts), rest])
        self.giant = np.concatenate([*(part.giant for part in parts), rest])
        self._division = None
        self.round += 1

    def best(self) -> Ints:
        """Return the walk of the best routes; what an unfinished round has found is joined first."""
        if self._division is not None and any(part is not None for part in self._parts):
            self._join()
        return self._best


def shares(left: float, wanted: list[int]) -> list[int]:
    """Return how many attempts each call makes, so that all together make at most ``left``."""
    counts = []
    for count in wanted:
        mine = int(min(count, left))
        counts.append(mine)
        left -= mine
    return counts
