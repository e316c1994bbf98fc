"""A batch of one climber as the scan of a resident tour, so that rungs made for many tours also climb from one."""

from __future__ import annotations

import numpy as np

from warptour.devices import Device
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL, SCANS, ResidentClimbers
from warptour.papers.scans.tour_scan import TourScan


class OneClimber(TourScan):
    """One tour, climbed by a rung that has a climber per thread or group.

    ``climb``: ``Rung.climbers``
    """

    def __init__(self, problem: TSP, device: Device, climb: type[ResidentClimbers]) -> None:
        super().__init__(problem, device)
        self._climb = climb
        self._batch: ResidentClimbers | None = None

    def load(self, tour: Ints) -> None:
        """Begin with another tour."""
        self._batch = self._climb(self.problem, self.device, 1, tours=np.asarray(tour, np.int32)[None])

    def steps(self, count: int, over: Over | None = None) -> int:
        """Climb for up to ``count`` scans or until ``over()``; return the number of scans made."""
        assert self._batch is not None
        before = int(self._batch.counters()[0, SCANS])
        done = 0
        while done < count and not self._optimal() and not (over is not None and over()):
            self._batch.climb(min(count - done, self._bounded()))
            done = int(self._batch.counters()[0, SCANS]) - before
        return done

    def picked(self) -> tuple[Move, float] | None:
        """Return None if the last scan found no improving move; else a stand-in for the move, which is applied."""
        return None if self._optimal() else ((0, 1), 0.0)

    def tour(self) -> Ints:
        assert self._batch is not None
        tour: Ints = self._batch.tours()[0]
        return tour

    def _optimal(self) -> bool:
        assert self._batch is not None
        return bool(self._batch.counters()[0, LOCALLY_OPTIMAL])

    def _bounded(self) -> int:
        """Return the number of scans of a launch: about 10 ms for a single thread of a GPU."""
        return max(1, 1_000_000 // self.problem.n**2)
