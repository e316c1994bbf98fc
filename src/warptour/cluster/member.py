"""What a member does: it takes a task, searches, tells what it found, and takes the next."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from warptour.cluster.links.hello import hello
from warptour.cluster.links.link import Link, UnreadableError
from warptour.cluster.messages import (
    BEAT_SECONDS,
    Arrival,
    Beat,
    Done,
    Failed,
    Found,
    Halt,
    Meet,
    Quit,
    Task,
    Unreadable,
)
from warptour.cluster.rows.server import RowServer
from warptour.devices import Device
from warptour.kernels.library import library
from warptour.model.errors import WarptourError
from warptour.model.vehicles import Routes
from warptour.observe.events import Event, Improved
from warptour.search.search import Search, Tour
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time
from warptour.strategies.places import choose_devices
from warptour.strategies.running import is_of_device

IDLE_SECONDS = 3600.0
"""Longest wait for a message in one call; a member waits for tasks without limit."""

Divide: TypeAlias = Callable[[Strategy, Search[Any]], AbstractContextManager[Strategy]]
"""Gives what runs a strategy on all devices of a search."""


class Reports:
    """Listens to the search of a task, and to the coordinator meanwhile, whose arrivals it hands to the search."""

    def __init__(self, link: Link, task: Task) -> None:
        self.search: Search[Any] | None = None
        self.quit = False
        self._link = link
        self._task = task
        self._halted = False
        self._beat_at = self._reported_at = -math.inf
        self._unreported = False
        self._meetings = 0
        self._arrived: list[Arrival] = []
        self._known: int | float | None = None
        """Cost of the last arrival, which need not be sent back."""

    def __call__(self, event: Event) -> bool:
        self._unreported |= isinstance(event, Improved)
        return self.look()

    def look(self) -> bool:
        """Read messages, and tell what is due; return whether to go on."""
        search = self.search
        assert search is not None
        while (message := self._link.receive(0)) is not None:
            self._hear(message)
        now = time.perf_counter()
        self._unreported &= search.cost != self._known
        if self._unreported and now - self._reported_at >= self._task.report_seconds:
            assert search.best is not None
            assert search.cost is not None
            self._unreported, self._reported_at, self._beat_at = False, now, now
            self._link.send(Found(self._task.number, search.best, search.cost, search.iterations, search.moves))
        elif now - self._beat_at >= BEAT_SECONDS:
            self._beat_at = now
            self._link.send(Beat(self._task.number, search.iterations, search.moves, search.cost))
        return not self._halted

    def due(self) -> bool:
        """Return whether solutions of others came, or a meeting with them is due."""
        assert self.search is not None
        every = self._task.meet_every
        return bool(self._arrived) if math.isinf(every) else self.search.iterations >= (self._meetings + 1) * every

    def take(self) -> list[Tour | Routes]:
        """Return the solutions of others; at a meeting, wait for the coordinator, with signs of life."""
        search = self.search
        assert search is not None
        if math.isfinite(self._task.meet_every):
            self._meetings += 1
            counts = search.iterations, search.moves
            self._link.send(Meet(self._task.number, search.best, search.cost, *counts))
            while not self._arrived and not self._halted:
                message = self._link.receive(BEAT_SECONDS)
                if message is None:
                    self._link.send(Beat(self._task.number, *counts, search.cost))
                else:
                    self._hear(message)
        arrived, self._arrived = self._arrived, []
        return [one.solution for one in arrived if one.solution is not None]

    def _hear(self, message: object) -> None:
        if isinstance(message, Quit):
            self._halted = self.quit = True
        elif isinstance(message, Halt) and message.number == self._task.number:
            self._halted = True
        elif isinstance(message, Arrival) and message.number == self._task.number:
            self._arrived.append(message)
            self._known = message.cost


class MemberSearch(Search[Any]):
    """A search that beats and listens in constructions too, which poll ``hurried`` alone."""

    reports: Reports

    def hurried(self) -> bool:
        """Return whether to abandon a construction."""
        if not self.reports.look():
            self._stopped = True
        return super().hurried()


def serve(link: Link, device: Device | None = None, divide: Divide | None = None) -> None:
    """Do the tasks of a coordinator until it says to leave; raises :class:`~warptour.cluster.links.link.LostError`.

    ``device``: the member's own; by default each task names some
    ``divide``: :func:`warptour.cluster.plan.divided`, for a member whose tasks may name several devices
    """
    library()  # before the first task comes: its time has begun then
    link.send(hello())
    rows = RowServer(link, device)
    while True:
        try:
            message = link.receive(IDLE_SECONDS)
        except UnreadableError as error:
            link.send(Unreadable(str(error)))
            continue
        if isinstance(message, Quit) or (isinstance(message, Task) and _do(link, message, device, divide)):
            return
        if rows.serve(message):
            return
        del message  # the next may be as large


def _do(link: Link, task: Task, device: Device | None, divide: Divide | None) -> bool:
    """Run a task and answer; return whether to leave."""
    reports = Reports(link, task)
    try:
        link.send(run(task, reports, device, divide))
    except Exception as error:  # the coordinator decides what becomes of the task
        refused = isinstance(error, WarptourError)
        reason = str(error) if refused else f"{type(error).__name__}: {error}"
        link.send(Failed(task.number, reason, is_of_device(error), refused))
    return reports.quit


def run(task: Task, reports: Reports, device: Device | None, divide: Divide | None) -> Done:
    """Run the search of ``task``."""
    stop: Stop = Seconds(max(0.0, task.seconds)) if math.isfinite(task.seconds) else Iterations(1 << 62)
    if math.isfinite(task.iterations):
        stop |= Iterations(int(task.iterations))
    if device is None or task.device == "cpu":  # a member whose own device failed goes on with the CPU
        devices, _ = choose_devices(task.device, task.strategy, task.problem, task.threads)
    else:
        devices = [device]
    search = MemberSearch(
        task.problem, stop, seed=task.seed, threads=task.threads, start=task.start, device=devices, listeners=[reports]
    )
    search.reports, reports.search, search.exchange = reports, search, reports
    reports.look()
    if task.start is not None and not isinstance(task.start, str):
        search.offer_given(task.start)
    with nullcontext(task.strategy) if divide is None else divide(task.strategy, search) as whole:
        run_in_time(whole, search)
    name = ",".join(one.name for one in devices)
    return Done(
        task.number, search.best, search.cost, search.iterations, search.moves, search.seconds, name,
        search.miss, search.last, search.timed_out,
    )  # fmt: skip
