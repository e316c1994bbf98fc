"""Fastest ways between places on streets, as lines."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Final

import numpy as np

from warptour.model.errors import InputError
from warptour.model.metric import Floats
from warptour.roads.ends import direct, ends_of
from warptour.roads.extract import DEGREE
from warptour.roads.graph import Roads
from warptour.roads.hierarchy import Paths
from warptour.roads.snap import Spots

KEPT: Final = 4096
"""Maximum number of legs that are kept."""


class Legs:
    """Fastest ways between spots, as lines along the streets; for several threads."""

    def __init__(self, roads: Roads, spots: Spots) -> None:
        self.roads, self.spots = roads, spots
        self._lock = Lock()
        self.leg = lru_cache(maxsize=KEPT)(self._leg)
        self._paths = Paths(roads.hierarchy)
        self._sources, self._targets = ends_of(roads, spots)
        self._direct: dict[tuple[int, int], tuple[int, bool]] = {}
        for a, b, cost, backward in direct(roads, spots):
            self._direct[a, b] = min((cost, backward), self._direct.get((a, b), (cost, backward)))

    def _leg(self, a: int, b: int) -> Floats:
        """Return latitudes and longitudes on the way from spot a to spot b, both included."""
        spots, sources, targets = self.spots, self._sources, self._targets
        begin, end = spots.latlon[[a]], spots.latlon[[b]]
        if a == b:
            return begin
        streets, pieces = spots.streets[[a, b]].tolist(), spots.pieces[[a, b]].tolist()
        with self._lock:
            way, own = self._paths.between(sources.seeds.of(a), targets.seeds.of(b)), self._direct.get((a, b))
        if own is not None and (way is None or own[0] <= way.cost):
            return np.concatenate((begin, self._places(2 * streets[0] + own[1], *pieces), end))
        if way is None:
            raise InputError(f"no way leads from place {a + 1} to place {b + 1}", self.roads.path)
        network = self.roads.network
        first = int(sources.ways[sources.seeds.first[a] + way.source])
        last = int(targets.ways[targets.seeds.first[b] + way.target])
        between = network.ways[self.roads.arcs[way.arcs]].tolist()
        lines = [self._places(first, pieces[0], None), *(self._places(each) for each in between)]
        return np.concatenate((begin, *lines, self._places(last, None, pieces[1]), end))

    def _places(self, way: int, begin: int | None = None, end: int | None = None) -> Floats:
        """Return the places along a street in a direction, from the piece ``begin`` on and up to the piece ``end``."""
        network, street = self.roads.network, way >> 1
        low, high = int(network.first[street]), int(network.last[street])
        if way & 1:
            at = np.arange(high if begin is None else begin, low - 1 if end is None else end, -1)
        else:
            at = np.arange(low if begin is None else begin + 1, (high if end is None else end) + 1)
        return np.column_stack((network.y[at], network.x[at])) / DEGREE
