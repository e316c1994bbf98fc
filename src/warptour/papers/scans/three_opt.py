"""Full scans of the 3-opt neighbourhood on any device (``kernels/papers/scans/three_opt.h``).

Each scan first fills a table of distances between tour positions. If distances are integers below 2^27, a single int32
scan finds the best move and proves that there is no better one. Other distances are scaled and rounded for that scan,
its result is evaluated again in the problem's own metric, and a float64 scan certifies local optimality.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Array, Device, Program, find
from warptour.devices.occupancy import resident
from warptour.devices.points import send_points
from warptour.kernels.groups import Over, Unfinished
from warptour.kernels.points import Points
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.model.spread import extent
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.three_opt import ThreeOpt
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.scans.improvement import ExactScans
from warptour.papers.scans.two_opt import TwoOptEngine

WHOLE: Final = 2.0**27
"""Exclusive upper bound on distances whose int32 sums are exact, with headroom for a sentinel that no move reaches."""

LARGEST_EXPONENT: Final = 1023
"""Largest exponent of a power of two in float64, which scales distances near the smallest ones."""

LARGEST: Final = 20_000
"""Maximum number of cities, because of the distance table; scanning more would take minutes on any device."""

LANES: Final = 64
"""Lanes per group on a GPU; each lane holds one patch of a block in registers."""

REGISTERS: Final = 168
"""Register budget per lane on a GPU; it leaves 6 resident groups per multiprocessor."""

CPU_BLOCKS, GPU_BLOCKS = 256, 500_000
"""Blocks scanned per core, or by the whole GPU, between two polls of ``over``: at most 50 ms."""

CPU_DISTANCES: Final = 1_000_000
"""Table entries computed per core between two polls of ``over``; a GPU fills the whole table in less time."""

NO_MOVE: Final[Move] = (-1, -1, -1, -1)
"""Result of a scan of blocks that contain no move: the last block of a tour may hold a single position."""


def move_count(n: int) -> int:
    """Return the number of 3-opt moves of a tour of ``n`` cities: four per three edges, less n that change nothing."""
    return 4 * (n * (n - 1) * (n - 2) // 6) - n if n > 3 else 0


def whole(problem: TSP) -> bool:
    """Return whether int32 scans are exact."""
    return problem.metric.integral and extent(problem) < WHOLE


def block_count(blocks: int) -> int:
    """Return the number of block triples P <= Q <= K < ``blocks``."""
    return blocks * (blocks + 1) * (blocks + 2) // 6


@dataclass(frozen=True)
class BlockKind:
    """The int32 or float64 build of the scan: kernel file, name prefix, block edge in positions, and table type."""

    text: str
    prefix: str
    side: int
    dtype: type[np.int32] | type[np.float64]


FAST: Final = BlockKind("three_opt_scan", "three_opt", 64, np.int32)
EXACT: Final = BlockKind("three_opt_exact", "three_opt_exact", 32, np.float64)


class ThreeOptEngine(ExactScans):
    """3-opt on closed tours of one problem.

    ``device``: The CPU by default. Results are the same on every device.
    ``over``: polled about every 50 ms; once it returns True, scans raise :class:`Unfinished`
    """

    name = "3-opt"

    def __init__(self, problem: TSP, device: Device | None = None, over: Over | None = None) -> None:
        if problem.n > LARGEST:
            raise UnsupportedError(f"3-opt scans have a table of distances: {LARGEST} cities at most, not {problem.n}")
        self.problem = problem
        self.neighborhood = ThreeOpt()
        self.device = find("cpu") if device is None else device
        self.over = over
        self.tolerance = tolerance(problem)
        self.whole = whole(problem)
        self._scanners: dict[str, BlockScan] = {}
        self._two_opt: TwoOptEngine | None = None
        self._part = 0
        self.evaluations = 0
        """Moves evaluated so far."""

    @property
    def move_count(self) -> int:
        """Number of moves evaluated by a scan."""
        return move_count(self.problem.n)

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the smallest exact delta, the first of ties, and that delta; None if no move exists."""
        return next(self.best_row(tour), None)

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        """Yield only the best move and its exact delta, choosing it with tour edge lengths multiplied by ``kept``."""
        if len(tour) < 4:
            return
        move, delta = self._scanner(FAST if self.whole else EXACT).scan(tour, self.over, kept=kept)
        self.evaluations += self.move_count
        exact = int(delta) if self.problem.metric.integral else delta
        yield move, exact if kept == 1.0 else self.neighborhood.delta(self.problem, tour, move)

    def part_move(self, tour: Ints, part: int, parts: int) -> tuple[Move, int | float] | None:
        """Return an improving move and its exact delta from a fast scan of part ``part`` of ``parts``, or None.

        None proves nothing: a fast scan covers only part of the moves, in rounded arithmetic.
        """
        if len(tour) < 4:
            return None
        move, _ = self._scanner(FAST).scan(tour, self.over, part, parts)
        self.evaluations += self.move_count // parts
        if move == NO_MOVE:
            return None
        delta = self.neighborhood.delta(self.problem, tour, move)
        improves = delta < 0 and self.tolerance.improves(self.problem, tour, self.apply(tour, move))
        return (move, delta) if improves else None

    def next_part_move(self, tour: Ints, parts: int) -> tuple[Move, int | float] | None:
        """Return an improving move and its exact delta, from the first part that contains one.

        Parts are scanned cyclically, starting after the part that yielded the previous move. None proves that no move
        improves the tour: an exact scan of all moves has then been made too.
        """
        for turn in range(parts):
            part = (self._part + turn) % parts
            found = self.part_move(tour, part, parts)
            if found is not None:
                self._part = part + 1
                return found
        return self.improving_move(tour)

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return an improving move, approximately the best, and its exact delta; None if no move improves the tour.

        The fast scan proposes it and the exact metric confirms it; the exact scan runs only if that fails.
        """
        if not self.whole and (found := self.part_move(tour, 0, 1)) is not None:
            return found
        return self.best_improvement(tour)

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves that there is none.

        2-opt moves are 3-opt moves that restore the third edge. If that edge is very long, its rounding error hides
        them, so they are scanned separately.
        """
        found = super().best_improvement(tour)
        if found is not None or self.problem.metric.integral:
            return found
        if self._two_opt is None:
            self._two_opt = TwoOptEngine(self.problem, device=self.device, over=self.over)
        pair = self._two_opt.best_improvement(tour)
        return None if pair is None else ((pair[0][0], pair[0][0] + 1, pair[0][1], 2), pair[1])

    def _scanner(self, kind: BlockKind) -> BlockScan:
        if kind.text not in self._scanners:
            self._scanners[kind.text] = BlockScan(self.problem, self.device, kind)
        return self._scanners[kind.text]


