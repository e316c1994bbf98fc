"""One island of a search: what a member is asked to do, and what it has done so far."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from warptour.cluster.messages import Arrival, Beat, Done, Found, Meet, Task
from warptour.cluster.pool import Job
from warptour.observe.events import WorkerState
from warptour.search.search import Search


@dataclass(eq=False, kw_only=True)
class Island(Job):
    """A part of a search, whichever member does it; the counts of one that is lost are void if the next begins anew."""

    task: Task  # as it was given to the last member
    # whether a member that takes over begins anew, is told the same at meetings, and so finds the same
    reproducible: bool
    ended: str = ""  # how it has ended: ``done``, ``lost`` or ``failed``; empty while members do it or may
    gain: float = 0.0
    latest: Found | Meet | Done | None = None  # its best solution so far
    told: list[Arrival] = field(default_factory=list)  # what it was told at each meeting
    held: int = 0  # meetings of its present member
    meeting: Meet | None = None  # the meeting at which it waits
    name: str = ""
    began: float = 0.0

    def begin(self, search: Search[Any]) -> Task:
        """Return the task for its member, which takes over from any before."""
        assert self.member is not None
        self.name, self.meeting, self.held, self.began = self.member.name, None, 0, time.perf_counter()
        if self.reproducible:
            self.before, self.iterations, self.moves = (0, 0), 0, 0
        elif self.attempts > 1:
            start = self.task.start if search.best is None else search.best
            seed = member_seed(search.seed, self.home, self.attempts)
            self.task = replace(self.task, start=start, seed=seed)
        return replace(self.task, iterations=max(1, self.task.iterations - self.before[0]))

    def count(self, message: Beat | Found | Meet | Done) -> None:
        """Take the counts of a message, but no more iterations than the limit."""
        super().count(message)
        if math.isfinite(self.task.iterations):
            self.iterations = min(self.iterations, int(self.task.iterations))

    @property
    def status(self) -> str:
        """``waiting`` for a member, or as in :class:`~warptour.observe.events.WorkerState`."""
        return self.ended or ("waiting" if self.member is None else "working")

    def state(self) -> WorkerState:
        """Return what listeners are told."""
        done = self.iterations - self.before[0]
        seconds = time.perf_counter() - self.began if self.done is None else self.done.seconds
        rate = done / seconds if self.attempts and seconds > 0 else 0.0
        return WorkerState(self.name, "" if self.done is None else self.done.device, rate, self.gain, self.status)


def member_seed(seed: int, rank: int, attempt: int = 1) -> int:
    """Return the seed of a member; one that takes over from another has another seed."""
    key = (rank,) if attempt == 1 else (rank, attempt)
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1)[0])
