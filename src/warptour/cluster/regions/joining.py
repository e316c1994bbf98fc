"""The regions of a tour joined again.

Each region alone gives a tour; all together may give several cycles. These are patched where that costs little; where
it costs more than reverting the changes that save least, those are reverted (``tours/engine/cycles.py``).
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from warptour.cluster.regions.cutting import CutTour
from warptour.neighborhoods.tolerance import tolerance
from warptour.tours.engine.cycles import SubtourRepair, cycles_of, patch
from warptour.tours.engine.instance import Ints
from warptour.tours.engine.open_path import as_segment

MAX_PATCH_SHARE = 0.01
"""Share of the gain that patches may cost before reverting changes is tried too."""


class Joining:
    """The regions of a tour, as they come back.

    ``patch_cost``: what it cost to make one tour of all regions
    """

    def __init__(self, cut: CutTour, threads: int) -> None:
        self.cut = cut
        self.patch_cost = 0.0
        self._threads = threads
        nodes = len(cut.parts.tour)
        links = np.empty((nodes, 2), np.int32)
        links[:, 0] = np.arange(-1, nodes - 1)
        links[:, 1] = np.arange(1, nodes + 1)
        links[0, 0], links[-1, 1] = nodes - 1, 0
        self._links = links.reshape(-1)
        self._gain = 0.0
        self._lock = Lock()

    def take(self, region: int, tour: Ints, gain: float) -> None:
        """Take the tour of a region's problem, shorter by ``gain``; several threads may take regions at once."""
        size = len(tour)
        place = np.empty(size, np.int32)
        place[tour] = np.arange(size, dtype=np.int32)
        self.cut.parts.relink(region, np.ascontiguousarray(tour), place, np.empty(size, np.int32), self._links)
        with self._lock:
            self._gain += gain

    def joined(self) -> Ints:
        """Return the positions of the old tour in the order of the new one, which is not longer."""
        tour, cycle, count = cycles_of(self._links)
        if count > 1:
            tour = self._patched(cycle, count)
        segment = as_segment(tour) if self.cut.course.problem.open else tour
        assert segment is not None, "the ends of an open path are joined by a fixed edge"
        return segment

    def _patched(self, cycle: Ints, count: int) -> Ints:
        course, links = self.cut.course, self._links.copy()
        points = course.measured()
        self.patch_cost = patch(points, links, cycle, count, course.fixed, self._threads)
        if self.patch_cost > MAX_PATCH_SHARE * self._gain:
            reverted = self.cut.parts.tour.copy()
            repair = SubtourRepair(points, len(reverted), tolerance(course.problem).absolute)
            kept = repair.repair(reverted, self._links)
            if kept >= self._gain - self.patch_cost:
                self.patch_cost = self._gain - kept
                return reverted
        return cycles_of(links)[0]
