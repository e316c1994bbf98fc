"""Tasks shared out to the members of a crew, and their answers gathered."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from warptour.cluster.crew import Crew, Gone, Member
from warptour.cluster.losses import Losses
from warptour.cluster.messages import Beat, Done, Failed, Halt, Task
from warptour.search.search import Search

POLL_SECONDS = 0.02

GRACE_SECONDS = 0.5, 1.0
"""How long members may take to answer at least: after their time was up, and after a signal."""

GRACE_SHARE = 0.05
"""The same, as a share of their time."""

MAX_ATTEMPTS = 3
"""Times that a task is begun before it is left undone."""


class Sharing:
    """Gives tasks to members, again if one is lost or fails, and counts what they do for the search.

    Parameters
    ----------
    crew : Crew
    threads : list of int
        Threads of each member, by rank.
    search : Search
        Its counts and notes; once it is over, members are halted.
    device : str, optional
        Devices of each member, by name; None if members have devices of their own.

    Attributes
    ----------
    send_seconds : float
        What it took to make the tasks of the last run and to send them.
    """

    def __init__(self, crew: Crew, threads: list[int], search: Search[Any], device: str | None = None) -> None:
        self.crew = crew
        self.threads = threads
        self.search = search
        self.send_seconds = 0.0
        self._numbers = count(1)
        self._busy: dict[Member, int] = {}
        self._losses = Losses(crew, search, device)
        self._counted: dict[int, tuple[int, int]] = {}

    @property
    def free(self) -> list[Member]:
        """Members that can take a task."""
        return [member for member in self._losses.fit if member not in self._busy]

    def run(self, make: Callable[[int], Task], tasks: int, deadline: float) -> dict[int, tuple[Member, Done]]:
        """Return the answers by index of the task; tasks that nobody finished by the ``deadline`` have none.

        Parameters
        ----------
        make : callable
            Returns the task of an index. The first goes to the first member that is free, and so on; its number, its
            threads and its limit on time are set here.
        tasks : int
        deadline : float
            When to halt the members, on the clock of ``time.perf_counter``; infinite for never.
        """
        self._todo = list(range(tasks))
        self._running: dict[int, int] = {}
        self._attempts = [0] * tasks
        # with a limit on iterations they are counted at the end, lest the first to be done halt the others
        self._live = math.isinf(self.search.iterations_left())
        answers: dict[int, tuple[Member, Done]] = {}
        began, give_up = time.perf_counter(), math.inf
        self._hand_out(make, deadline)
        self.send_seconds = time.perf_counter() - began
        while True:
            if give_up == math.inf:
                self._hand_out(make, deadline)
            if not self._running:
                break
            now = time.perf_counter()
            late = now >= deadline
            if give_up == math.inf and (late or self.search.over()):
                for member, number in self._busy.items():
                    self.crew.send(member, Halt(number))
                share = GRACE_SHARE * (now - began) if late else self.send_seconds
                give_up = now + max(GRACE_SECONDS[not late], share)
            if now >= give_up:
                break
            for member, message in self.crew.hear(POLL_SECONDS):
                self._hear(member, message, answers)
        for _, done in answers.values():
            self._count(done)
        return answers

    def _hand_out(self, make: Callable[[int], Task], deadline: float) -> None:
        for member in self.free:
            if not self._todo:
                return
            index = self._todo.pop(0)
            self._attempts[index] += 1
            number = self._busy[member] = next(self._numbers)
            self._running[number] = index
            task = make(index)
            device = self._losses.device_for(member, task.device)
            seconds = min(task.seconds, deadline - time.perf_counter())
            threads = self.threads[member.rank]
            self.crew.send(member, replace(task, number=number, seconds=seconds, device=device, threads=threads))

    def _hear(self, member: Member, message: object, answers: dict[int, tuple[Member, Done]]) -> None:
        if isinstance(message, Gone):
            self._again(member)
            self._losses.lose(member, message.reason)
        elif isinstance(message, Beat | Done) and self._busy.get(member) == message.number:
            index = self._running.get(message.number)
            if index is not None and self._live:
                self._count(message)
            if isinstance(message, Done):
                self._release(member)
                if index is not None:
                    answers[index] = member, message
        elif isinstance(message, Failed) and self._busy.get(member) == message.number:
            self._again(member)
            self._losses.fail(member, message)

    def _again(self, member: Member) -> None:
        """Put the task of a member back, unless it was begun too often."""
        index = self._release(member)
        if index is not None and self._attempts[index] < MAX_ATTEMPTS:
            self._todo.append(index)

    def _release(self, member: Member) -> int | None:
        member.task = None
        return self._running.pop(self._busy.pop(member, 0), None)

    def _count(self, message: Beat | Done) -> None:
        iterations, moves = self._counted.get(message.number, (0, 0))
        self._counted[message.number] = message.iterations, message.moves
        self.search.count(message.iterations - iterations, message.moves - moves)
