"""Held and Karp's bound as a linear program: degrees of two, and at least two edges out of every set of cities.

HiGHS solves it over some of the edges and sets. Minimum cuts find sets that the solution violates or, where that gains
little, the point halfway to an inner point: one that violates none, at first a tour. If there are none, the inner point
moves there, and when it is as short as the solution, the sets are complete. Then reduced costs over the complete graph
find edges that would lower the value. Sets and edges are added until there are no more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

import warptour
from warptour.candidates import neighbours
from warptour.model.problem import TSP

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CAPACITY = 100_000_000
"""Flow along an edge of value 1: SciPy's flows are integral."""

ENOUGH = 2 * CAPACITY - CAPACITY // 100_000
"""Flow out of a set that counts as two edges."""

TINY = 1e-7
"""Values and reduced costs, relative to the mean edge, that count as 0."""

PRECISION = 1e-8
"""Relative precision of the value."""

RISE = 1e-5
"""Rise of the value, relative, for which the solution itself is separated, which is quicker."""

KICKS = 10
"""Kicks per city for the tour that is the first inner point."""

BLOCK = 256
"""Rows of the complete graph that are priced together."""

MOST_COLUMNS = 5
"""Edges per city that a pricing adds at most."""


@dataclass
class Relaxation:
    """Edges ``one``-``two`` of the linear program, its sets of cities, each a row of ``sets``, and an inner point."""

    problem: TSP
    one: Ints
    two: Ints
    inner: Floats
    sets: Bools

    def solve(self) -> tuple[float, Floats, Floats, Floats]:
        """Return the value, that of each edge, and the duals of degrees and sets."""
        n, many = self.problem.n, len(self.one)
        lengths = np.asarray(self.problem.distances(self.one, self.two), float)
        edges = np.arange(many)
        degrees = csr_array((np.ones(2 * many), (np.r_[self.one, self.two], np.r_[edges, edges])), shape=(n, many))
        inside = csr_array(self.sets[:, self.one] & self.sets[:, self.two], dtype=float)
        solved = linprog(
            lengths, A_eq=degrees, b_eq=np.full(n, 2.0), A_ub=inside, b_ub=self.sets.sum(axis=1) - 1.0,
            bounds=(0, 1), method="highs",
        )  # fmt: skip
        assert solved.status == 0, solved.message
        return float(solved.fun), solved.x, solved.eqlin.marginals, solved.ineqlin.marginals

    def value(self) -> float:
        """Return the length of ``inner``."""
        return float(self.inner @ self.problem.distances(self.one, self.two))

    def add_edges(self, one: Ints, two: Ints) -> int:
        """Add edges; return how many are new."""
        n, before = self.problem.n, self.one * self.problem.n + self.two
        self.one, self.two = distinct(n, np.r_[self.one, one], np.r_[self.two, two])
        inner = np.zeros(len(self.one))
        inner[np.searchsorted(self.one * n + self.two, before)] = self.inner
        self.inner = inner
        return len(self.one) - len(before)


