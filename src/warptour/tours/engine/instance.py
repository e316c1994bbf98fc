"""The renumbered instance that all climbers on one problem share: coordinates, neighbour lists, fixed edges.

Cities of larger instances are renumbered along a space-filling curve, so that near cities are near in memory; tours are
translated on entry and exit. An open path becomes a closed tour through an additional closing node at distance 0 from
all others; fixed edges join it to a given first and last city.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours, space_order
from warptour.kernels.groups import Over, go_on, run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import tolerance

Ints = NDArray[np.int32]

RENUMBERED = 100
"""Minimum number of cities for renumbering; from here on locality in memory outweighs its cost."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem in the form that climbers use."""

    problem: TSP
    points: Points
    nodes: int  # number of cities, plus one for the closing node of an open path
    near: Ints  # (nodes, width): neighbours of each node, nearest first; -1 ends a list
    reaches: NDArray[np.float64]  # (nodes, width): distances to these neighbours
    fixed: Ints | None  # (nodes, 2): nodes joined to each node by fixed edges, or -1
    # order, rank: (n,): the city of each node number, and the inverse; None if nodes are numbered as in the problem
    order: Ints | None
    rank: Ints | None
    epsilon: float  # absolute part of the tolerance; a gain must exceed it in addition to the error of its edges

    @classmethod
    def of(
        cls,
        problem: TSP,
        lists: Ints | None = None,
        *,
        order: Ints | None = None,
        nearest: int = 8,
        threads: int = 1,
        over: Over | None = None,
    ) -> Instance:
        """Return the instance of ``problem`` with neighbour ``lists``, shape (n, K).

        With ``order``, from :func:`along_curve`, the lists are those of the renumbered problem. By default lists of the
        ``nearest`` nearest cities are computed. Raises :class:`~warptour.kernels.groups.Unfinished` once ``over()``.
        """
        if lists is None:
            lists = neighbours(problem, nearest, threads=threads, over=over)
        near = np.ascontiguousarray(lists, np.int32)
        points = Points.of(problem, closing=problem.open)
        rank, listed = None, order is None
        if order is None and problem.n >= RENUMBERED and problem.matrix is None:
            order = space_order(problem.points, threads=threads).astype(np.int32)
        if order is not None:
            rank = _inverse(order)
            go_on(over)
            columns = {name: axis.take(order) for name in "xyz" if (axis := getattr(points, name)).size}
            points = replace(points, **columns)
            near = rank[near[order]] if listed else near
        nodes = problem.n
        if problem.open:
            nodes += 1
            near = np.column_stack((np.full(problem.n, problem.n, np.int32), near))
            near = np.vstack((near, np.full((1, near.shape[1]), -1, np.int32)))
        near = np.ascontiguousarray(near)
        go_on(over)
        reaches = _reaches(points, near, threads, over)
        epsilon = tolerance(problem).absolute
        return cls(problem, points, nodes, near, reaches, _fixed(problem, rank), order, rank, epsilon)

    def length(self, inner: Ints) -> float:
        """Return the length of a closed tour in this numbering."""
        edges = np.empty((len(inner), 1))
        following = np.roll(inner, -1).reshape(-1, 1)
        _distances(self.points)(0, 1, *self.points.arguments, len(inner), 1, inner, following, edges)
        return float(edges.sum())

    def stretched(self, edges: Ints) -> NDArray[np.bool_]:
        """Return which edges, shape (m, 2), are longer than those to all candidates of their nodes."""
        lengths = np.empty((len(edges), 1))
        froms, others = edges[:, 0].copy(), edges[:, 1:].copy()
        _distances(self.points)(0, 1, *self.points.arguments, len(edges), 1, froms, others, lengths)
        longer: NDArray[np.bool_] = lengths[:, 0] > self.reaches[edges].max(axis=(1, 2))
        return longer

    def enter(self, tour: Ints) -> Ints:
        """Return a tour of the problem as a closed tour in the instance's numbering."""
        inner = np.asarray(tour, np.int32)
        inner = inner.copy() if self.rank is None else self.rank[inner]
        return np.append(inner, np.int32(self.problem.n)) if self.problem.open else inner

    def leave(self, inner: Ints) -> Ints:
        """Return a closed tour in the instance's numbering as a tour of the problem; the inverse of :meth:`enter`."""
        problem = self.problem
        if problem.open:
            at = int(np.flatnonzero(inner == problem.n)[0])
            inner = np.concatenate((inner[at + 1 :], inner[:at]))
        tour = inner.copy() if self.order is None else self.order[inner]
        backward = problem.open and (
            (problem.first is not None and tour[0] != problem.first)
            or (problem.last is not None and tour[-1] != problem.last)
        )
        return np.ascontiguousarray(tour[::-1]) if backward else tour


def along_curve(problem: TSP, threads: int = 1) -> tuple[TSP, Ints]:
    """Return ``problem`` with its cities numbered along a space-filling curve, and the city of each number."""
    order = space_order(problem.points, threads=threads).astype(np.int32)
    rank = _inverse(order)
    first, last = (None if end is None else int(rank[end]) for end in (problem.first, problem.last))
    points, edges = problem.points.take(order, axis=0), rank[problem.fixed_edges]
    points.flags.writeable = False  # else they would be copied
    path = TSP(problem.name, problem.metric, points, open=problem.open, first=first, last=last, fixed_edges=edges)
    return path, order


def _inverse(order: Ints) -> Ints:
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def _distances(points: Points) -> Callable[..., None]:
    """Return the kernel for distances from each node to the nodes of its row."""
    return kernel(
        f"distances_{points.special}",
        *POINTS_TYPES, ctypes.c_int64, ctypes.c_int32, array(np.int32), array(np.int32, 2),
        array(np.float64, 2, output=True),
    )  # fmt: skip


def _reaches(points: Points, near: Ints, threads: int, over: Over | None) -> NDArray[np.float64]:
    reaches = np.empty(near.shape)
    nodes = np.arange(len(near), dtype=np.int32)
    groups = -(-near.size // (1 << 16))
    run_groups(_distances(points), groups, threads, *points.arguments, *near.shape, nodes, near, reaches, over=over)
    return reaches


def _fixed(problem: TSP, rank: Ints | None) -> Ints | None:
    edges = problem.fixed_edges if rank is None else rank[problem.fixed_edges]
    ends = [end for end in (problem.first, problem.last) if end is not None]
    if len(edges) == 0 and not ends:
        return None
    closing = [(end if rank is None else int(rank[end]), problem.n) for end in ends]
    pairs = np.concatenate((edges, np.array(closing, np.int32).reshape(-1, 2)))
    nodes, mates = pairs.ravel(), pairs[:, ::-1].ravel()
    order = np.argsort(nodes, kind="stable")
    nodes, mates = nodes[order], mates[order]
    second = np.zeros(len(nodes), np.intp)
    second[1:] = nodes[1:] == nodes[:-1]
    fixed = np.full((problem.n + problem.open, 2), -1, np.int32)
    fixed[nodes, second] = mates
    return fixed
