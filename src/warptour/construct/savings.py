"""Savings algorithm (Clarke and Wright, 1964), parallel version, for initial vehicle routes.

Initially each customer has its own route. Joining i and j directly instead of returning to the depot saves
d(0,i) + d(0,j) - d(i,j):

    0-i-0  0-j-0  ->  0-i-j-0

The largest feasible saving joins two routes, repeatedly. Only pairs of near customers are evaluated; neighbour lists
are then rebuilt over the ends of the remaining routes, until a round joins nothing.
"""

from __future__ import annotations

from ctypes import c_double, c_int64
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import rows_of_matrix
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.construct.fragments import SHARE, Fragments
from warptour.construct.vehicle_limit import fewer_routes
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.model.vehicles import VRP, Routes

Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]

NEAREST = 64
"""Neighbours per customer in the first round; a quarter of that in later rounds.

Over 53 CMT, Golden, X and XXL instances the mean gap is 6.5% with 16 neighbours, 6.2 with 32, 6.0 with 64 and 5.9 with
150, which takes three times as long.
"""


def savings(problem: VRP, threads: int | None = None, over: Over | None = None) -> Routes:
    """Return routes that serve every customer, within capacity and route limit.

    A customer that violates a limit on its own has its own route. If there are more routes than vehicles, some are
    dissolved into the others; if that fails, all routes are returned.

    Parameters
    ----------
    problem : VRP
    threads : int or None
        None for all CPUs. The routes do not depend on it.
    over : callable, optional
        Once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`.
    """
    customers = problem.customers
    if len(customers) == 0:
        return []
    joining = _Joining(problem, threads, over)
    width = min(NEAREST, len(customers) - 1)
    while width > 0 and joining.round(width):
        width = min(NEAREST // 4, len(joining.ends()) - 1)
    order, starts = joining.fragments.in_order()
    routes = np.split(customers[order], starts[1:-1])
    if problem.vehicles is not None and len(routes) > problem.vehicles:
        return fewer_routes(problem, routes, over)
    return routes


@dataclass
class _Joining:
    """State of the route joining; customers are numbered from 0, without the depot."""

    problem: VRP
    threads: int | None
    over: Over | None

    def __post_init__(self) -> None:
        problem = self.problem
        self.customers = problem.customers
        self.fragments = Fragments(len(self.customers))
        depot = np.full(len(self.customers), problem.depot, np.int32)
        self.leg = problem.distances(depot, self.customers).astype(np.float64)
        demands, self.capacity = problem.loads
        self.load = demands[self.customers]
        self.travel = 2 * self.leg + problem.service_times[self.customers]
        self.limit = problem.searched_limit

    def ends(self) -> Int32s:
        """Return the ends of the routes that have capacity for the smallest open route."""
        ends = self.fragments.open_ends()
        return ends[self.load[ends] + self.load[ends].min() <= self.capacity] if len(ends) else ends

    def round(self, width: int) -> bool:
        """Join ends of routes with their neighbours where that saves cost; return whether any were joined."""
        go_on(self.over)
        ends = self.ends()
        if len(ends) < 2:
            return False
        here, there = self._pairs(ends, min(width, len(ends) - 1))
        apart = self.problem.distances(self.customers[here], self.customers[there]).astype(np.float64)
        saved = self.leg[here] + self.leg[there] - apart + self.problem.fixed_cost
        pays = np.flatnonzero(saved > 0)
        order = pays[np.argsort(-saved[pays], kind="stable")]
        return self._join(here[order], there[order], apart[order])

    def _pairs(self, ends: Int32s, width: int) -> tuple[Int32s, Int32s]:
        """Return pairs of ends in which one is among the nearest of the other, each pair once."""
        nodes = self.customers[ends]
        if self.problem.matrix is not None:
            rows = rows_of_matrix(self.problem.matrix, width, nodes, self.over)
        else:
            rows = Tree(spots(self.problem)[nodes], norm_code(self.problem), self.threads, self.over).rows(width)
        here = np.repeat(np.arange(len(ends)), width)
        low, high = np.minimum(here, rows.ravel()), np.maximum(here, rows.ravel())
        pairs = np.sort(low * np.int64(len(ends)) + high)  # np.unique hashes first, which takes ten times as long
        pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))]
        return ends[pairs // len(ends)], ends[pairs % len(ends)]

    def _join(self, here: Int32s, there: Int32s, apart: Floats) -> bool:
        ints, reals = array(np.int32), array(np.float64)
        ints_out, reals_out = array(np.int32, output=True), array(np.float64, output=True)
        join = kernel(
            "savings_join",
            *(ints, ints, reals, c_int64, c_int64, reals, c_double, c_double),
            *(array(np.int32, 2, output=True), ints_out, reals_out, reals_out, array(np.int64, output=True)),
        )
        joined = np.zeros(1, np.int64)
        routes = (self.fragments.link, self.fragments.tail, self.load, self.travel)
        for at in range(0, len(here), SHARE):
            go_on(self.over)
            until = min(len(here), at + SHARE)
            join(0, 1, here, there, apart, at, until, self.leg, self.capacity, self.limit, *routes, joined)
        self.fragments.count -= int(joined[0])
        return bool(joined[0])