def held_karp(problem: TSP, nearest: int = 8) -> float:
    """Return the value for a closed tour over the complete graph, for up to a few thousand cities.

    The first linear program has the edges of a tour and those to ``nearest`` neighbours.
    """
    n = problem.n
    tour = warptour.solve(problem, iterations=KICKS * n, threads=1, device="cpu").tour.astype(np.int64)
    near = neighbours(problem, min(nearest, n - 1), nearest // 4).astype(np.int64)
    ends = tour, np.roll(tour, -1)
    relaxed = Relaxation(problem, *distinct(n, *ends), np.ones(n), np.empty((0, n), bool))
    relaxed.add_edges(np.repeat(np.arange(n), near.shape[1]), near.ravel())
    before = -np.inf
    while True:
        value, x, degrees, sets = relaxed.solve()
        share = 1.0 if value - before > RISE * abs(value) else 0.5
        found: list[Bools] = []
        while not found and relaxed.value() - value > PRECISION * abs(value):
            between = share * x + (1 - share) * relaxed.inner
            found = violated(n, relaxed.one, relaxed.two, between)
            if not found:
                relaxed.inner = between
        before = value
        if found:
            relaxed.sets = np.vstack([relaxed.sets, *found])
        elif not relaxed.add_edges(*priced(problem, degrees, relaxed.sets[sets < 0], sets[sets < 0])):
            return value


def distinct(n: int, one: Ints, two: Ints) -> tuple[Ints, Ints]:
    """Return each edge once, in order."""
    codes = np.unique(np.minimum(one, two) * n + np.maximum(one, two))
    return codes // n, codes % n


def priced(problem: TSP, degrees: Floats, sets: Bools, duals: Floats) -> tuple[Ints, Ints]:
    """Return edges of the complete graph with negative reduced costs, those of each city that are lowest."""
    n = problem.n
    members = csr_array(sets.T, dtype=float)
    weighed = csc_array(members * duals[None, :]).T
    every = np.arange(n)
    limit = -TINY * abs(degrees).mean()
    rows, columns = [], []
    for first in range(0, n, BLOCK):
        block = every[first : first + BLOCK]
        costs = np.asarray(problem.distances(block[:, None], every[None, :]), float)
        costs -= degrees[block][:, None] + degrees
        costs -= (members[block] @ weighed).toarray()
        costs[np.arange(len(block)), block] = np.inf
        order = np.argsort(costs, axis=1)[:, :MOST_COLUMNS]
        low = np.take_along_axis(costs, order, axis=1) < limit
        rows.append(np.repeat(block, low.sum(axis=1)))
        columns.append(order[low])
    return np.concatenate(rows), np.concatenate(columns)


def violated(n: int, one: Ints, two: Ints, x: Floats) -> list[Bools]:
    """Return sets of at most n / 2 cities that fewer than two edges leave: components, or else minimum cuts."""
    used = x > TINY
    one, two, x = one[used], two[used], x[used]
    count, label = _components(n, one, two)
    if count > 1:
        return [label == part for part in range(count) if (label == part).sum() <= n - 3]
    label, graph = _shrunk(n, one, two, x)
    count = graph.shape[0]
    found: dict[bytes, Bools] = {}
    for node in range(1, count):
        flow = maximum_flow(graph, 0, node)
        if flow.flow_value < ENOUGH:
            left = (graph - flow.flow).T.tocsr()
            left.eliminate_zeros()
            side = np.zeros(count, bool)
            side[breadth_first_order(left, node, return_predecessors=False)] = True
            cities = side[label]
            cities = ~cities if 2 * cities.sum() > n else cities
            found[cities.tobytes()] = cities
    return list(found.values())


def _components(n: int, one: Ints, two: Ints) -> tuple[int, NDArray[np.int32]]:
    return connected_components(csr_array((np.ones(len(one)), (one, two)), shape=(n, n)), directed=False)


def _shrunk(n: int, one: Ints, two: Ints, x: Floats) -> tuple[NDArray[np.int32], csr_array]:
    """Return the node of each city in a smaller graph with the same violated cuts, and its capacities.

    An edge of value 1 or more at a node of degree two is contracted (Padberg and Rinaldi 1990): with that node on the
    other side, a cut between its ends is no larger.
    """
    label = np.arange(n, dtype=np.int32)
    while True:
        degree = np.bincount(np.r_[one, two], np.r_[x, x], minlength=n)
        heavy = (x > 1 - TINY) & (abs(np.minimum(degree[one], degree[two]) - 2) < 10 * TINY)
        if not heavy.any() or n <= 2:
            break
        # Contract a matching of heavy edges: what they become is looked at again.
        at = np.flatnonzero(heavy)
        best = np.full(n, -1)
        np.maximum.at(best, np.r_[one[at], two[at]], np.r_[at, at])
        at = at[(best[one[at]] == at) & (best[two[at]] == at)]
        n, joined = _components(n, one[at], two[at])
        label = joined[label]
        one, two = joined[one].astype(np.int64), joined[two].astype(np.int64)
        apart = one != two
        merged = csr_array((x[apart], (np.minimum(one, two)[apart], np.maximum(one, two)[apart])), shape=(n, n))
        merged.sum_duplicates()
        rest = merged.tocoo()
        one, two, x = rest.row.astype(np.int64), rest.col.astype(np.int64), rest.data
    flows = np.rint(x * CAPACITY).astype(np.int32)
    return label, csr_array((np.r_[flows, flows], (np.r_[one, two], np.r_[two, one])), shape=(n, n))
