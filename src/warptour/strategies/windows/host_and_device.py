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
from warptour.search.worker import Budget, TimedWorker, Worker, never

GENERATIONS = 2
"""Generations of a crossover of host and device; a third gains next to nothing."""

CROSSOVER_SECONDS = 1e-6
"""Seconds per city of such a crossover, before there was one."""

CROSSOVER_RATIO = 4.0
"""Minimum ratio of the time between two crossovers to the time of one."""

PATIENCE = 3
"""Generations without a shorter tour after which the crossover of new tours ends."""


class Incumbent(Worker, Protocol):
    """A worker of the host's threads on one tour."""

    instance: Instance

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired."""


class Nursery(Protocol):
    """Makes new tours on a device."""

    def make(self) -> list[Ints]:
        """Return new tours; called on a further thread."""

    def exchanged(self, tour: Ints, poll: Poll) -> Ints:
        """Return one of them after exchanges on the host's threads."""


class HostAndDevice(TimedWorker):
    """The host makes the tour locally optimal; then it goes on as it would alone, and the device refines its best tour.

    The host has fewer and larger windows, alternating-path exchanges, and a population where there is time for one. All
    start a step from the same tour; it ends with a step of the host, and their tours are crossed to the next one. With
    a limit on kicks the first worker of the device makes all of them, so that no clock decides anything.

    Parameters
    ----------
    host : Worker
        The host as it would search alone.
    incumbent : Incumbent
        The worker on its incumbent, or ``host`` itself; it works as long as the nursery does.
    devices : sequence of Worker
        Workers of the device, each with a tour of its own: while the tour of one is joined, another's is searched.
    pool : ThreadPool
        The host's threads; it owns those that drive the device, too.
    nursery : Nursery, optional
        New tours, which are made and crossed with the best one once.
    """

    def __init__(
        self,
        host: Worker,
        incumbent: Incumbent,
        devices: Sequence[Worker],
        pool: ThreadPool,
        nursery: Nursery | None = None,
    ) -> None:
        self.host = host
        self.instance = incumbent.instance
        self.devices = devices
        self._incumbent = incumbent
        self._pool = pool
        self._nursery = nursery
        self._new: Future[list[Ints]] | None = None
        self._drivers = [pool.beside(1) for _ in devices]
        self._crossover_seconds = CROSSOVER_SECONDS * self.instance.nodes
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
        if not self._incumbent.locally_optimal:
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
        ended, began = Event(), time.perf_counter()
        driven = self._drive(ended, budget)

        def seconds_left() -> float:
            return budget.seconds_left() - self._crossover_seconds

        def over() -> bool:
            return any(future.done() for future in driven) or budget.over() or seconds_left() < 0

        try:
            while not over():
                worker = self.host if self._nursery is None else self._incumbent
                worker.advance(Budget(over=over, seconds_left=seconds_left))
                self._breed(over)
                if time.perf_counter() - began >= CROSSOVER_RATIO * self._crossover_seconds:
                    break
        finally:
            ended.set()
            began = time.perf_counter()
            wait(driven)
        for future in driven:
            future.result()
        child, gain = self._crossed([device.best() for device in self.devices], GENERATIONS, never)
        self.host.adopt(child, gain)
        self._send(child, 0.0)
        self._crossover_seconds = time.perf_counter() - began

    def _drive(self, ended: Event, budget: Budget) -> list[Future[None]]:
        """Start the workers of the device, each on a further thread, and the nursery, the first time."""

        def rounds_of(device: Worker) -> Callable[[], None]:
            def rounds() -> None:
                while not ended.is_set():
                    device.advance(Budget(over=ended.is_set, seconds_left=budget.seconds_left))

            return rounds

        if self._nursery is not None and self._new is None:
            self._new = self._pool.start(self._nursery.make)
        started = [driver.start(rounds_of(device)) for driver, device in zip(self._drivers, self.devices, strict=True)]
        return [future for future in started if future is not None]

    def _breed(self, poll: Poll) -> None:
        """Cross the tours of the nursery with that of the host, once they are made; the nursery is closed then."""
        nursery, new = self._nursery, self._new
        if nursery is None or (new is not None and not new.done()):
            return
        self._nursery = None
        tours = [] if new is None else [nursery.exchanged(tour, poll) for tour in new.result()]
        if tours:
            self.host.adopt(*self._crossed(tours, math.inf, poll))

    def _crossed(self, tours: list[Ints], generations: float, poll: Poll) -> tuple[Ints, float]:
        """Return the shortest offspring of the host's tour and others, and its gain over that of the host."""
        tours = [self.host.best(), *tours]
        spaces = min(len(tours), self._pool.threads)
        population = TourPopulation(self.instance, seed=0, most=len(tours), workspaces=spaces)
        for tour in tours:
            population.add(tour)
        first, shortest, idle = float(population.lengths[0]), math.inf, 0
        while idle < PATIENCE and population.generations < generations and self._generation(population, poll):
            idle = 0 if population.lengths.min() < shortest else idle + 1
            shortest = float(population.lengths.min())
        best = population.best
        return population.tours[best].copy(), first - float(population.lengths[best])

    def _generation(self, population: TourPopulation, poll: Poll) -> bool:
        """Replace all tours by their offspring; return whether there was time for it."""
        done = []

        def cross(place: int, halted: Poll) -> None:
            population.cross(place)
            done.append(place)

        population.draw_parents()
        self._pool.work(cross, range(len(population)), poll)
        if len(done) == len(population):
            population.replace_parents()
        return len(done) == len(population)
