"""A device on a large tour, joined by its host as soon as that has neighbour lists."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from warptour.kernels.groups import Unfinished
from warptour.model.memory import free_memory
from warptour.model.problem import TSP
from warptour.search.search import Search, Tour
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.host_and_device import HostAndDevice

MAX_SHARED_CITIES = 2_000_000
"""Largest instance that a host searches beside disjoint windows: its crossover with the device is serial."""

PREPARATION_SECONDS = 2.5e-6, 0.5e-6
"""Seconds per city until the host has neighbour lists and coordinates: divided among the threads, and not."""

SHARED_BYTES = 320
"""Memory of the host per city, in bytes, for a search beside disjoint windows: that of a search alone and of a
crossover of two tours."""


def host_can_join(search: Search[TSP]) -> bool:
    """Return whether the host has time and memory to take part; with a limit on kicks the device makes all of them."""
    n = search.problem.n
    seconds = n * (PREPARATION_SECONDS[0] / search.threads + PREPARATION_SECONDS[1])
    in_time = math.isinf(search.iterations_left()) and search.seconds_left() > 3 * seconds
    return in_time and n <= MAX_SHARED_CITIES and n * SHARED_BYTES <= free_memory()


class DeviceFirst(TimedWorker):
    """A device that needs no preparation starts; then host and device refine its tour together.

    Tours are in the problem's numbering.

    ``prepare``: returns the instance, computed on a further thread; it may raise ``Unfinished`` when time is up
    ``join``: returns host and device as one worker, for an instance and a tour in its numbering, a local optimum
    """

    def __init__(
        self,
        device: DisjointWorker,
        prepare: Callable[[], Instance],
        join: Callable[[Instance, Ints], HostAndDevice],
        pool: ThreadPool,
    ) -> None:
        self.device = device
        self._join = join
        self._preparation = pool.start(prepare)
        self._pair: HostAndDevice | None = None
        self._gain = 0.0
        """Gain of the device alone, until the host joined it."""

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self.device.iterations if self._pair is None else self._pair.iterations

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self.device.evaluations if self._pair is None else self._pair.evaluations

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.device.gain if self._pair is None else self._gain + self._pair.gain

    def adopt(self, tour: Tour, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        if self._pair is None:
            self.device.adopt(tour, gain)
        else:
            self._pair.adopt(self._pair.instance.enter(tour), gain)

    def welcome(self, tour: Tour, gain: float) -> None:
        """Use the tour of another search."""
        if self._pair is None:
            self.device.welcome(tour, gain)
        else:
            self._pair.welcome(self._pair.instance.enter(tour), gain)

    def step(self, budget: Budget) -> None:
        """Do a round of the device, or once the host is ready a step of both."""
        if self._pair is not None:
            self._pair.advance(budget)
            return
        self.device.advance(budget)
        if self._preparation is not None and self._preparation.done():
            self._host_joins()

    def best(self) -> Tour:
        """Return the best tour."""
        return self.device.best() if self._pair is None else self._pair.instance.leave(self._pair.best())

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners about the steps of the device, or of both."""
        (self.device if self._pair is None else self._pair).tell(search)

    def _host_joins(self) -> None:
        """Let the host take part, if it is ready."""
        assert self._preparation is not None
        try:
            instance = self._preparation.result()
        except Unfinished:
            self._preparation = None
            return
        self._gain = self.device.gain
        self.device.engine.rename(instance.rank)
        self._pair = self._join(instance, self.device.best())
