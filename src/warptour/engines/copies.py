"""Copies of one tour, each searched somewhere else, brought together by what they changed (``kernels/tour_claim.c``).

A copy is a window over all cities, so nothing that a search reaches for lies outside.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue

import numpy as np

from warptour.engines.claim import Claim
from warptour.engines.merge import Union
from warptour.engines.terrain import Ints, Terrain
from warptour.engines.window import Window


class Copies:
    """Room for copies of a tour: 130 bytes a node, and 60 more for each copy that is searched at the same time."""

    def __init__(self, terrain: Terrain, threads: int) -> None:
        self.terrain = terrain
        self._claim = Claim(terrain.points, terrain.least, threads, terrain.nodes)
        self._union = Union(terrain.points, terrain.nodes, terrain.least)
        self._spare: SimpleQueue[Window] = SimpleQueue()

    def begin(self, tour: Ints) -> None:
        """Let all copies be of this tour, a local optimum."""
        self._layout = self._claim.lay_out(tour.copy())
        ends = self._layout.links.reshape(-1, 2)
        self._edges = tuple(_pairs(way) for way in (ends.copy(), ends[:, ::-1].copy()))
        self._changes: dict[int, Ints] = {}

    def copy(self) -> Window:
        """Return a copy."""
        try:
            window = self._spare.get_nowait()
        except Empty:
            window = Window(self.terrain, self.terrain.nodes)
        window.restart(self._layout.tour, self._layout.place)
        return window

    def keep(self, number: int, window: Window) -> None:
        """Note what a copy has become, and take it back. Those with low numbers come first where changes touch."""
        links = self._claim.lay_out(window.tour).links.reshape(-1, 2)
        now, (there, back) = _pairs(links), self._edges
        changed = np.flatnonzero((now != there) & (now != back)).astype(np.int32)
        self._changes[number] = np.column_stack((changed, links[changed]))
        self._spare.put(window)

    def united(self) -> tuple[Ints, float]:
        """Return the tour with what the copies changed, as far as that does not touch, and what it saves."""
        changes = [self._changes[number] for number in sorted(self._changes)]
        if not any(map(len, changes)):
            return self._layout.tour, 0.0
        sums = np.cumsum([len(some) for some in changes], dtype=np.int64)
        self._claim.take(sums, np.concatenate(changes).reshape(-1), self._layout)
        gain = self._union.unite(self._layout.tour, self._layout.links)
        return self._layout.tour, gain

    def lost(self) -> Ints:
        """Return the cities that some copy changed in another way than the united tour has them, in its order."""
        tour = self._layout.tour
        links = self._claim.lay_out(tour).links.reshape(-1, 2)
        lost = np.zeros(len(tour), bool)
        for changes in self._changes.values():
            city, now = changes[:, 0], links[changes[:, 0]]
            lost[city] |= ~((now == changes[:, 1:2]) | (now == changes[:, 2:3])).all(axis=1)
        return tour[lost[tour]]


def _pairs(ends: Ints) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return each row of two as one number."""
    return ends.view(np.int64).reshape(-1)
