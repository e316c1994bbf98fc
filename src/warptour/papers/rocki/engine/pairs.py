"""Rung ``pairs``: one pair of edges per lane and iteration, after Rocki's GPU kernel (2013)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.sliced_scan import LANES, SlicedScan, moves_per_launch
from warptour.papers.scans.tour_scan import fast_special

CORE_MOVES, GPU_SECONDS = 1_500_000, 3e-3
"""See :func:`moves_per_launch`: on a GPU the index of a pair takes longer than its four roots."""


class PairsScan(SlicedScan):
    """All moves by job ids over the triangle of pairs; coordinates in tour order.

    ``groups``: as for :class:`SlicedScan`
    """

    def __init__(self, problem: TSP, device: Device, groups: int | None = None) -> None:
        super().__init__(problem, device, moves_per_launch(device, CORE_MOVES, GPU_SECONDS), groups)
        lanes = LANES if device.lanes > 1 else 1
        self._program = device.build("ladder_pairs", fast_special(problem), lanes=lanes)

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield ranges of job ids."""
        ids = (self.problem.n - 1) * (self.problem.n - 2) // 2
        for first in range(0, ids, self.call):
            last = min(ids, first + self.call)
            yield first, last, last - first

    def launch(self, first: int, last: int) -> None:
        """Evaluate the moves of some job ids."""
        self._program.launch(
            "ladder_pairs", self.groups, np.int32(self.problem.n), np.int64(first), np.int64(last), *self._lap[:2],
            self.gains, self.ranks,
        )  # fmt: skip
