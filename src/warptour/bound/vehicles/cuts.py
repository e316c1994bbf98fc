"""Rounded capacity cuts: customers S that need k vehicles are entered or left at least 2 k times.

Laporte and Nobert (1983). They are prices on edges, as the customers' are.
"""

from __future__ import annotations

from ctypes import c_double, c_int32
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.network import NONE, Floats, RouteNetwork, Whole
from warptour.kernels.library import array, kernel

Sets: TypeAlias = NDArray[np.bool_]

VIOLATION = 0.02
"""Minimum violation of a cut, in edges."""

SETS_FOUND = 6
"""Maximum number of violated sets that are found at a time, per node."""

LARGEST = 1 << 40
"""Largest price in size, so that sums of prices are exact in float64."""


class Cuts:
    """Sets of customers, each with how often routes cross its border at least.

    ``sets``: (m, n)
    ``least``: (m,)
    """

    def __init__(self, network: RouteNetwork) -> None:
        self._network = network
        self.sets: Sets = np.zeros((0, network.n), np.bool_)
        self.least: Whole = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.least)

    def crossings(self, route: NDArray[np.int64]) -> Whole:
        """Return how often a route, given from depot to depot, crosses the border of each set."""
        inside = self.sets[:, route]
        crossed: Whole = np.count_nonzero(inside[:, 1:] != inside[:, :-1], axis=1)
        return crossed

    def add(self, sets: Sets) -> Sets:
        """Add the sets that are new; return them."""
        known = {row.tobytes() for row in np.packbits(self.sets, axis=1)}
        fresh = []
        for row, key in zip(sets, np.packbits(sets, axis=1), strict=True):
            if key.tobytes() not in known:
                known.add(key.tobytes())
                fresh.append(row)
        new = np.array(fresh, np.bool_).reshape(-1, self._network.n)
        loads = new.astype(np.int64) @ self._network.demands
        self.sets = np.concatenate((self.sets, new))
        self.least = np.concatenate((self.least, 2 * -(-loads // self._network.capacity)))
        return new

    def keep(self, which: NDArray[np.bool_]) -> None:
        """Keep some of the sets only."""
        self.sets, self.least = self.sets[which], self.least[which]


@dataclass(frozen=True)
class Prices:
    """Dual prices in half units of the network's costs: of each visit to a node, and of each crossing of a border."""

    nodes: Whole  # (n,): paid on both legs of a visit; at the depot, at the beginning and the end of a route
    crossings: Whole  # (m,): at least 0

    @classmethod
    def rounded(cls, network: RouteNetwork, nodes: Floats, crossings: Floats) -> Prices:
        """Return prices of customers and routes, in units of cost, as integers."""
        scale = 2.0**network.bits
        paid = np.clip(np.rint(nodes * scale), -LARGEST, LARGEST).astype(np.int64)
        return cls(paid, np.clip(np.rint(2 * scale * crossings), 0, LARGEST).astype(np.int64))

    def floats(self, network: RouteNetwork) -> tuple[Floats, Floats]:
        """Return them in units of cost."""
        scale = 2.0**-network.bits
        return self.nodes.astype(np.float64) * scale, self.crossings.astype(np.float64) * (scale / 2)

    def reduced(self, costs: Whole, cuts: Cuts) -> Whole:
        """Return costs less prices, and ``NONE`` on the diagonal: exact, as all are integers."""
        inside = cuts.sets.astype(np.float64)
        both = (inside.T * self.crossings) @ inside
        entered = np.diagonal(both)
        borders = entered[:, None] + entered[None, :] - 2 * both
        left = costs - self.nodes[:, None] - self.nodes[None, :] - borders.astype(np.int64)
        np.fill_diagonal(left, NONE)
        return left

    def income(self, network: RouteNetwork, cuts: Cuts) -> int:
        """Return what all routes pay at least in prices, on both legs of each visit."""
        customers = 2 * sum(self.nodes[1:].tolist())
        depot = int(self.nodes[0])
        routes = 2 * depot * (network.fewest if depot > 0 else network.most)
        borders = sum(paid * least for paid, least in zip(self.crossings.tolist(), cuts.least.tolist(), strict=True))
        return int(customers + routes + borders)


def separate(network: RouteNetwork, flow: Floats, most: int, seed: int) -> Sets:
    """Return sets whose borders ``flow`` crosses too rarely, some for each number of vehicles that they need.

    ``flow``: (n, n): how much of each edge is used, symmetric
    ``most``: maximum number of sets
    ``seed``: what ties are broken by
    """
    n, room = network.n, SETS_FOUND * network.n
    bytes_out = array(np.uint8, output=True)
    call = kernel(
        "grow_sets", c_int32, array(np.float64, 2), array(np.float64), c_double, c_double, c_int32, c_int32,
        array(np.uint8, 2, output=True), array(np.float64, output=True), array(np.int32, output=True),
        array(np.int32, output=True), array(np.float64, output=True), bytes_out, bytes_out,
    )  # fmt: skip
    rows, lacks, needs, count = (
        np.zeros((room, n), np.uint8),
        np.zeros(room),
        np.zeros(room, np.int32),
        np.zeros(1, np.int32),
    )
    loads = network.demands.astype(np.float64), float(network.capacity)
    work = np.empty(2 * n), np.empty(n, np.uint8), np.empty(n, np.uint8)
    call(0, 1, n, np.ascontiguousarray(flow), *loads, VIOLATION, seed, room, rows, lacks, needs, count, *work)
    found = int(count[0])
    _, first = np.unique(np.packbits(rows[:found], axis=1), axis=0, return_index=True)
    worst = first[np.argsort(-lacks[first], kind="stable")]
    rank, turn = dict[int, int](), np.zeros(len(worst), np.int64)
    for at, need in enumerate(needs[worst].tolist()):
        rank[need] = rank.get(need, 0) + 1
        turn[at] = rank[need]
    return rows[worst[np.argsort(turn, kind="stable")[:most]]].astype(np.bool_)
