"""A host and a device on one tour: two workers, and partition crossover to combine them."""

from __future__ import annotations

import math
import time
from concurrent.futures import wait
from threading import Event
from typing import Any, Protocol

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.partition_crossover import partition_crossover
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, Worker


class Host(Worker, Protocol):
    """The worker of the host's threads."""

    instance: Instance

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired."""


class HostAndDevice(TimedWorker):
    """The host makes the tour locally optimal; then it goes on as it would alone, and the device refines its best tour.

    The host has fewer and larger windows, alternating-path exchanges, and a population where there is time for one.
    Both start a step from the same tour; the step ends with that of the host, and the partition crossover of their
    tours is the next one. With a limit on kicks the device makes all of them, so that no clock decides anything.

    Parameters
    ----------
    host : Host
    device : Worker
    pool : ThreadPool
        Owns the thread that drives the device.
    """

    def __init__(self, host: Host, device: Worker, pool: ThreadPool) -> None:
        self.host = host
        self.device = device
        self._pool = pool
        self._crossover_seconds = 0.0
        """Duration of the last crossover, which must fit into the time left."""

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self.host.iterations + self.device.iterations

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self.host.evaluations + self.device.evaluations

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.host.gain

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.host.adopt(tour, gain)
        self.device.adopt(tour, gain)

    def welcome(self, tour: Ints, gain: float) -> None:
        """Let the host use the tour of another search; the device continues from the result."""
        before = self.host.gain
        self.host.welcome(tour, gain)
        self.device.adopt(self.host.best(), self.host.gain - before)

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the steps of the host have gained, and the device with them."""
        self.host.tell(search)

    def step(self, budget: Budget) -> None:
        """Repair the tour, the first time; then do a step of the host beside rounds of the device."""
        if not self.host.locally_optimal:
            self.host.advance(budget)
            self.device.adopt(self.host.best(), self.host.gain)
        elif math.isinf(budget.iterations) and budget.seconds_left() > self._crossover_seconds:
            self._concurrently(budget)
        else:
            before = self.device.gain
            self.device.advance(budget)
            self.host.adopt(self.device.best(), self.device.gain - before)

    def best(self) -> Ints:
        """Return the best tour; while both work, the host's."""
        return self.host.best()

    def _concurrently(self, budget: Budget) -> None:
        """Let the host do one step while the device does rounds, and cross their tours."""
        host, device, ended = self.host, self.device, Event()
        before = host.gain, device.gain

        def drive() -> None:
            while not ended.is_set():
                device.advance(Budget(over=ended.is_set, seconds_left=budget.seconds_left))

        driven = self._pool.start(drive)

        def seconds_left() -> float:
            return budget.seconds_left() - self._crossover_seconds

        def over() -> bool:
            failed = driven is not None and driven.done()
            return failed or budget.over() or seconds_left() < 0

        try:
            host.advance(Budget(over=over, seconds_left=seconds_left))
        finally:
            ended.set()
            began = time.perf_counter()
            wait([] if driven is None else [driven])
        if driven is not None:
            driven.result()
        if host.gain == before[0]:  # the population has no shorter tour yet, and the device goes on
            host.adopt(device.best(), device.gain - before[1])
            return
        mine, its = host.best(), device.best()
        ahead = host.instance.length(mine) - host.instance.length(its)  # gains of a device may be of float32
        child, more = partition_crossover(host.instance, *((its, mine) if ahead > 0 else (mine, its)))
        host.adopt(child, max(ahead, 0.0) + more)
        device.adopt(child, max(-ahead, 0.0) + more)
        self._crossover_seconds = time.perf_counter() - began
