"""Savings algorithm (Clarke and Wright, 1964), parallel version, for initial vehicle routes.

Initially each customer has its own route. Joining i and j directly instead of returning to the depot saves
d(0,i) + d(0,j) - d(i,j):

    0-i-0  0-j-0  ->  0-i-j-0

The largest feasible saving joins two routes, repeatedly. Only pairs of near customers are evaluated; neighbour lists
are then rebuilt over the ends of the remaining routes, until a round joins nothing. Where the direction matters,
joining i to j saves d(i,0) + d(0,j) - d(i,j), and only the last customer of a route is joined to the first of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import c_double, c_int32, c_int64
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import rows_of_matrix
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.kernels.points import Points
from warptour.model.limits import Limit
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.detour_routes import detoured
from warptour.routes.starts.pairs import bands, pairs
from warptour.routes.starts.route_limits import ways
from warptour.routes.starts.vehicle_limit import fewer_routes
from warptour.tours.starts.fragments import NONE_YET, SHARE, Fragments, edge_lengths

Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]

NEAREST = 64
"""Neighbours per customer in the first round; a quarter of that in later rounds.

Over 53 CMT, Golden, X and XXL instances the mean gap is 6.5% with 16 neighbours, 6.2 with 32, 6.0 with 64 and 5.9 with
150, which takes three times as long.
"""


def savings(problem: VRP, threads: int | None = None, over: Over | None = None) -> Routes:
    """Return routes that serve every customer, within capacity and limits.

    A customer that violates a limit on its own is served by way of others; if no such way is found, it stays alone.
    If there are more routes than vehicles, some are dissolved into the others; if that fails, all routes are returned.

    ``threads``: None for all CPUs. The routes do not depend on it.
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    customers = problem.customers
    if len(customers) == 0:
        return []
    joining = _Joining(problem, threads, over)
    width = min(NEAREST, len(customers) - 1)
    while width > 0 and joining.round(width):
        width = min(NEAREST // 4, len(joining.ends()) - 1)
    routes = detoured(problem, joining.routes(), over)
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
        demands, self.capacity = problem.loads
        self.load = demands[self.customers]
        own = next((limit for limit in problem.limits if limit.travel is None), None)
        self.legs = self._legs(None)
        self.used = self.legs[0] + self.legs[1] + (0 if own is None else own.services[self.customers])
        self.most = np.inf if own is None else own.searched
        self.second = next((limit for limit in problem.limits if limit is not own), None)
        if self.second is not None:
            self.legs2 = self._legs(self.second)
            self.used2 = self.legs2[0] + self.legs2[1] + self.second.services[self.customers]

    def _legs(self, limit: Limit | None) -> tuple[Floats, Floats]:
        """Return the travel from the depot to each customer, and back."""
        depot = np.array([self.problem.depot])
        return ways(self.problem, limit, depot, self.customers), ways(self.problem, limit, self.customers, depot)

    def ends(self) -> Int32s:
        """Return the ends of the routes that have capacity for the smallest open route."""
        ends = np.flatnonzero((self.fragments.link == NONE_YET).any(axis=1)).astype(np.int32)
        return ends[self.load[ends] + self.load[ends].min() <= self.capacity] if len(ends) else ends

    def routes(self) -> Routes:
        """Return the routes as they are now."""
        if not self.problem.directed:
            order, starts = self.fragments.in_order()
            return np.split(self.customers[order], starts[1:-1])
        after = self.fragments.link[:, 1].tolist()
        routes: Routes = []
        for first in np.flatnonzero(self.fragments.link[:, 0] == NONE_YET).tolist():
            route = [first]
            while (then := after[route[-1]]) != NONE_YET:
                route.append(then)
            routes.append(self.customers[route])
        return routes

    def round(self, width: int) -> bool:
        """Join ends of routes with their neighbours where that saves cost; return whether any were joined."""
        go_on(self.over)
        ends, before = self.ends(), self.fragments.count
        if len(ends) < 2:
            return False
        for here, there in self._pairs(ends, self._rows(ends, min(width, len(ends) - 1))):
            go_on(self.over)
            apart, saved = self._saved(here, there)
            pays = np.flatnonzero(saved > 0)
            order = pays[np.argsort(-saved[pays], kind="stable")]
            self._join(here[order], there[order], apart[order])
        return self.fragments.count < before

    def _rows(self, ends: Int32s, width: int) -> Int32s:
        """Return the ``width`` nearest of each end, as indices into ``ends``."""
        nodes = self.customers[ends]
        if self.problem.matrix is not None:
            return rows_of_matrix(self._both_ways, width, nodes, self.over)
        return Tree(spots(self.problem)[nodes], norm_code(self.problem), self.threads, self.over).rows(width)

    def _pairs(self, ends: Int32s, rows: Int32s) -> Iterable[tuple[Int32s, Int32s]]:
        """Return pairs of near ends, in bands of falling savings; with directions in both, and in one band."""
        if not self.problem.directed:
            least = -self.problem.fixed_cost
            return bands(ends, rows, lambda: self._savings(ends, rows), least, self._is_free, self.over)
        here, there = pairs(ends, np.arange(len(ends), dtype=np.int32).repeat(rows.shape[1]), rows.ravel())
        return [(np.concatenate((here, there)), np.concatenate((there, here)))]

    def _is_free(self, customers: Int32s) -> NDArray[np.bool_]:
        """Return which customers are ends of routes."""
        free: NDArray[np.bool_] = self.fragments.link[customers, 1] == NONE_YET
        return free

    def _savings(self, ends: Int32s, rows: Int32s) -> NDArray[np.float32]:
        """Return what joining each end to each of its ``rows`` saves of travel, about."""
        points, nodes = Points.of(self.problem), self.customers[ends]
        saved = edge_lengths(points, rows, nodes, self.threads, self.over).reshape(rows.shape)
        out, home = (leg[ends].astype(np.float32) for leg in self.legs)
        for at in range(0, len(ends), SHARE // 64):
            go_on(self.over)
            some = slice(at, at + SHARE // 64)
            saved[some] = home[some, None] + out[rows[some]] - saved[some]
        return saved

    def _saved(self, here: Int32s, there: Int32s) -> tuple[Floats, Floats]:
        """Return the distances from ``here`` to ``there``, and what going there directly saves."""
        apart = ways(self.problem, None, self.customers[here], self.customers[there])
        return apart, self.legs[1][here] + self.legs[0][there] - apart + self.problem.fixed_cost

    @cached_property
    def _both_ways(self) -> NDArray[Any]:
        """Distances by which neighbours of a matrix are near: the mean of both directions."""
        matrix = self.problem.matrix
        assert matrix is not None
        return (matrix + matrix.T) / 2 if self.problem.asymmetric else matrix

    def _join(self, here: Int32s, there: Int32s, apart: Floats) -> None:
        ints, reals, maybe = array(np.int32), array(np.float64), array(np.float64, optional=True)
        ints_out, reals_out = array(np.int32, output=True), array(np.float64, output=True)
        maybe_out = array(np.float64, output=True, optional=True)
        join = kernel(
            "savings_join",
            *(ints, ints, c_int64, c_int64, c_int32, c_double, array(np.int32, 2, output=True), ints_out, reals_out),
            *(reals, reals, reals, c_double, reals_out, maybe, maybe, maybe, c_double, maybe_out),
            array(np.int64, output=True),
        )
        joined = np.zeros(1, np.int64)
        second: tuple[Any, ...] = (None, None, None, np.inf, None)
        if self.second is not None:
            apart2 = ways(self.problem, self.second, self.customers[here], self.customers[there])
            second = (*self.legs2, apart2, self.second.searched, self.used2)
        routes = (self.fragments.link, self.fragments.tail, self.load, *self.legs, apart, self.most, self.used, *second)
        for at in range(0, len(here), SHARE):
            go_on(self.over)
            until = min(len(here), at + SHARE)
            join(0, 1, here, there, at, until, self.problem.directed, self.capacity, *routes, joined)
        self.fragments.count -= int(joined[0])
