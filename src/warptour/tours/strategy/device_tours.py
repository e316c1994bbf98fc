"""Tours that a device makes while its host does other work.

A tour of a hundred thousand cities in disjoint windows occupies a seventh of a large GPU, so several may be made at a
time, each by a thread of its own that mostly waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event
from typing import TypeAlias

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.device_tour import BuildOptions
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.chains import arrange
from warptour.tours.strategy.disjoint import DisjointWorker

KICKS = 2.0
"""Kicks per city of a tour."""

MAX_AT_ONCE = 8
"""Maximum number of tours that a device makes at the same time."""

WAIT_SECONDS = 0.05
"""Seconds between two looks of a maker at whether the search is over."""

Disjoint: TypeAlias = Callable[[Ints, int], DisjointWorker]
"""Returns disjoint windows of a device over a tour of the problem's cities, for a seed."""


def device_tour(instance: Instance, disjoint: Disjoint, *, seed: int, number: int, over: Poll) -> Ints:
    """Return a tour that starts along a curve and gets ``KICKS`` kicks per city, fewer if ``over()``."""
    problem = instance.problem
    angle = np.random.default_rng([seed, number]).uniform(0, 2 * np.pi)
    cosine, sine = np.cos(angle), np.sin(angle)
    order = loop_order(problem.points @ np.array([[cosine, -sine], [sine, cosine]]), threads=1)
    worker = disjoint(arrange(problem, order), seed ^ (number + 1))
    while worker.iterations < KICKS * problem.n and not over():
        worker.advance(Budget(over=over))
    return instance.enter(worker.best())


def tours_at_once(search: Search[TSP], window: int) -> int:
    """Return how many tours about fill the device of a search in windows of ``window`` cities.

    How many windows it holds exactly is known once their kernel is built.
    """
    windows = -(-search.problem.n // window)
    return max(1, min(MAX_AT_ONCE, search.device.about().units * BuildOptions().resident // windows))


class DeviceTours:
    """Makes tours of an instance in disjoint windows, each along a curve at another angle first."""

    def __init__(
        self,
        instance: Instance,
        makers: Sequence[Disjoint],  # one for each tour that is made at the same time
        pool: ThreadPool,  # owns their threads
        *,
        seed: int,
        numbers: Iterable[int] | None = None,  # a tour for each of them; by default as many as are wanted
        over: Poll | None = None,  # Polled while tours are made; True ends that. By default the pool is closed.
    ) -> None:
        self._instance = instance
        self._makers = makers
        self._pool = pool
        self._seed = seed
        self._numbers = count() if numbers is None else iter(numbers)
        self._over = over or pool.closed.is_set
        self._wanted, self._compiled = Event(), Event()
        self._finished: SimpleQueue[Ints] = SimpleQueue()
        self._threads: list[Future[None]] = []

    @property
    def ended(self) -> bool:
        """Whether no further tours will be made, once some were wanted."""
        return all(thread.done() for thread in self._threads)

    def collect(self, wanted: int) -> list[Ints]:
        """Return the tours finished since the last call, and let others be made if any are ``wanted``."""
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
                thread.result()
        tours = []
        while True:
            try:
                tours.append(self._finished.get_nowait())
            except Empty:
                return tours

    def _make(self, maker: int) -> None:
        """Make tours, one after another; the first maker compiles the kernels."""
        disjoint, ready = self._makers[maker], self._compiled if maker else self._wanted
        while not self._over():
            if self._wanted.wait(WAIT_SECONDS) and ready.wait(WAIT_SECONDS):
                number = next(self._numbers, None)
                if number is None:
                    return
                tour = device_tour(self._instance, disjoint, seed=self._seed, number=number, over=self._over)
                self._compiled.set()
                if not self._over():
                    self._finished.put(tour)
