"""All routes that routes cheaper than the plan may have: the wrapper of ``ng_elementary.c``."""

from __future__ import annotations

import time
from ctypes import c_int32, c_int64
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.network import RouteNetwork, Whole
from warptour.bound.vehicles.pricing import CALL_SECONDS, LARGEST, NETWORK_TYPES, Pricer, heads_of
from warptour.kernels.groups import go_on
from warptour.kernels.library import array, kernel

MOST_NODES = 128
"""Maximum number of nodes, the bits of a path."""

MOST_ROUTES, MEAN_LENGTH = 400_000, 16
"""Maximum number of routes, and of their customers on average."""

TABLE = 1 << 20
"""Paths that are remembered, of 32 bytes each."""


@dataclass
class RouteSets:
    """Routes as sets of customers."""

    members: NDArray[np.bool_]  # (routes, n): the depot is in none
    costs: Whole  # (routes,): twice the scaled cost of the cheapest order

    def __len__(self) -> int:
        return len(self.costs)

    def of(self, which: NDArray[np.bool_]) -> RouteSets:
        """Return some of the routes."""
        return RouteSets(self.members[which], self.costs[which])


def enumerated(pricer: Pricer, costs: Whole, below: int) -> RouteSets | None:
    """Return all routes whose reduced cost is less than ``below``; None if they are too many.

    Of routes with the same customers only the cheapest one need be there. Raises
    :class:`~warptour.bound.vehicles.pricing.NoRoom` where there are too many labels.
    """
    network, memory, labels = pricer.network, pricer.memory, pricer.behind
    n = network.n
    if n > MOST_NODES:
        return None
    resource = network.resource
    pricer.label(labels, resource.reversed(), np.ascontiguousarray(costs.T), LARGEST, LARGEST)
    ints, whole, ints_out = array(np.int32), array(np.int64), array(np.int64, output=True)
    call = kernel(
        "ng_elementary", *NETWORK_TYPES, array(np.int64, 2), array(np.int32, 2), c_int64, c_int64, c_int32, whole, ints,
        c_int64, ints_out, ints_out, c_int64, c_int64, c_int64, ints_out, ints_out, array(np.int16, output=True),
        ints_out,
    )  # fmt: skip
    shape = (
        n, network.limit, costs, resource.step, resource.opens, resource.closes, network.loads,
        heads_of(costs, None), memory.keep, memory.colour,
    )  # fmt: skip
    stack = np.zeros(8 * (n + 1), np.int64)
    stack.view(np.int32)[4] = resource.opens[0]
    table, state, nodes_room = np.zeros(4 * TABLE, np.int64), np.zeros(4, np.int64), MOST_ROUTES * MEAN_LENGTH
    ends, lengths = np.empty(MOST_ROUTES, np.int64), np.empty(MOST_ROUTES, np.int64)
    nodes = np.empty(nodes_room, np.int16)
    steps = 1000
    while state[3] == 0:
        go_on(pricer.over)
        began = time.perf_counter()
        call(0, 1, *shape, network.costs, resource.gap, resource.whole, below, labels.most, labels.shelves, labels.many,
             TABLE - 1, table, stack, steps, MOST_ROUTES, nodes_room, ends, lengths, nodes, state)  # fmt: skip
        steps = min(1 << 24, 2 * steps) if time.perf_counter() - began < CALL_SECONDS else steps * 2 // 3 + 1
    if state[3] == 2:
        return None
    return _distinct(network, ends[: state[1]], lengths[: state[1]], nodes[: state[2]])


def _distinct(network: RouteNetwork, ends: Whole, lengths: Whole, nodes: NDArray[np.int16]) -> RouteSets:
    """Return the sets of customers, each with the cost of its cheapest route."""
    sizes = np.diff(ends, prepend=0)
    members = np.zeros((len(ends), network.n), np.bool_)
    members[np.repeat(np.arange(len(ends)), sizes), nodes] = True
    order = np.argsort(lengths, kind="stable")
    _, first = np.unique(np.packbits(members[order], axis=1), axis=0, return_index=True)
    kept = order[first]
    return RouteSets(members[kept], lengths[kept])
