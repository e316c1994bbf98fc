"""Further tours of a large instance that a device makes while its host does other work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.search.threads import Poll
from warptour.search.worker import Budget
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.chains import arrange
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.rounds import Rounds

TOURS = 8
"""Number of tours."""

KICKS = 2.0
"""Kicks per city of a tour."""


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


class DeviceTours:
    """Makes tours of an instance in disjoint windows, each along a curve at another angle first.

    Parameters
    ----------
    instance : Instance
    seed : int
    disjoint : callable
    rounds : callable
        Returns rounds of the host's threads over a tour in the instance's numbering.
    over : callable
        Polled while tours are made; True ends that.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        seed: int,
        disjoint: Disjoint,
        rounds: Callable[[Ints], Rounds],
        over: Poll,
    ) -> None:
        self._instance = instance
        self._seed = seed
        self._disjoint = disjoint
        self._rounds = rounds
        self._over = over

    def make(self) -> list[Ints]:
        """Return ``TOURS`` new tours in the instance's numbering, or those that were finished when ``over()``."""
        tours: list[Ints] = []
        for number in range(TOURS):
            tour = device_tour(self._instance, self._disjoint, seed=self._seed, number=number, over=self._over)
            if self._over():
                break
            tours.append(tour)
        return tours

    def exchanged(self, tour: Ints, poll: Poll) -> Ints:
        """Return a tour after a round of alternating-path exchanges on the host, which devices cannot make."""
        rounds = self._rounds(tour)
        rounds.adopt(tour, 0.0)
        rounds.advance(Budget(over=poll))
        return rounds.best()
