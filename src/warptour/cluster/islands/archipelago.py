"""The islands of one search as its coordinator sees them: who works on which, and what they exchange."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, Final, Protocol

from warptour.cluster.crew import Crew, Gone, Member
from warptour.cluster.islands.island import Island, member_seed
from warptour.cluster.losses import Losses
from warptour.cluster.messages import Arrival, Beat, Done, Failed, Found, Halt, Meet, Task
from warptour.model.errors import UnsupportedError
from warptour.search.search import Search
from warptour.search.strategy import Strategy

POLL_SECONDS: Final = 0.05

MEETINGS: Final = 20
"""Parts of a limit on iterations between which members meet."""

EXCHANGE_SECONDS: Final = 0.5
"""Seconds between two reports of a member, and between two solutions that it is sent,"""

EXCHANGE_SECONDS_PER_NODE: Final = 1e-5
"""and more per node: a member sends and takes at most 400 kB a second."""

TELL_SECONDS: Final = 1.0
"""Seconds between two events about the workers."""

END_SECONDS: Final = 0.05
"""Seconds before the time limit at which members end, so that their last solutions arrive in time."""

COLLECT_SECONDS: Final = 1.0
"""How long to wait for the last solutions of members that were told to end."""


class Plan(Protocol):
    """What the islands of a search are made of, as in :class:`~warptour.cluster.islands.Islands`."""

    strategy: Strategy
    crew: Crew
    threads: list[int]
    device: str | None


class Archipelago:
    """The islands of one search, and their members.

    Attributes
    ----------
    failure : Exception, optional
        Why no member could do anything.
    """

    def __init__(self, plan: Plan, search: Search[Any]) -> None:
        self.plan, self.search, self.crew = plan, search, plan.crew
        self.failure: Exception | None = None
        self._reproducible = math.isinf(search.seconds_left()) and math.isfinite(search.iterations_left())
        self._counted = 0, 0
        self._every = EXCHANGE_SECONDS + EXCHANGE_SECONDS_PER_NODE * search.problem.n
        self._exchanged_at = self._told_at = time.perf_counter()
        self._turn = self._number = 0
        self._ending = False
        self._losses = Losses(plan.crew, search, plan.device)
        self._sent: dict[tuple[int, int], object] = {}
        self.islands = self._islands()

    @property
    def deserted(self) -> bool:
        """Whether there is work left, but nobody to do it."""
        return any(island.status == "waiting" for island in self.islands) and not self._losses.fit

    def run(self) -> None:
        """Run the members until the search is over or all are done, and collect what they have."""
        search = self.search
        self._assign()
        while not search.over() and self._has_work():
            self._hear(POLL_SECONDS)
            self._assign()
            if self._reproducible:
                self._meet()
            else:
                self._exchange()
            if time.perf_counter() - self._told_at >= TELL_SECONDS:
                self._tell()
        self._collect()
        for island in self.islands:  # in an order that no clock decides
            if island.done is not None and island.done.solution is not None:
                search.offer_given(island.done.solution)
        search.out_of_time |= any(island.done is not None and island.done.timed_out for island in self.islands)
        self._tell()

    def _islands(self) -> list[Island]:
        plan, search, members = self.plan, self.search, len(self.crew.members)
        left = search.iterations_left()
        islands = []
        for rank in range(members):
            strategy = plan.strategy.share(rank, members)
            iterations = left
            if math.isfinite(left) and not plan.strategy.counts_together:
                iterations = left // members + (rank < left % members)
            if strategy is None or iterations < 1:
                continue
            task = Task(
                0, search.given.bare(), strategy, search.given_start, member_seed(search.seed, rank),
                plan.threads[rank], device=plan.device or "auto", iterations=iterations, report_seconds=self._every,
                meet_every=max(1.0, iterations / MEETINGS) if self._reproducible else math.inf,
            )  # fmt: skip
            islands.append(Island(rank, task, self._reproducible))
        return islands

    def _has_work(self) -> bool:
        if self.failure is not None:
            return False
        statuses = {island.status for island in self.islands}
        return "working" in statuses or ("waiting" in statuses and bool(self._losses.fit))

    def _assign(self) -> None:
        """Give islands that wait to members that are free, each its own first."""
        busy = {island.member for island in self.islands}
        free = [member for member in self._losses.fit if member not in busy]
        for island in [island for island in self.islands if island.status == "waiting"]:
            if free:
                self._begin(island, min(free, key=lambda member: (member.rank != island.rank, member.rank)))
                free.remove(island.member)  # type: ignore[arg-type]

    def _begin(self, island: Island, member: Member) -> None:
        self._number += 1
        left = self.search.seconds_left()
        task = island.begin(member, self._number, max(left - END_SECONDS, 0.9 * left), self.search)
        self.crew.send(member, replace(task, device=self._losses.device_for(member, task.device)))

    def _hear(self, seconds: float) -> None:
        for member, message in self.crew.hear(seconds):
            island = next((one for one in self.islands if one.member is member), None)
            if isinstance(message, Gone):
                self._lose(island, member, message.reason)
            elif island is None or getattr(message, "number", None) != island.task.number:
                continue
            elif isinstance(message, Failed):
                self._fail(island, member, message)
            elif isinstance(message, Beat | Found | Meet | Done):
                island.count(message)
                self._count()
                if isinstance(message, Found | Meet | Done) and message.solution is not None:
                    island.latest = message
                    self._offer(island)
                if isinstance(message, Meet):
                    island.meeting = message
                elif isinstance(message, Done):
                    self._finish(island, message)

    def _offer(self, island: Island) -> None:
        """Report the latest solution of an island, and credit it with what that gains."""
        search, before = self.search, self.search.cost
        assert island.latest is not None
        assert island.latest.solution is not None
        if search.offer_given(island.latest.solution) and before is not None and search.cost is not None:
            island.gain += before - search.cost

    def _finish(self, island: Island, done: Done) -> None:
        island.device, island.done = done.device, done
        if self.search.best is None and done.miss is not None:
            self.search.remember_infeasible(done.miss)
        island.end("done")

    def _count(self) -> None:
        """Count the iterations and moves of all members, of concurrent rounds those that all have had."""
        all_of_them = [island.iterations for island in self.islands]
        iterations = sum(all_of_them)
        if self.plan.strategy.counts_together:
            working = [island.iterations for island in self.islands if island.status in ("working", "waiting")]
            iterations = min(working) if working else max(all_of_them)
        moves = sum(island.moves for island in self.islands)
        self.search.count(iterations - self._counted[0], moves - self._counted[1])
        self._counted = iterations, moves

    def _meet(self) -> None:
        """Let members go on once all that work wait at a meeting; one that took over is told what was told before."""
        for island in self.islands:
            if island.meeting is not None and island.held < len(island.told):
                self._answer(island, island.told[island.held])
        working = [island for island in self.islands if island.status == "working"]
        if not working or any(island.meeting is None for island in working):
            return
        for island in working:
            other = self._partner(island, working, len(island.told))
            meeting = None if other is None else other.latest
            told = Arrival(0, None, None) if meeting is None else Arrival(0, meeting.solution, meeting.cost)
            island.told.append(told)
        for island in working:
            self._answer(island, island.told[island.held])

    def _answer(self, island: Island, told: Arrival) -> None:
        island.meeting = None
        island.held += 1
        if island.member is not None:
            self.crew.send(island.member, Arrival(island.task.number, told.solution, told.cost))

    @staticmethod
    def _partner(island: Island, islands: list[Island], turn: int) -> Island | None:
        """Return the island whose solution ``island`` is given: another one each turn."""
        others = [other for other in islands if other is not island]
        return others[(turn + island.rank) % len(others)] if others else None

    def _exchange(self) -> None:
        """Send every member the latest solution of another, unless it has had that one."""
        now = time.perf_counter()
        if now - self._exchanged_at < self._every:
            return
        self._exchanged_at = now
        self._turn += 1
        for island in self.islands:
            other = self._partner(island, self.islands, self._turn)
            latest = None if other is None else other.latest
            if other is None or latest is None or island.member is None:
                continue
            if self._sent.get((other.rank, island.rank)) is not latest:
                self._sent[other.rank, island.rank] = latest
                self.crew.send(island.member, Arrival(island.task.number, latest.solution, latest.cost))

    def _lose(self, island: Island | None, member: Member, reason: str) -> None:
        """Let what a lost member was doing wait for whoever is free."""
        if self._ending or island is None:
            if island is not None:
                island.end("lost")
            return
        island.end("waiting")
        if self._losses.lose(member, reason) is None:
            self._leave(island, "lost")

    def _leave(self, island: Island, status: str) -> None:
        """Let an island wait for a member that is done with its own, if it has a share of a limited amount of work."""
        limited = math.isfinite(island.task.iterations) or island.task.strategy != self.plan.strategy
        if not limited and self._losses.fit:
            island.status = status
        elif self._reproducible:
            self.search.note("this run cannot be reproduced: a worker was not replaced", lasting=True)

    def _fail(self, island: Island, member: Member, failed: Failed) -> None:
        """Let what a member failed at wait for whoever is free, unless it was refused before anybody began."""
        island.end("waiting")
        if failed.refused and not failed.of_device and not any(one.iterations for one in self.islands):
            self.failure = UnsupportedError(failed.reason)
        elif not self._losses.fail(member, failed):
            self.failure = self._losses.failure
            if self.failure is None:
                self._leave(island, "failed")

    def _collect(self) -> None:
        """Tell all to end, and wait a while for their last solutions."""
        self._ending = True
        for island in self.islands:
            if island.member is not None:
                self.crew.send(island.member, Halt(island.task.number))
        until = time.perf_counter() + COLLECT_SECONDS
        while any(island.member is not None for island in self.islands) and time.perf_counter() < until:
            self._hear(POLL_SECONDS)

    def _tell(self) -> None:
        self._told_at = time.perf_counter()
        self.search.tell_workers(island.state() for island in self.islands)
