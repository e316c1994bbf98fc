"""Climbers by the pruned search (``two_opt_pruned_climb.c``): every step applies the exact best move."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.scans.box_tree import FAN, BoxTree
from warptour.papers.scans.ladder.climber_batch import ResidentClimbers

LAUNCH: Final = 0.02
"""Target duration of a launch in seconds."""

EDGE_SECONDS: Final = {"cpu": 5e-7, "gpu": 1e-5}
"""Longest time of a step per edge: near a local minimum both ends of every edge are searched."""


class PrunedClimbers(ResidentClimbers):
    """Tours of one problem, each climbed to a local minimum by a group; parameters as for :class:`ResidentClimbers`."""

    def __init__(
        self, problem: TSP, device: Device, count: int, *, seed: int = 0, first: int = 0, tours: Ints | None = None
    ) -> None:
        super().__init__(problem, device, count, seed=seed, first=first, tours=tours)
        n, kind = problem.n, device.about().kind
        self.tree = tree = BoxTree(problem, device)
        self.busy = self.crowd(problem, device)
        self._program = device.build("two_opt_pruned_climb", tree.special, lanes=FAN if device.lanes > 1 else 1)
        self._tours = device.zeros((count, n), np.int32)
        self._state = (
            self._tours, device.zeros((count, n), np.int32), device.zeros((count, n), np.float64),
            device.zeros((count, tree.nodes), np.float64), device.zeros((count, tree.boxes), np.float64),
            device.zeros((count, 4), np.int32),
        )  # fmt: skip
        self._rank = device.send(tree.rank)
        if self._given is not None:
            device.fill(self._tours, tree.rank[self._given])
            self.begin_from_given()
        self._scans = max(1, int(LAUNCH / (EDGE_SECONDS[kind] * n)))
        self._threshold = np.float64(tolerance(problem).absolute)

    def _climb(self, first: int, end: int, scans: int | None) -> None:
        left = self._scans if scans is None else scans
        while left > 0:
            self._program.launch(
                "two_opt_pruned_climb", end - first, *self.tree.points, *self.tree.arguments, *self.tree.neighbours,
                np.int32(self.tree.nodes), np.int32(first), np.int32(end), np.int32(min(left, self._scans)),
                self._threshold, *self._numbers, self._rank, *self._state, self._lengths, self._counters,
            )  # fmt: skip
            left -= self._scans

    def _current(self, climbers: NDArray[np.intp]) -> Ints:
        tours = np.stack([self.device.fetch(self._tours[int(climber)]) for climber in climbers])
        found: Ints = self.tree.order[tours]
        return found
