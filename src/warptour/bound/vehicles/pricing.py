"""The cheapest ng-routes under dual prices, by labels from both ends: wraps ``ng_labels.c`` and ``ng_join.c``."""

from __future__ import annotations

import time
from ctypes import c_int32, c_int64
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.network import NONE, Amount, RouteNetwork, Whole
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel

COLOURS = 64
"""Colours of customers: bits of what a label remembers."""

CALL_SECONDS = 0.03
"""Aim for the duration of a native call, so that limits are polled in time."""

POOL_LABELS = 3_000_000
"""Maximum number of labels of a direction, of 32 bytes each."""

SHELF_BYTES = 1 << 28
"""Maximum memory of the shelves of a direction, most of which is never touched."""

BEST, MOST_ROUTES = 4, 150
"""Routes that are noted for each customer at which both paths join, and in all."""

LARGEST = 2**31 - 1

_INTS, _WHOLE = array(np.int32), array(np.int64)
_INTS_OUT, _WHOLE_OUT = array(np.int32, output=True), array(np.int64, output=True)
NETWORK_TYPES = (
    c_int32, c_int32, array(np.int64, 2), array(np.int32, 2), _INTS, _INTS, _INTS, array(np.int32, 2),
    array(np.uint64, 2), array(np.uint64),
)  # fmt: skip
"""ctypes of ``NETWORK_PARAMETERS`` in ``ng_routes.h``."""


class NoRoom(Exception):
    """There are more labels than fit."""


class Memory:
    """Which customers a path remembers at which customer, as bits of their colours.

    ``colour``: (n,)
    ``keep``: (n, n): colours of the customers that both ends of an arc remember
    ``near``: (n, n): which customers each one remembers, itself among them
    """

    def __init__(self, near: NDArray[np.bool_]) -> None:
        n = len(near)
        shared = (near.T.astype(np.float32) @ near.astype(np.float32)) > 0
        bit = np.zeros(n, np.int64)
        done = np.zeros(n, np.bool_)
        for node in (np.argsort(-shared.sum(axis=1), kind="stable")).tolist():
            used = np.bincount(bit[shared[node] & done], minlength=COLOURS)
            bit[node] = int(used.argmin())
            done[node] = True
        owner = np.full((n, COLOURS), -1)
        self.near = near.copy()
        for node in range(1, n):
            owner[node, bit[node]] = node
            for other in np.flatnonzero(near[node]).tolist():
                if owner[node, bit[other]] < 0:
                    owner[node, bit[other]] = other
                elif owner[node, bit[other]] != other:
                    self.near[node, other] = False
        self.colour = np.uint64(1) << bit.astype(np.uint64)
        self.colour[0] = 0
        self.keep = np.zeros((n, n), np.uint64)
        for colour in range(COLOURS):
            own = owner[:, colour]
            same = (own[:, None] == own[None, :]) & (own >= 0)
            self.keep |= same.astype(np.uint64) << np.uint64(colour)

    @classmethod
    def of_nearest(cls, network: RouteNetwork, size: int) -> Memory:
        """Return the memory of each customer's ``size`` nearest ones, itself among them."""
        costs = network.least.astype(np.float64)
        costs[0], costs[:, 0] = np.inf, np.inf
        np.fill_diagonal(costs, -np.inf)
        rows = np.argsort(costs, axis=1, kind="stable")[:, : min(size, network.n - 1)]
        near = np.zeros((network.n, network.n), np.bool_)
        np.put_along_axis(near, rows, True, axis=1)
        near[0], near[:, 0] = False, False
        return cls(near)


