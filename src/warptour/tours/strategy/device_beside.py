"""A host that searches as it would alone, and a device that adds to it.

    host      post the best tour after each step; take that of the device where it is shorter
    device    rounds on a tour of its own; after a while cross it with the host's last one, and hand in the offspring

While the host makes individuals of a population, the device makes others at the same time (device_tours.py).
Neither waits for the other.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Future
from threading import Lock
from typing import Any

from warptour.kernels.cores import usable_cores
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import tolerance
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, Worker
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy.generations import offspring
from warptour.tours.strategy.host_and_device import Pair
from warptour.tours.strategy.incumbent import Incumbent

GENERATIONS = 2
"""Generations of a crossover of host and device; a third gains next to nothing."""

MIN_SECONDS = 0.1
"""Minimum seconds of rounds between two crossovers with the host's tour."""

RATIO = 3.0
"""Minimum duration of the rounds between two crossovers, in durations of the last crossover."""


MIN_SPARING_THREADS = 8
"""Smallest number of threads of a host that leaves a core to the thread which drives its device."""


def host_threads(search: Search[TSP]) -> int:
    """Return the threads of the host: one less beside a device, where there are many and each has a core."""
    if search.device.is_host or math.isfinite(search.iterations_left()):
        return search.threads
    return search.threads - (search.threads >= max(MIN_SPARING_THREADS, usable_cores()))


class DeviceBeside(Pair):
    """A host and a device, each on a tour of its own.

    ``host``: the host as it would search alone
    ``incumbent``: the worker on its incumbent, or ``host`` itself
    ``device``: driven on a further thread, from the first local optimum on
    ``pool``: owns that thread
    """

    def __init__(self, host: Worker, incumbent: Incumbent, device: Worker, pool: ThreadPool) -> None:
        self.host = host
        self.device = device
        self.instance: Instance = incumbent.instance
        self._incumbent = incumbent
        self._pool = pool
        self._driven: Future[None] | None = None
        self._lock = Lock()
        self._posted: Ints | None = None
        self._handed_in: tuple[Ints, float] | None = None
        """A tour of the device and its length."""
        self._first_length = self.instance.length(host.best())
        self._tolerance = tolerance(self.instance.problem).of(self._first_length)

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self._found()[1]

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.host.adopt(tour, self.gain - self.host.gain + gain)
        self._post()

    def welcome(self, tour: Ints, gain: float) -> None:
        """Let the host use the tour of another search."""
        self._take()
        self.host.welcome(tour, gain)
        self._post()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what the steps of the host have gained, and the device with them."""
        self.host.tell(search)

    def step(self, budget: Budget) -> None:
        """Do a step of the host."""

        def over() -> bool:
            return budget.over() or (self._driven is not None and self._driven.done())

        before = self.host.gain
        self.host.advance(Budget(budget.iterations, over, budget.seconds_left))
        if self._driven is not None and self._driven.done():
            self._driven.result()  # it ends by an error only
        if self.host.gain > before:
            self._post()
        if self._driven is None and self._incumbent.locally_optimal:
            self.device.adopt(self.host.best(), 0.0)
            self._driven = self._pool.start(self._drive)
        self._take()

    def best(self) -> Ints:
        """Return the best tour of both."""
        tour = self._found()[0]
        return self.host.best() if tour is None else tour

    def _found(self) -> tuple[Ints | None, float]:
        """Return the tour that the device handed in, where it is shorter than that of the host, and the gain."""
        with self._lock:
            handed_in = self._handed_in
        if handed_in is not None:
            gain = self._first_length - handed_in[1]
            if gain > self.host.gain + self._tolerance:
                return handed_in[0], gain
        return None, self.host.gain

    def _take(self) -> None:
        """Let the host continue from the device's tour where that is shorter."""
        tour, gain = self._found()
        if tour is not None:
            self.host.adopt(tour, gain - self.host.gain)
        with self._lock:
            self._handed_in = None

    def _post(self) -> None:
        tour = self.host.best().copy()
        with self._lock:
            self._posted = tour

    def _drive(self) -> None:
        """Let the device work until the pool is closed."""
        over: Poll = self._pool.closed.is_set
        took, alone = 0.0, ThreadPool(1)
        while not over():
            began = time.perf_counter()
            while time.perf_counter() - began < max(MIN_SECONDS, RATIO * took) and not over():
                self.device.advance(Budget(over=over))
            began = time.perf_counter()
            with self._lock:
                posted, self._posted = self._posted, None
            tour = self.device.best()
            if posted is not None:
                tour, _ = offspring(self.instance, [tour, posted], alone, generations=GENERATIONS, poll=over)
                self.device.adopt(tour, 0.0)
                took = time.perf_counter() - began
            length = self.instance.length(tour)
            with self._lock:
                self._handed_in = tour, length
