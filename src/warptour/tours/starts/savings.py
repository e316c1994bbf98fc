"""Savings for a tour (Clarke and Wright, 1964): from a hub, join fragments where that saves most.

    hub-i-hub  hub-j-hub  ->  hub-i-j-hub        saves d(hub,i) + d(hub,j) - d(i,j)

Every join is the best of all, by unrounded distances.
"""

from __future__ import annotations

from ctypes import c_int32
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, ROUNDINGS, Points
from warptour.model.problem import TSP
from warptour.tours.starts.chains import arrange_tour
from warptour.tours.starts.fragments import Fragments
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]

SEARCHES = 1024
"""Searches of the tree per native call: about 20 ms."""

DISTANCES = 1 << 22
"""Distances computed per native call: about 20 ms."""


def tsp_savings(task: StartTask) -> Int32s:
    """Return a savings tour, about 12% above the Held-Karp bound; it is deterministic.

    The hub is city 0. Chains of fixed edges are moved together afterwards, and an open path is cut out of the tour.
    """
    problem = task.problem
    if problem.n < 4:
        return arrange_tour(problem, np.arange(problem.n, dtype=np.int32))
    others = np.arange(1, problem.n, dtype=np.int32)
    flat = problem.rounded("none")
    leg = flat.distances(np.zeros(1, np.int32), others).astype(np.float64)
    if problem.matrix is None:
        tree = Tree(spots(problem)[others], norm_code(problem), task.threads, task.over)
        order, leg = tree.ids, leg[tree.ids]
        far = _far(tree, leg)
        left = tree.counts(np.ones(tree.count, np.bool_))
        shape = (tree.spots, tree.boxes, tree.count, tree.dimensions, tree.norm, tree.levels)
        share = SEARCHES
    else:
        order, far, left = others - 1, np.empty(0), np.empty(0, np.int32)
        shape = (np.empty((0, 2)), np.empty((0, 2)), len(others), 2, 0, -1)
        share = max(1, DISTANCES // problem.n)
    fragments = _join(problem, others[order], leg, shape, far, left, share, task.over)
    path = others[order][fragments.in_order()[0]]
    return arrange_tour(problem, np.concatenate([np.zeros(1, np.int32), path]))


def _join(
    problem: TSP,
    cities: Int32s,
    leg: Floats,
    shape: tuple[Any, ...],
    far: Floats,
    left: Int32s,
    share: int,
    over: Over | None,
) -> Fragments:
    """Return the one fragment that is left in the end."""
    fragments = Fragments(len(cities))
    points = replace(Points.of(problem), rounding=ROUNDINGS["none"])
    key = -2 * leg if len(far) else np.full(len(leg), -np.inf)  # the triangle inequality bounds a saving
    heap = np.argsort(key, kind="stable").astype(np.int32)  # a sorted array is a heap
    state = np.array([len(cities), len(cities)], np.int32)
    ints, reals, places = array(np.int32), array(np.float64), array(np.float64, 2)
    out, rows = array(np.int32, output=True), array(np.int32, 2, output=True)
    join = kernel(
        "savings_tree",
        *(*POINTS_TYPES, places, places, *(c_int32,) * 4, ints, reals, reals),
        *(out, rows, out, out, out, array(np.float64, output=True), out, c_int32),
    )
    partner = np.full(len(cities), -1, np.int32)
    while state[1] > 1:
        go_on(over)
        links = (fragments.link, fragments.tail, heap, partner, key, state)
        join(0, 1, *points.arguments, *shape, cities, leg, far, left, *links, share)
    return fragments


def _far(tree: Tree, leg: Floats) -> Floats:
    """Return for each node of the tree the maximum of ``leg`` (in tree order) below it."""
    leaves = 1 << tree.levels
    far = np.zeros(2 * leaves)
    far[leaves:] = np.maximum.reduceat(leg, (np.arange(leaves, dtype=np.int64) * tree.count) >> tree.levels)
    for level in range(tree.levels - 1, -1, -1):
        far[1 << level : 2 << level] = far[2 << level : 4 << level].reshape(-1, 2).max(axis=1)
    return far
