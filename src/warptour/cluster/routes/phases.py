"""Phases of ruin and recreate on groups of routes, as their coordinator sees them."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Final

import numpy as np

from warptour.cluster.crew import Gone, Member
from warptour.cluster.division import DividedStrategy
from warptour.cluster.messages import Done, Failed
from warptour.cluster.pool import TELL_SECONDS, News, TaskPool
from warptour.cluster.routes.part import GroupWorker, RouteGroup, group_of
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.places import places_of
from warptour.routes.strategy.cooling import Cooling, typical_edge
from warptour.routes.strategy.division import divide
from warptour.routes.strategy.phase import RoutePhase
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.routes.strategy.ruin_recreate import allotted
from warptour.search.search import Search

PHASE_SECONDS: Final = 0.4
"""Seconds of a phase with a time limit, before the seconds per customer are added."""

PHASE_SECONDS_PER_CUSTOMER: Final = 1e-4
"""Seconds per customer of a group that are added to a phase, since its neighbour lists are made anew."""

PHASE_ITERATIONS: Final = 40
"""Maximum iterations per customer of a phase without a time limit."""

MIN_ITERATIONS: Final = 20
"""Minimum iterations per customer in a phase, so that preparing it takes only a few percent of it."""

MIN_PHASES: Final = 20
"""Minimum number of phases without a time limit; where iterations are few, phases are shorter."""

FIRST_ITERATIONS: Final = 4000
"""Iterations of a thread in the first phase, before its rate is known."""

PATIENCE: Final = 3.0
"""A phase with a time limit ends without the groups still missing after this multiple of its expected duration."""


class Phases:
    """The phases of one search."""

    def __init__(
        self, division: DividedStrategy, strategy: RouteImprovement, search: Search[VRP], routes: Routes, share: float
    ) -> None:
        self.search, self._strategy, self._division = search, strategy, division
        self.problem = search.problem
        places = places_of(search.problem)
        assert places is not None
        self._places = places
        self._routes = [route for route in routes if len(route)]
        edge = typical_edge(self.problem, self.problem.giant_tour(self._routes)[1:])
        self._cooling = Cooling(search, strategy.hot * edge, strategy.cold * edge, share)
        self._share = share
        self._timed = math.isfinite(search.seconds_left())
        self._phase = 0
        self._pool: TaskPool[RouteGroup] = TaskPool(division, search)
        self._workers = {member.rank: GroupWorker(member.name) for member in division.crew.members}
        most = search.iterations_left() / MIN_PHASES
        self._iterations = min(most, PHASE_ITERATIONS * self.problem.n)

    def run(self) -> None:
        """Do phases until the share of the budget is used up."""
        pool = self._pool
        while not self.search.over() and not self._cooling.is_finished() and (members := self._free()):
            groups = self._divide(members)
            self._work(groups)
            self._join(groups)
            self._phase += 1
            self._tell(TELL_SECONDS)
        self._hear(pool.collect())
        self._tell(0.0, over=True)
        if (failure := pool.failure) is not None:
            raise failure

    def _free(self) -> list[Member]:
        """Return the members that can work, waiting for one if all are still busy with an earlier phase."""
        while not self._pool.free and self._pool.fit and not self.search.over():
            self._hear(self._pool.hear())
        return self._pool.free

    def _divide(self, members: list[Member]) -> list[RouteGroup]:
        """Return the groups of the next phase, for as many members as there are, or were at the beginning."""
        problem, routes = self.problem, self._routes
        wanted = len(members) if self._timed else len(self._division.crew.members)
        number = max(1, min(wanted, len(routes) // 2))
        rng = np.random.default_rng([self.search.seed, self._phase])
        division = divide(problem, self._places, problem.giant_tour(routes)[1:], number, rng)
        homes = [int(division.home[route[0]]) for route in routes]
        own = [[route for route, home in zip(routes, homes, strict=True) if home == k] for k in range(number)]
        sizes = [sum(map(len, some)) for some in own]
        seconds = min(PHASE_SECONDS + PHASE_SECONDS_PER_CUSTOMER * max(sizes), 0.9 * self.search.seconds_left())
        first = [members[k % len(members)] for k in range(number)]
        counts = [self._count(first[k], sizes[k], seconds) for k in range(number)]
        counts = allotted(self.search.iterations_left(), counts)
        between = self._cooling.temperature(), self._after(seconds, sum(counts))
        spare = None if problem.vehicles is None else problem.vehicles - len(routes)
        strategy, device = RoutePhase(self._strategy, *between), self._division.device or "auto"
        groups = []
        for k, some in enumerate(own):
            more = None if spare is None else spare // number + (k < spare % number)
            seed = int(np.random.SeedSequence([self.search.seed, self._phase, k]).generate_state(1)[0])
            groups.append(group_of(problem, some, more, first[k].rank, strategy, seed, counts[k], device))
        return groups

    def _count(self, member: Member, size: int, seconds: float) -> int:
        """Return the iterations of a group: those of ``seconds``, or without a time limit its share of all."""
        if not self._timed:
            return max(1, int(self._iterations * size / (self.problem.n - 1)))
        rate = self._workers[member.rank].rate
        if not rate:
            return FIRST_ITERATIONS * self._division.threads[member.rank]
        least = min(MIN_ITERATIONS * size, 0.5 * rate * self.search.seconds_left())
        return 1 + int(max(rate * seconds, least))

    def _after(self, seconds: float, iterations: int) -> float:
        """Return the temperature at the end of a phase."""
        cooling = self._cooling
        if not self._timed:
            return cooling.temperature(iterations)
        ahead = seconds / max(self.search.seconds + self.search.seconds_left(), 1e-9) / self._share
        return float(cooling.hot * (cooling.cold / cooling.hot) ** min(1.0, cooling.used() + ahead))

    def _work(self, groups: list[RouteGroup]) -> None:
        """Have the groups searched; with a time limit, without those that take far too long."""
        pool, began = self._pool, time.perf_counter()
        expected = max((PHASE_SECONDS, *(self._expected(group) for group in groups)))
        pool.begin([group for group in groups if group.task.iterations])
        pool.hand_out()
        while pool.goes_on and not self.search.over():
            if self._timed and time.perf_counter() - began > PATIENCE * expected + 1.0:
                return
            self._hear(pool.hear())
            pool.hand_out()
        if self.search.over():
            self._hear(pool.collect())

    def _expected(self, group: RouteGroup) -> float:
        rates = [worker.rate for worker in self._workers.values() if worker.rate > 0]
        return group.task.iterations / min(rates) if rates else 0.0

    def _hear(self, news: Iterable[tuple[RouteGroup | None, Member, News]]) -> None:
        for group, member, message in news:
            if isinstance(message, Gone | Failed):
                self._pool.lose(group, member, message)
            elif isinstance(message, Done):
                self._workers[member.rank].count(group if group in self._pool.jobs else None, message)

    def _join(self, groups: list[RouteGroup]) -> None:
        """Join the groups; those that were not searched stay as they are."""
        best: Routes = []
        last: Routes = []
        for group in groups:
            best += group.best()
            last += group.last()
        self._pool.count_done()
        self._pool.begin([])  # who is late is not waited for
        self.search.offer(best)
        self._routes = [route for route in last if len(route)]

    def _tell(self, every: float, *, over: bool = False) -> None:
        rows = []
        for rank, worker in self._workers.items():
            status = self._pool.status_of(rank)
            rows.append(worker.state("done" if over and status == "working" else status))
        self._pool.tell(rows, every)
