"""What the batches of climbers of the ladder share: their numbers, their counters, and which of them go on."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.tour_scan import fast_error, fast_special, move_count

FLOAT32_SHARE: Final = 2.0**-20
"""Error of a gain in float32, relative to the edges that a move removes."""

GPU_CROWD: Final = 64
"""Climbers per multiprocessor, enough to keep it busy until the last ones finish."""

MEASURED_EXACTLY: Final = 4
"""Number of tours whose exact lengths are compared; device lengths have about seven significant digits."""

BEGUN, LOCALLY_OPTIMAL, SCANS, KICKS, DRAWS = range(5)
"""Columns of the counters of a climber."""


class ResidentClimbers:
    """Tours of one problem on a device, each climbed by best-improvement 2-opt to a local minimum.

    Random first tours depend only on the seed and the climber's number, so all rungs climb from the same tours.

    ``count``: number of climbers
    ``seed``: determines, with the climber's number, its random first tour
    ``first``: number of the first climber
    ``tours``: (count, n): first tours, instead of random ones
    """

    busy: int  # number of climbers that keep the device busy

    def __init__(
        self, problem: TSP, device: Device, count: int, *, seed: int = 0, first: int = 0, tours: Ints | None = None
    ) -> None:
        self.problem = problem
        self.device = device
        self.count = count
        self._given = None if tours is None else np.ascontiguousarray(tours, np.int32)
        self._sent = None if self._given is None else device.send(self._given)
        self._lengths = device.send(np.full(count, np.inf))
        self._counters = device.zeros((count, 5), np.int32)
        self._climbing = np.arange(count)
        """Climbers that are not locally optimal."""
        self._numbers = np.uint64(seed % 2**64), np.int32(first)
        self._tolerance = self.tolerance(problem)

    @staticmethod
    def crowd(problem: TSP, device: Device) -> int:
        """Return the number of climbers that keep a device busy."""
        return device.about().units * (1 if device.lanes == 1 else GPU_CROWD)

    @staticmethod
    def tolerance(problem: TSP) -> tuple[np.float32, np.float32]:
        """Return what a gain must exceed: a length, and a share of the removed edges."""
        exact = fast_special(problem) == "euc"
        return np.float32(0.5 if exact else fast_error(problem)), np.float32(0 if exact else FLOAT32_SHARE)

    def begin_from_given(self) -> None:
        """Count the given first tours as begun."""
        counters = np.zeros((self.count, 5), np.int32)
        counters[:, BEGUN] = 1
        self.device.fill(self._counters, counters)

    def counters(self) -> NDArray[np.int32]:
        """Return the counters of each climber, shape (count, 5): begun, locally optimal, scans, kicks, random draws."""
        counters: NDArray[np.int32] = self.device.fetch(self._counters)
        self._climbing = np.flatnonzero(counters[:, LOCALLY_OPTIMAL] == 0)
        return counters

    def evaluated(self) -> int:
        """Return the number of moves evaluated so far by all climbers."""
        return int(self.counters()[:, SCANS].sum(dtype=np.int64)) * move_count(self.problem.n)

    def lengths(self) -> NDArray[np.float64]:
        """Return the approximate length of each climber's best local minimum; infinite before the first."""
        lengths: NDArray[np.float64] = self.device.fetch(self._lengths)
        return lengths

    def climb(self, scans: int | None = None) -> None:
        """Run all climbers for ``scans`` scans; by default run some that are not locally optimal, for about 20 ms.

        The last call to :meth:`counters` determines which are locally optimal; the first of the others go on, so that
        some have reached a local minimum whenever a search ends. No launch takes much longer than 20 ms.
        """
        if scans is not None:
            self._climb(0, self.count, scans)
        elif len(chosen := self._climbing[: self.busy]):
            self._climb(int(chosen[0]), int(chosen[-1]) + 1, None)

    def _climb(self, first: int, end: int, scans: int | None) -> None:
        """Run climbers ``first`` to ``end`` - 1 for ``scans`` scans, or for one launch."""
        raise NotImplementedError

    def _current(self, climbers: NDArray[np.intp]) -> Ints:
        """Return the best tours of some climbers that have begun; before a local minimum, the present one."""
        raise NotImplementedError

    def tours(self) -> Ints:
        """Return each climber's tour, shape (count, n); the identity for one that has not begun."""
        tours = np.tile(np.arange(self.problem.n, dtype=np.int32), (self.count, 1))
        if self._given is not None:
            tours[:] = self._given
        begun = np.flatnonzero(self.counters()[:, BEGUN])
        if len(begun):
            tours[begun] = self._current(begun)
        return tours

    def best(self) -> Ints | None:
        """Return the best tour of all climbers, by exact length among the apparently shortest; None if none has begun.

        Before the first local minimum, return the best of a few current tours.
        """
        lengths = self.lengths()
        if np.isfinite(lengths).any():
            near = lengths.argsort(kind="stable")[:MEASURED_EXACTLY]
            chosen = near[np.isfinite(lengths[near])]
        else:
            chosen = np.flatnonzero(self.counters()[:, BEGUN])[:MEASURED_EXACTLY]
        tours = self._current(chosen) if len(chosen) else self._given
        return None if tours is None else min(list(tours), key=self.problem.cost)
