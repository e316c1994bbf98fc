"""New tours that a device makes while its host does other work.

A tour of fifty thousand cities has too few disjoint windows to occupy a device. Copies of the cities are therefore laid
side by side, and one tour leads through all of them: first along a curve in another position in each copy, and by a
fixed edge from each copy to the next. Disjoint windows refine it, and what it visits in a copy is a new tour.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.construct.chains import arrange
from warptour.devices import Device
from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.model.problem import TSP
from warptour.search.threads import Poll
from warptour.search.worker import Budget
from warptour.strategies.windows.disjoint import DisjointWorker
from warptour.strategies.windows.rounds import Rounds

ROOM = 800_000
"""Cities in all copies together that occupy a device."""

TOURS = 8
"""Tours that are made before a crossover."""

KICKS = 2.0
"""Kicks per city of a tour."""


class DeviceTours:
    """Makes tours of an instance on a device.

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
        self._made = 0

    def make(self) -> list[Ints]:
        """Return ``TOURS`` new tours in the instance's numbering, or those that were finished when ``over()``."""
        tours: list[Ints] = []
        while len(tours) < TOURS and not self._over():
            copies = max(1, min(TOURS - len(tours), ROOM // self._instance.nodes))
            tours += self._side_by_side(copies)
        return tours

    def exchanged(self, tour: Ints, poll: Poll) -> Ints:
        """Return a tour after a round of alternating-path exchanges on the host, which devices cannot make."""
        rounds = self._rounds(tour)
        rounds.adopt(tour, 0.0)
        rounds.advance(Budget(over=poll))
        return rounds.best()

    def _side_by_side(self, copies: int) -> list[Ints]:
        """Return as many tours as there are copies; none if they were not finished."""
        n = self._instance.nodes
        starts = [self._start(self._made + k) for k in range(copies)]
        self._made += copies
        tour = np.concatenate([start + np.int32(k * n) for k, start in enumerate(starts)])
        engine = DisjointWindows(self._tiled(starts), self._device, tour, size=self._size, seed=self._seed ^ self._made)
        worker = DisjointWorker(engine, walk_length=self._walk_length, effort=self._effort)
        while worker.iterations < KICKS * len(tour) and not self._over():
            worker.advance(Budget(over=self._over))
        tour = worker.best()
        return [tour[tour // n == k] - np.int32(k * n) for k in range(copies)] if not self._over() else []

    def _start(self, number: int) -> Ints:
        """Return a tour along a closed curve at a random angle, with the fixed edges."""
        instance, problem = self._instance, self._instance.problem
        angle = np.random.default_rng([self._seed, number]).uniform(0, 2 * np.pi)
        cosine, sine = np.cos(angle), np.sin(angle)
        order = loop_order(problem.points @ np.array([[cosine, -sine], [sine, cosine]]), threads=1)
        return instance.enter(arrange(problem, order))

    def _tiled(self, starts: list[Ints]) -> TSP:
        """Return the problem of the copies side by side, in the instance's numbering, joined by fixed edges."""
        instance, problem = self._instance, self._instance.problem
        n, copies = instance.nodes, len(starts)
        points = np.column_stack((instance.points.x, instance.points.y))
        step = np.ceil(2 * np.ptp(points, axis=0).max() + 1)
        tiles = np.concatenate([points + np.array([k * step, 0.0]) for k in range(copies)])
        own = problem.fixed_edges if instance.rank is None else instance.rank[problem.fixed_edges]
        edges = [own + np.int32(k * n) for k in range(copies)]
        if copies > 1:
            ends = [[k * n + starts[k][-1], (k + 1) % copies * n + starts[(k + 1) % copies][0]] for k in range(copies)]
            edges.append(np.array(ends, np.int32))
        return TSP(problem.name, problem.metric, tiles, fixed_edges=np.concatenate(edges))
