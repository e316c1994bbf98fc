"""Ruin and recreate on several threads: what all workers share.

Workers make short compiled calls of a fixed number of iterations and synchronise after fixed counts; the clock decides
only the temperature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.strategy.cooling import Cooling
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import TimedWorker

CALL_ITERATIONS = 2000
"""Iterations per native call, 10 to 30 ms with default parameters: little overhead, and time limits hold on a busy
machine too."""

MIN_ROUND = 8000
"""Minimum iterations of a group per round, if there will be enough rounds: entering a group takes a millisecond, which
all threads spend one after the other."""

ROUNDS = 40
"""Minimum number of rounds: every group should be searched at many temperatures."""

WALKED = 10
"""Factor by which calls are shorter where routes are walked along to know their times: there an iteration takes five
times as long as with pieces that join in constant time, and longer on long routes."""

REMOVED, NEAREST = 10, 40
"""Default parameters of the strategy, for which the iterations per call were chosen."""


@dataclass(frozen=True)
class Plan:
    """What does not change during a run."""

    instance: RouteInstance
    pool: ThreadPool
    cooling: Cooling
    ruin: Ruin
    seed: int
    iterations: float  # expected iterations of the run
    group_iterations: float  # iterations per customer before the routes are divided into new groups, at most
    group_size: int  # customers per group, about
    group_routes: int  # minimum routes per group, about
    most_routes: int | None = None  # maximum number of routes that the search has chosen, below that of the vehicles

    @property
    def call(self) -> int:
        """Iterations per native call, fewer where an iteration is slower than by default."""
        slower = max(1.0, self.ruin.mean / REMOVED, self.ruin.longest / REMOVED)
        slower *= max(1.0, self.instance.near.shape[1] / NEAREST)
        if self.instance.walks:
            slower *= WALKED
        return max(1, int(CALL_ITERATIONS / slower))

    def round_iterations(self, customers: int) -> int:
        """Return the iterations of a group per round."""
        share = self.iterations / ROUNDS
        per_customer = min(self.group_iterations, share / self.instance.problem.n)
        return int(max(self.call, per_customer * customers, min(MIN_ROUND, share / self.pool.threads)))

    def seed_of(self, number: int) -> int:
        """Return the seed of one of several searches of the run."""
        return int(np.random.SeedSequence([self.seed % 2**64, number]).generate_state(1, np.uint64)[0])

    @property
    def vehicles(self) -> int:
        """Maximum number of routes."""
        problem = self.instance.problem
        return self.most_routes or problem.vehicles or problem.n


class RouteWorker(TimedWorker):
    """Base of workers on routes, whose best solution has the cost ``lowest``."""

    iterations = 0
    evaluations = 0

    def __init__(self, instance: RouteInstance, giant: Ints, lowest: float) -> None:
        self.instance = instance
        self.lowest = self._first_cost = lowest
        self._best = giant

    @property
    def gain(self) -> float:
        """Cost of the first solution less that of :meth:`best`; -inf while none is feasible."""
        return self._first_cost - self.lowest

    def adopt(self, giant: Ints, gain: float) -> None:
        """Continue from other routes, cheaper by ``gain``."""
        self.lowest, self._best = self.lowest - gain, giant.copy()
        self.restart(self._best)

    def restart(self, giant: Ints) -> None:
        """Search from other routes."""
        raise NotImplementedError

    def best(self) -> Ints:
        """Return the giant tour of the best routes."""
        return self._best

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the rounds have gained; improvements come as annealing cools."""
        search.step("round", self.advances, gain=self.gain)
        search.unsettle()


def cooled(plan: Plan, fleet: RouteState, iterations: int, temperature: tuple[float, float], stream: int) -> int:
    """Search a fleet in short native calls between two temperatures; return the iterations there was time for."""
    calls = -(-iterations // plan.call) or 1
    temperatures = np.geomspace(*temperature, calls + 1).tolist() if calls > 1 else temperature
    ends = [iterations * call // calls for call in range(calls + 1)]
    for call in range(calls):
        if call and plan.cooling.search.expired():
            return ends[call]
        between = (temperatures[call], temperatures[call + 1])
        fleet.search(ends[call + 1] - ends[call], between, seed=plan.seed, stream=stream, ruin=plan.ruin)
    return iterations


def allotted(left: float, wanted: list[int]) -> list[int]:
    """Return the iterations of each call, at most ``left`` together."""
    counts = []
    for count in wanted:
        mine = int(min(count, left))
        counts.append(mine)
        left -= mine
    return counts
