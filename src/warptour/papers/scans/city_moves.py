"""Full scans of the or-opt, relocate and swap neighbourhoods on any device (``kernels/papers/scans/city_moves.c``).

Scans use the problem's own metric and return the smallest delta of each row, so that results do not depend on the
device. The best row is then evaluated again on the host to find the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device, find
from warptour.devices.points import TourPoints
from warptour.kernels.groups import Over, Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.or_opt import OrOpt
from warptour.neighborhoods.relocate import Relocate
from warptour.neighborhoods.swap import Swap
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.scans.improvement import best_improvement

CALL: Final = 1_000_000
"""Pairs of tour positions evaluated per core between two polls of ``over``."""

GPU_CALL: Final = 1_000_000_000
"""Pairs of tour positions evaluated by a whole GPU between two polls of ``over``."""

LANES: Final = 128
"""Lanes per group on a GPU; a group scans one row."""

CITY_MOVES: Final = ("or-opt", "relocate", "swap")


def city_move_count(n: int, neighborhood: str, longest: int) -> int:
    """Return the number of moves of a tour of ``n`` cities, with or-opt segments of at most ``longest``."""
    if n < 4:
        return 0
    if neighborhood == "swap":
        return n * (n - 1) // 2 if n > 4 else 4
    longest = 1 if neighborhood == "relocate" else min(longest, n - 3)
    return sum(n * (n - 1 - count) * (1 if count == 1 else 2) for count in range(1, longest + 1))


class CityMoveEngine:
    """Or-opt, relocate or swap on closed tours of one problem.

    Parameters
    ----------
    problem : TSP
    neighborhood : {"or-opt", "relocate", "swap"}
    device : Device, optional
        The CPU by default. Results are the same on every device.
    over : callable, optional
        Polled about every 50 ms; once it returns True, scans raise :class:`Unfinished`.
    longest : int
        Maximum number of cities in an or-opt segment.
    """

    def __init__(
        self,
        problem: TSP,
        neighborhood: str,
        device: Device | None = None,
        over: Over | None = None,
        *,
        longest: int = 3,
    ) -> None:
        self.name = neighborhood
        self.problem = problem
        self.device = find("cpu") if device is None else device
        self.over = over
        self.longest = 1 if neighborhood == "relocate" else max(1, min(longest, problem.n - 3))
        kinds: dict[str, OrOpt | Relocate | Swap] = {"or-opt": OrOpt(longest), "relocate": Relocate(), "swap": Swap()}
        self.neighborhood = kinds[neighborhood]
        self.tolerance = tolerance(problem)
        self._rows: _Rows | None = None

    @property
    def move_count(self) -> int:
        """Number of moves evaluated by a scan."""
        return city_move_count(self.problem.n, self.name, self.longest)

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the smallest exact delta, the first of ties, and that delta; None if no move exists."""
        return next(self.best_row(tour), None)

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        """Yield the moves and exact deltas of the row with the smallest delta, best first."""
        if len(tour) < 4:
            return
        if self._rows is None:
            self._rows = _Rows(self.problem, self.device, None if self.name == "swap" else self.longest)
        least = self._rows.scan(tour, self.over, kept)
        deltas, moves = self.neighborhood.row(self.problem, tour, int(least.argmin()))
        for k in deltas.argsort(kind="stable"):
            yield tuple(moves[k].tolist()), deltas[k].item()

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best move if it improves the tour, and its delta; None if no move does."""
        return self.best_improvement(tour)

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best move that improves the tour and its exact delta; None proves that there is none."""
        return best_improvement(self, tour)

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""
        return self.neighborhood.apply(tour, move)

    def certify(self, tour: Ints) -> Move | None:
        """Return None if no move improves ``tour``, which proves it locally optimal, else the best move."""
        found = self.improving_move(tour)
        return None if found is None else found[0]


class _Rows:
    """Device arrays and program of a scan; ``longest`` is None for swaps."""

    def __init__(self, problem: TSP, device: Device, longest: int | None) -> None:
        self.problem = problem
        self.device = device
        self.longest = longest
        n = problem.n
        wide = device.lanes > 1
        self.points = TourPoints(device, problem, 2 * n)
        self.program = device.build("city_moves", self.points.special, lanes=LANES if wide else 1)
        self.groups = 1 << 30 if wide else device.about().units
        self.rows = max(1, (GPU_CALL if wide else CALL * self.groups) // (n * (longest or 1)))
        self.tour = device.zeros(2 * n, np.int32)
        self.edge = device.zeros(2 * n, np.float64)
        self.least = device.zeros(n, np.float64)

    def scan(self, tour: Ints, over: Over | None, kept: float) -> NDArray[np.float64]:
        """Return the smallest delta of each row, with the lengths of tour edges multiplied by ``kept``."""
        n = len(tour)
        twice = np.resize(tour, 2 * n).astype(np.int32)
        self.device.fill(self.tour, twice)
        self.device.fill(self.edge, kept * self.problem.distances(twice, np.roll(twice, -1)).astype(np.float64))
        self.points.follow(twice)
        name = "swap_rows" if self.longest is None else "or_opt_rows"
        size: tuple[Any, ...] = (np.int32(n),) if self.longest is None else (np.int32(n), np.int32(self.longest))
        for first in range(0, n, self.rows):
            if over is not None and over():
                raise Unfinished
            last = min(n, first + self.rows)
            self.program.launch(
                name, min(last - first, self.groups), *self.points.arguments, self.tour, self.edge, *size,
                np.int32(first), np.int32(last), self.least,
            )  # fmt: skip
        least: NDArray[np.float64] = self.device.fetch(self.least)
        return least
