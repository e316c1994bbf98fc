"""Tour fragments that are joined edge by edge: the wrapper of ``kernels/starts/fragments.c``."""

from __future__ import annotations

from ctypes import c_int32, c_int64

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on, run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.errors import UnsupportedError

Int32s = NDArray[np.int32]

NONE_YET = -1
NEVER = -2
SHARE = 1 << 20
"""Maximum edges per native call."""

MAX_EDGES = 2**32 - 1
"""Maximum number of edges to choose from, which are numbered by uint32."""


class Fragments:
    """Paths over the cities 0..n-1, initially one per city.

    ``count``: number of fragments
    ``link``: (n, 2): neighbours of each city, ``NONE_YET`` if it can take another edge, ``NEVER`` if it must stay an
        end
    ``tail``: (n,): for each end of a fragment, the other end
    """

    def __init__(self, n: int) -> None:
        self.count = n
        self.link = np.full((n, 2), NONE_YET, np.int32)
        self.tail = np.arange(n, dtype=np.int32)

    def join(self, pairs: Int32s) -> None:
        """Add the edges ``pairs``, shape (m, 2), in order, skipping edges that no path can contain."""
        many = len(pairs)
        cities = np.ascontiguousarray(pairs.T.ravel(), np.int32)
        partner = np.arange(many, 2 * many, dtype=np.int32).reshape(many, 1)
        self._take(np.arange(many, dtype=np.uint32), many, partner, cities)

    def close_end(self, city: int) -> None:
        """Mark a city that is single or an end of a fragment as a permanent end."""
        self.link[city] = (NEVER, self.link[city, 0])

    def open_ends(self) -> Int32s:
        """Return the cities that can take another edge."""
        return np.flatnonzero(self.link[:, 1] == NONE_YET).astype(np.int32)

    def join_shortest(
        self,
        points: Points,  # defines the edge lengths
        rows: Int32s,  # (m, K): neighbours of each city; with ``cities``, of each city in it, as indices into it
        cities: Int32s | None = None,  # (m,)
        threads: int | None = None,  # number of threads that compute lengths; None for all CPUs
        over: Over | None = None,  # once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    ) -> None:
        """Add the edges of a neighbour list, shortest first, skipping edges that no path can contain."""
        count, width = rows.shape
        if count * width > MAX_EDGES:
            raise UnsupportedError(
                f"greedy has room for {MAX_EDGES // width:,} cities with {width} neighbours each, not {count:,};"
                " a GPU starts along a space-filling curve, as --start curve does"
            )
        lengths = edge_lengths(points, rows, cities, threads, over)
        order, many = _by_length(lengths, over)
        self._take(order, many, rows, cities)

    def in_order(self) -> tuple[Int32s, Int32s]:
        """Return the cities fragment by fragment, and the index where each fragment begins, with n at the end."""
        n = len(self.tail)
        order, starts, many = np.empty(n, np.int32), np.empty(n + 1, np.int32), np.zeros(1, np.int32)
        ints, out = array(np.int32), array(np.int32, output=True)
        kernel("fragments_walk", array(np.int32, 2), ints, c_int32, out, out, out)(
            0, 1, self.link, self.tail, n, order, starts, many
        )
        starts[many[0]] = n
        return order, starts[: many[0] + 1]

    def _take(self, order: NDArray[np.uint32], many: int, rows: Int32s, cities: Int32s | None) -> None:
        """Add the first ``many`` edges of ``order``; edge e goes from city e // K to ``rows.flat[e]``."""
        join = kernel(
            "edge_join",
            array(np.uint32),
            *(c_int64,) * 2,
            array(np.int32, optional=True),
            array(np.int32, 2),
            c_int32,
            array(np.int32, 2, output=True),
            array(np.int32, output=True),
            array(np.int64, output=True),
        )
        joined = np.zeros(1, np.int64)
        for at in range(0, many, SHARE):
            until = min(many, at + SHARE)
            join(0, 1, order, at, until, cities, rows, rows.shape[1], self.link, self.tail, joined)
        self.count -= int(joined[0])


def edge_lengths(
    points: Points, rows: Int32s, cities: Int32s | None = None, threads: int | None = None, over: Over | None = None
) -> NDArray[np.float32]:
    """Return the lengths of the edges of a neighbour list, row by row; arguments as of ``join_shortest``."""
    lengths = np.empty(rows.size, np.float32)
    measure = kernel(
        "edge_lengths",
        *POINTS_TYPES,
        array(np.int32, optional=True),
        array(np.int32, 2),
        *(c_int32,) * 2,
        array(np.float32, output=True),
    )
    groups = -(-len(rows) // (1 << 13))
    run_groups(measure, groups, threads, *points.arguments, cities, rows, *rows.shape, lengths, over=over)
    return lengths


def _by_length(lengths: NDArray[np.float32], over: Over | None = None) -> tuple[NDArray[np.uint32], int]:
    """Return the edges sorted by length (stable radix sort), and the number of edges of finite length.

    ``lengths`` is overwritten.
    """
    words = array(np.uint32, output=True)
    sort = kernel(
        "edge_sort_pass",
        array(np.uint32),
        array(np.uint32, optional=True),
        c_int32,
        array(np.int64, output=True),
        array(np.int64, output=True),
        words,
        words,
    )
    many, place = np.array([len(lengths)], np.int64), np.empty(2048, np.int64)
    keys, order = lengths.view(np.uint32), None
    kernel("edge_keys", words, c_int64)(0, 1, keys, len(keys))
    for shift in (0, 11, 22):
        go_on(over)
        new_keys, new_order = np.empty(many[0], np.uint32), np.empty(many[0], np.uint32)
        sort(0, 1, keys, order, shift, many, place, new_keys, new_order)
        keys, order = new_keys, new_order
    assert order is not None
    return order, int(many[0])
