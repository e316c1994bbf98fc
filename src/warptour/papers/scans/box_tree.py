"""Nodes in the order of a k-d tree, with boxes of 32 nodes, of 32 boxes, and so on (``pruned_boxes.h``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.tree import Tree
from warptour.devices import Device
from warptour.kernels.points import NORMS, Points, special_of
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints

FAN: Final = 32
"""Nodes per box, and boxes per larger box; also the lanes of a group on a GPU."""

NEAR: Final = 8
"""Nodes in a neighbour list."""

CHUNK: Final = 1 << 16
"""Nodes whose distances are computed at a time."""

FAR: Final = 1e150
"""Coordinate of padding: its square is finite and beyond any reach."""


def prunable(problem: TSP) -> bool:
    """Return whether boxes bound the metric: planar Euclidean, unrounded or rounded to the nearest integer or up."""
    return special_of(problem.metric) != "any"


class BoxTree:
    """The nodes of a problem and their boxes on a device.

    ``problem``: one that :func:`prunable` accepts
    ``special``: build of the kernels for the metric
    ``order``, ``rank``: (n,): the city of each node, and the node of each city
    ``nodes``, ``boxes``: numbers of nodes and boxes, including padding
    ``points``: arguments for ``POINTS_PARAMETERS``
    ``arguments``: the boxes, their number, and the number of cities, as kernels take them
    ``neighbours``: the ``NEAR`` nearest nodes of each node, nearest first, and the squares of their distances
    """

    def __init__(self, problem: TSP, device: Device) -> None:
        self.n = problem.n
        tree = Tree(problem.points, NORMS["euclidean"])
        self.order: Ints = tree.ids
        self.rank: Ints = np.empty_like(self.order)
        self.rank[self.order] = np.arange(self.n, dtype=np.int32)
        at = np.ascontiguousarray(problem.points[self.order].T, np.float64)
        padded, bounds = _padded(at, FAR), boxes(at)
        points = Points.of(problem)
        self.special = points.special
        self.nodes, self.boxes = padded.shape[1], bounds.shape[1]
        numbers = np.int32(points.norm), np.int32(points.rounding), np.float64(points.divisor)
        axes = (device.send(np.ascontiguousarray(axis)) for axis in padded)
        self.points: tuple[Any, ...] = (*axes, None, None, np.int32(self.n), *numbers, np.float64(points.radius))
        near, gaps = self._nearest(tree, at)
        self.arguments = device.send(bounds), np.int32(self.boxes), np.int32(self.n)
        self.neighbours = device.send(near), device.send(gaps)

    def _nearest(self, tree: Tree, at: NDArray[np.float64]) -> tuple[Ints, NDArray[np.float64]]:
        """Return the nearest nodes of each node and the squares of their distances; missing ones are far away."""
        width = min(NEAR, self.n - 1)
        near = np.zeros((self.n, NEAR), np.int32)
        near[:, :width] = self.rank[tree.rows(width)[self.order]]
        gaps = np.full((self.n, NEAR), FAR * FAR)
        for first in range(0, self.n, CHUNK):
            some = slice(first, first + CHUNK)
            dx, dy = (axis[near[some, :width]] - axis[some, None] for axis in at)
            gaps[some, :width] = dx * dx + dy * dy
        ascending = np.argsort(gaps, axis=1, kind="stable")
        return np.take_along_axis(near, ascending, 1), np.take_along_axis(gaps, ascending, 1)


def boxes(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the bounding boxes of FAN consecutive points, of FAN boxes, and so on, level by level.

    ``at``: (2, n)

    Returns
    -------
    array, shape (4, boxes)
        Low x, low y, high x and high y. Each level is padded to a multiple of FAN; the last has FAN boxes.
    """
    low = high = at
    found: list[NDArray[np.float64]] = []
    while not found or found[-1].shape[1] > FAN:
        low = _padded(low, FAR).reshape(2, -1, FAN).min(axis=2)
        high = _padded(high, -FAR).reshape(2, -1, FAN).max(axis=2)
        found.append(np.vstack((_padded(low, FAR), _padded(high, -FAR))))
    return np.ascontiguousarray(np.hstack(found))


def levels(n: int) -> Iterator[tuple[int, int]]:
    """Yield the number of boxes of each level, from the leaves on, and the first of them."""
    first, count = 0, n
    while first == 0 or count > FAN:
        count = -(-count // FAN**2) * FAN
        yield count, first
        first += count


def _padded(values: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    return np.pad(values, ((0, 0), (0, -values.shape[1] % FAN)), constant_values=value)
