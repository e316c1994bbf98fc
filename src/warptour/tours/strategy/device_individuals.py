"""Individuals of a population that a device makes while its host makes others.

A tour of a hundred thousand cities in disjoint windows occupies a seventh of a large GPU, so several are made at a
time, each by a thread of its own that mostly waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event

from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.tours.engine.device_tour import BuildOptions
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy.device_tours import Disjoint, device_tour

MAX_AT_ONCE = 8
"""Maximum number of tours that a device makes at the same time."""

WAIT_SECONDS = 0.05


def tours_at_once(search: Search[TSP], window: int) -> int:
    """Return how many tours about fill the device of a search in windows of ``window`` cities.

    How many windows it holds exactly is known once their kernel is built.
    """
    windows = -(-search.problem.n // window)
    return max(1, min(MAX_AT_ONCE, search.device.about().units * BuildOptions().resident // windows))


class DeviceIndividuals:
    """Makes individuals as long as some are wanted.

    Parameters
    ----------
    instance : Instance
    makers : sequence of callable
        One for each tour that is made at the same time.
    pool : ThreadPool
        Owns their threads.
    seed : int
    """

    def __init__(self, instance: Instance, makers: Sequence[Disjoint], pool: ThreadPool, *, seed: int) -> None:
        self._instance = instance
        self._makers = makers
        self._pool = pool
        self._seed = seed
        self._numbers = count()
        self._wanted, self._compiled = Event(), Event()
        self._finished: SimpleQueue[Ints] = SimpleQueue()
        self._threads: list[Future[None]] = []

    def collect(self, wanted: int) -> list[Ints]:
        """Return the individuals finished since the last call, and let others be made if any are ``wanted``."""
        if wanted > 0:
            self._wanted.set()
            if not self._threads:
                starts = [
                    self._pool.beside(1).start(partial(self._make, number)) for number in range(len(self._makers))
                ]
                self._threads = [thread for thread in starts if thread is not None]
        else:
            self._wanted.clear()
        for thread in self._threads:
            if thread.done():
                thread.result()  # it ends by an error only
        tours = []
        while True:
            try:
                tours.append(self._finished.get_nowait())
            except Empty:
                return tours

    def _make(self, maker: int) -> None:
        """Make individuals, one after another, until the pool is closed; the first maker compiles the kernels."""
        over: Poll = self._pool.closed.is_set
        disjoint, ready = self._makers[maker], self._compiled if maker else self._wanted
        while not over():
            if self._wanted.wait(WAIT_SECONDS) and ready.wait(WAIT_SECONDS):
                tour = device_tour(self._instance, disjoint, seed=self._seed, number=next(self._numbers), over=over)
                self._compiled.set()
                if not over():
                    self._finished.put(tour)