class BlockScan:
    """Device arrays and programs of one build of the scan, for one problem."""

    def __init__(self, problem: TSP, device: Device, kind: BlockKind) -> None:
        n = problem.n
        self.kind = kind
        self.device = device
        self.kept = 1.0
        self.n = np.int32(n)
        self.problem = problem
        self.whole = whole(problem)
        self.scale = 1.0
        self.blocks = block_count(-(-n // kind.side))
        size = -(-n // kind.side) * kind.side + 1
        self.size = np.int32(size)
        self.stride = np.int32(-(-size // 16) * 16)
        wide = device.lanes > 1
        lanes = LANES if wide else 1
        points = Points.of(problem)
        self.points = send_points(device, points)
        self.ruler: Program = device.build("three_opt_table", points.special, lanes=lanes)
        self.program: Program = device.build(kind.text, lanes=lanes, RESIDENT=resident(lanes, REGISTERS) if wide else 1)
        self.groups = 1 << 30 if wide else device.about().units
        self.slice = GPU_BLOCKS if wide else CPU_BLOCKS * self.groups
        self.rows_at_once = size if wide else max(self.groups, CPU_DISTANCES * self.groups // size)
        self.tour: Array = device.zeros(n, np.int32)
        self.table: Array = device.empty((size, int(self.stride)), kind.dtype)
        self.edge: Array = device.zeros(size, kind.dtype)
        self.least: Array = device.zeros(self.blocks, kind.dtype)
        self.rows: Array = device.zeros(self.blocks, np.int32)
        self.row: Array = device.zeros(1, np.int32)
        self.columns: Array = device.zeros(2 * n, kind.dtype)
        self.best: Array = device.zeros(1, kind.dtype)
        self.move: Array = device.zeros(4, np.int32)

    def scan(
        self, tour: Ints | None, over: Over | None = None, part: int = 0, parts: int = 1, *, kept: float = 1.0
    ) -> tuple[Move, float]:
        """Return the best move in this build's arithmetic, the first of ties, and its delta; None: see :meth:`measure`.

        With several ``parts`` only the blocks of one are scanned; the result is then the best move of the two rows that
        the best block points to. In an exact scan the lengths of tour edges are multiplied by ``kept``.
        """
        self.kept = kept
        parts = min(parts, self.blocks)
        part %= parts
        first, last = self.blocks * part // parts, self.blocks * (part + 1) // parts
        self.sweep(tour, over, first, last)
        return self.chosen(first, last)

    def sweep(self, tour: Ints | None, over: Over | None = None, first: int = 0, last: int | None = None) -> None:
        """Fill the table for a tour and scan blocks ``first`` to ``last`` (exclusive), by default all."""
        self.measure(tour, over)
        self.scan_slices(first, self.blocks if last is None else last, over)

    def scan_slices(self, first: int, last: int, over: Over | None = None) -> None:
        """Scan blocks ``first`` to ``last`` (exclusive) of the tour in the table, slice by slice."""
        for begin in range(first, last, self.slice):
            self._look(over)
            self.scan_blocks(begin, min(last, begin + self.slice))

    def measure(self, tour: Ints | None, over: Over | None = None) -> None:
        """Fill the distance table for a tour; None stands for the one in :attr:`tour`, unscaled."""
        size = int(self.size)
        if tour is not None:
            if self.kind is FAST and not self.whole:
                self.scale = _scale(self.problem, tour)
            self.device.fill(self.tour, np.ascontiguousarray(tour, np.int32))
        scale = np.float64(self.scale if self.kind is FAST else self.kept)
        for first in range(0, size, self.rows_at_once):
            self._look(over)
            last = min(size, first + self.rows_at_once)
            self._launch(self.ruler, "table", last - first, *self.points, self.tour, self.n, np.int32(first),
                         np.int32(last), self.size, self.stride, self.table, self.edge, scale)  # fmt: skip

    def _look(self, over: Over | None) -> None:
        """Wait for pending launches, then raise :class:`Unfinished` if ``over()``."""
        if over is not None:
            self.device.synchronise()
            if over():
                raise Unfinished

    def scan_blocks(self, first: int, last: int) -> None:
        """Scan blocks ``first`` to ``last`` (exclusive)."""
        self._launch(self.program, "scan", last - first, self.n, self.stride, np.int64(first), np.int64(last),
                     self.table, self.edge, self.least, self.rows)  # fmt: skip

    def chosen(self, first: int, last: int) -> tuple[Move, float]:
        """Return the best move of the rows that the best of these blocks points to, and its delta; or ``NO_MOVE``."""
        shape = (self.n, self.stride, self.table, self.edge, self.row)
        self._launch(self.program, "choose", 1, np.int64(first), np.int64(last), self.least, self.rows, self.row)
        self._launch(self.program, "columns", 2 * int(self.n), *shape, self.columns)
        self._launch(self.program, "finish", 1, *shape, self.columns, self.best, self.move)
        move: NDArray[np.int32] = self.device.fetch(self.move)
        delta = self.device.fetch(self.best)[0]
        return tuple(move.tolist()), float(delta / self.scale if self.kind is FAST else delta)

    def _launch(self, program: Program, name: str, work: int, *arguments: Any) -> None:
        program.launch(f"{self.kind.prefix}_{name}", min(work, self.groups), *arguments)


def _scale(problem: TSP, tour: Ints) -> float:
    """Return the power of two that scales all relevant distances below ``WHOLE``.

    Three removed edges are at most three times as long as the longest, so a move that adds a longer edge cannot improve
    the tour; the table truncates such distances there.
    """
    longest = float(problem.distances(tour, np.roll(tour, -1)).max())
    if longest <= 0:
        return 1.0
    return math.ldexp(1.0, min(math.floor(math.log2(WHOLE / 3) - math.log2(longest)), LARGEST_EXPONENT))
