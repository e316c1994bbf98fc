"""A host and a device on one tour: several workers, and edge assembly crossover to combine them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from threading import Event
from typing import Any, Protocol

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.edge_assembly import TourPopulation
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker, Worker

GENERATIONS = 2
"""Generations of a crossover; a third gains next to nothing."""

CROSSOVER_SECONDS = 1e-6
"""Seconds per city of a crossover, before there was one."""

CROSSOVER_RATIO = 4.0
"""Minimum ratio of the time between two crossovers to the time of one."""


class Host(Worker, Protocol):
    """The worker of the host's threads."""

    instance: Instance

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired."""


class Nursery:
    """Tours that a device makes on a further thread, for the population of the host.

    Parameters
    ----------
    make : callable
        Returns new tours.
    breed : callable
        Adds tours to a population and crosses it, polling meanwhile.
    pool : ThreadPool
        Owns the thread.
    """

    def __init__(
        self, make: Callable[[], list[Ints]], breed: Callable[[list[Ints], Poll], None], pool: ThreadPool
    ) -> None:
        self._make = make
        self._breed = breed
        self._driver = pool.beside(1)
        self._started = False
        self._made: Future[list[Ints]] | None = None

    def start(self) -> None:
        """Start to make tours, the first time."""
        if not self._started:
            self._started, self._made = True, self._driver.start(self._make)

    def ready(self) -> bool:
        """Return whether tours have been made."""
        return self._made is not None and self._made.done()

    def deliver(self, poll: Poll) -> None:
        """Let the host use the tours that were made."""
        assert self._made is not None
        tours, self._made = self._made.result(), None
        self._breed(tours, poll)


class HostAndDevice(TimedWorker):
    """The host makes the tour locally optimal; then it goes on as it would alone, and the device refines its best tour.

    The host has fewer and larger windows, alternating-path exchanges, and a population where there is time for one. All
    start a step from the same tour; it ends with a step of the host, and their tours are crossed to the next one. With
    a limit on kicks the first worker of the device makes all of them, so that no clock decides anything.

    Parameters
    ----------
    host : Host
    devices : sequence of Worker
        Workers of the device, each with a tour of its own: while the tour of one is joined, another's is searched.
    pool : ThreadPool
        Owns the threads that drive them.
    nursery : Nursery, optional
        Makes tours for the population of the host.
    """

    def __init__(self, host: Host, devices: Sequence[Worker], pool: ThreadPool, nursery: Nursery | None = None) -> None:
        self.host = host
        self.devices = devices
        self._pool = pool
        self._nursery = nursery
        self._drivers = [pool.beside(1) for _ in devices]
        self._tours: TourPopulation | None = None
        self._crossover_seconds = CROSSOVER_SECONDS * host.instance.nodes
        """Duration of the last crossover, which must fit into the time left."""

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self.host.iterations + sum(device.iterations for device in self.devices)

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self.host.evaluations + sum(device.evaluations for device in self.devices)

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.host.gain

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.host.adopt(tour, gain)
        self._send(tour, gain)

    def welcome(self, tour: Ints, gain: float) -> None:
        """Let the host use the tour of another search; the device continues from the result."""
        before = self.host.gain
        self.host.welcome(tour, gain)
        self._send(self.host.best(), self.host.gain - before)

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the steps of the host have gained, and the device with them."""
        self.host.tell(search)

    def step(self, budget: Budget) -> None:
        """Repair the tour, the first time; then do a step of the host beside rounds of the device."""
        if not self.host.locally_optimal:
            self.host.advance(budget)
            self._send(self.host.best(), self.host.gain)
        elif math.isinf(budget.iterations) and budget.seconds_left() > self._crossover_seconds:
            self._concurrently(budget)
        else:
            device = self.devices[0]
            before = device.gain
            device.advance(budget)
            self.host.adopt(device.best(), device.gain - before)

    def best(self) -> Ints:
        """Return the best tour; while all work, the host's."""
        return self.host.best()

    def _send(self, tour: Ints, gain: float) -> None:
        for device in self.devices:
            device.adopt(tour, gain)

    def _concurrently(self, budget: Budget) -> None:
        """Let the host do a step, or several short ones, while the device does rounds, and cross their tours."""
        host, ended, began = self.host, Event(), time.perf_counter()
        if self._nursery is not None:
            self._nursery.start()

        def drive(device: Worker) -> Callable[[], None]:
            def rounds() -> None:
                while not ended.is_set():
                    device.advance(Budget(over=ended.is_set, seconds_left=budget.seconds_left))

            return rounds

        started = [driver.start(drive(device)) for driver, device in zip(self._drivers, self.devices, strict=True)]
        driven: list[Future[None]] = [future for future in started if future is not None]

        def seconds_left() -> float:
            return budget.seconds_left() - self._crossover_seconds

        def over() -> bool:
            return any(future.done() for future in driven) or budget.over() or seconds_left() < 0

        try:
            while True:
                if self._nursery is not None and self._nursery.ready():
                    self._nursery.deliver(over)
                else:
                    host.advance(Budget(over=over, seconds_left=seconds_left))
                if over() or time.perf_counter() - began >= CROSSOVER_RATIO * self._crossover_seconds:
                    break
        finally:
            ended.set()
            began = time.perf_counter()
            wait(driven)
        for future in driven:
            future.result()
        tour, gain = self._cross()
        host.adopt(tour, gain)
        self._send(tour, 0.0)
        self._crossover_seconds = time.perf_counter() - began

    def _cross(self) -> tuple[Ints, float]:
        """Return the shortest offspring of the tours of host and device, and its gain over that of the host."""
        parents = [self.host.best(), *(device.best() for device in self.devices)]
        if self._tours is None:
            self._tours = TourPopulation(self.host.instance, seed=0, most=len(parents), workspaces=len(parents))
            for parent in parents:
                self._tours.add(parent)
        tours = self._tours
        for number, parent in enumerate(parents):
            tours.put(number, parent)
        before = float(tours.lengths[0])
        for _ in range(GENERATIONS):
            tours.draw_parents()
            self._pool.map(tours.cross, range(len(parents)))
            tours.replace_parents()
        best = tours.best
        return tours.tours[best].copy(), before - float(tours.lengths[best])
