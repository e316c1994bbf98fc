"""Further tours of a large instance that a device makes while its host does other work."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.construct.chains import arrange
from warptour.devices import Device
from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.search.threads import Poll
from warptour.search.worker import Budget
from warptour.strategies.windows.disjoint import DisjointWorker
from warptour.strategies.windows.rounds import Rounds

TOURS = 8
"""Number of tours."""

KICKS = 2.0
"""Kicks per city of a tour."""


class DeviceTours:
    """Makes tours of an instance in disjoint windows, each along a curve at another angle first.

    Parameters
    ----------
    instance : Instance
    device : Device
    size, walk_length, effort
        Maximum number of cities in a window, steps of a random walk, kicks per city and round.
    seed : int
    rounds : callable
        Returns rounds of the host's threads over a tour.
    over : callable
        Polled while tours are made; True ends that.
    """

    def __init__(
        self,
        instance: Instance,
        device: Device,
        *,
        size: int,
        walk_length: int,
        effort: float,
        seed: int,
        rounds: Callable[[Ints], Rounds],
        over: Poll,
    ) -> None:
        self._instance = instance
        self._device = device
        self._size = size
        self._walk_length = walk_length
        self._effort = effort
        self._seed = seed
        self._rounds = rounds
        self._over = over

    def make(self) -> list[Ints]:
        """Return ``TOURS`` new tours in the instance's numbering, or those that were finished when ``over()``."""
        tours: list[Ints] = []
        for number in range(TOURS):
            tour = self._tour(number)
            if self._over():
                break
            tours.append(self._instance.enter(tour))
        return tours

    def exchanged(self, tour: Ints, poll: Poll) -> Ints:
        """Return a tour after a round of alternating-path exchanges on the host, which devices cannot make."""
        rounds = self._rounds(tour)
        rounds.adopt(tour, 0.0)
        rounds.advance(Budget(over=poll))
        return rounds.best()

    def _tour(self, number: int) -> Ints:
        """Return a tour of the problem's cities after ``KICKS`` kicks per city, fewer if ``over()``."""
        problem = self._instance.problem
        angle = np.random.default_rng([self._seed, number]).uniform(0, 2 * np.pi)
        cosine, sine = np.cos(angle), np.sin(angle)
        order = loop_order(problem.points @ np.array([[cosine, -sine], [sine, cosine]]), threads=1)
        first = arrange(problem, order)
        engine = DisjointWindows(problem, self._device, first, size=self._size, seed=self._seed ^ (number + 1))
        worker = DisjointWorker(engine, walk_length=self._walk_length, effort=self._effort)
        while worker.iterations < KICKS * problem.n and not self._over():
            worker.advance(Budget(over=self._over))
        return worker.best()
