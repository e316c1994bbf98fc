"""A host and a device on one tour: two workers, and edge assembly crossover to combine them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import wait
from threading import Event

from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker, Worker
from warptour.tours.engine.instance import Ints
from warptour.tours.strategy.device_tours import DeviceTours
from warptour.tours.strategy.generations import offspring
from warptour.tours.strategy.incumbent import Incumbent

CROSSOVER_SECONDS = 1.2e-6
"""First estimate of the seconds per city for a crossover of host and device, until one has been measured."""

CROSSOVER_RATIO = 4.0
"""Minimum ratio of the time between two crossovers to the duration of one."""


class Pair(TimedWorker):
    """Base of workers that consist of a ``host`` and a ``device``."""

    host: Worker
    device: Worker

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self.host.iterations + self.device.iterations

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self.host.evaluations + self.device.evaluations


class HostAndDevice(Pair):
    """The host makes the tour locally optimal; then host and device refine it at the same time.

    The host has fewer and larger windows, and alternating-path exchanges. Both start a step from the same tour; it ends
    with a round of the host, and their tours are crossed to the next one. With a limit on kicks the device makes all of
    them, so that no clock decides anything.

    ``exchanged``: returns one of them after a round of alternating-path exchanges on the host, which devices cannot
        make
    """

    def __init__(
        self,
        host: Incumbent,
        device: Worker,
        pool: ThreadPool,  # the host's threads; it owns the one that drives the device, too
        nursery: DeviceTours | None = None,  # makes some tours, which are crossed with the best one once
        exchanged: Callable[[Ints, Poll], Ints] = lambda tour, _: tour,
    ) -> None:
        self.host: Incumbent = host
        self.device = device
        self.instance = host.instance
        self._pool = pool
        self._nursery = nursery
        self._exchanged = exchanged
        self._new: list[Ints] = []
        self._crossover_seconds = CROSSOVER_SECONDS * self.instance.nodes
        """Duration of the last crossover, which must fit into the time left."""

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.host.gain

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.host.adopt(tour, gain)
        self.device.adopt(tour, gain)

    def step(self, budget: Budget) -> None:
        """Repair the tour, the first time; then do rounds of the host beside those of the device."""
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
        """Let the host do a round, or several short ones, while the device does others, and cross their tours."""
        ended, began = Event(), time.perf_counter()

        def drive() -> None:
            while not ended.is_set():
                self.device.advance(Budget(over=ended.is_set, seconds_left=budget.seconds_left))

        if self._nursery is not None:
            self._new += self._nursery.collect(1)
        driven = self._pool.start(drive)

        def seconds_left() -> float:
            return budget.seconds_left() - self._crossover_seconds

        def over() -> bool:
            failed = driven is not None and driven.done()
            return failed or budget.over() or seconds_left() < 0

        try:
            while not over():
                self.host.advance(Budget(over=over, seconds_left=seconds_left))
                self._breed(over)
                if time.perf_counter() - began >= CROSSOVER_RATIO * self._crossover_seconds:
                    break
        finally:
            ended.set()
            began = time.perf_counter()
            wait([] if driven is None else [driven])
        if driven is not None:
            driven.result()
        tours = [self.host.best(), self.device.best()]
        child, gain = offspring(self.instance, tours, self._pool, generations=1)
        self.host.adopt(child, gain)
        self.device.adopt(child, 0.0)
        self._crossover_seconds = time.perf_counter() - began

    def _breed(self, poll: Poll) -> None:
        """Cross the tours of the nursery with that of the host, once they are made; the nursery is closed then."""
        if self._nursery is None or not self._nursery.ended:
            return
        tours = [self._exchanged(tour, poll) for tour in [*self._new, *self._nursery.collect(0)]]
        self._nursery = None
        if tours:
            self.host.adopt(*offspring(self.instance, [self.host.best(), *tours], self._pool, poll=poll))
