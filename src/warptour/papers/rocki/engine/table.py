"""Rung ``table``: a look-up table of all distances, after Rocki (2013)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Final

import numpy as np

from warptour.devices import Array, Device
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.sliced_scan import LANES, SlicedScan, moves_per_launch, row_slices
from warptour.papers.scans.tour_scan import fast_metric

CPU_TABLE: Final = 2**31
"""Maximum bytes of a table on a CPU."""

CORE_MOVES, GPU_SECONDS = 4_000_000, 5e-4
"""See :func:`moves_per_launch`: look-ups beyond the caches take 10 ns on a core, and a sector of memory on a GPU."""

FILL: Final = 4_000_000
"""Distances per core and launch when the table is filled."""


def table_bytes(n: int) -> int:
    """Return the bytes of the look-up table: a float32 for each ordered pair of cities."""
    return 4 * n * n


def largest_table(device: Device) -> int:
    """Return the maximum number of cities whose table fits on the device."""
    about = device.about()
    return isqrt((CPU_TABLE if about.kind == "cpu" else about.memory) // 4)


def table_refuses(problem: TSP, device: Device) -> str | None:
    """Return why the table does not fit, or None."""
    largest = largest_table(device)
    if problem.n <= largest:
        return None
    other = "; pairs computes distances instead" if fast_metric(problem.metric) else ""
    return f"table needs 4 n^2 bytes, so {device.name} takes at most {largest:,} cities{other}"


class TableScan(SlicedScan):
    """All moves from a table of distances, which are read by city through the tour; any metric.

    ``groups``: as for :class:`SlicedScan`
    """

    def __init__(self, problem: TSP, device: Device, groups: int | None = None) -> None:
        super().__init__(problem, device, moves_per_launch(device, CORE_MOVES, GPU_SECONDS), groups)
        n, lanes = problem.n, LANES if device.lanes > 1 else 1
        self._program = device.build("ladder_table", self._exact_special, lanes=lanes)
        self._cycle = device.empty(n + 1, np.int32)
        self._table = device.empty(n * n, np.float32)
        rows = max(1, FILL * device.about().units // n)
        for first in range(0, n, rows):
            last = min(n, first + rows)
            self._program.launch(
                "ladder_table_fill", min(last - first, self.groups), *self._points, np.int32(n), np.int32(first),
                np.int32(last), self._table,
            )  # fmt: skip

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield ranges of rows."""
        return row_slices(self.problem.n, self.call, self.groups)

    def launch(self, first: int, last: int) -> None:
        """Evaluate the moves of some rows."""
        self._program.launch(
            "ladder_table", self.groups, np.int32(self.problem.n), np.int32(first), np.int32(last), self._table,
            self._cycle, self.gains, self.ranks,
        )  # fmt: skip

    def _lay(self, move: Array | None) -> None:
        old, new = self._tours
        groups = -(-self.problem.n // LANES) if self.device.lanes > 1 else 1
        self._program.launch("ladder_table_lay", groups, np.int32(self.problem.n), old, move, new, self._cycle)
        self._tours = [new, old]
