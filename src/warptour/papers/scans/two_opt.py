"""The 2-opt engine on any device: the best of all moves, by a fast, a pruned or an exact scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from warptour.devices import Device, find
from warptour.kernels.groups import Over, Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import tolerance
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.scans.box_tree import prunable
from warptour.papers.scans.exact import ExactScan
from warptour.papers.scans.improvement import ExactScans
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import SMALLEST, FastScan, Tiling
from warptour.papers.scans.tour_scan import TourScan, fast_metric, move_count

MakeScan: TypeAlias = Callable[[TSP, Device], TourScan]

PROVED_FROM: Final = 200
"""Minimum number of cities for proofs of local optimality by the pruned scan."""

PRUNED_FROM: Final = {"gpu": 20_000, "cpu": 1_000}
"""Number of cities from which climbs by the pruned scan are quicker than by the diagonal one."""


@dataclass(frozen=True, eq=False)
class Climbed:
    """Result of a climb."""

    tour: Ints
    scans: int  # number of fast scans made
    locally_optimal: bool  # whether the last fast scan found no improving move; an exact scan may still find one
    proved: bool = False  # whether exact scans found none


class TwoOptEngine(ExactScans):
    """2-opt on closed tours of one problem.

    ``device``: The CPU by default. Results of exact scans are the same on every device.
    ``over``: polled about every 50 ms; once it returns True, scans raise :class:`~warptour.kernels.groups.Unfinished`
    ``make_scan``: returns the scan that climbs; by default the diagonal or the pruned one, whichever is quicker
    """

    name = "2-opt"
    neighborhood: TwoOpt

    def __init__(
        self, problem: TSP, device: Device | None = None, over: Over | None = None, make_scan: MakeScan | None = None
    ) -> None:
        self.problem = problem
        self.device = find("cpu") if device is None else device
        self.over = over
        self.neighborhood = TwoOpt()
        self.tolerance = tolerance(problem)
        self.fast = make_scan is not None or (fast_metric(problem.metric) and problem.n >= SMALLEST)
        self._make_scan = make_scan or (PrunedScan if self._prunes() else FastScan)
        self._scan: TourScan | None = None
        self._many_scan: FastScan | None = None
        self._pruned_scan: PrunedScan | None = None
        self._exact_scan: ExactScan | None = None

    @property
    def move_count(self) -> int:
        """Number of moves evaluated by a scan."""
        return move_count(self.problem.n)

    @property
    def scanner(self) -> TourScan:
        """The scan that climbs; only if :attr:`fast`."""
        if self._scan is None:
            self._scan = self._make_scan(self.problem, self.device)
        return self._scan

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the smallest exact delta, the first of ties, and that delta; None if no move exists."""
        if len(tour) < 4:
            return None
        return next(self._row(tour, self._exact_row(tour, 1.0)))

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        """Yield the moves and exact deltas of the row with the smallest delta, best first."""
        if len(tour) < 4:
            return
        row = self._pruned_row(tour, kept) if self._proves() else self._exact_row(tour, kept)
        if row is not None:
            yield from self._row(tour, row)

    def _row(self, tour: Ints, row: int) -> Iterator[tuple[Move, int | float]]:
        deltas = self.neighborhood.row(self.problem, tour, row)
        for k in deltas.argsort(kind="stable"):
            yield (row, row + 2 + int(k)), deltas[k].item()

    def _exact_row(self, tour: Ints, kept: float) -> int:
        if self._exact_scan is None:
            self._exact_scan = ExactScan(self.problem, self.device)
        self._exact_scan.load(tour, kept)
        return int(self._exact_scan.rows(over=self.over).argmin())

    def _pruned_row(self, tour: Ints, kept: float) -> int | None:
        if self._pruned_scan is None:
            self._pruned_scan = (
                self._scan if isinstance(self._scan, PrunedScan) else PrunedScan(self.problem, self.device)
            )
        return self._pruned_scan.best_row(tour, kept, self.over)

    def _proves(self) -> bool:
        return prunable(self.problem) and self.problem.n >= PROVED_FROM

    def _prunes(self) -> bool:
        return prunable(self.problem) and self.problem.n >= PRUNED_FROM[self.device.about().kind]

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return an improving move, approximately the best, and its exact delta; None if no move improves the tour.

        The fast scan proposes it and the exact metric confirms it; the exact scan runs only if that fails.
        """
        if self.fast:
            self.scanner.load(tour)
            self.scanner.scan(self.over)
            self.scanner.pick()
            picked = self.scanner.picked()
            if picked is not None:
                return picked[0], self.neighborhood.delta(self.problem, tour, picked[0])
        return self.best_improvement(tour)

    def climb(self, tour: Ints, scans: int, *, many: bool = False) -> Climbed:
        """Apply the best move of up to ``scans`` fast scans, each confirmed exactly, until no move improves the tour.

        The tour stays on the device in between. With ``many``, all good moves of a scan that do not interfere are
        applied. If the search ends first, the climb stops where it is. For problems that the fast scan cannot measure,
        the tour is returned unchanged as ``locally_optimal``.
        """
        if not self.fast:
            return Climbed(tour, 0, True)
        if many and self._many_scan is None:
            self._many_scan = FastScan(self.problem, self.device, Tiling.of(self.device, len(tour)).finer(len(tour)))
        if self._many_scan is None or not many:
            climber = self.scanner
            climber.load(tour)
            done = climber.steps(scans, self.over)
            return Climbed(climber.tour(), done, done > 0 and climber.picked() is None)
        scanner = self._many_scan
        scanner.load(tour)
        for done in range(1, scans + 1):
            try:
                scanner.scan(self.over)
            except Unfinished:
                return Climbed(tour, done - 1, False)
            chosen = independent(scanner.found())
            if not chosen:
                return Climbed(scanner.tour(), done, True)
            tour = scanner.tour()
            for _, move in chosen:
                tour = self.neighborhood.apply(tour, move)
            scanner.load(tour)
        return Climbed(scanner.tour(), scans, False)


def independent(found: list[tuple[float, Move]]) -> list[tuple[float, Move]]:
    """Return moves that can all be applied, chosen greedily from ``found``, which is sorted best first.

    2-opt moves (i, j) and (k, m) do not interfere if i..j and k..m are disjoint, or if one lies within the other and
    they share no edge: reversing the outer segment then only mirrors the inner one. Inner moves are returned first, so
    that each applies at the positions where it was found.
    """
    kept: list[tuple[float, Move]] = []
    for delta, (i, j) in found:
        if all(j < k or m < i or (i < k and m < j) or (k < i and j < m) for _, (k, m) in kept):
            kept.append((delta, (i, j)))
    return sorted(kept, key=lambda pair: pair[1][1] - pair[1][0])
