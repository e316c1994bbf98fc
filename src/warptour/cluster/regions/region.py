"""The regions of one phase, searched by the members of a crew."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from warptour.cluster.crew import Gone, Member
from warptour.cluster.messages import Failed, Task
from warptour.cluster.pool import Job, TaskPool
from warptour.search.search import Search

GRACE_SECONDS: Final = 0.5, 1.0
"""Minimum seconds that members have to answer: after the end of their time, and after a signal."""

GRACE_SHARE: Final = 0.05
"""Time that members have to answer after the end of their time, as a share of that time."""

MAX_ATTEMPTS: Final = 3
"""Maximum number of times that the search of a region is begun, since a region may be what its members fail on."""


@dataclass(eq=False, kw_only=True)
class RegionJob(Job):
    """One region of a phase."""

    # returns its task, when a member is there for it: members search while the tasks of others are made
    make: Callable[[], Task]
    worker: Member | None = None  # the last one that has begun it

    def begin(self, search: Search[Any]) -> Task:
        """Return its task."""
        self.worker = self.member
        return self.make()


def search_regions(pool: TaskPool[RegionJob], search: Search[Any], jobs: list[RegionJob], deadline: float) -> float:
    """Search regions until the deadline, and count the work of the members for the search.

    ``deadline``: when to halt the members, on the clock of ``time.perf_counter``; infinite for never

    Returns
    -------
    float
        Seconds that it took to make the tasks and to send them.
    """
    # with a limit on iterations they are counted at the end, lest the first to be done halt the others
    live = math.isinf(search.iterations_left())
    began = time.perf_counter()
    pool.begin(jobs)
    pool.hand_out(deadline)
    send_seconds = time.perf_counter() - began
    while pool.working:
        now = time.perf_counter()
        late = now >= deadline
        ends = late or search.over()
        grace = max(GRACE_SECONDS[not late], GRACE_SHARE * (now - began) if late else send_seconds)
        for job, member, message in pool.collect(grace) if ends else pool.hear():
            if isinstance(message, Failed | Gone):
                pool.lose(job, member, message)
            elif live:
                pool.count(sum(job.iterations for job in jobs), sum(job.moves for job in jobs))
        if ends:
            break
        pool.hand_out(deadline)
    if not live:
        pool.count_done()
    return send_seconds
