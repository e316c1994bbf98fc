"""Neighbour lists: for each city the few others that a good tour may join it to."""

from __future__ import annotations

from ctypes import c_int32
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.places import rows_of_cities, shared_places
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, go_on, run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.errors import UsageError
from warptour.model.problem import Problem

CELLS = 1 << 19
"""Entries of a matrix that are looked at together, for about 30 ms."""


def neighbours(
    problem: Problem, nearest: int = 8, quadrant: int = 0, threads: int | None = None, over: Over | None = None
) -> NDArray[np.int32]:
    """Return a list of neighbours for each node.

    Parameters
    ----------
    problem : Problem
        Nodes and metric; a depot is a node like the others.
    nearest : int
        How many of the nearest nodes.
    quadrant : int
        How many from each quadrant around a node come before the nearest (all there are, if fewer), so that clusters
        stay connected; not for matrices. East and north make the quadrants of latitudes and longitudes, the first
        two axes those in space.
    threads : int or None
        None for all CPUs.
    over : callable, optional
        Ends the work, with :class:`~warptour.kernels.groups.Unfinished`.

    Returns
    -------
    array of int32, shape (n, K), K = min(n - 1, max(nearest, 4 * quadrant))
        Row i holds K different nodes and not i, by ascending distance in the problem's metric, equal ones by index.
        Which ones are nearest is decided before rounding. Nodes in the same place count as explained in
        :mod:`warptour.candidates.places`: a row has two of its own place, and one of each other place, unless there
        are too few places to fill it.
    """
    if nearest < 0 or quadrant < 0:
        raise UsageError(
            f"a neighbour list needs counts of at least 0, not {nearest} nearest and {quadrant} a quadrant"
        )
    n = problem.n
    matrix = problem.matrix
    width = min(n - 1, nearest if matrix is not None else max(nearest, 4 * quadrant))
    if width == 0:
        return np.empty((n, 0), np.int32)
    visit = None
    if matrix is not None:
        rows = rows_of_matrix(matrix, width, over=over)
    else:
        rows, visit = _rows_in_space(problem, width, quadrant, threads, over)
    _sort_rows(problem, rows, visit, threads, over)
    return rows


def _rows_in_space(
    problem: Problem, width: int, quadrant: int, threads: int | None, over: Over | None
) -> tuple[NDArray[np.int32], NDArray[np.int32] | None]:
    """Return the rows, unsorted, and an order of the nodes in space if there is one at hand."""
    at, norm = spots(problem), norm_code(problem)
    places = shared_places(at, over)
    go_on(over)
    if places is None:
        tree = Tree(at, norm, threads, over)
        return tree.rows(width, quadrant), tree.ids
    tree = Tree(at[places.front()], norm, threads, over)
    reach = min(width, places.count - 1)
    return rows_of_cities(places, tree.rows(reach, quadrant), width), None


def _sort_rows(
    problem: Problem, rows: NDArray[np.int32], visit: NDArray[np.int32] | None, threads: int | None, over: Over | None
) -> None:
    """Sort each row in place, by exact distance and then by index."""
    n, width = rows.shape
    groups = min(n, -(-n * max(1, width * width >> 8) // (1 << 16)))
    reals, ints = array(np.float64, 2, output=True), array(np.int32, 2, output=True)
    call = kernel("rows_sort", *POINTS_TYPES, c_int32, array(np.int32, optional=True), reals, ints)
    points = Points.of(problem)  # its arguments are bare addresses: it must outlive the call
    run_groups(call, groups, threads, *points.arguments, width, visit, np.empty((groups, width)), rows, over=over)


def rows_of_matrix(
    matrix: NDArray[Any], width: int, nodes: NDArray[np.int32] | None = None, over: Over | None = None
) -> NDArray[np.int32]:
    """Return the ``width`` nearest of each node, in any order; with ``nodes``, among those and by index into them.

    Of equally near ones those that follow the node by index, around the end: were it the same few in every row, the
    rows of a matrix whose distances are all equal would name next to no edges.
    """
    count = len(matrix) if nodes is None else len(nodes)
    rows = np.empty((count, width), np.int32)
    chunk = max(1, CELLS // count)
    for at in range(0, count, chunk):
        go_on(over)
        some = matrix[at : at + chunk] if nodes is None else matrix[np.ix_(nodes[at : at + chunk], nodes)]
        part = np.array(some, np.float64)
        own = np.arange(at, at + len(part))
        part[own - at, own] = np.inf
        nearest = np.argpartition(part, width - 1, axis=1)[:, :width]
        last = np.take_along_axis(part, nearest, axis=1).max(axis=1)
        tied = np.flatnonzero((part <= last[:, None]).sum(axis=1) > width)
        nearest[tied] = _following(part[tied], last[tied], own[tied], width)
        rows[at : at + chunk] = nearest
    return rows


def _following(
    part: NDArray[np.float64], last: NDArray[np.float64], own: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """Return the columns below ``last`` in each row, and of those equal to it as many as follow ``own`` first."""
    count = part.shape[1]
    columns = (own[:, None] + np.arange(1, count)) % count
    turned = np.take_along_axis(part, columns, axis=1)
    below, equal = turned < last[:, None], turned == last[:, None]
    room = width - below.sum(axis=1, keepdims=True)
    kept = below | (equal & (np.cumsum(equal, axis=1) <= room))
    following: NDArray[np.int64] = columns[kept].reshape(len(part), width)
    return following
