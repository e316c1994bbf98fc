"""Tours that a device makes while its host does other work.

A tour of a hundred thousand cities in disjoint windows occupies a seventh of a large GPU, so several are made together,
as one of a larger problem (``engine/copies.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count, islice
from queue import Empty, SimpleQueue
from threading import Event
from typing import TypeAlias

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.copies import apart, side_by_side
from warptour.tours.engine.device_tour import BuildOptions
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.chains import arrange
from warptour.tours.strategy.disjoint import DisjointWorker

KICKS = 2.0
"""Kicks per city of a tour."""

MAX_TOGETHER = 16
"""Maximum number of tours that are made together."""

MAKERS = 2
"""Threads that make tours, each with a queue of the device: one computes while the other prepares or fetches."""

WAIT_SECONDS = 0.05
"""Seconds between two looks of a maker at whether the search is over."""

Disjoint: TypeAlias = Callable[[TSP, Ints, int], DisjointWorker]
"""Returns disjoint windows of a device over a tour of a problem's cities, for a seed."""


def device_tours(
    instance: Instance, disjoint: Disjoint, *, seed: int, numbers: Sequence[int], over: Poll
) -> list[Ints]:
    """Return tours that start along curves and get ``KICKS`` kicks per city, fewer if ``over()``."""
    problem = instance.problem
    large, tour = side_by_side(problem, [_curve(problem, seed, number) for number in numbers])
    worker = disjoint(large, tour, seed ^ (numbers[0] + 1))
    while worker.iterations < KICKS * large.n and not over():
        worker.advance(Budget(over=over))
    return [instance.enter(tour) for tour in apart(problem, worker.best())]


def _curve(problem: TSP, seed: int, number: int) -> Ints:
    """Return a tour along a curve at a random angle."""
    angle = np.random.default_rng([seed, number]).uniform(0, 2 * np.pi)
    cosine, sine = np.cos(angle), np.sin(angle)
    return arrange(problem, loop_order(problem.points @ np.array([[cosine, -sine], [sine, cosine]]), threads=1))


def tours_together(search: Search[TSP], window: int) -> int:
    """Return how many tours about fill the device of a search in windows of ``window`` cities.

    How many windows it holds exactly is known once their kernel is built.
    """
    windows = -(-search.problem.n // window)
    return max(1, min(MAX_TOGETHER, search.device.about().units * BuildOptions().resident // windows))


class DeviceTours:
    """Makes tours of an instance in disjoint windows, each along a curve at another angle first."""

    def __init__(
        self,
        instance: Instance,
        makers: Sequence[Disjoint],  # one for each thread
        pool: ThreadPool,  # owns the threads
        *,
        seed: int,
        together: int = 1,  # tours that each of them makes at a time
        numbers: Iterable[int] | None = None,  # a tour for each of them; by default as many as are wanted
        over: Poll | None = None,  # Polled while tours are made; True ends that. By default the pool is closed.
    ) -> None:
        self._instance = instance
        self._makers = makers
        self._pool = pool
        self._seed = seed
        self._together = together
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
                numbers = list(islice(self._numbers, self._together))
                if not numbers:
                    return
                tours = device_tours(self._instance, disjoint, seed=self._seed, numbers=numbers, over=self._over)
                self._compiled.set()
                for tour in [] if self._over() else tours:
                    self._finished.put(tour)
