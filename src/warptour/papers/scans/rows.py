"""Scanners of rows of moves, for scans that several devices share (``team.py``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move, Neighborhood
from warptour.neighborhoods.three_opt import ThreeOpt
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.scans.exact import ExactScan
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.runner import CANDIDATES, BestMove, Scanner, ThreadRunner
from warptour.papers.scans.team import Account, Team
from warptour.papers.scans.three_opt import EXACT, FAST, NO_MOVE, BlockKind, BlockScan, block_count, whole
from warptour.search.scanning import MakeRunner


class ExactRows:
    """Rows of 2-opt moves, all evaluated; the rank found is that of the row's first move."""

    def __init__(self, problem: TSP, device: Device) -> None:
        self._scan = ExactScan(problem, device)
        self._tour: Ints = np.empty(0, np.int32)
        self._kept = 1.0

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a tour."""
        self._tour, self._kept = tour, kept
        self._scan.load(tour, kept)

    def make(self, move: Move, known: float) -> None:
        """Make a move."""
        self.load(TwoOpt().apply(self._tour, move), self._kept)

    def scan(self, first: int, last: int, over: Over) -> BestMove:
        """Return the first row with the smallest delta."""
        least = self._scan.rows(first, last, over)
        row = int(least.argmin())
        return BestMove(float(least[row]), (first + row) * len(self._tour))


class PrunedRows:
    """2-opt moves by their longer edge, of which only those are evaluated that may be the best.

    What a scanner finds first, the others know from the next move on only; a good move that the last one left is known
    to all from the start.
    """

    def __init__(self, problem: TSP, device: Device) -> None:
        self._scan = PrunedScan(problem, device)

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a tour."""
        self._scan.load(tour, kept)

    def make(self, move: Move, known: float) -> None:
        """Make a move."""
        self._scan.take(move, known)

    def scan(self, first: int, last: int, over: Over) -> BestMove:
        """Return the best move, if there is none in other rows that gains more."""
        gains, ranks, tied = self._scan.best_of(first, last, over)
        best = np.lexsort((ranks, -gains))[:CANDIDATES]
        candidates = tuple((float(gains[k]), int(ranks[k])) for k in best if gains[k] > 0)
        if not candidates:
            return BestMove()
        gain, rank = candidates[0]
        return BestMove(-gain, rank, tied, candidates)


class BlockRows:
    """Blocks of 3-opt moves, all evaluated."""

    def __init__(self, problem: TSP, device: Device) -> None:
        self._scan = BlockScan(problem, device, exact_kind(problem))
        self._tour: Ints = np.empty(0, np.int32)
        self._measured = False

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a tour."""
        self._tour, self._scan.kept, self._measured = tour, kept, False

    def make(self, move: Move, known: float) -> None:
        """Make a move."""
        self.load(ThreeOpt().apply(self._tour, move), self._scan.kept)

    def scan(self, first: int, last: int, over: Over) -> BestMove:
        """Return the best move of the rows that the best of these blocks points to."""
        if not self._measured:
            self._scan.measure(self._tour, over)
            self._measured = True
        self._scan.scan_slices(first, last, over)
        move, delta = self._scan.chosen(first, last)
        return BestMove() if move == NO_MOVE else BestMove(delta, three_opt_rank(move, len(self._tour)))


@dataclass(frozen=True)
class RowKind:
    """A way to divide the moves of a tour into rows."""

    scanner: Callable[[TSP, Device], Scanner]  # makes a scanner for a device
    neighborhood: Neighborhood
    rows: Callable[[TSP], int]  # number of rows of a problem
    # number of moves before a row of n cities; of rows, where each is much like another
    work: Callable[[int, int], int]


def moves_before(row: int, n: int) -> int:
    """Return the number of 2-opt moves in the rows before one; the first row lacks the move of adjacent edges."""
    return row * (n - 2) - row * (row - 1) // 2 - (row > 0)


def exact_kind(problem: TSP) -> BlockKind:
    """Return the build whose scans are exact."""
    return FAST if whole(problem) else EXACT


def block_rows(problem: TSP) -> int:
    """Return the number of blocks of 3-opt moves."""
    return block_count(-(-problem.n // exact_kind(problem).side))


def three_opt_rank(move: Move, n: int) -> int:
    """Return a number that orders 3-opt moves."""
    i, j, k, way = move
    return ((i * n + j) * n + k) * 4 + way


def three_opt_move(rank: int, n: int) -> Move:
    """Return the 3-opt move of a rank."""
    return rank // (4 * n * n), rank // (4 * n) % n, rank // 4 % n, rank % 4


KINDS: Final = {
    "rows": RowKind(ExactRows, TwoOpt(), lambda problem: problem.n - 2, moves_before),
    "edges": RowKind(PrunedRows, TwoOpt(), lambda problem: problem.n, lambda row, n: row),
    "blocks": RowKind(BlockRows, ThreeOpt(), block_rows, lambda row, n: row),
}


def on(device: Device) -> MakeRunner:
    """Return what makes runners on ``device``."""
    return lambda problem, kind: ThreadRunner(device.name, partial(KINDS[kind].scanner, problem, device))


def share_cores(devices: Sequence[Device], threads: int) -> None:
    """Divide ``threads`` among the CPUs of several devices, less one for each other device, which it drives."""
    hosts = [device for device in devices if isinstance(device, Cpu)]
    for device in hosts if len(devices) > 1 else ():
        device.threads = max(1, (threads - len(devices) + len(hosts)) // len(hosts))


@dataclass(frozen=True)
class Sharing:
    """Who scans, and who is told."""

    runners: Sequence[MakeRunner]
    spare: MakeRunner | None = None  # used when all of them have failed
    over: Over | None = None  # polled every 50 ms; once true, scans raise :class:`~warptour.kernels.groups.Unfinished`
    note: Callable[[str], None] | None = None  # called with a sentence when one has failed
    accounts: list[Account] = field(default_factory=list)  # what each has contributed, in all teams

    def team(self, problem: TSP, kind: str) -> Team:
        """Return a team that scans the moves of a tour of ``problem`` by rows of one of the :data:`KINDS`."""
        chosen, n, spare = KINDS[kind], problem.n, self.spare
        return Team(
            [make(problem, kind) for make in self.runners],
            chosen.rows(problem),
            lambda row: chosen.work(row, n),
            chosen.neighborhood,
            self.over,
            self.note,
            None if spare is None else lambda: spare(problem, kind),
            self.accounts,
        )
