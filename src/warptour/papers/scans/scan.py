"""The ``diagonal`` scan of the 2-opt neighbourhood on any device.

It works in float32 on planar Euclidean distances (``two_opt_scan.c``) and returns, for each tile of moves, the
smallest delta and its row; ``two_opt_pick.c`` then evaluates that row in the problem's own metric. The result
does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from warptour.devices import Device
from warptour.devices.occupancy import resident
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Move
from warptour.papers.scans.tour_scan import LaidScan, fast_special, move_count

NATIVE_ROWS: Final = 8
"""Rows evaluated together by the native library and other CPU devices."""

FAST_CALL: Final = 40_000_000
"""Moves evaluated per core between two polls of ``over`` (10 to 50 ms)."""

GPU_CALL: Final = 4_000_000_000
"""Moves evaluated by a whole GPU of unknown speed between two polls of ``over``."""

REGISTERS: Final = 128
"""Register budget per lane on a GPU; it leaves 16 resident warps per multiprocessor, enough to hide latencies."""

MANY_TILES: Final = 20_000
"""Approximate number of tiles, and so of candidate moves, when a scan is to yield many moves."""

SMALLEST: Final = 64
"""Minimum number of cities for the fast scan; smaller tours are scanned exactly."""


def gpu_moves(device: Device, seconds: float) -> int:
    """Return about how many moves a GPU evaluates in ``seconds``, or ``GPU_CALL`` if its speed is unknown."""
    return int(device.about().roots * seconds) or GPU_CALL


@dataclass(frozen=True)
class Tiling:
    """Division of the moves of one tour into tiles."""

    # lanes, rows: lanes per group, and rows per lane
    lanes: int
    rows: int
    # blocks, columns: a tile is ``blocks * rows`` rows by ``columns`` columns
    blocks: int
    columns: int
    simd: int  # columns that a lane evaluates per vector operation
    groups: int  # groups that run concurrently
    call: int  # moves per launch
    steps: int = 8  # columns per iteration of a GPU's unrolled loop

    @classmethod
    def of(cls, device: Device, n: int) -> Tiling:
        """Return the default tiling for a device; docs/developer/scan.md explains the numbers."""
        units = device.about().units
        if device.lanes == 1:
            groups = units if move_count(n) >= FAST_CALL else 1
            return cls(1, NATIVE_ROWS, 64, 2048, device.simd, groups, FAST_CALL * groups)
        rows, lanes, tiles, steps = (
            (9, 32, 28, 12) if n < 30_000 else (13, 64, 88, 8) if n < 300_000 else (13, 128, 88, 8)
        )
        columns = n * (n // 2) // (rows * lanes * tiles * units)
        columns = min(1024, max(24, -(-columns // 8) * 8))
        return cls(lanes, rows, lanes, columns, 1, 1 << 30, gpu_moves(device, 0.03), steps)

    def fitted(self, device: Device) -> Tiling:
        """Return the tiling with whole vectors of columns; raises ValueError if the device cannot use it."""
        if (self.lanes > 1) != (device.lanes > 1) or self.simd != device.simd:
            raise ValueError(
                f"{device.name} has groups of {device.lanes} lanes and vectors of {device.simd}, not {self}"
            )
        if self.lanes == 1 and self.rows != NATIVE_ROWS:
            raise ValueError(f"{device.name} takes {NATIVE_ROWS} rows together, not {self}")
        if min(self.blocks, self.columns, self.groups) < 1:
            raise ValueError(f"a tile has at least one row and one column, unlike {self}")
        return replace(self, columns=-(-self.columns // self.simd) * self.simd)

    @property
    def defines(self) -> dict[str, int]:
        """Preprocessor definitions for the kernels."""
        if self.lanes > 1:
            return {"ROWS": self.rows, "STEPS": self.steps, "RESIDENT": resident(self.lanes, REGISTERS)}
        return {"ROWS": self.rows, "SIMD": self.simd}

    def finer(self, n: int) -> Tiling:
        """Return a tiling with smaller tiles, for many moves per scan: each tile yields one."""
        blocks = self.lanes
        columns = max(64, n * (n // 2) // (blocks * self.rows * MANY_TILES))
        return replace(self, blocks=blocks, columns=min(self.columns, -(-columns // 16) * 16))

    def every(self, n: int) -> int:
        """Return the number of columns per row: positions at most half a tour ahead, rounded up to whole vectors."""
        return -(-(n // 2 - 1) // self.simd) * self.simd

    def chunks(self, n: int) -> int:
        """Return the number of tiles along a row."""
        return -(-self.every(n) // self.columns)

    def tiles(self, n: int) -> int:
        """Return the number of tiles."""
        return self.chunks(n) * -(-n // (self.blocks * self.rows))

    def places(self, n: int) -> int:
        """Return the number of positions in the laid-out tour, which continues past its end into its beginning."""
        return -(-n // (self.blocks * self.rows)) * self.blocks * self.rows + self.every(n) + 2

    def slices(self, n: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last (exclusive) tile of each launch."""
        each = max(self.groups if self.lanes == 1 else 1, self.call // (self.blocks * self.rows * self.columns))
        for first in range(0, self.tiles(n), each):
            yield first, min(self.tiles(n), first + each)


class FastScan(LaidScan):
    """The ``diagonal`` scan: all moves in float32, tile by tile, with square roots shared along diagonals.

    ``problem``: with a metric that :func:`fast_metric` accepts and at least ``SMALLEST`` cities
    ``tiling``: by default :meth:`Tiling.of`
    """

    def __init__(self, problem: TSP, device: Device, tiling: Tiling | None = None) -> None:
        n = problem.n
        self.tiling = cut = (Tiling.of(device, n) if tiling is None else tiling).fitted(device)
        super().__init__(problem, device, cut.places(n))
        self._scan = device.build("two_opt_scan", fast_special(problem), lanes=cut.lanes, **cut.defines)
        self._pick = device.build("two_opt_pick", self._exact_special, lanes=256 if cut.lanes > 1 else 1)
        self.call = cut.call
        self.least = device.empty(cut.tiles(n), np.float32)
        self.least_row = device.empty(cut.tiles(n), np.int32)
        self._grid = np.int32(n), np.int32(cut.every(n))
        self._tile = np.int32(cut.blocks * cut.rows), np.int32(cut.columns)

    def scan(self, over: Over | None = None) -> None:
        """Find the smallest delta of each tile; raises :class:`Unfinished` once ``over()``."""
        cut = self.tiling
        local = 16 * (cut.blocks * cut.rows + cut.columns)
        for first, last in cut.slices(self.problem.n):
            self._poll((last - first) * cut.blocks * cut.rows * cut.columns, over)
            self._scan.launch(
                "two_opt_scan", min(cut.groups, last - first), *self._grid, np.int32(first), np.int32(last),
                np.int32(cut.blocks), np.int32(cut.columns), *self._lap, self.least, self.least_row, local=local,
            )  # fmt: skip

    def pick(self) -> None:
        """Evaluate the row with the smallest delta exactly and keep its best move on the device if it is improving."""
        self._pick.launch(
            "two_opt_pick", 1, *self._points, self._tours[0], *self._grid, *self._tile, np.int32(len(self.least)),
            self.least, self.least_row, self._threshold, self.move, self._delta,
        )  # fmt: skip

    def found(self, limit: int = 1024) -> list[tuple[float, Move]]:
        """Return (exact delta, move) for the rows of the at most ``limit`` most promising tiles, best first.

        Only moves that improve the tour are returned.
        """
        least = self.device.fetch(self.least)
        chosen = np.flatnonzero(least < -self._threshold)
        chosen = chosen[least[chosen].argsort(kind="stable")[:limit]].astype(np.int32)
        if chosen.size == 0:
            return []
        moves, deltas = self.device.empty((len(chosen), 2), np.int32), self.device.empty(len(chosen), np.float64)
        self._pick.launch(
            "two_opt_confirm", len(chosen) if self.tiling.lanes > 1 else 1, *self._points, self._tours[0], *self._grid,
            *self._tile, np.int32(len(chosen)), self.device.send(chosen), self.least_row, moves, deltas,
        )  # fmt: skip
        exact = self.device.fetch(deltas).tolist()
        pairs = [(delta, (i, j)) for delta, (i, j) in zip(exact, self.device.fetch(moves).tolist(), strict=True)]
        return sorted({pair for pair in pairs if pair[0] < -self._threshold})
