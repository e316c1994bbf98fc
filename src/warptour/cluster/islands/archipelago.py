"""Islands: every member searches the whole problem with a seed of its own, and they exchange solutions.

With a time limit a member reports improvements as it finds them, and every now and then is sent the latest of another,
of all others in turn. With a limit on iterations alone members meet at fixed counts of them and wait for each other, so
that the seed and the number of members determine the result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from warptour.cluster.crew import Gone, Member
from warptour.cluster.division import DividedStrategy
from warptour.cluster.islands.island import Island, member_seed
from warptour.cluster.messages import Arrival, Done, Failed, Found, Meet, Task
from warptour.cluster.pool import News, TaskPool
from warptour.model.errors import UnsupportedError
from warptour.search.search import Search

MEETINGS: Final = 20
"""Number of meetings in a run that is limited by iterations alone; members exchange solutions there."""

EXCHANGE_SECONDS: Final = 0.5
"""Minimum seconds between two reports of a member, and between two solutions that it is sent, for a small problem."""

EXCHANGE_SECONDS_PER_NODE: Final = 1e-5
"""Seconds per node that are added to this interval, so that a member sends and receives at most 400 kB a second."""


class Archipelago:
    """The islands of one search, and their members.

    ``failure``: why no member could do anything
    """

    def __init__(self, division: DividedStrategy, search: Search[Any]) -> None:
        self.search, self.crew = search, division.crew
        self.failure: Exception | None = None
        self._strategy = division.strategy
        self._reproducible = math.isinf(search.seconds_left()) and math.isfinite(search.iterations_left())
        self._every = EXCHANGE_SECONDS + EXCHANGE_SECONDS_PER_NODE * search.problem.n
        self._exchanged_at = time.perf_counter()
        self._turn = 0
        self._sent: dict[tuple[int, int], object] = {}
        self._pool: TaskPool[Island] = TaskPool(division, search)
        self.islands = self._islands(division)
        self._pool.begin(self.islands)

    @property
    def deserted(self) -> bool:
        """Whether there is work left, but nobody to do it."""
        return bool(self._pool.waiting) and not self._pool.fit

    def run(self) -> None:
        """Run the members until the search is over or all are done, and collect what they have."""
        search, pool = self.search, self._pool
        pool.hand_out()
        while not search.over() and self.failure is None and pool.goes_on:
            self._hear(pool.hear())
            pool.hand_out()
            if self._reproducible:
                self._meet()
            else:
                self._exchange()
            pool.tell(island.state() for island in self.islands)
        self._hear(pool.collect())
        for island in self.islands:  # in an order that no clock decides
            if island.done is not None and island.done.solution is not None:
                search.offer_given(island.done.solution)
        search.out_of_time |= any(island.done is not None and island.done.timed_out for island in self.islands)
        pool.tell((island.state() for island in self.islands), 0.0)

    def _islands(self, division: DividedStrategy) -> list[Island]:
        search, members = self.search, len(self.crew.members)
        left = search.iterations_left()
        islands = []
        for rank in range(members):
            strategy = self._strategy.share(rank, members)
            iterations = left
            if math.isfinite(left) and not self._strategy.counts_together:
                iterations = left // members + (rank < left % members)
            if strategy is None or iterations < 1:
                continue
            task = Task(
                0, search.given.bare(), strategy, search.given_start, member_seed(search.seed, rank), 1,
                division.device or "auto", iterations=iterations, report_seconds=self._every,
                meet_every=max(1.0, iterations / MEETINGS) if self._reproducible else math.inf,
            )  # fmt: skip
            islands.append(Island(home=rank, task=task, reproducible=self._reproducible))
        return islands

    def _hear(self, news: Iterable[tuple[Island | None, Member, News]]) -> None:
        for island, member, message in news:
            if island is None:
                continue
            if isinstance(message, Gone | Failed):
                self._lose(island, member, message)
                continue
            self._count()
            if isinstance(message, Found | Meet | Done) and message.solution is not None:
                island.latest = message
                self._offer(island)
            if isinstance(message, Meet):
                island.meeting = message
            elif isinstance(message, Done):
                island.ended, island.meeting = "done", None
                if self.search.best is None and message.miss is not None:
                    self.search.miss = message.miss

    def _offer(self, island: Island) -> None:
        """Report the latest solution of an island, and credit it with what that gains."""
        search, before = self.search, self.search.cost
        assert island.latest is not None
        assert island.latest.solution is not None
        if search.offer_given(island.latest.solution) and before is not None and search.cost is not None:
            island.gain += before - search.cost

    def _count(self) -> None:
        """Count the iterations and moves of all members, of concurrent rounds those that all have had."""
        all_of_them = [island.iterations for island in self.islands]
        iterations = sum(all_of_them)
        if self._strategy.counts_together:
            working = [island.iterations for island in self.islands if not island.ended]
            iterations = min(working) if working else max(all_of_them)
        self._pool.count(iterations, sum(island.moves for island in self.islands))

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
            self.crew.send(island.member, Arrival(island.number, told.solution, told.cost))

    @staticmethod
    def _partner(island: Island, islands: list[Island], turn: int) -> Island | None:
        """Return the island whose solution ``island`` is given: another one each turn."""
        others = [other for other in islands if other is not island]
        return others[(turn + island.home) % len(others)] if others else None

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
            if self._sent.get((other.home, island.home)) is not latest:
                self._sent[other.home, island.home] = latest
                self.crew.send(island.member, Arrival(island.number, latest.solution, latest.cost))

    def _lose(self, island: Island, member: Member, news: Failed | Gone) -> None:
        """Let what a member was doing wait for whoever is free, unless it was refused before anybody began.

        Without a share of a limited amount of work it waits for nobody: the others search as well.
        """
        island.meeting = None
        began = any(one.iterations for one in self.islands)
        if isinstance(news, Failed) and news.refused and not news.of_device and not began:
            self.failure = UnsupportedError(news.reason)
        elif not self._pool.lose(island, member, news):
            if isinstance(news, Failed):
                self.failure = self.failure or self._pool.failure
            limited = math.isfinite(island.task.iterations) or island.task.strategy != self._strategy
            if self.search.over() or (not limited and self._pool.fit):
                island.ended = "failed" if isinstance(news, Failed) else "lost"
                self._pool.waiting.remove(island)
            elif self._reproducible and self.failure is None:
                self.search.note("this run cannot be reproduced: a worker was not replaced", lasting=True)


class Islands(DividedStrategy):
    """A strategy on several members."""

    name: ClassVar[str] = "islands"
    iteration: ClassVar[str] = "iterations"

    def run(self, search: Search[Any]) -> None:
        """Search until over or all members are done."""
        archipelago = Archipelago(self, search)
        archipelago.run()
        if archipelago.failure is not None:
            raise archipelago.failure
        if archipelago.deserted and not search.over():
            search.note("no worker is left; going on without them", lasting=True)
            search.start = search.start if search.best is None else search.searched(search.best)
            self.strategy.run(search)
