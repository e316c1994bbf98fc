"""The ``pruned`` scan: the same best 2-opt move as an exact scan, from a small part of the moves.

A move can gain more than another that is already known only if the edges it removes are long enough and close to each
other (``kernels/papers/scans/pruned.h``). The result does not depend on the device or the number of threads.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.kernels.groups import Over, Unfinished, go_on
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.scans.box_tree import FAN, BoxTree, levels
from warptour.papers.scans.exact import ExactScan
from warptour.papers.scans.tour_scan import TourScan

Gains: TypeAlias = NDArray[np.float64]
Ranks: TypeAlias = NDArray[np.int64]

GPU_GROUPS: Final = 32
"""Groups per multiprocessor."""

CALL: Final = {"cpu": 60_000, "gpu": 30_000}
"""Edges searched per core or multiprocessor and launch: at most about 50 ms, near a local optimum."""

STEP_LANES: Final = 256
"""Lanes per group of the kernels that choose and apply a move, on a GPU."""

SHARED, WIDE = 1 << 13, 1 << 16
"""Minimum numbers of cities for which several cores search, and apply a move."""

GLANCES: Final = 1 << 16
"""Maximum number of edges that contribute to the first incumbent."""


class PrunedScan(TourScan):
    """A tour resident on a device, whose best move is found exactly.

    ``problem``: one that :func:`~warptour.papers.scans.box_tree.prunable` accepts
    ``tree``: nodes and boxes of the problem on that device
    """

    def __init__(self, problem: TSP, device: Device, tree: BoxTree | None = None) -> None:
        super().__init__(problem, device)
        n, gpu, units = problem.n, device.lanes > 1, device.about().units
        self.tree = tree = BoxTree(problem, device) if tree is None else tree
        most = units * GPU_GROUPS if gpu else units if n >= SHARED else 1
        self.chunk = min(FAN, -(-n // most))
        self.groups = min(most, -(-n // self.chunk))
        self._call = CALL[device.about().kind] * units
        self._slots = self.groups * (1 if gpu else FAN)
        self._lanes = STEP_LANES if gpu else 1
        self._spread = 1 + n // (2 * STEP_LANES) if gpu else units if n >= WIDE else 1
        self._search = device.build("two_opt_pruned", tree.special, lanes=FAN if gpu else 1)
        self._program = device.build("two_opt_pruned_tour", tree.special, lanes=self._lanes)
        self._tour, self._place = (device.zeros(n, np.int32) for _ in range(2))
        self._edge = device.zeros(n, np.float64)
        self._longest, self._far = device.zeros(tree.nodes, np.float64), device.zeros(tree.boxes, np.float64)
        self._state = self._tour, self._place, self._edge, self._longest, self._far
        self._searched = *tree.points, *tree.arguments, *tree.neighbours, *self._state
        self._gains, self._ties = (device.zeros(self._slots, np.float64) for _ in range(2))
        self._ranks = device.zeros(self._slots, np.int64)
        self._incumbent, self._tied = device.zeros(1, np.int32), device.zeros(1, np.int32)
        self._ends = device.zeros(4, np.int32)
        self._kept = np.float64(1.0)
        self._exact: ExactScan | None = None

    def load(self, tour: Ints, kept: float = 1.0) -> None:
        """Copy a tour to the device; the lengths of its edges are multiplied by ``kept``, 1 or 1e-13 less at most."""
        device, tree = self.device, self.tree
        self._kept = np.float64(kept)
        device.fill(self._tour, tree.rank[np.asarray(tour, np.int32)])
        device.fill(self._incumbent, np.zeros(1, np.int32))
        device.fill(self._tied, np.zeros(1, np.int32))
        self._program.launch(
            "two_opt_pruned_load", self._spread, *tree.points, np.int32(tree.n), self._kept, *self._state[:-1]
        )
        values, children, child = self._longest, tree.nodes, 0
        for count, first in levels(tree.n):
            self._program.launch(
                "two_opt_pruned_far", -(-count // self._lanes) if self._lanes > 1 else 1, np.int32(count),
                np.int32(first), np.int32(children), values, np.int32(child), self._far,
            )  # fmt: skip
            values, children, child = self._far, count, first
        self._search.launch(
            "two_opt_pruned_glance", self.groups, *self._searched, np.int32(max(1, tree.n // GLANCES)), self._incumbent
        )

    def scan(self, over: Over | None = None) -> None:
        """Find the best move of each group; raises :class:`~warptour.kernels.groups.Unfinished` once ``over()``."""
        self._scan_edges(0, self.tree.n, over)

    def _scan_edges(self, first: int, last: int, over: Over | None) -> None:
        for begin in range(first, last, self._call):
            if over is not None and last - first > self._call:
                self.device.synchronise()
            go_on(over)
            self._search.launch(
                "two_opt_pruned", self.groups, *self._searched, np.int32(begin),
                np.int32(min(last, begin + self._call)), np.int32(begin > first), np.int32(self.chunk),
                self._incumbent, self._gains, self._ranks, self._ties,
            )  # fmt: skip

    def best_of(self, first: int, last: int, over: Over | None = None) -> tuple[Gains, Ranks, bool]:
        """Return the gains and ranks of good moves whose longer edge is one of ``first`` to ``last`` (exclusive).

        Among them is the best of those moves, and of ties the first, unless there may be a better one elsewhere; in the
        last place, whether ties with it may have been missed.
        """
        self._scan_edges(first, last, over)
        gains, ranks, ties = (self.device.fetch(array) for array in (self._gains, self._ranks, self._ties))
        return gains, ranks, bool((ties == gains.max()).any())

    def take(self, move: Move, known: float) -> None:
        """Apply ``move``; ``known`` is a gain that some move has after it, or 0."""
        self._program.launch(
            "two_opt_pruned_take", 1, *self.tree.points, np.int32(self.tree.n), self._kept, self._tour, self._edge,
            self._longest, np.int32(move[0]), np.int32(move[1]), np.float64(known), self.move, self._incumbent,
            self._ends,
        )  # fmt: skip
        self.make()

    def pick(self) -> None:
        """Keep the best move on the device if it improves the tour and no tie with it was missed."""
        self._program.launch(
            "two_opt_pruned_pick", 1, *self.tree.points, np.int32(self.tree.n), np.int32(self._slots), self._kept,
            self._tour, self._edge, self._longest, self._gains, self._ranks, self._ties, self._threshold, self.move,
            self._delta, self._incumbent, self._tied, self._ends,
        )  # fmt: skip

    def make(self) -> None:
        groups = self._spread + 1 if self._spread > 1 else 1
        self._program.launch(
            "two_opt_pruned_make", groups, *self.tree.points, *self.tree.arguments, self._kept, self.move, self._ends,
            *self._state,
        )  # fmt: skip

    def steps(self, count: int, over: Over | None = None) -> int:
        """Scan, pick and apply up to ``count`` times; see :meth:`TourScan.steps`."""
        done = 0
        while done < count:
            done += super().steps(count - done, over)  # ends at a tie, whose move is not picked yet
            if not self.device.fetch(self._tied)[0]:
                break
            try:
                move, delta = self._first_of_ties(over)
            except Unfinished:
                return done - 1
            self.load(TwoOpt().apply(self.tour(), move), float(self._kept))
            self.device.fill(self.move, np.array([*move, 0], np.int32))
            self.device.fill(self._delta, np.array([delta]))
        return done

    def picked(self) -> tuple[Move, float] | None:
        return self._first_of_ties(None) if self.device.fetch(self._tied)[0] else super().picked()

    def best_row(self, tour: Ints, kept: float = 1.0, over: Over | None = None) -> int | None:
        """Return the first row of moves that holds the smallest delta of all; None if no delta is negative."""
        self.load(tour, kept)
        gains, ranks, tied = self.best_of(0, self.tree.n, over)
        gain = gains.max()
        if gain <= 0:
            return None
        row = int(ranks[gains == gain].min()) // self.tree.n
        return self._first_row(tour, gain, row, over) if tied else row

    def tour(self) -> Ints:
        tour: Ints = self.tree.order[self.device.fetch(self._tour)]
        return tour

    def _first_of_ties(self, over: Over | None) -> tuple[Move, float]:
        """Return the first of all moves with the smallest delta, where the search stopped looking for more of them."""
        tour, gain = self.tour(), -float(self.device.fetch(self._delta)[0])
        row = self._first_row(tour, gain, self.tree.n, over)
        deltas = TwoOpt().row(self.problem, tour, row)
        return (row, row + 2 + int(deltas.argmin())), -gain

    def _first_row(self, tour: Ints, gain: float, last: int, over: Over | None) -> int:
        if self._exact is None:
            self._exact = ExactScan(self.problem, self.device)
        self._exact.load(tour, float(self._kept))
        return self._exact.first_row(-gain, last, over)
