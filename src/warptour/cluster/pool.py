"""Tasks given to the members of a crew, and again where one is lost or fails: one rule, however a search is divided."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from warptour.cluster.crew import Gone, Member
from warptour.cluster.division import DividedStrategy
from warptour.cluster.messages import Beat, Done, Failed, Found, Halt, Meet, Task
from warptour.devices import DeviceError
from warptour.observe.events import WorkerState
from warptour.search.search import Search

POLL_SECONDS: Final = 0.02
"""Seconds between two looks of the coordinator at the limits of a search; messages wake it at once."""

TELL_SECONDS: Final = 1.0
"""Seconds between two events about the workers."""

END_SECONDS: Final = 0.05
"""Seconds before the time limit at which members end, so that their last solutions arrive in time."""

COLLECT_SECONDS: Final = 1.0
"""Seconds that halted members have for their last answers."""

News: TypeAlias = Beat | Found | Meet | Done | Failed | Gone
"""What a member says of its task, or that it is lost."""


@dataclass(eq=False, kw_only=True)
class Job(ABC):
    """A part of a search, whichever member does it."""

    home: int  # rank of the member that has it first, and again if it can
    member: Member | None = field(default=None, init=False)  # the one that works on it
    number: int = field(default=0, init=False)  # of its last task
    attempts: int = field(default=0, init=False)  # members that have worked on it so far
    # iterations, moves: of all attempts, by what the members told
    iterations: int = field(default=0, init=False)
    moves: int = field(default=0, init=False)
    # iterations and moves of the attempts before the present one
    before: tuple[int, int] = field(default=(0, 0), init=False)
    done: Done | None = field(default=None, init=False)  # its end

    @abstractmethod
    def begin(self, search: Search[Any]) -> Task:
        """Return the task for ``member``; the pool sets its number, its threads and its limit on time."""

    def count(self, message: Beat | Found | Meet | Done) -> None:
        """Take the counts of a message."""
        self.iterations, self.moves = self.before[0] + message.iterations, self.before[1] + message.moves


AnyJob = TypeVar("AnyJob", bound=Job)


class TaskPool(Generic[AnyJob]):
    """The jobs of a search, or of one phase of it, and the members of the crew that do them.

    A lost member is replaced if the crew can. One whose device fails goes on with the CPU, if the device was found by
    name. One that fails otherwise gets no more work. The search is told each time.

    ``division``: whose crew, threads and device; without a device, members have devices of their own
    ``max_attempts``: times that a job is begun before it is left undone
    ``jobs``: those that the search waits for
    ``waiting``: those of them that no member does yet
    """

    def __init__(self, division: DividedStrategy, search: Search[Any], max_attempts: float = math.inf) -> None:
        self.jobs: list[AnyJob] = []
        self.waiting: list[AnyJob] = []
        self._division, self._search, self._crew = division, search, division.crew
        self._max_attempts = max_attempts
        self._has_others = division.device not in (None, "cpu")
        self._busy: dict[Member, AnyJob] = {}
        self._on_cpu: set[int] = set()
        self._failed: dict[int, Failed] = {}
        self._counted = 0, 0
        self._told_at = time.perf_counter()

    @property
    def fit(self) -> list[Member]:
        """Members that are present and have not failed."""
        return [member for member in self._crew.present if member.rank not in self._failed]

    @property
    def free(self) -> list[Member]:
        """Members that can take a task; those that still do one of an earlier phase cannot."""
        return [member for member in self.fit if member not in self._busy]

    @property
    def working(self) -> list[AnyJob]:
        """Jobs that members do."""
        return [job for job in self.jobs if job.member is not None]

    @property
    def goes_on(self) -> bool:
        """Whether jobs are done, or can be."""
        return bool(self.working or (self.waiting and self.fit))

    @property
    def failure(self) -> Exception | None:
        """What to raise if all members that are present have failed."""
        if self.fit or not self._failed:
            return None
        *_, last = self._failed.values()
        return DeviceError(last.reason) if last.of_device else RuntimeError(last.reason)

    def status_of(self, rank: int) -> str:
        """Return how the member of a rank is, as in :class:`~warptour.observe.events.WorkerState`."""
        return "failed" if rank in self._failed else "lost" if self._crew.members[rank].lost else "working"

    def begin(self, jobs: list[AnyJob]) -> None:
        """Go on to these jobs; nobody waits for the answers to earlier ones."""
        self.jobs, self.waiting, self._counted = jobs, list(jobs), (0, 0)

    def hand_out(self, until: float = math.inf) -> None:
        """Give jobs that wait to members that are free, until ``until`` on the clock of ``time.perf_counter``."""
        free = self.free
        while free and self.waiting:
            job = self.waiting.pop(0)
            member = min(free, key=lambda one: (one.rank != job.home, one.rank))
            free.remove(member)
            self._busy[member], job.member = job, member
            job.attempts, job.number = job.attempts + 1, next(self._crew.numbers)
            job.before = job.iterations, job.moves
            task, left = job.begin(self._search), self._search.seconds_left()
            seconds = min(until - time.perf_counter(), max(left - END_SECONDS, 0.9 * left))
            device = "cpu" if member.rank in self._on_cpu else task.device
            threads = self._division.threads[member.rank]
            task = replace(task, number=job.number, seconds=seconds, threads=threads, device=device)
            self._crew.send(member, task)

    def hear(self, seconds: float = POLL_SECONDS) -> Iterator[tuple[AnyJob | None, Member, News]]:
        """Yield what members say of their jobs, waiting up to ``seconds``; a member that is lost may have no job."""
        for member, message in self._crew.hear(seconds):
            job = self._busy.get(member)
            if isinstance(message, Beat | Found | Meet | Done | Failed):
                if job is None or message.number != job.number:
                    continue
                if not isinstance(message, Failed):
                    job.count(message)
            elif not isinstance(message, Gone):
                continue
            if job is not None and isinstance(message, Done | Failed | Gone):
                job.member = None
                del self._busy[member]
                job.done = message if isinstance(message, Done) else None
            yield job, member, message

    def lose(self, job: AnyJob | None, member: Member, news: Failed | Gone) -> bool:
        """Let the job of a member that failed or is lost wait again; return whether its place can be given work."""
        if job in self.jobs and job.attempts < self._max_attempts:
            self.waiting.append(job)
        if isinstance(news, Failed):
            return self._fail(member, news)
        if self._search.over():
            return False
        new = self._crew.replace(member)
        self._search.note(f"{news.reason}; {'another takes its place' if new else 'the others go on'}", lasting=True)
        return new is not None

    def collect(self, seconds: float = COLLECT_SECONDS) -> Iterator[tuple[AnyJob | None, Member, News]]:
        """Halt all members, and yield what they say, for up to ``seconds``."""
        for member, job in self._busy.items():
            self._crew.send(member, Halt(job.number))
        until = time.perf_counter() + seconds
        while self.working and time.perf_counter() < until:
            yield from self.hear()

    def count(self, iterations: int, moves: int) -> None:
        """Count for the search what these jobs have done in all, as far as it is new."""
        self._search.count(iterations - self._counted[0], moves - self._counted[1])
        self._counted = iterations, moves

    def count_done(self) -> None:
        """Count for the search what the jobs have done that have ended."""
        done = [job.done for job in self.jobs if job.done is not None]
        self.count(sum(one.iterations for one in done), sum(one.moves for one in done))

    def tell(self, rows: Iterable[WorkerState], every: float = TELL_SECONDS) -> None:
        """Tell listeners about the workers, unless they were told less than ``every`` seconds ago."""
        if time.perf_counter() - self._told_at >= every:
            self._told_at = time.perf_counter()
            self._search.tell_workers(rows)

    def _fail(self, member: Member, failed: Failed) -> bool:
        """Return whether a member that failed can be given work again."""
        again = failed.of_device and self._has_others and member.rank not in self._on_cpu
        if again:
            self._on_cpu.add(member.rank)
        else:
            self._failed[member.rank] = failed
        goes_on = "; going on with the CPU" if again else "; the others go on" if self.fit else ""
        self._search.note(f"{member.name}: {failed.reason}{goes_on}", lasting=True)
        return again
