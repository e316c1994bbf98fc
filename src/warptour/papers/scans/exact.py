"""Scans of all 2-opt moves, or of some rows of them, in the problem's own metric (``two_opt_exact.c``).

The results depend neither on the number of threads nor on the device.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.points import TourPoints
from warptour.kernels.groups import Over, Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.tour_scan import move_count

CALL, GPU_CALL = 2_000_000, 4_000_000_000
"""Moves evaluated per core, or by a whole GPU, between two polls of ``over`` (10 to 50 ms)."""


class ExactScan:
    """A tour resident on a device, whose rows of 2-opt moves are scanned exactly."""

    def __init__(self, problem: TSP, device: Device) -> None:
        n = problem.n
        self.problem = problem
        self.device = device
        self._lanes = 128 if device.lanes > 1 else 1
        self._workers = device.about().units if move_count(n) >= CALL else 1
        self._points = TourPoints(device, problem, n + 1)
        self._program = device.build("two_opt_exact", self._points.special, lanes=self._lanes)
        self._tour = device.empty(n + 1, np.int32)
        self._edge = device.empty(n, np.float64)
        self._least = device.empty(max(1, n - 2), np.float64)

    def load(self, tour: Ints, kept: float = 1.0) -> None:
        """Copy a tour to the device; the lengths of its edges are multiplied by ``kept``."""
        cycle = np.append(tour, tour[0]).astype(np.int32)
        self.device.fill(self._tour, cycle)
        self.device.fill(self._edge, kept * self.problem.distances(cycle[:-1], cycle[1:]).astype(np.float64))
        self._points.follow(cycle)

    def rows(self, first: int = 0, last: int | None = None, over: Over | None = None) -> NDArray[np.float64]:
        """Return the smallest delta of each row from ``first`` to ``last`` (exclusive), by default of all n - 2 rows.

        Raises :class:`~warptour.kernels.groups.Unfinished` once ``over()``.
        """
        last = self.problem.n - 2 if last is None else last
        for _ in self._scanned(first, last, over):
            pass
        least: NDArray[np.float64] = self.device.fetch(self._least)[first:last]
        return least

    def first_row(self, delta: float, last: int, over: Over | None = None) -> int:
        """Return the first row whose smallest delta is at most ``delta``, or ``last`` if none before it has one."""
        for first, end in self._scanned(0, self.problem.n - 2, over):
            found = np.flatnonzero(self.device.fetch(self._least)[first:end] <= delta)
            if found.size or end > last:
                return min(last, first + int(found[0])) if found.size else last
        return last

    def _scanned(self, first: int, last: int, over: Over | None) -> Iterator[tuple[int, int]]:
        """Scan slice after slice, and yield the first and last (exclusive) row of each."""
        n, workers = self.problem.n, self._workers
        call = CALL * workers if self._lanes == 1 else GPU_CALL
        while first < last:
            end = min(last, first + max(workers, call // (n - first - 2)))
            if over is not None:
                self.device.synchronise()
                if over():
                    raise Unfinished
            self._program.launch(
                "two_opt_exact", workers if self._lanes == 1 else end - first, *self._points.arguments, self._tour,
                self._edge, np.int32(n), np.int32(first), np.int32(end), self._least,
            )  # fmt: skip
            yield first, end
            first = end
