"""Copies of one tour, each searched somewhere else, brought together by what they changed (``kernels/tour_claim.c``).

A copy is a window over all cities, so nothing that a search reaches for lies outside.
"""

from __future__ import annotations

import numpy as np

from warptour.engines.claim import Claim
from warptour.engines.merge import Union
from warptour.engines.terrain import Ints, Terrain
from warptour.engines.window import Window


class Copies:
    """Room for copies of a tour: 120 bytes a node, and 50 more for each copy that is searched at the same time."""

    def __init__(self, terrain: Terrain, threads: int) -> None:
        self.terrain = terrain
        self._claim = Claim(terrain.points, terrain.least, threads, terrain.nodes)
        self._union = Union(terrain.points, terrain.nodes, terrain.least)

    def begin(self, tour: Ints) -> None:
        """Let all copies be of this tour, a local optimum."""
        self._layout = self._claim.lay_out(tour.copy())
        self._changes: dict[int, Ints] = {}

    def copy(self) -> Window:
        """Return a new copy."""
        window = Window(self.terrain, self.terrain.nodes)
        window.restart(self._layout.tour)
        return window

    def keep(self, number: int, window: Window) -> None:
        """Note what a copy has become. Those with low numbers come first where changes touch."""
        now = window.tour
        before, after = np.roll(now, 1), np.roll(now, -1)
        was = self._layout.links.reshape(-1, 2)[now]
        same = (was == before[:, None]) | (was == after[:, None])
        changed = ~same.all(axis=1)
        self._changes[number] = np.column_stack((now[changed], before[changed], after[changed]))

    def united(self) -> tuple[Ints, float]:
        """Return the tour with what the copies changed, as far as that does not touch, and what it saves."""
        numbers = sorted(self._changes)
        if not any(len(self._changes[number]) for number in numbers):
            return self._layout.tour, 0.0
        sums = np.cumsum([len(self._changes[number]) for number in numbers], dtype=np.int64)
        changes = np.concatenate([self._changes[number] for number in numbers]).reshape(-1)
        self._claim.take(sums, np.ascontiguousarray(changes), self._layout)
        gain = self._union.unite(self._layout.tour, self._layout.links)
        return self._layout.tour, gain
