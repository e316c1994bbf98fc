"""Annealing in rounds whose routes are combined by set partitioning.

for each of a few rounds:
s := the first routes, annealed from hot to cold
pool := pool and the routes that s passes through as it gets cold
s := the best of all rounds, annealed from warm to cold
meanwhile, in a process of its own:
s := the cheapest routes in the pool that serve each customer once

One annealing finds a good division of customers into routes and never another, however slowly it cools; the routes of
several make better ones (Subramanian, Uchoa and Ochi, 2013).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import numpy as np

from warptour.observe.child import python
from warptour.routes.engine import partition_routes
from warptour.routes.engine.instance import Ints
from warptour.routes.engine.route_pool import MAX_WHOLE, Columns, RoutePool
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.threads import POLL_SECONDS
from warptour.search.worker import Budget

ROUND_ITERATIONS: Final = 1500
"""Minimum iterations of a round per customer: twice as many gave X instances no better routes."""

MAX_ROUNDS: Final = 6
"""Maximum number of rounds; the more time there is, the longer they take."""

LAST, COLLECTED, WARM = 0.2, 0.6, 4.0
"""Share of the last part, in which routes are combined; the share of a round after which its routes are collected; and
the first temperature of the last part, in multiples of the last one."""

MEASURED: Final = 0.03
"""Share of annealing after which its speed, and so the number of rounds, is known."""

ASKED: Final = (0.0, 0.5)
"""Shares of the last part that are over when the process is asked."""

LIMIT: Final = 0.4
"""Share of what is left of the last part that a partition may take."""


def may_combine(plan: Plan) -> bool:
    """Return whether routes can be combined: their cost is a sum, and nothing must be reproduced."""
    problem, search = plan.instance.problem, plan.cooling.search
    small = problem.n <= MAX_WHOLE or plan.instance.places is not None
    timed = np.isinf(search.iterations_left()) and not np.isinf(search.seconds_left())
    able = bool(sys.executable) and partition_routes.installed()
    return bool(small and timed) and able and RoutePool.supports(problem)


class PooledAnnealing(CommonAnnealing):
    """Annealing in rounds from the same routes, and a process that combines what they pass through."""

    def __init__(self, plan: Plan, giant: Ints, threads: int) -> None:
        super().__init__(plan, giant, threads)
        self.routes = RoutePool(plan.instance, plan.seed)
        self.rounds, self._round = 0, 0
        self._first, self._began = giant, plan.cooling.search.seconds
        self._asked: tuple[Columns, Future[Ints | None]] | None = None
        self._asks = 0

    def step(self, budget: Budget) -> None:
        """Anneal; collect routes, and in the last part combine them."""
        used = self.plan.cooling.used()
        if self.rounds == 0 and used >= MEASURED:
            self.rounds = self._fitting(self.iterations / used)
        now, part = self._at(used)
        if now > self._round:
            self._round = now
            self.restart(self._first if now < self.rounds else self._best)
        super().step(budget)
        if self.rounds > 1 and (part >= COLLECTED or now == self.rounds):
            self.routes.add(self.common.fleets[0].giant_tour())
            if now == self.rounds:
                self._combine(part)

    def _fitting(self, iterations: float) -> int:
        """Return the number of rounds for so many iterations."""
        rounds = (1 - LAST) * iterations / (ROUND_ITERATIONS * self.instance.problem.n)
        return max(1, min(MAX_ROUNDS, int(rounds)))

    def temperatures(self, count: int) -> tuple[float, float]:
        """Return the temperature now and after ``count`` iterations, in this round."""
        cooling = self.plan.cooling
        now, part = self._at(cooling.used())
        then, end = self._at(cooling.used(count))
        last = now > 0 and now == self.rounds
        hot = min(cooling.hot, WARM * cooling.cold) if last else cooling.hot
        ratio = cooling.cold / hot
        return hot * ratio**part, hot * ratio ** (end if then == now else 1.0)

    def _at(self, used: float) -> tuple[int, float]:
        """Return the number of the round, and the share of it that is over, after a share of all."""
        if self.rounds < 2:
            return 0, used
        if used >= 1 - LAST:
            return self.rounds, (used - 1 + LAST) / LAST
        at = used / (1 - LAST) * self.rounds
        return int(at), at - int(at)

    def _combine(self, part: float) -> None:
        """Go on from better routes that the process has found, and let it choose from the pool when it is time."""
        if self._asked is not None:
            columns, asked = self._asked
            if not asked.done():
                return
            self._asked = None
            chosen = asked.result()
            if chosen is not None:
                giant = columns.giant_tour(chosen)
                cost = self.instance.cost(giant)
                if self.instance.cheaper(cost, self.lowest):
                    self.adopt(giant, self.lowest - cost)
        if self._asks == len(ASKED) or part < ASKED[self._asks]:
            return
        self._asks += 1
        columns = self.routes.columns(self._best)
        most, closed = self.plan.vehicles - len(columns.rest), self.plan.pool.closed
        used = self.plan.cooling.used()
        limit = LIMIT * (self.plan.cooling.search.seconds - self._began) * (1 - used) / used
        future = self.plan.pool.start(lambda: chosen_by_process(columns, most, limit, closed.is_set))
        self._asked = None if future is None else (columns, future)


def chosen_by_process(columns: Columns, most: int, seconds: float, over: Callable[[], bool]) -> Ints | None:
    """Return the cheapest of the routes that serve each customer once; None if ``over()`` or the process fails."""
    with suppress(OSError), TemporaryFile() as given, TemporaryFile() as answer:
        np.savez(given, allow_pickle=False, limits=np.array([most, seconds]), **columns.arrays)
        given.seek(0)
        process = subprocess.Popen(
            python(str(Path(partition_routes.__file__))), stdin=given, stdout=answer, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            while process.poll() is None:
                if over():
                    return None
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            return None
        answer.seek(0)
        return np.asarray(np.load(answer), np.int32)
    return None
