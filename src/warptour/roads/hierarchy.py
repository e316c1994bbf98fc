"""Contraction hierarchies: fastest ways in a network, and tables of them; the wrapper of ``kernels/roads``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int32, c_int64
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import usable_threads
from warptour.kernels.library import array, kernel
from warptour.roads.extract import Report

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Costs = NDArray[np.uint64]

BUDGET: Final = 200_000
"""Vertices settled by one call that contracts: about 50 ms."""
ROOM: Final = 2.6
"""Arcs that a hierarchy has room for at first, for each of the network; a grid city needs 2.1."""
SPARE: Final = 1024
"""Further arcs that it has room for."""
ROWS: Final = 16
"""Rows of a table, or targets, of one native call."""
UNREACHED: Final = np.uint64(2**64 - 1)
"""Cost where there is no way."""


@dataclass(frozen=True)
class Upward:
    """Arcs from each vertex to more important ones; see ``kernels/roads/upward.h``."""

    first: Int64s
    end: Int32s
    length: Costs
    name: Int32s

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return what kernels take."""
        return self.first, self.end, self.length, self.name


@dataclass(frozen=True)
class Hierarchy:
    """A contraction hierarchy."""

    number: Int32s  # (vertices,): each vertex's number by importance; the most important is 0
    # up, down: arcs to more important vertices, driven along and against
    up: Upward
    down: Upward
    # left, right: (arcs,): the two arcs that a shortcut stands for; -1 for an arc of the network
    left: Int32s
    right: Int32s

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.number)

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return what kernels take."""
        return *self.up.arrays(), *self.down.arrays()

    def times(self, own: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return milliseconds by class of street, shape (arcs, kinds), for all arcs, from those of the network."""
        times = np.zeros((len(self.left), own.shape[1]), np.uint32)
        times[: len(own)] = own
        known = self.left < 0
        waiting = np.flatnonzero(~known)
        while len(waiting):
            ready = known[self.left[waiting]] & known[self.right[waiting]]
            now = waiting[ready]
            times[now] = times[self.left[now]] + times[self.right[now]]
            known[now] = True
            waiting = waiting[~ready]
        return times


@dataclass(frozen=True)
class Seeds:
    """Where the searches of places begin: vertices, with what it takes from each place or to it."""

    first: Int64s  # (places + 1,)
    vertices: Int32s  # numbers of vertices in the hierarchy
    lengths: Costs
    times: NDArray[np.uint32]  # (seeds, kinds): milliseconds by class of street

    @property
    def places(self) -> int:
        """Number of places."""
        return len(self.first) - 1

    def of(self, place: int) -> tuple[Int32s, Costs]:
        """Return the vertices and lengths of one place."""
        own = slice(int(self.first[place]), int(self.first[place + 1]))
        return self.vertices[own].copy(), self.lengths[own].copy()


def contract(vertices: int, tails: Int32s, heads: Int32s, lengths: Costs, report: Report | None = None) -> Hierarchy:
    """Return the hierarchy of a network without parallel arcs and loops."""
    arcs = len(tails)
    capacity = int(ROOM * arcs) + SPARE
    out, rooms = partial(array, output=True), array(np.int32, output=True)
    lists: dict[str, NDArray[Any]] = {
        "tail": np.resize(tails, capacity).astype(np.int32), "head": np.resize(heads, capacity).astype(np.int32),
        "length": np.resize(lengths, capacity).astype(np.uint64),
        **{name: np.full(capacity, -1, np.int32) for name in ("left", "right", "next_out", "next_in")},
    }  # fmt: skip
    first_out, first_in = (
        _linked(vertices, ends, lists[next_]) for ends, next_ in ((tails, "next_out"), (heads, "next_in"))
    )
    level, touched = np.zeros(vertices, np.int32), np.zeros(vertices, np.int32)
    rank, state, numbers = np.full(vertices, -1, np.int32), np.array([arcs, 0, 0, 0, 0]), np.zeros(2, np.int32)
    price, place, order = np.zeros(vertices, np.uint64), np.zeros(vertices, np.int32), np.zeros(vertices, np.int32)
    run = kernel(
        "roads_contract", c_int32, c_int64, c_int64, out(np.int64), rooms, rooms, out(np.uint64), *(rooms,) * 9,
        out(np.uint64), *(rooms,) * 3, *QUEUE,
    )  # fmt: skip
    queue = _queue(vertices)
    while state[1] < vertices:
        run(
            0, 1, vertices, capacity, BUDGET, state, *lists.values(), first_out, first_in, level, rank, touched,
            price, place, order, numbers, *queue,
        )  # fmt: skip
        if state[3]:
            capacity += capacity // 2
            lists = {
                name: np.concatenate((values, np.full(capacity - len(values), -1).astype(values.dtype)))
                for name, values in lists.items()
            }
        if report is not None:
            report("contracting", int(state[1]), vertices)
    count = int(state[0])
    kept = {name: lists[name][:count].copy() for name in ("tail", "head", "length", "left", "right")}
    number = (vertices - 1 - rank).astype(np.int32)
    return _numbered(number, **kept)


