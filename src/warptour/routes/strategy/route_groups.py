"""Ruin and recreate in groups of adjacent routes, one per thread, which are redrawn each round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.routes.engine.instance import Ints
from warptour.routes.engine.route_state import RouteState
from warptour.routes.strategy.division import Division, divide
from warptour.routes.strategy.ruin_recreate import Plan, RouteWorker, allotted, cooled
from warptour.search.worker import Budget


@dataclass
class RoutePart:
    """A group of a round: its current and best routes, and the cost of the best."""

    giant: Ints
    best: Ints
    lowest: float


class RouteGroups(RouteWorker):
    """Each thread changes the routes of one group of neighbours; the groups are redrawn each round."""

    def __init__(self, plan: Plan, giant: Ints) -> None:
        super().__init__(plan.instance, giant, plan.instance.cost(giant))
        self.plan = plan
        self._round = 0
        self._giant = giant
        self._parts: list[RoutePart | None] = []
        self._todo: list[int] = []
        self._division: Division | None = None

    def restart(self, giant: Ints) -> None:
        """Search from other routes."""
        self._giant, self._division = giant, None

    def step(self, budget: Budget) -> None:
        """Let every thread work on its next group; start a round if none is under way."""
        plan = self.plan
        if self._division is None:
            self._begin()
        assert self._division is not None
        batch, self._todo = self._todo[: plan.pool.threads], self._todo[plan.pool.threads :]
        wanted = [plan.round_iterations(len(self._division.part(number))) for number in batch]
        counts = allotted(budget.iterations, wanted)
        temperature = (plan.cooling.temperature(), plan.cooling.temperature(sum(counts)))
        done = plan.pool.map(lambda k: self._work(batch[k], counts[k], temperature), range(len(batch)))
        for number, (part, _) in zip(batch, done, strict=True):
            self._parts[number] = part
        self.iterations += sum(made for _, made in done)
        if not self._todo or budget.iterations <= sum(counts) or budget.over():
            self._end()

    def current(self) -> Ints:
        """Return the giant tour as it was joined last."""
        return self._giant

    def _begin(self) -> None:
        plan, problem = self.plan, self.plan.instance.problem
        groups = -(-(problem.n - 1) // plan.group_size)
        groups = -(-groups // plan.pool.threads) * plan.pool.threads
        routes = int(np.count_nonzero(self._giant == 0))
        groups = max(1, min(groups, routes // plan.group_routes))
        rng = np.random.default_rng([plan.seed, self._round])
        places = plan.instance.places
        assert places is not None
        self._division = divide(problem, places, self._giant, groups, rng)
        self._parts = [None] * groups
        self._todo = rng.permutation(groups).tolist()

    def _work(self, number: int, iterations: int, temperature: tuple[float, float]) -> tuple[RoutePart, int]:
        """Search a group; return the result, and the iterations for which there was time."""
        plan, division = self.plan, self._division
        assert division is not None
        stream = (self._round << 20) + number
        return search_group(plan, division, number, iterations, temperature, stream)

    def _end(self) -> None:
        """End the round, in which some groups may not have been searched."""
        division = self._division
        assert division is not None
        searched = [k for k, part in enumerate(self._parts) if part is not None]
        self._join([part for part in self._parts if part is not None], self._giant[~np.isin(division.group, searched)])
        self._division = None

    def _join(self, parts: list[RoutePart], rest: Ints) -> None:
        """Put together the groups of a round and the giant tour of the others."""
        lowest = self.instance.cost(rest) + sum(part.lowest for part in parts)
        if self.instance.cheaper(lowest, self.lowest):
            self.lowest = lowest
            self._best = np.concatenate([*(part.best for part in parts), rest])
        self._giant = np.concatenate([*(part.giant for part in parts), rest])
        self._round += 1


def search_group(
    plan: Plan, division: Division, number: int, iterations: int, temperature: tuple[float, float], stream: int
) -> tuple[RoutePart, int]:
    """Search a group of a division; return the result, and the iterations for which there was time."""
    slots = int(division.routes[number] + spare_routes(plan, division)[number])
    fleet = RouteState(plan.instance, division.part(number), slots, (number, division.home, division.number))
    made = cooled(plan, fleet, iterations, temperature, stream)
    return RoutePart(fleet.giant_tour(), fleet.best(), fleet.lowest), made


def spare_routes(plan: Plan, division: Division) -> NDArray[np.int64]:
    """Return how many routes each group may add."""
    groups = len(division.routes)
    spare = plan.vehicles - int(division.routes.sum())
    return spare // groups + (np.arange(groups) < spare % groups)
