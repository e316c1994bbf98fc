"""The complete graph of a tour with exact scaled lengths, dummy node and fixed edges included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warptour.bound.instance import BoundInstance, Ints
from warptour.kernels.groups import go_on

Longs = NDArray[np.int64]

MOST_NODES = 3000
"""Maximum number of nodes: the lengths of all pairs are kept."""

LARGEST_BITS = 40
"""Scaled lengths are at most 2 to this, so that sums of reduced costs fit into 64 bits."""

BLOCK = 1 << 20
"""Pairs measured at a time."""


@dataclass(frozen=True, eq=False)
class CompleteGraph:
    """Nodes 0 to n - 1; every closed tour of the problem is one of them that has all forced edges."""

    length: Longs  # (n, n): lengths times 2 to the power of ``bits``, rounded down
    bits: int
    forced: Ints  # (m, 2): fixed edges, with the lower node first
    node: Ints  # node of each city
    city: Ints  # city of each node; -1 for the dummy of an open path

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.length)

    @cached_property
    def scale(self) -> float:
        """Scaled length of the linear program's unit: it has edges of about 100, far above its tolerances."""
        apart = self.length + np.diag(np.full(self.n, 2**61))
        return max(1.0, float(np.abs(apart.min(axis=1)).mean())) / 100

    def enter(self, tour: Ints) -> Ints:
        """Return a tour or path of the cities as a tour of the nodes."""
        nodes = self.node[tour]
        return nodes if len(nodes) == self.n else np.append(nodes, np.int32(self.n - 1))

    def leave(self, tour: Ints) -> Ints:
        """Return a tour of the nodes as one of the cities, or a path."""
        cities = self.city[tour]
        gap = np.flatnonzero(cities < 0)
        return cities if len(gap) == 0 else np.roll(cities, -int(gap[0]))[1:]


def complete_graph(instance: BoundInstance) -> CompleteGraph | None:
    """Return the graph of an instance; None if it has too many nodes, or lengths without room for binary places."""
    n = instance.count + 1
    fewer = max(0, instance.largest_bits() - LARGEST_BITS)
    if n > MOST_NODES or fewer > instance.bits:
        return None
    length = np.zeros((n, n), np.int64)
    inner = np.arange(instance.count, dtype=np.int32)
    rows = max(1, BLOCK // n)
    for first in range(0, instance.count, rows):
        go_on(instance.over)
        block = inner[first : first + rows]
        scaled = instance.lengths(np.repeat(block, instance.count), np.tile(inner, len(block)))
        length[block, :-1] = scaled.reshape(len(block), -1).astype(np.int64) >> fewer
    spokes = instance.spokes().astype(np.int64) >> fewer
    length[-1, :-1] = length[:-1, -1] = spokes
    np.fill_diagonal(length, 0)
    hub = np.array([[node, instance.count] for node in instance.must], np.int32).reshape(-1, 2)
    node = np.where(instance.rank < 0, np.int32(instance.count), instance.rank)
    city = np.append(instance.city, np.int32(-1 if instance.hub is None else instance.hub))
    forced = np.sort(np.vstack((instance.fixed, hub)), axis=1).astype(np.int32)
    return CompleteGraph(length, instance.bits - fewer, forced, node, city)
