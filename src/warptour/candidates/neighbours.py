"""Neighbour lists: for each city the few others that a good tour may connect it to."""

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
"""Matrix entries processed per chunk: about 30 ms."""


def neighbours(
    problem: Problem, nearest: int = 8, quadrant: int = 0, threads: int | None = None, over: Over | None = None
) -> NDArray[np.int32]:
    """Return the neighbour list of each node.

    ``problem``: nodes and metric; a depot is a node like the others
    ``nearest``: number of nearest nodes
    ``quadrant``: Number of nodes taken first from each quadrant around a node (all of it, if fewer), so that clusters
        stay connected; ignored for matrices. Quadrants are defined by east and north for latitudes and longitudes, and
        by the first two axes in space.
    ``threads``: None for all CPUs
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`

    Returns
    -------
    array of int32, shape (n, K), K = min(n - 1, max(nearest, 4 * quadrant))
        Row i holds K distinct nodes other than i, by ascending distance in the problem's metric, ties by index. The
        choice of the nearest is made before rounding. Coincident nodes are treated as described in
        :mod:`warptour.candidates.places`: a row has two nodes of its own location and one of each other location,
        unless there are too few locations to fill it.
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
    """Return the rows, unsorted, and a spatial order of the nodes if one is available."""
    at, norm = spots(problem), norm_code(problem)
    places = shared_places(at, over)
    go_on(over)
    if places is None:
        tree = Tree(at, norm, threads, over)
        return tree.rows(width, quadrant), tree.ids
    tree = Tree(at.take(places.front(), axis=0), norm, threads, over)
    reach = min(width, places.count - 1)
    return rows_of_cities(places, tree.rows(reach, quadrant), width, over), None


def _sort_rows(
    problem: Problem, rows: NDArray[np.int32], visit: NDArray[np.int32] | None, threads: int | None, over: Over | None
) -> None:
    """Sort each row in place, by exact distance and then by index."""
    n, width = rows.shape
    groups = min(n, -(-n * max(1, width * width >> 8) // (1 << 12)))
    reals, ints = array(np.float64, 2, output=True), array(np.int32, 2, output=True)
    call = kernel("rows_sort", *POINTS_TYPES, c_int32, array(np.int32, optional=True), reals, ints)
    points = Points.of(problem)  # must outlive the call: its arguments are raw addresses
    run_groups(call, groups, threads, *points.arguments, width, visit, np.empty((groups, width)), rows, over=over)


def rows_of_matrix(
    matrix: NDArray[Any], width: int, nodes: NDArray[np.int32] | None = None, over: Over | None = None
) -> NDArray[np.int32]:
    """Return the ``width`` nearest of each node, unsorted; with ``nodes``, among these only, as indices into them.

    Ties go to the nodes that follow cyclically by index. If all rows named the same few nodes, the lists of a matrix
    with equal distances would contain almost no distinct edges.
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
    """Return the columns below ``last`` in each row, filled up with columns equal to it, cyclically after ``own``."""
    count = part.shape[1]
    columns = (own[:, None] + np.arange(1, count)) % count
    turned = np.take_along_axis(part, columns, axis=1)
    below, equal = turned < last[:, None], turned == last[:, None]
    room = width - below.sum(axis=1, keepdims=True)
    kept = below | (equal & (np.cumsum(equal, axis=1) <= room))
    following: NDArray[np.int64] = columns[kept].reshape(len(part), width)
    return following
