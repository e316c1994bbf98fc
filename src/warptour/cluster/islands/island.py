"""One island of a search: what a member is asked to do, and what it has done so far."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from warptour.cluster.crew import Member
from warptour.cluster.messages import Arrival, Beat, Done, Found, Meet, Task
from warptour.observe.events import WorkerState
from warptour.search.search import Search


@dataclass(eq=False)
class Island:
    """A part of a search, whichever member does it.

    Attributes
    ----------
    rank : int
    task : Task
        As it was given to the first member; its number is that of the last.
    reproducible : bool
        Whether a member that takes over begins anew, is told the same at meetings, and so finds the same.
    member : Member, optional
        The one that works on it.
    attempts : int
        Members that have worked on it so far.
    status : str
        ``waiting`` for a member, or as in :class:`~warptour.observe.events.WorkerState`.
    iterations, moves : int
        Of the member that works on it; those of a member that is lost do not count if the next begins anew.
    latest : Found or Meet or Done
        Its best solution so far.
    told : list of Arrival
        What it was told at each meeting.
    meeting : Meet
        The meeting at which it waits.
    """

    rank: int
    task: Task
    reproducible: bool
    member: Member | None = None
    attempts: int = 0
    status: str = "waiting"
    iterations: int = 0
    moves: int = 0
    gain: float = 0.0
    latest: Found | Meet | Done | None = None
    done: Done | None = None
    told: list[Arrival] = field(default_factory=list)
    held: int = 0
    meeting: Meet | None = None
    name: str = ""
    device: str = ""
    began: float = 0.0
    before: tuple[int, int] = (0, 0)
    """Iterations and moves of earlier members, from whose solutions the present one went on."""

    def begin(self, member: Member, number: int, seconds: float, search: Search[Any]) -> Task:
        """Return the task for ``member``, who takes over from any before."""
        self.attempts += 1
        self.member, self.name, self.status = member, member.name, "working"
        self.meeting, self.held, self.began = None, 0, time.perf_counter()
        if self.reproducible:
            self.iterations = self.moves = 0
        elif self.attempts > 1:
            self.before = self.iterations, self.moves
            seed = member_seed(search.seed, self.rank, self.attempts)
            start = self.task.start if search.best is None else search.best
            left = self.task.iterations - self.iterations
            self.task = replace(self.task, start=start, seed=seed, iterations=max(1, left))
        self.task = replace(self.task, number=number, seconds=seconds)
        return self.task

    def count(self, message: Beat | Found | Meet | Done) -> None:
        """Take the counts of a message, but no more iterations than the limit."""
        iterations, moves = self.before
        limit = self.task.iterations
        done = message.iterations if math.isinf(limit) else min(message.iterations, int(limit))
        self.iterations, self.moves = iterations + done, moves + message.moves

    def end(self, status: str) -> None:
        """Let the member go."""
        self.status, self.meeting = status, None
        if self.member is not None:
            self.member.task = None
            self.member = None

    def state(self) -> WorkerState:
        """Return what listeners are told."""
        done = self.iterations - self.before[0]
        seconds = time.perf_counter() - self.began if self.done is None else self.done.seconds
        rate = done / seconds if self.attempts and seconds > 0 else 0.0
        return WorkerState(self.name, self.device, rate, self.gain, self.status)


def member_seed(seed: int, rank: int, attempt: int = 1) -> int:
    """Return the seed of a member; one that takes over from another has another seed."""
    key = (rank,) if attempt == 1 else (rank, attempt)
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1)[0])
