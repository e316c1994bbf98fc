"""A large tour cut into regions, each a TSP of its own.

The tour restricted to a region is a number of fragments. The region's problem is a
closed tour through them in their order, with a fixed edge from the end of each to
the beginning of the next, in place of the tour outside:

    ──a───b──┐region┌──c───d──        fixed: b-c, d-a, ..
             └ tour ┘
               outside

Its cities are sent in tour order, so that the tour to start from is their own order.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import spots
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import Points
from warptour.model.frozen import freeze
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Ints
from warptour.tours.engine.split import TourParts

SAMPLE = 1 << 16
"""Cities from which the cuts of the plane are computed: regions are then balanced within a percent."""

BALANCE = 1.5
"""A region larger than this multiple of its share, as where many cities coincide, is not cut in the plane."""

JITTER = 0.15
"""Maximum shift of a cut, as a share of a region, so that cuts move even where a plane has a grain."""

MIN_GATHERED = 1 << 16
"""Minimum number of values per thread that gathers them; below, starting a thread takes longer."""

_LABEL = (
    ctypes.c_int64, ctypes.c_int32, array(np.float64, 2), array(np.float64, 2), array(np.int32, 2),
    array(np.int32, output=True),
)  # fmt: skip


class Course:
    """A tour, and the problem's cities numbered along it.

    ``tour``: (n,)
    ``points``: if they are known already
    ``points``: (n, dimensions): coordinates along the tour; None for a matrix
    ``edges``: (m, 2): the problem's fixed edges, as positions in the tour
    """

    def __init__(
        self, problem: TSP, tour: Ints, points: NDArray[np.float64] | None = None, *, threads: int = 1
    ) -> None:
        self.problem = problem
        self.tour = tour
        self.points = gathered(problem.points, tour, threads) if points is None and problem.matrix is None else points
        self.edges = problem.fixed_edges
        if len(self.edges):
            place = np.empty(problem.n, np.int32)
            place[tour] = np.arange(problem.n, dtype=np.int32)
            self.edges = place[self.edges]

    def reordered(self, order: Ints, threads: int) -> Course:
        """Return the tour that visits the positions of this one in ``order``."""
        points = None if self.points is None else gathered(self.points, order, threads)
        return Course(self.problem, gathered(self.tour, order, threads), points)

    @cached_property
    def fixed(self) -> Ints | None:
        """The positions joined to each by fixed edges, or -1, shape (n, 2); the two ends of an open path are joined."""
        n, edges = self.problem.n, self.edges
        if self.problem.open:
            edges = np.concatenate((edges, [[n - 1, 0]])).astype(np.int32)
        if len(edges) == 0:
            return None
        following = (edges[:, 0] + 1) % n == edges[:, 1]
        fixed = np.full((n, 2), -1, np.int32)
        fixed[edges[:, 0], following.astype(np.intp)] = edges[:, 1]
        fixed[edges[:, 1], 1 - following.astype(np.intp)] = edges[:, 0]
        return fixed

    def measured(self) -> Points:
        """Return the cities along the tour as kernels take them; not for a matrix."""
        assert self.points is not None
        return Points.of(_part(self.problem, self.points, self.edges))

    def part(self, positions: Ints, edges: Ints) -> TSP:
        """Return the problem of a closed tour through ``positions`` with fixed ``edges`` between indices into them."""
        if self.points is not None:
            return _part(self.problem, np.take(self.points, positions, axis=0), edges)
        cities = self.tour[positions]
        return _part(self.problem, self.problem.points[np.ix_(cities, cities)], edges)

    def in_space(self, weights: Sequence[float], rng: np.random.Generator, threads: int) -> Ints | None:
        """Return the region of each position, cut by planes; None if regions would not have sizes as ``weights``."""
        if self.points is None:
            return None
        n = len(self.tour)
        at = np.ascontiguousarray(spots(_part(self.problem, self.points, self.edges)))
        numbers, children = planes(at[:: max(1, n // SAMPLE)], weights, rng)
        label = np.zeros(n, np.int32)
        if len(children):
            groups = max(1, threads)
            run_groups(kernel("region_label", *_LABEL), groups, threads, n, at.shape[1], at, numbers, children, label)
        sizes = np.bincount(label, minlength=len(weights))
        shares = np.asarray(weights) * (n / sum(weights))
        return label if (sizes <= BALANCE * shares + 1).all() else None

    def along(self, weights: Sequence[float], shift: float) -> Ints:
        """Return the region of each position: stretches of the tour that begin ``shift`` regions later."""
        n = len(self.tour)
        ends = np.round(np.cumsum(weights) * (n / sum(weights))).astype(np.int64)
        label = np.repeat(np.arange(len(weights), dtype=np.int32), np.diff(ends, prepend=0))
        return np.roll(label, int(shift * n / len(weights)))


class CutTour:
    """A tour cut into regions.

    ``label``: (n,): the region of each position
    ``kind``: "space" or "tour": what was cut, for people
    """

    def __init__(self, course: Course, label: Ints, kind: str) -> None:
        self.course = course
        self.kind = kind
        self.parts = TourParts(np.arange(len(label), dtype=np.int32), label)
        inside = label[course.edges[:, 0]] == label[course.edges[:, 1]]
        self._edges = course.edges[inside]
        self._labels = label[self._edges[:, 0]]

    def __len__(self) -> int:
        return self.parts.windows

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Cities of each region."""
        return np.diff(self.parts.offsets)

    @property
    def fragments(self) -> NDArray[np.int64]:
        """Fragments of each region."""
        return np.diff(self.parts.fragment_offsets)

    def problem(self, region: int) -> TSP:
        """Return the problem of a region, its cities in tour order."""
        parts = self.parts
        first, end = parts.offsets[region : region + 2]
        begins = parts.heads[slice(*parts.fragment_offsets[region : region + 2])]
        size = int(end - first)
        links = np.column_stack(((begins - 1) % size, begins))
        own = parts.slot[self._edges[self._labels == region]] - first
        edges = np.unique(np.sort(np.concatenate((links, own)), axis=1), axis=0).astype(np.int32)
        return self.course.part(parts.order[first:end], edges)