@dataclass
class Labels:
    """Labels of one direction: the pool, and the numbers of those that none dominates, by node and cost."""

    pool: Whole
    heap: NDArray[np.int32]
    shelves: Whole
    many: NDArray[np.int32]
    most: int
    count: int = 0

    @classmethod
    def empty(cls, n: int) -> Labels:
        most = max(64, min(1 << 14, SHELF_BYTES // (32 * n)))
        pool, shelves = np.empty(4 * POOL_LABELS, np.int64), np.empty(4 * most * n, np.int64)
        return cls(pool, np.empty(POOL_LABELS, np.int32), shelves, np.zeros(n, np.int32), most)

    def path(self, number: int) -> list[int]:
        """Return the nodes of a path from its last one to the depot."""
        ends = self.pool[: 4 * self.count].view(np.int32).reshape(-1, 8)
        nodes = []
        while number >= 0:
            nodes.append(int(ends[number, 6]))
            number = int(ends[number, 7])
        return nodes


class Pricer:
    """Finds cheapest ng-routes under any costs of arcs."""

    def __init__(self, network: RouteNetwork, memory: Memory, over: Over | None) -> None:
        self.network, self.memory, self.over = network, memory, over
        self.symmetric = network.symmetric
        self.ahead = Labels.empty(network.n)
        self.behind = self.ahead if self.symmetric else Labels.empty(network.n)
        self.middle = network.resource.whole // 2
        self._steps = 64

    def cheapest(self, costs: Whole, heads: int | None = None) -> tuple[int, list[NDArray[np.int64]]]:
        """Return the least cost of a route, at most 0, and routes below 0 from depot to depot, the cheapest first.

        With ``heads``, only so many arcs leave each node and memories do not matter: routes may be missed.
        """
        resource, symmetric = self.network.resource, self.symmetric
        middle, everything = self.middle, LARGEST
        if symmetric:
            self.label(self.ahead, resource, costs, middle, everything, heads)
        else:
            self.label(self.ahead, resource, costs, middle, middle, heads)
            back = np.ascontiguousarray(costs.T)
            self.label(self.behind, resource.reversed(), back, resource.whole - middle - 1, everything, heads)
            self._balance()
        return self._joined(costs, middle)

    def label(
        self, labels: Labels, resource: Amount, costs: Whole, extended: int, stored: int, heads: int | None = None
    ) -> None:
        """Fill labels, or raise :class:`NoRoom`; ``costs`` and the resource are those of their direction."""
        network, memory = self.network, self.memory
        call = kernel(
            "ng_labels",
            *NETWORK_TYPES,
            *(c_int32,) * 5,
            _WHOLE_OUT,
            _INTS_OUT,
            c_int32,
            _WHOLE_OUT,
            _INTS_OUT,
            _INTS_OUT,
        )
        shape = (
            network.n, network.limit, costs, resource.step, resource.opens, resource.closes, network.loads,
            heads_of(costs, heads), memory.keep, memory.colour,
        )  # fmt: skip
        labels.many[:] = 0
        labels.pool[:4] = 0, 0, int(resource.opens[0]), 0  # cost, memory, amounts, node
        labels.pool[:4].view(np.int32)[4:] = resource.opens[0], 0, 0, -1
        labels.heap[0] = 0
        state = np.array([1, 1, -1, 0], np.int32)
        while state[0]:
            go_on(self.over)
            began = time.perf_counter()
            call(0, 1, *shape, extended, stored, int(heads is not None), self._steps, POOL_LABELS, labels.pool,
                 labels.heap, labels.most, labels.shelves, labels.many, state)  # fmt: skip
            if state[3]:
                raise NoRoom
            faster = time.perf_counter() - began < CALL_SECONDS
            self._steps = min(1 << 20, 2 * self._steps) if faster else self._steps * 2 // 3 + 1
        labels.count = int(state[1])

    def _balance(self) -> None:
        """Move the middle towards the direction with more labels, for the next time."""
        ahead, behind = int(self.ahead.many.sum()), int(self.behind.many.sum())
        whole = self.network.resource.whole
        if ahead > 1.3 * behind:
            self.middle = max(whole // 8, self.middle - whole // 50)
        elif behind > 1.3 * ahead:
            self.middle = min(whole - whole // 8, self.middle + whole // 50)

    def _joined(self, costs: Whole, middle: int) -> tuple[int, list[NDArray[np.int64]]]:
        network, ahead, behind = self.network, self.ahead, self.behind
        call = kernel(
            "ng_join", *(c_int32,) * 4, c_int64, c_int64, c_int32, array(np.int64, 2), array(np.int32, 2),
            array(np.uint64, 2), c_int32, _WHOLE, _INTS, _WHOLE, _INTS, array(np.int64, 2, output=True),
        )  # fmt: skip
        found = np.full((network.n * BEST, 3), NONE)
        for node in range(network.n):
            go_on(self.over)
            call(0, 1, network.n, node, node + 1, middle, network.resource.whole, network.limit, BEST, costs,
                 network.resource.gap, self.memory.keep, ahead.most, ahead.shelves, ahead.many, behind.shelves,
                 behind.many, found)  # fmt: skip
        routes: dict[bytes, NDArray[np.int64]] = {}
        for cost, one, two in found[np.argsort(found[:, 0], kind="stable")[:MOST_ROUTES]].tolist():
            if cost < 0:
                route = np.array(ahead.path(one)[::-1] + behind.path(two), np.int64)
                routes.setdefault(
                    min(route.tobytes(), route[::-1].tobytes()) if self.symmetric else route.tobytes(), route
                )
        return min(0, int(found[:, 0].min())), list(routes.values())


def heads_of(costs: Whole, most: int | None) -> NDArray[np.int32]:
    """Return the customers to which arcs lead from each node, -1 behind the last; the cheapest ``most`` of them."""
    table = costs.copy()
    table[:, 0] = NONE
    order = np.argsort(table, axis=1, kind="stable").astype(np.int32)
    absent = np.take_along_axis(table, order, axis=1) >= NONE
    if most is not None:
        absent[1:, most:] = True
    order[absent] = -1
    return order
