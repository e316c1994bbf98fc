"""Tours that grow city by city, and minimum spanning trees: the wrapper of ``insert_tree.c`` and ``insert_table.c``.

Both make the same choices up to ties. The first searches a k-d tree, the second computes all distances.
"""

from __future__ import annotations

from ctypes import c_int32
from dataclasses import replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.kernels.points import NORMS, POINTS_TYPES, ROUNDINGS, Points
from warptour.model.problem import TSP

Int32s = NDArray[np.int32]

SEARCHES = 2048
"""Searches of the tree per native call: about 20 ms."""

DISTANCES = 1 << 22
"""Distances computed per native call: about 20 ms."""

OUTSIDE = -1


class Rule(IntEnum):
    """Which city enters next: ``SPAN`` for a spanning tree, the others for the insertion of the same name."""

    SPAN = 0
    NEAREST = 1
    FARTHEST = 2
    CHEAPEST = 3


def grow(problem: TSP, rule: Rule, seed: Int32s, threads: int | None = None, over: Over | None = None) -> Int32s:
    """Return the successor of each city in the tour, or its parent in the spanning tree, -1 for the root.

    Distances are not rounded.

    ``problem``: fixed edges and ends are ignored
    ``seed``: the first tour, at least one city; for a spanning tree, its root
    ``threads``: None for all CPUs; they build the k-d tree. The tour does not depend on it.
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    if problem.matrix is not None:
        return grow_by_table(problem, rule, seed, over)
    tree = Tree(spots(problem), norm_code(problem), threads, over)
    spot_of = np.empty(problem.n, np.int32)
    spot_of[tree.ids] = np.arange(problem.n, dtype=np.int32)
    after = _grow_in_tree(tree, rule, spot_of[seed], over)
    result = np.empty(problem.n, np.int32)
    result[tree.ids] = np.where(after == OUTSIDE, OUTSIDE, tree.ids[after])
    return result


def _grow_in_tree(tree: Tree, rule: Rule, seed: Int32s, over: Over | None) -> Int32s:
    n = tree.count
    inside = np.zeros(n, np.bool_)
    inside[seed] = True
    after, before = np.full(n, OUTSIDE, np.int32), np.zeros(n, np.int32)
    hop, reach = np.zeros(n), np.full(2 << tree.levels, -1.0)
    if rule is not Rule.SPAN:
        after[seed], before[seed] = np.roll(seed, -1), np.roll(seed, 1)
        hop[seed] = _apart(tree, seed, after[seed])
        reach = _reach(tree, seed, np.maximum(hop[seed], hop[before[seed]]))
    visible = inside if rule is Rule.FARTHEST else ~inside
    waiting = np.flatnonzero(~inside if rule is Rule.FARTHEST else inside).astype(np.int32)
    heap = np.zeros(n, np.int32)
    heap[: len(waiting)] = waiting
    state = np.array([len(waiting), n - len(seed)], np.int32)
    ints, reals, places = array(np.int32, output=True), array(np.float64, output=True), array(np.float64, 2)
    types: tuple[Any, ...] = (places, places, *(c_int32,) * 5, *(ints,) * 4, reals, reals, ints, ints, reals, ints)
    arguments = (
        *(tree.spots, tree.boxes, n, tree.dimensions, tree.norm, tree.levels, int(rule)),
        *(tree.counts(visible), (~visible).astype(np.int32), after, before, hop, reach),
        *(heap, np.zeros(n, np.int32), np.zeros(n), state),
    )
    if state[1] == 0:
        return after
    for at in range(0, len(waiting), SEARCHES):
        go_on(over)
        kernel("insert_begin", *types, c_int32, c_int32)(0, 1, *arguments, at, min(len(waiting), at + SEARCHES))
    while state[1]:
        go_on(over)
        kernel("insert_tree", *types, c_int32)(0, 1, *arguments, SEARCHES)
    return after


def grow_by_table(problem: TSP, rule: Rule, seed: Int32s, over: Over | None = None) -> Int32s:
    """Return the same as :func:`grow`, from all distances."""
    n = problem.n
    points = replace(Points.of(problem), rounding=ROUNDINGS["none"])
    after, tour = np.full(n, OUTSIDE, np.int32), np.zeros(n, np.int32)
    after[seed], tour[: len(seed)] = np.roll(seed, -1), seed
    state, key, partner = np.array([len(seed)], np.int32), np.zeros(n), np.zeros(n, np.int32)
    ints, out, reals = array(np.int32), array(np.int32, output=True), array(np.float64, output=True)
    begin = kernel("insert_table_begin", *POINTS_TYPES, *(c_int32,) * 3, ints, ints, ints, reals, out)
    share = max(1, DISTANCES // len(seed))
    for at in range(0, n, share):
        go_on(over)
        begin(0, 1, *points.arguments, int(rule), at, min(n, at + share), tour, state, after, key, partner)
    step = kernel("insert_table", *POINTS_TYPES, *(c_int32,) * 2, out, out, out, reals, out)
    share = max(1, DISTANCES // (4 * n))
    while state[0] < n:
        go_on(over)
        step(0, 1, *points.arguments, int(rule), share, tour, state, after, key, partner)
    if rule is Rule.SPAN:
        after[seed] = OUTSIDE
    return after


def in_order(after: Int32s) -> Int32s:
    """Return the cities of a closed tour, given the successor of each, from city 0 on."""
    order = np.empty(len(after), np.int32)
    walk = kernel("insert_walk", array(np.int32), c_int32, c_int32, array(np.int32, output=True))
    walk(0, 1, after, 0, len(after), order)
    return order


def _apart(tree: Tree, a: Int32s, b: Int32s) -> NDArray[np.float64]:
    """Return the distances of points, in the norm of the tree."""
    gap = np.abs(tree.spots[a] - tree.spots[b])
    if tree.norm == NORMS["manhattan"]:
        return np.asarray(gap.sum(axis=1))
    if tree.norm == NORMS["maximum"]:
        return np.asarray(gap.max(axis=1))
    chord: NDArray[np.float64] = np.sqrt((gap * gap).sum(axis=1))
    return np.asarray(2 * np.arcsin(np.minimum(chord / 2, 1))) if tree.norm == NORMS["great_circle"] else chord


def _reach(tree: Tree, seed: Int32s, longest: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each node of the tree the maximum of ``longest`` over the points of ``seed`` below it, or -1."""
    leaves = 1 << tree.levels
    of_spots = np.full(tree.count, -1.0)
    of_spots[seed] = longest
    reach = np.full(2 * leaves, -1.0)
    first = (np.arange(leaves, dtype=np.int64) * tree.count) >> tree.levels
    reach[leaves:] = np.maximum.reduceat(of_spots, first)
    for level in range(tree.levels - 1, -1, -1):
        reach[1 << level : 2 << level] = reach[2 << level : 4 << level].reshape(-1, 2).max(axis=1)
    return reach
