"""Scans of one tour whose groups each report the best move they found (``kernels/papers/scans/ladder_pick.c``)."""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.scans.tour_scan import LaidScan

PICK_LANES: Final = 256


class LadderScan(LaidScan):
    """A scan that fills ``gains`` and ``ranks`` with the best move of each group.

    ``ranks`` holds i * n + j of the move (i, j), i < j; a gain of 0 stands for no improving move.

    ``groups``: number of groups whose results are compared
    ``places``: number of positions laid out; by default n + 1, so that position n repeats the first
    """

    def __init__(self, problem: TSP, device: Device, groups: int, places: int | None = None) -> None:
        super().__init__(problem, device, problem.n + 1 if places is None else places)
        self.groups = groups
        self.gains = device.zeros(groups, np.float32)
        self.ranks = device.zeros(groups, np.int64)
        self._pick = device.build("ladder_pick", self._exact_special, lanes=PICK_LANES if device.lanes > 1 else 1)

    def pick(self) -> None:
        """Confirm the best of all groups' moves exactly, and keep it on the device if it improves the tour."""
        self._pick.launch(
            "ladder_pick", 1, *self._points, self._tours[0], np.int32(self.problem.n), np.int32(self.groups),
            self.gains, self.ranks, self._threshold, self.move, self._delta,
        )  # fmt: skip
