"""The ``pruned`` scan: the same best 2-opt move as an exact scan, from a small part of the moves.

A move can gain more than another that is already known only if the edges it removes are long enough and close to each
other (``kernels/pruned.h``). Nodes are kept in the order of a k-d tree, with boxes of 32 nodes, of 32 boxes, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.tree import Tree
from warptour.devices import Device
from warptour.engines.scans.tour_scan import TourScan
from warptour.kernels.groups import Over, go_on
from warptour.kernels.points import NORMS, Points, special_of
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints

FAN: Final = 32
"""Nodes per box, and boxes per larger box; also the lanes of a group on a GPU."""

FAR: Final = 1e150
"""Coordinate of padding: its square is finite and beyond any reach."""

GPU_GROUPS: Final = 32
"""Groups per multiprocessor."""

CPU_GROUPS: Final = 8
"""Groups per core: each remembers a good move for the next step."""

STEP_LANES: Final = 256
"""Lanes per group of the kernels that choose and apply a move, on a GPU."""

WIDE: Final = 1 << 16
"""Minimum positions for moves to be applied by several groups."""

GLANCES: Final = 1 << 16
"""Maximum edges that contribute to the first incumbent."""


def prunable(problem: TSP) -> bool:
    """Return whether the metric has a bound by bounding boxes: planar Euclidean, rounded or not."""
    return special_of(problem.metric) != "any"


def boxes(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the bounding boxes of FAN consecutive points, of FAN boxes, and so on, level by level.

    Parameters
    ----------
    at : array, shape (2, n)

    Returns
    -------
    array, shape (4, boxes)
        Low x, low y, high x and high y. Each level is padded to a multiple of FAN; the last has FAN boxes.
    """
    low = high = at
    levels: list[NDArray[np.float64]] = []
    while not levels or levels[-1].shape[1] > FAN:
        low = _grouped(low, FAR).min(axis=2)
        high = _grouped(high, -FAR).max(axis=2)
        levels.append(np.vstack((_padded(low, FAR), _padded(high, -FAR))))
    return np.ascontiguousarray(np.hstack(levels))


def levels(n: int) -> Iterator[tuple[int, int, int]]:
    """Yield, for each level of boxes, their number, the first, and the first box of the level below; -1 for nodes."""
    first, below, count = 0, -1, n
    while below < 0 or count > FAN:
        count = -(-count // FAN**2) * FAN
        yield count, first, below
        first, below = first + count, first


def _padded(values: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    missing = -values.shape[1] % FAN
    return np.pad(values, ((0, 0), (0, missing)), constant_values=value)


def _grouped(values: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    return _padded(values, value).reshape(2, -1, FAN)


class PrunedScan(TourScan):
    """A tour resident on a device, whose best move is found exactly.

    Parameters
    ----------
    problem : TSP
        One that :func:`prunable` accepts.
    device : Device
    threads : int, optional
        Threads that build the tree.
    over : callable, optional
        Once it returns True, building the tree raises :class:`~warptour.kernels.groups.Unfinished`.
    """

    def __init__(self, problem: TSP, device: Device, threads: int | None = None, over: Over | None = None) -> None:
        super().__init__(problem, device)
        n = problem.n
        points = Points.of(problem)
        self.order = Tree(problem.points, NORMS["euclidean"], threads, over).ids
        self.rank = np.empty_like(self.order)
        self.rank[self.order] = np.arange(n, dtype=np.int32)
        at = np.ascontiguousarray(problem.points[self.order].T, np.float64)
        padded = _padded(at, FAR)
        self._points = (
            *(device.send(axis) for axis in padded), None, None, np.int32(n), np.int32(points.norm),
            np.int32(points.rounding), np.float64(points.divisor), np.float64(points.radius),
        )  # fmt: skip
        found = boxes(at)
        self._boxes = device.send(found), np.int32(found.shape[1]), np.int32(n)
        gpu = device.lanes > 1
        units = device.about().units
        chunks = -(-n // FAN)
        self.groups = min(chunks, units * (GPU_GROUPS if gpu else CPU_GROUPS)) if gpu or n > WIDE else 1
        self._spread = (-(-n // (2 * STEP_LANES)) if gpu else units) if gpu or n > WIDE else 1
        self._search = device.build("two_opt_pruned", points.special, lanes=FAN if gpu else 1)
        self._step_lanes = STEP_LANES if gpu else 1
        self._program = device.build("two_opt_pruned_tour", points.special, lanes=self._step_lanes)
        self._tour, self._place = (device.zeros(n, np.int32) for _ in range(2))
        self._edge = device.zeros(n, np.float64)
        self._longest = device.zeros(padded.shape[1], np.float64)
        self._far = device.zeros(found.shape[1], np.float64)
        self._state = self._tour, self._place, self._edge, self._longest, self._far
        self._gains, self._ties = (device.zeros(self.groups, np.float64) for _ in range(2))
        self._ranks = device.zeros(self.groups, np.int64)
        self._incumbent, self.tied = (device.zeros(1, np.int32) for _ in range(2))
        self._ends = device.zeros(4, np.int32)
        self._kept = np.float64(1.0)

    def load(self, tour: Ints, kept: float = 1.0) -> None:
        """Copy a tour to the device; the lengths of its edges are multiplied by ``kept``."""
        device, n = self.device, self.problem.n
        self._kept = np.float64(kept)
        device.fill(self._tour, self.rank[np.asarray(tour, np.int32)])
        device.fill(self._incumbent, np.zeros(1, np.int32))
        device.fill(self.tied, np.zeros(1, np.int32))
        self._program.launch(
            "two_opt_pruned_load", self._spread, *self._points, np.int32(n), self._kept, *self._state[:-1]
        )
        for count, first, child in levels(n):
            self._program.launch(
                "two_opt_pruned_far", -(-count // self._step_lanes) if self._step_lanes > 1 else 1, np.int32(count),
                np.int32(first), np.int32(max(child, 0)), self._longest if child < 0 else self._far, self._far,
            )  # fmt: skip
        self._search.launch(
            "two_opt_pruned_glance", self.groups, *self._points, *self._boxes, *self._state,
            np.int32(max(1, n // GLANCES)), self._incumbent,
        )  # fmt: skip

    def scan(self, over: Over | None = None) -> None:
        """Find the best move of each group; raises :class:`Unfinished` once ``over()``."""
        go_on(over)
        self._search.launch(
            "two_opt_pruned", self.groups, *self._points, *self._boxes, *self._state, self._incumbent, self._gains,
            self._ranks, self._ties,
        )  # fmt: skip

    def pick(self) -> None:
        """Keep the best move on the device if it improves the tour and no tie with it was missed."""
        self._program.launch(
            "two_opt_pruned_pick", 1, *self._points, np.int32(self.problem.n), np.int32(self.groups), self._kept,
            self._tour, self._edge, self._longest, self._gains, self._ranks, self._ties, self._threshold, self.move,
            self._delta, self._incumbent, self.tied, self._ends,
        )  # fmt: skip

    def make(self) -> None:
        """Apply the picked move, if there is one."""
        groups = 1 if self._spread == 1 else self._spread + 1
        self._program.launch(
            "two_opt_pruned_make", groups, *self._points, *self._boxes, self._kept, self.move, self._ends, *self._state
        )

    def tour(self) -> Ints:
        """Return the current tour."""
        tour: Ints = self.order[self.device.fetch(self._tour)]
        return tour
