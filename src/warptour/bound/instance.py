"""A TSP as 1-trees see it: a hub, and all other nodes with exact scaled costs.

A 1-tree is a spanning tree of all nodes but one, the hub, and two edges of the hub; every tour is one. In a closed tour
the hub is a city; in an open path it is a dummy node at distance 0 from all cities, whose two edges lead to the ends.

Costs are scaled integers: ``floor(length * scale)`` plus integral penalties, below 2**53 and hence exact in float64.
"""

from __future__ import annotations

import math
from ctypes import c_double, c_int32, c_int64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import ROUNDINGS
from warptour.model.metric import EARTH_RADIUS_M, GEO_RADIUS_KM
from warptour.model.problem import TSP
from warptour.model.spread import extent

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

LARGEST_BITS = 50
"""Scaled lengths and penalties are at most 2 to this (lengths beyond it stay unscaled, below 2**52)."""

WHOLE_BITS = 20
"""Binary places of penalties for integral distances; more would not raise a rounded bound."""

HIGHEST_BITS = 900
"""Maximum exponent of the scale, for tiny floats."""

BLUR = 2.0**-50
"""Error of half a chord between unit vectors, per radian of the largest angle."""

LENGTHS_TYPES = (c_int32, *(c_double,) * 5)
"""ctypes of ``LENGTHS_PARAMETERS`` in ``bound_links.c``."""

SHARE = 1 << 16
"""Edges measured per native call: about a millisecond."""


class BoundInstance:
    """Nodes of a TSP without the hub, numbered in the order of a k-d tree, or as in the matrix.

    ``problem``: with at least three nodes, the dummy of an open path included
    ``count``: number of nodes without the hub
    ``city``: (count,): city of each node
    ``hub``: city of the hub; None for the dummy of an open path
    ``bits``: binary logarithm of the scale
    ``fixed``: (m, 2): fixed edges between nodes
    ``must``: nodes joined to the hub by fixed edges, or which end the path; up to two
    ``tree``: k-d tree over the nodes; None for a matrix
    """

    def __init__(self, problem: TSP, threads: int | None = None, over: Over | None = None) -> None:
        self.problem = problem
        self.threads = threads
        self.over = over
        self.hub = None if problem.open else 0
        self.count = problem.n - (not problem.open)
        self.bits = _scale_bits(problem)
        self.city: Ints = np.arange(not problem.open, problem.n, dtype=np.int32)
        self.tree: Tree | None = None
        if problem.matrix is None:
            where = spots(problem)
            self.tree = Tree(where[self.city], norm_code(problem), threads, over)
            self.city = self.city[self.tree.ids]
            self._spots = np.vstack((self.tree.spots, where[:1]))  # the last is the hub's, if it is a city
        rank = np.full(problem.n, -1, np.int32)
        rank[self.city] = np.arange(self.count, dtype=np.int32)
        self.rank = rank
        edges = rank[problem.fixed_edges]
        at_hub = (edges < 0).any(axis=1)
        self.fixed: Ints = np.ascontiguousarray(edges[~at_hub])
        ends = (problem.first, problem.last)
        self.must = [*edges[at_hub].max(axis=1).tolist(), *(int(rank[end]) for end in ends if end is not None)]

    @property
    def scale(self) -> float:
        """Scaled cost of one unit of length."""
        return 2.0**self.bits

    def largest_bits(self) -> int:
        """Return the binary logarithm of a bound on scaled lengths."""
        return math.frexp(extent(self.problem))[1] + self.bits

    @property
    def length_arguments(self) -> tuple[Any, ...]:
        """Arguments for ``LENGTHS_PARAMETERS``."""
        metric = self.problem.metric
        blur = squared = 0.0
        if not metric.planar:
            blur = BLUR * max(1.0, float(np.abs(np.radians(self.problem.points)).max()))
            squared = 4 * blur if metric.norm == "geo" else 0.0  # TSPLIB's arc cosine loses half the digits
        radius = GEO_RADIUS_KM if metric.norm == "geo" else EARTH_RADIUS_M
        return ROUNDINGS[metric.rounding], metric.divisor, radius, blur, squared, self.scale

    def lengths(self, one: Ints, two: Ints) -> Floats:
        """Return the scaled lengths of edges between nodes; ``count`` stands for the hub, if it is a city."""
        out = np.empty(len(one))
        if self.tree is None:
            city = np.append(self.city, np.int32(0))
            exact = np.asarray(self.problem.distances(city[one], city[two]), np.float64)
            return np.asarray(np.floor(exact * self.scale))
        ints = array(np.int32)
        types = (array(np.float64, 2), c_int32, c_int32, *LENGTHS_TYPES)
        call = kernel("bound_lengths", *types, c_int64, ints, ints, array(np.float64, output=True))
        shape = (self._spots, self.tree.dimensions, self.tree.norm)
        groups = -(-len(one) // SHARE)
        ends = np.ascontiguousarray(one, np.int32), np.ascontiguousarray(two, np.int32)
        run_groups(call, groups, self.threads, *shape, *self.length_arguments, len(one), *ends, out, over=self.over)
        return out

    def spokes(self) -> Floats:
        """Return the scaled length from the hub to each node."""
        if self.hub is None:
            return np.zeros(self.count)
        return self.lengths(np.arange(self.count, dtype=np.int32), np.full(self.count, self.count, np.int32))

    def candidates(self, nearest: int, quadrant: int) -> tuple[Ints, Ints]:
        """Return the ends of the edges between near nodes, each once and sorted, without fixed edges."""
        rows = neighbours(self.problem, nearest, quadrant, self.threads, self.over)
        near = self.rank[rows[self.city]]
        one = np.repeat(np.arange(self.count, dtype=np.int32), near.shape[1])
        return self.distinct(one, near.ravel())

    def distinct(self, one: Ints, two: Ints) -> tuple[Ints, Ints]:
        """Return edges between nodes sorted and each once, without fixed ones and those of the hub."""
        inside = (one >= 0) & (two >= 0)
        keys = np.sort(self._keys(one[inside], two[inside]))  # np.unique takes several times as long
        keys = keys[np.diff(keys, prepend=-1) > 0]
        if len(self.fixed):
            keys = np.setdiff1d(keys, self._keys(*self.fixed.T), assume_unique=True)
        return (keys // self.count).astype(np.int32), (keys % self.count).astype(np.int32)

    def _keys(self, one: Ints, two: Ints) -> NDArray[np.int64]:
        return np.minimum(one, two).astype(np.int64) * self.count + np.maximum(one, two)


def _scale_bits(problem: TSP) -> int:
    """Return the binary logarithm of the scale: as many places as lengths and penalties have room for."""
    longest = extent(problem)
    room = HIGHEST_BITS if longest == 0 else LARGEST_BITS - math.frexp(longest)[1]
    return max(0, min(WHOLE_BITS if problem.metric.integral else HIGHEST_BITS, room))


def components(n: int, one: Ints, two: Ints) -> Ints:
    """Return the number of each node's component."""
    parent = list(range(n))
    for a, b in zip(one.tolist(), two.tolist(), strict=True):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        parent[max(a, b)] = min(a, b)
    for node in range(n):
        parent[node] = parent[parent[node]]  # a root precedes its component
    return np.unique(parent, return_inverse=True)[1].astype(np.int32)
