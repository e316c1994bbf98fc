"""Phases of ruin and recreate on groups of routes, as their coordinator sees them."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from warptour.cluster.crew import Crew, Gone, Member
from warptour.cluster.islands.archipelago import COLLECT_SECONDS, END_SECONDS, POLL_SECONDS, TELL_SECONDS
from warptour.cluster.losses import Losses
from warptour.cluster.messages import Done, Failed, Halt
from warptour.cluster.routes.part import Contribution, Part, part_of
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.places import places_of
from warptour.routes.strategy.cooling import Cooling, typical_edge
from warptour.routes.strategy.division import divide
from warptour.routes.strategy.phase import RoutePhase
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.routes.strategy.ruin_recreate import allotted
from warptour.search.search import Search

PHASE_SECONDS: Final = 0.4
"""Seconds of a phase with a time limit, without what its customers add."""

PHASE_SECONDS_PER_CUSTOMER: Final = 1e-4
"""Seconds per customer of a group that are added to a phase, since its neighbour lists are made anew."""

PHASE_ITERATIONS: Final = 40
"""Maximum iterations per customer of a phase without a time limit."""

MIN_ITERATIONS: Final = 20
"""Minimum iterations per customer of a phase, of which preparing it takes a few percent."""

MIN_PHASES: Final = 20
"""Minimum number of phases without a time limit; they are shorter where iterations are few."""

FIRST_ITERATIONS: Final = 4000
"""Iterations of a thread in the first phase, before its rate is known."""

PATIENCE: Final = 3.0
"""Multiple of its expected duration after which a phase with a time limit ends without the groups still missing."""


class Plan(Protocol):
    """What a search in phases is made of, as in :class:`~warptour.cluster.routes.parts.RouteParts`."""

    strategy: RouteImprovement
    crew: Crew
    threads: list[int]
    device: str | None


class Phases:
    """The phases of one search."""

    def __init__(self, plan: Plan, search: Search[VRP], routes: Routes, share: float) -> None:
        self.plan, self.search, self.crew = plan, search, plan.crew
        self.problem = search.problem
        places = places_of(search.problem)
        assert places is not None
        self._places = places
        self._routes = [route for route in routes if len(route)]
        edge = typical_edge(self.problem, self.problem.giant_tour(self._routes)[1:])
        self._cooling = Cooling(search, plan.strategy.hot * edge, plan.strategy.cold * edge, share)
        self._share = share
        self._timed = math.isfinite(search.seconds_left())
        self._phase = self._number = 0
        self._losses = Losses(plan.crew, search, plan.device)
        self._workers = {member.rank: Contribution(member.name) for member in self.crew.members}
        self._told_at = time.perf_counter()
        most = search.iterations_left() / MIN_PHASES
        self._iterations = min(most, PHASE_ITERATIONS * self.problem.n)

    def run(self) -> None:
        """Do phases until the share of the budget is used up."""
        while not self.search.over() and not self._cooling.is_finished() and (members := self._free()):
            parts = self._divide(members)
            self._work(parts)
            self._join(parts)
            self._phase += 1
            self._tell(TELL_SECONDS)
        self._collect([])
        for worker in self._workers.values():
            worker.status = "done" if worker.status == "working" else worker.status
        self._tell(0.0)
        if (failure := self._losses.failure) is not None:
            raise failure

    def _free(self) -> list[Member]:
        """Return the members that can work, waiting for one if all are still busy with an earlier phase."""
        fit = self._losses.fit
        while not (free := [one for one in fit if one.task is None]) and fit and not self.search.over():
            self._hear([], [])
            fit = self._losses.fit
        return free

    def _divide(self, members: list[Member]) -> list[Part]:
        """Return the parts of the next phase, for as many members as there are, or were at the beginning."""
        problem, routes = self.problem, self._routes
        wanted = len(members) if self._timed else len(self.crew.members)
        groups = max(1, min(wanted, len(routes) // 2))
        rng = np.random.default_rng([self.search.seed, self._phase])
        division = divide(problem, self._places, problem.giant_tour(routes)[1:], groups, rng)
        homes = [int(division.home[route[0]]) for route in routes]
        own = [[route for route, home in zip(routes, homes, strict=True) if home == k] for k in range(groups)]
        sizes = [sum(map(len, some)) for some in own]
        seconds = min(PHASE_SECONDS + PHASE_SECONDS_PER_CUSTOMER * max(sizes), 0.9 * self.search.seconds_left())
        counts = [self._count(members[k % len(members)], sizes[k], seconds) for k in range(groups)]
        counts = allotted(self.search.iterations_left(), counts)
        between = self._cooling.temperature(), self._after(seconds, sum(counts))
        spare = None if problem.vehicles is None else problem.vehicles - len(routes)
        parts: list[Part] = []
        for k, some in enumerate(own):
            more = None if spare is None else spare // groups + (k < spare % groups)
            seed = int(np.random.SeedSequence([self.search.seed, self._phase, k]).generate_state(1)[0])
            strategy = RoutePhase(self.plan.strategy, *between)
            parts.append(part_of(problem, some, more, strategy, seed, counts[k], self.plan.device or "auto"))
        return parts

    def _count(self, member: Member, size: int, seconds: float) -> int:
        """Return the iterations of a part: those of ``seconds``, or without a time limit its share of all."""
        if not self._timed:
            return max(1, int(self._iterations * size / (self.problem.n - 1)))
        rate = self._workers[member.rank].rate
        if not rate:
            return FIRST_ITERATIONS * self.plan.threads[member.rank]
        least = min(MIN_ITERATIONS * size, 0.5 * rate * self.search.seconds_left())
        return 1 + int(max(rate * seconds, least))

    def _after(self, seconds: float, iterations: int) -> float:
        """Return the temperature at the end of a phase."""
        cooling = self._cooling
        if not self._timed:
            return cooling.temperature(iterations)
        ahead = seconds / max(self.search.seconds + self.search.seconds_left(), 1e-9) / self._share
        return float(cooling.hot * (cooling.cold / cooling.hot) ** min(1.0, cooling.used() + ahead))

    def _work(self, parts: list[Part]) -> None:
        """Have the parts searched; with a time limit, without those that take far too long."""
        wanted = [part for part in parts if part.task.iterations]
        todo, began = list(wanted), time.perf_counter()
        expected = max((PHASE_SECONDS, *(self._expected(part) for part in parts)))
        while any(part.done is None for part in wanted):
            late = self._timed and time.perf_counter() - began > PATIENCE * expected + 1.0
            if self.search.over() or late or not self._losses.fit:
                break
            for member in [one for one in self._losses.fit if one.task is None][: len(todo)]:
                self._number += 1
                part = todo.pop(0)
                left = max(0.0, self.search.seconds_left() - END_SECONDS)
                threads = self.plan.threads[member.rank]
                part.task = replace(part.task, number=self._number, seconds=left, threads=threads)
                device = self._losses.device_for(member, part.task.device)
                self.crew.send(member, replace(part.task, device=device))
            self._hear(parts, todo)
        if self.search.over():
            self._collect(parts)

    def _expected(self, part: Part) -> float:
        rates = [worker.rate for worker in self._workers.values() if worker.rate > 0]
        return part.task.iterations / min(rates) if rates else 0.0

    def _hear(self, parts: list[Part], todo: list[Part]) -> None:
        for member, message in self.crew.hear(POLL_SECONDS):
            number = None if member.task is None else member.task.number
            part = next((one for one in parts if one.task.number == number and one.done is None), None)
            worker = self._workers[member.rank]
            if isinstance(message, Gone):
                new = self._losses.lose(member, message.reason)
                worker.status = "lost" if new is None else "working"
            elif isinstance(message, Failed) and message.number == number:
                member.task = None
                worker.status = "working" if self._losses.fail(member, message) else "failed"
            elif isinstance(message, Done) and message.number == number:
                member.task = None
                worker.count(part, message)
                continue
            else:
                continue
            if part is not None:
                todo.append(part)

    def _join(self, parts: list[Part]) -> None:
        """Join the parts; those that were not searched stay as they are."""
        best: Routes = []
        last: Routes = []
        for part in parts:
            best += part.best()
            last += part.last()
        done = [part.done for part in parts if part.done is not None]
        self.search.count(sum(one.iterations for one in done), sum(one.moves for one in done))
        self.search.offer(best)
        self._routes = [route for route in last if len(route)]

    def _collect(self, parts: list[Part]) -> None:
        """Tell members to end, and wait a while for what they have."""
        for member in self._losses.fit:
            if member.task is not None:
                self.crew.send(member, Halt(member.task.number))
        until = time.perf_counter() + COLLECT_SECONDS
        while any(member.task is not None for member in self._losses.fit) and time.perf_counter() < until:
            self._hear(parts, [])

    def _tell(self, seconds: float) -> None:
        if time.perf_counter() - self._told_at >= seconds:
            self._told_at = time.perf_counter()
            self.search.tell_workers(worker.state() for worker in self._workers.values())