def _numbered(number: Int32s, tail: Int32s, head: Int32s, length: Costs, left: Int32s, right: Int32s) -> Hierarchy:
    tail, head = number[tail], number[head]
    names = np.arange(len(tail), dtype=np.int32)
    rises = head < tail
    return Hierarchy(
        number,
        _upward(len(number), tail[rises], head[rises], length[rises], names[rises]),
        _upward(len(number), head[~rises], tail[~rises], length[~rises], names[~rises]),
        left,
        right,
    )


def _upward(vertices: int, begin: Int32s, end: Int32s, length: Costs, names: Int32s) -> Upward:
    order = np.lexsort((end, begin))
    first = np.concatenate(([0], np.cumsum(np.bincount(begin, minlength=vertices)))).astype(np.int64)
    return Upward(first, end[order], length[order], names[order])


def _linked(vertices: int, ends: Int32s, following: Int32s) -> Int32s:
    """Return the first arc of each vertex in lists of arcs by one of their ends, and link the others behind it."""
    order = np.argsort(ends, kind="stable").astype(np.int32)
    sorted_ends = ends[order]
    same = sorted_ends[1:] == sorted_ends[:-1]
    following[order[:-1][same]] = order[1:][same]
    first = np.full(vertices, -1, np.int32)
    begins = np.concatenate(([True], ~same)) if len(order) else np.zeros(0, np.bool_)
    first[sorted_ends[begins]] = order[begins]
    return first


