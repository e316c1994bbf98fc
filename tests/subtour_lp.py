"""Held and Karp's bound as a linear program: degrees of two, and at least two edges out of every set of cities."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

from warptour.model.problem import TSP

CAPACITY = 1_000_000
"""Flow along an edge of value 1: SciPy's flows are integral."""

ENOUGH = int(1.9999 * CAPACITY)
"""Flow out of a set that counts as two edges."""


def held_karp(problem: TSP) -> float:
    """Return the value for a closed tour over the complete graph, for up to a few hundred cities."""
    n = problem.n
    one, two = np.triu_indices(n, 1)
    lengths = np.asarray(problem.distances(one, two), float)
    edges = np.arange(len(one))
    degrees = csr_array((np.ones(2 * len(one)), (np.r_[one, two], np.r_[edges, edges])), shape=(n, len(one)))
    cuts: list[csr_array] = []
    while True:
        rows = {"A_ub": -vstack(cuts), "b_ub": np.full(len(cuts), -2.0)} if cuts else {}
        solved = linprog(lengths, A_eq=degrees, b_eq=np.full(n, 2.0), bounds=(0, 1), method="highs", **rows)
        assert solved.status == 0, solved.message
        sides = violated(n, one, two, solved.x)
        if not sides:
            return float(solved.fun)
        cuts += [csr_array((side[one] != side[two]).astype(float)[None, :]) for side in sides]


def violated(n: int, one: np.ndarray, two: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    """Return sets of cities that fewer than two edges leave: components, or else minimum cuts."""
    used = x > 1e-6
    ends, flows = (one[used], two[used]), np.rint(x[used] * CAPACITY).astype(np.int32)
    graph = csr_array((np.r_[flows, flows], (np.concatenate(ends), np.concatenate(ends[::-1]))), shape=(n, n))
    count, label = connected_components(graph, directed=False)
    if count > 1:
        return [label == part for part in range(count)]
    found: dict[bytes, np.ndarray] = {}
    for city in range(1, n):
        flow = maximum_flow(graph, 0, city)
        if flow.flow_value < ENOUGH:
            left = graph - flow.flow
            left.eliminate_zeros()
            side = np.zeros(n, bool)
            side[breadth_first_order(left, 0, return_predecessors=False)] = True
            found[side.tobytes()] = side
    return list(found.values())
