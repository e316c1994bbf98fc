"""Exact scans of all moves of several neighbourhoods over one tour on any device (``scan_best.c``, ``city_moves.c``).

The tour is laid out on the device once for all neighbourhoods, and the move is found there too; the host gets a few
numbers per scan. Results do not depend on the device or the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from warptour.devices import Array, Device
from warptour.devices.points import TourPoints, send_points
from warptour.kernels.groups import Over, go_on
from warptour.kernels.points import Points
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS
from warptour.neighborhoods.move import Ints, Move, Neighborhood
from warptour.neighborhoods.or_opt import OrOpt
from warptour.neighborhoods.relocate import Relocate
from warptour.neighborhoods.swap import Swap
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.scans import exact
from warptour.papers.scans.improvement import ExactScans
from warptour.papers.scans.three_opt import EXACT, FAST, LARGEST, BlockScan, whole
from warptour.papers.scans.three_opt import move_count as three_opt_count
from warptour.papers.scans.tour_scan import move_count as two_opt_count

CITY_MOVES: Final = ("or-opt", "relocate", "swap")

SCANNED: Final = ("2-opt", "3-opt", *CITY_MOVES)
"""Neighbourhoods with scans of all moves."""

LANES: Final = 128
"""Lanes per group of scans and layout on a GPU."""

CALL: Final = 1_000_000
"""Pairs of tour positions evaluated per core between two polls of ``over``; for 2-opt, ``exact.CALL`` moves."""

GPU_CALL: Final = 1_000_000_000
"""Pairs of tour positions evaluated by a whole GPU between two polls of ``over``; for 2-opt, ``exact.GPU_CALL``
moves."""

MIN_SHARED: Final = 200_000
"""Smallest number of positions paired per scan for which several cores pay off: about 1 ms."""

BEST_LANES: Final = 256
"""Lanes of the group that finds the move."""


class Kernels(NamedTuple):
    """Kernels of a scan by rows: file and name of the scan, name of what finds the move, which numbers a move has."""

    file: str
    rows: str
    best: str
    numbers: list[int]


KERNELS: Final = {
    "2-opt": Kernels("two_opt_exact", "two_opt_exact", "two_opt_best", [0, 1]),
    "or-opt": Kernels("city_moves", "or_opt_rows", "or_opt_best", [0, 1, 2, 3]),
    "relocate": Kernels("city_moves", "or_opt_rows", "or_opt_best", [0, 2]),
    "swap": Kernels("city_moves", "swap_rows", "swap_best", [0, 1]),
}


def city_move_count(n: int, neighborhood: str, longest: int) -> int:
    """Return the number of moves of a tour of ``n`` cities, with or-opt segments of at most ``longest``."""
    if n < 4:
        return 0
    if neighborhood == "swap":
        return n * (n - 1) // 2 if n > 4 else 4
    longest = 1 if neighborhood == "relocate" else min(longest, n - 3)
    return sum(n * (n - 1 - count) * (1 if count == 1 else 2) for count in range(1, longest + 1))


def refusal(n: int, neighborhoods: list[str]) -> str | None:
    """Return why tours of ``n`` cities cannot be scanned, or None."""
    if n > LARGEST and "3-opt" in neighborhoods:
        return f"3-opt scans have a table of all distances, for up to {LARGEST} cities, not {n}"
    return None


class LaidTour:
    """A tour on a device: both laps of it, and their edges and coordinates.

    ``problem``: with at least four cities
    """

    def __init__(self, problem: TSP, device: Device) -> None:
        n = problem.n
        self.problem = problem
        self.device = device
        self.wide = device.lanes > 1
        points = TourPoints(device, problem, 2 * n)
        self.special = points.special
        in_order = self.special != "any"
        self.points = points.arguments
        self._nodes = send_points(device, Points.of(problem)) if in_order else points.arguments
        self._program = device.build("scan_best", self.special, lanes=LANES if self.wide else 1)
        self.order: Array = device.empty(n, np.int32)
        self.tour: Array = device.empty(2 * n, np.int32)
        self.edge: Array = device.empty(2 * n, np.float64)
        self._outputs = self.tour, self.edge, *(points.arguments[:2] if in_order else (None, None))
        self.kept = 1.0
        self._laid: Ints | None = None

    def follow(self, tour: Ints, kept: float) -> None:
        """Lay out ``tour``, the lengths of its edges multiplied by ``kept``, unless this very array is laid out."""
        if self._laid is tour and self.kept == kept:
            return
        n = self.problem.n
        self.device.fill(self.order, np.ascontiguousarray(tour, np.int32))
        self._program.launch(
            "scan_lay", -(-n // LANES) if self.wide else 1, *self._nodes, self.order, np.int32(n), np.float64(kept),
            *self._outputs,
        )  # fmt: skip
        self._laid, self.kept = tour, kept


class RowScan:
    """Scan of 2-opt, or-opt, relocate or swap: the smallest delta of each row, then the move of the first best row.

    ``name``: "2-opt" or "or-opt" or "relocate" or "swap"
    ``longest``: maximum number of cities in an or-opt segment
    """

    def __init__(self, laid: LaidTour, name: str, longest: int) -> None:
        self.laid = laid
        self.kernels = kernels = KERNELS[name]
        n, device = laid.problem.n, laid.device
        longest = 1 if name == "relocate" else min(longest, n - 3)
        segments = kernels.rows == "or_opt_rows"
        self._size = (np.int32(n), np.int32(longest)) if segments else (np.int32(n),)
        self._rows = n - 2 if name == "2-opt" else n
        pairs = n * (longest if segments else 1)
        cores = device.about().units if n * pairs >= MIN_SHARED else 1
        core_call, gpu_call = (exact.CALL, exact.GPU_CALL) if name == "2-opt" else (CALL, GPU_CALL)
        self._groups = 1 << 30 if laid.wide else cores
        self._slice = max(1, (gpu_call if laid.wide else core_call * cores) // pairs)
        self._program = device.build(kernels.file, laid.special, lanes=LANES if laid.wide else 1)
        self._chooser = device.build("scan_best", laid.special, lanes=BEST_LANES if laid.wide else 1)
        self._least = device.empty(n, np.float64)
        self._move, self._delta = device.mapped(4, np.int32), device.mapped(1, np.float64)

    def best(self, over: Over | None) -> tuple[Move, float]:
        """Return the first move with the smallest delta of the laid tour, and that delta."""
        laid = self.laid
        read = *laid.points, laid.tour, laid.edge, *self._size
        for first in range(0, self._rows, self._slice):
            if first > 0:
                laid.device.synchronise()
            go_on(over)
            last = min(self._rows, first + self._slice)
            self._program.launch(
                self.kernels.rows, min(last - first, self._groups), *read, np.int32(first), np.int32(last), self._least
            )
        self._chooser.launch(self.kernels.best, 1, *read, self._least, self._move.array, self._delta.array)
        laid.device.synchronise()
        move = self._move.read()[self.kernels.numbers]
        return tuple(move.tolist()), float(self._delta.read()[0])


class ThreeOptTableScan:
    """Scan of 3-opt over a table of the distances between tour positions."""

    def __init__(self, laid: LaidTour) -> None:
        self.laid = laid
        self._scanner = BlockScan(laid.problem, laid.device, FAST if whole(laid.problem) else EXACT)
        self._scanner.tour = laid.order

    def best(self, over: Over | None) -> tuple[Move, float]:
        """Return the first move with the smallest delta of the laid tour, and that delta."""
        return self._scanner.scan(None, over, kept=self.laid.kept)


@dataclass
class FullScan(ExactScans):
    """All moves of one neighbourhood."""

    name: str
    laid: LaidTour
    neighborhood: Neighborhood
    move_count: int
    scan: RowScan | ThreeOptTableScan
    over: Over | None = None

    def __post_init__(self) -> None:
        self.problem = self.laid.problem
        self.tolerance = tolerance(self.problem)

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        """Yield the best move and its exact delta, chosen with the lengths of tour edges multiplied by ``kept``.

        If those are shortened, yield the exact deltas of all city moves of its row, best first.
        """
        self.laid.follow(tour, kept)
        move, delta = self.scan.best(self.over)
        if kept != 1.0 and isinstance(self.neighborhood, OrOpt | Relocate | Swap):
            deltas, moves = self.neighborhood.row(self.problem, tour, move[0])
            yield from ((tuple(moves[k].tolist()), deltas[k].item()) for k in deltas.argsort(kind="stable"))
            return
        if kept != 1.0:
            delta = self.neighborhood.delta(self.problem, tour, move)
        yield move, int(delta) if self.problem.metric.integral else delta


def full_scans(problem: TSP, device: Device, neighborhoods: list[str], *, longest: int = 3) -> list[FullScan]:
    """Return scans of the neighbourhoods that share one tour on the device."""
    why = refusal(problem.n, neighborhoods)
    if why is not None:
        raise UnsupportedError(why)
    laid = LaidTour(problem, device)
    return [_full_scan(laid, name, longest) for name in neighborhoods]


def _full_scan(laid: LaidTour, name: str, longest: int) -> FullScan:
    n = laid.problem.n
    kind: Any = OrOpt(longest) if name == "or-opt" else NEIGHBORHOODS[name]
    if name == "3-opt":
        return FullScan(name, laid, kind, three_opt_count(n), ThreeOptTableScan(laid))
    count = two_opt_count(n) if name == "2-opt" else city_move_count(n, name, longest)
    return FullScan(name, laid, kind, count, RowScan(laid, name, longest))