def gathered(values: NDArray[Any], index: Ints, threads: int) -> NDArray[Any]:
    """Return ``values[index]``, computed by several threads."""
    found = np.empty((len(index), *values.shape[1:]), values.dtype)

    def gather(group: int, groups: int) -> None:
        some = slice(len(index) * group // groups, len(index) * (group + 1) // groups)
        np.take(values, index[some], axis=0, out=found[some], mode="clip")  # other modes buffer the output

    run_groups(gather, max(1, min(threads, len(index) // MIN_GATHERED)), threads)
    return found


def planes(
    sample: NDArray[np.float64], weights: Sequence[float], rng: np.random.Generator
) -> tuple[NDArray[np.float64], Ints]:
    """Return the planes that cut space into regions with shares of ``sample`` in proportion to ``weights``.

    Coordinates are rotated at random and bisected across the longer side.

    Returns
    -------
    numbers, children
        As in ``kernels/tours/region_label.c``.
    """
    dimensions = sample.shape[1]
    turn, _ = np.linalg.qr(rng.standard_normal((dimensions, dimensions)))
    turned = sample @ turn
    numbers: list[NDArray[np.float64]] = []
    children: list[list[int]] = []
    todo = [(turned, 0, len(weights), -1, 0)]
    while todo:
        inside, low, high, parent, side = todo.pop()
        if parent >= 0:
            children[parent][side] = ~low if high - low == 1 else len(children)
        if high - low == 1:
            continue
        middle = (low + high) // 2
        share = sum(weights[low:middle]) / sum(weights[low:high]) + rng.uniform(-JITTER, JITTER) / (high - low)
        axis = int(np.ptp(inside, axis=0).argmax()) if len(inside) else 0
        heights = np.sort(inside[:, axis])
        offset = heights[min(int(share * len(heights)), len(heights) - 1)] if len(heights) else 0.0
        numbers.append(np.concatenate((turn[:, axis], np.zeros(3 - dimensions), [offset])))
        beyond = inside[:, axis] >= offset
        node = len(children)
        children.append([0, 0])
        todo += [(inside[~beyond], low, middle, node, 0), (inside[beyond], middle, high, node, 1)]
    return np.array(numbers).reshape(-1, 4), np.array(children, np.int32).reshape(-1, 2)


def _part(problem: TSP, points: NDArray[np.float64], edges: Ints) -> TSP:
    """Return a closed TSP over some of the nodes, which were checked with the problem."""
    part = copy.copy(problem)
    freeze(part, "points", points)
    freeze(part, "fixed_edges", edges)
    plain = {"display": None, "labels": None, "best_known": None, "open": False, "first": None, "last": None}
    for name, value in ({"name": f"part of {problem.name}"} | plain).items():
        object.__setattr__(part, name, value)
    return part
