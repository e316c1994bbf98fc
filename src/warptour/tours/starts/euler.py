"""Tours from Euler circuits: walk every edge of a connected graph with even degrees once, then take shortcuts."""

from __future__ import annotations

from ctypes import c_int32
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, ROUNDINGS, Points
from warptour.model.problem import TSP

Int32s = NDArray[np.int32]


def euler_circuit(n: int, edges: Int32s) -> Int32s:
    """Return the cities along a closed walk over all ``edges``, each once, from city 0; the last step is implied.

    ``n``: number of cities; all of them must be connected, and the degree of each even
    ``edges``: (m, 2): an edge may occur several times
    """
    many = len(edges)
    if many == 0:
        return np.zeros(1, np.int32)
    ends = np.ascontiguousarray(edges.T, np.int32).ravel()
    order = np.argsort(ends, kind="stable")
    to = np.roll(ends, many)[order]
    start = np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=n)))).astype(np.int32)
    ints, out = array(np.int32), array(np.int32, output=True)
    circuit = np.empty(many + 1, np.int32)
    kernel("euler_walk", ints, ints, ints, c_int32, out, out, out, out)(
        *(0, 1, start, to, (order % many).astype(np.int32), many),
        *(start.copy(), np.zeros(many, np.int32), np.empty(many + 1, np.int32), circuit),
    )
    return circuit[:-1]


def shortcut(problem: TSP, circuit: Int32s) -> Int32s:
    """Return the tour that is left if all visits of a city but one are left out, the largest saving first."""
    visits = np.bincount(circuit, minlength=problem.n).astype(np.int32)
    heap = np.flatnonzero(visits[circuit] > 1).astype(np.int32)
    points = replace(Points.of(problem), rounding=ROUNDINGS["none"])
    tour, many = np.empty(problem.n, np.int32), len(circuit)
    ints, out = array(np.int32), array(np.int32, output=True)
    types = (*POINTS_TYPES, ints, c_int32, out, out, out, out, c_int32, array(np.float64, output=True), out, c_int32)
    kernel("euler_shorten", *types)(
        *(0, 1, *points.arguments, circuit, many, visits, np.empty(many, np.int32), np.empty(many, np.int32)),
        *(heap, len(heap), np.empty(many), tour, problem.n),
    )
    return tour
