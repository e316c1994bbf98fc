"""Cities that lie on one another: neighbour lists over distinct places, handed down to cities.

A thousand cities at one place are each other's nearest neighbours, and lists of
those alone would cut the search off from the rest of the world. So the cities
of a place are thought of as standing in line. Each knows the one before and the
one behind it; from outside a place is one neighbour, seen by its front or its
back: cities at odd places of their own line look at the back, the others at the
front. Every tour that is worth looking at passes a line from end to end, and a
greedy one joins each line first, in order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on

Int32s = NDArray[np.int32]
CHUNK = 1 << 16


@dataclass(frozen=True)
class Places:
    """The distinct places of cities.

    Attributes
    ----------
    of : array, shape (n,)
        The place of each city.
    line : array, shape (n,)
        All cities, place by place, within a place by number.
    start : array, shape (places + 1,)
        Where the line of each place begins in ``line``.
    """

    of: Int32s
    line: Int32s
    start: Int32s

    @property
    def count(self) -> int:
        """Number of distinct places."""
        return len(self.start) - 1

    def front(self) -> Int32s:
        """Return the first city of each place."""
        return self.line[self.start[:-1]]


def shared_places(spots: NDArray[np.float64], over: Over | None = None) -> Places | None:
    """Return the distinct places of ``spots``, or None if no two of them are equal.

    Once ``over()`` it raises :class:`~warptour.kernels.groups.Unfinished`.
    """
    words = np.ascontiguousarray(spots + 0.0).view(np.uint64)  # + 0.0 makes one zero of both
    marks = np.zeros(len(spots), np.uint64)
    for column in words.T:  # a multiplicative hash; what it confuses is told apart below
        marks ^= column
        marks *= np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(29)
    go_on(over)
    ordered = np.sort(marks)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    go_on(over)
    line = np.argsort(marks, kind="stable")
    new = _differs(spots[line])
    if (new & (marks[line][1:] == marks[line][:-1])).any():
        line = np.lexsort(spots.T)
        new = _differs(spots[line])
    start = np.concatenate(([0], np.flatnonzero(new) + 1, [len(spots)]))
    of = np.empty(len(spots), np.int32)
    of[line] = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    return Places(of, line.astype(np.int32), start.astype(np.int32))


def rows_of_cities(places: Places, rows: Int32s, width: int) -> Int32s:
    """Turn neighbour rows of places into rows of cities, full and without repetition.

    Parameters
    ----------
    places : Places
    rows : array of int32, shape (places, any)
        Neighbouring places of each place, the important ones first.
    width : int
        Neighbours of each city, below the number of cities.
    """
    n = len(places.of)
    out = np.empty((n, width), np.int32)
    for at in range(0, n, CHUNK):  # the cities line[at : at + CHUNK], which share rows
        slots = np.arange(at, min(n, at + CHUNK), dtype=np.int32)
        here = places.of[places.line[slots]]
        begin, end = places.start[here], places.start[here + 1]
        rank = slots - begin
        columns = [np.where(slots + 1 < end, slots + 1, -1), np.where(slots > begin, slots - 1, -1)]
        for other in rows[here].T:
            columns.append(np.where(rank % 2 == 1, places.start[other + 1] - 1, places.start[other]))
        if rows.shape[1] < width:
            columns += _spare(places, rows, slots, here, width)
        out[places.line[slots]] = places.line[_first_distinct(np.stack(columns, axis=1), width)]
    return out


def _spare(places: Places, rows: Int32s, slots: Int32s, here: Int32s, width: int) -> list[Int32s]:
    """Return more columns of slots where there are too few places: the cities next in line, then all of each place."""
    begin, end = places.start[here], places.start[here + 1]
    window = np.clip(slots - width // 2, begin, np.maximum(begin, end - width - 1))
    columns = [np.where((window + k < end) & (window + k != slots), window + k, -1) for k in range(width + 1)]
    for other in rows[here].T:
        first, last = places.start[other], places.start[other + 1]
        columns += [np.where(first + k < last, first + k, -1) for k in range(width)]
    return columns


def _first_distinct(columns: Int32s, width: int) -> Int32s:
    """Keep the first ``width`` numbers of each row that are not negative and not in it before."""
    m, total = columns.shape
    keep = columns >= 0
    if total > width + 2:
        order = np.argsort(columns, axis=1, kind="stable")
        ordered = np.take_along_axis(columns, order, axis=1)
        again = np.zeros_like(keep)
        again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
        repeated = np.empty_like(keep)
        np.put_along_axis(repeated, order, again, axis=1)
        keep &= ~repeated
    keep &= np.cumsum(keep, axis=1) <= width
    return columns[keep].reshape(m, width)


def _differs(ordered: NDArray[np.float64]) -> NDArray[np.bool_]:
    differs: NDArray[np.bool_] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return differs