def table(
    hierarchy: Hierarchy, sources: Seeds, targets: Seeds, arc_times: NDArray[np.uint32], report: Report | None = None
) -> tuple[Costs, NDArray[np.uint32]]:
    """Return the costs from all sources to all targets, and their milliseconds by class of street.

    ``arc_times`` are those of :meth:`Hierarchy.times`, of shape (arcs, 0) where they are not wanted.
    """
    entries = _buckets(hierarchy, targets, arc_times)
    kinds = arc_times.shape[1]
    costs = np.full((sources.places, targets.places), UNREACHED, np.uint64)
    times = np.zeros((sources.places, targets.places, kinds), np.uint32)
    run = kernel(
        "roads_rows", c_int32, c_int32, c_int32, c_int32, *HIERARCHY, *SEEDS, array(np.uint32, 2),
        array(np.int64), array(np.int32), array(np.uint64), array(np.uint32, 2), array(np.uint64, 2, output=True),
        array(np.uint32, 3, output=True), array(np.uint32, 2, output=True), array(np.int32, output=True), *QUEUE,
    )  # fmt: skip
    n = hierarchy.vertices

    def rows(begin: int, end: int) -> None:
        room, queue = (np.empty((n, kinds), np.uint32), np.empty(n, np.int32)), _queue(n)
        for at in range(begin, end, ROWS):
            run(
                0, 1, at, min(at + ROWS, end), targets.places, kinds, *hierarchy.arrays(), sources.first,
                sources.vertices, sources.lengths, sources.times, arc_times, *entries, costs, times, *room, *queue,
            )  # fmt: skip

    threads = min(usable_threads(None), max(1, sources.places // ROWS))
    bounds = np.linspace(0, sources.places, 4 * threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        done = [pool.submit(rows, *pair) for pair in pairwise(bounds)]
        for count, each in enumerate(done, 1):
            each.result()
            if report is not None:
                report("table", count, len(done))
    return costs, times


def _buckets(hierarchy: Hierarchy, targets: Seeds, arc_times: NDArray[np.uint32]) -> tuple[NDArray[Any], ...]:
    """Return what upward searches from all targets settle: the first entry of each vertex, targets, lengths, times."""
    n, kinds = hierarchy.vertices, arc_times.shape[1]
    room = n + (1 << 18)
    run = kernel(
        "roads_buckets", c_int32, c_int32, c_int64, c_int32, c_int32, *HIERARCHY, *SEEDS, array(np.uint32, 2),
        array(np.int64, output=True), array(np.int32, output=True), array(np.int32, output=True),
        array(np.uint64, output=True), array(np.uint32, 2, output=True), array(np.uint32, 2, output=True), *QUEUE,
    )  # fmt: skip
    done, queue, times = np.zeros(2, np.int64), _queue(n), np.empty((n, kinds), np.uint32)
    entry = (
        np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.uint64),
        np.empty((room, kinds), np.uint32),
    )  # fmt: skip
    pieces: list[list[NDArray[Any]]] = []
    while done[0] < targets.places:
        run(
            0, 1, n, targets.places, room, ROWS, kinds, *hierarchy.arrays(), targets.first, targets.vertices,
            targets.lengths, targets.times, arc_times, done, *entry, times, *queue,
        )  # fmt: skip
        pieces.append([each[: done[1]].copy() for each in entry])
    vertices, those, lengths, own = (np.concatenate(each) for each in zip(*pieces, strict=True))
    order = np.argsort(vertices, kind="stable")
    first = np.concatenate(([0], np.cumsum(np.bincount(vertices, minlength=n)))).astype(np.int64)
    return first, those[order], lengths[order], own[order]


@dataclass(frozen=True)
class Way:
    """A fastest way: its cost, its arcs, and the seeds where it begins and ends."""

    cost: int
    arcs: Int32s
    source: int
    target: int


class Paths:
    """Fastest ways between places, one after the other, in memory that is kept."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        n = hierarchy.vertices
        self._hierarchy = hierarchy
        self._arcs = np.empty(1024, np.int32)
        self._room = [np.empty(n, np.int32) for _ in range(4)]
        self._back = np.empty(n, np.uint64), np.zeros(n, np.int32), np.empty(n + 1, np.int32)
        self._queue = _queue(n)
        rooms = array(np.int32, output=True)
        self._run = kernel(
            "roads_path", c_int32, c_int64, *HIERARCHY, array(np.int32), array(np.int32),
            *(c_int32, array(np.int32), array(np.uint64)) * 2, rooms, array(np.uint64, output=True), *(rooms,) * 5,
            array(np.uint64, output=True), rooms, rooms, *QUEUE,
        )  # fmt: skip

    def between(self, source: tuple[Int32s, Costs], target: tuple[Int32s, Costs]) -> Way | None:
        """Return the fastest way between the seeds of two places, or None if there is none."""
        h, found, cost = self._hierarchy, np.zeros(4, np.int32), np.zeros(1, np.uint64)
        while True:
            self._run(
                0, 1, h.vertices, len(self._arcs), *h.arrays(), h.left, h.right, len(source[0]), *source,
                len(target[0]), *target, found, cost, self._arcs, *self._room, *self._back, *self._queue,
            )  # fmt: skip
            if not found[3]:
                break
            self._arcs = np.empty(2 * int(found[3]), np.int32)
        if found[0] < 0:
            return None
        return Way(int(cost[0]), self._arcs[: found[0]].copy(), int(found[1]), int(found[2]))


def _queue(n: int) -> tuple[NDArray[Any], ...]:
    """Return the memory of a queue of vertices."""
    return (
        np.empty(n, np.uint64),
        np.zeros(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.zeros(1, np.int32),
    )


QUEUE: Final = (array(np.uint64, output=True), *(array(np.int32, output=True),) * 4)
HIERARCHY: Final = (array(np.int64), array(np.int32), array(np.uint64), array(np.int32)) * 2
SEEDS: Final = (array(np.int64), array(np.int32), array(np.uint64), array(np.uint32, 2))
