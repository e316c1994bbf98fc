"""Coincident cities: neighbour lists over distinct locations, expanded to cities.

A thousand cities at one location are each other's nearest neighbours, and lists of only these would disconnect them
from all other cities. The cities of a location are therefore put in a line. Each has its predecessor and successor in
the line as neighbours; from outside, a location is a single neighbour, represented by the first or last city of its
line: cities with an odd rank in their own line take the last, the others the first. Every tour worth considering
traverses a line from end to end, and a greedy tour joins each line first, in order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.sort import repeated, stable_order
from warptour.kernels.groups import Over, go_on

Int32s = NDArray[np.int32]
CHUNK = 1 << 14
"""Cities per step that share their place with others; it limits the temporary arrays."""


@dataclass(frozen=True)
class Places:
    """The distinct locations of cities."""

    of: Int32s  # (n,): location of each city
    line: Int32s  # (n,): all cities, location by location, by number within a location
    start: Int32s  # (places + 1,): index in ``line`` where each location begins

    @property
    def count(self) -> int:
        """Number of distinct locations."""
        return len(self.start) - 1

    def front(self) -> Int32s:
        """Return the first city of each location."""
        return self.line[self.start[:-1]]


def shared_places(spots: NDArray[np.float64], over: Over | None = None) -> Places | None:
    """Return the distinct locations of ``spots``, in order of their first cities, or None if no two are equal.

    Raises :class:`~warptour.kernels.groups.Unfinished` once ``over()``.
    """
    line = _coincident(spots, over)
    if len(line) == 0:
        return None
    new = np.append(True, _differs(spots.take(line, axis=0)))
    begins = np.flatnonzero(new)
    sizes = np.diff(np.append(begins, len(line)))
    rank = np.zeros(len(spots), np.int32)
    rank[line] = np.arange(len(line)) - np.repeat(begins, sizes)
    of = np.cumsum(rank == 0, dtype=np.int32) - np.int32(1)
    of[line] = np.repeat(of[line[begins]], sizes)
    start = np.append(0, np.cumsum(np.bincount(of))).astype(np.int32)
    cities = np.empty(len(spots), np.int32)
    cities[start[of] + rank] = np.arange(len(spots), dtype=np.int32)
    return Places(of, cities, start)


def _coincident(spots: NDArray[np.float64], over: Over | None) -> NDArray[np.int64]:
    """Return the cities that share their location, location by location, by number within a location.

    A few others may be among them, whose hashes are equal by accident.
    """
    hashes = _hashes(spots)
    go_on(over)
    line = stable_order(hashes)
    go_on(over)
    ordered = hashes.take(line)
    shared = repeated(ordered)
    line, ordered = line[shared], ordered[shared]
    if (_differs(spots.take(line, axis=0)) & (ordered[1:] == ordered[:-1])).any():
        line = line[np.lexsort((line, *spots.take(line, axis=0).T))]
    return line


def _hashes(spots: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return a multiplicative hash of each location."""
    words = np.ascontiguousarray(spots + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
    hashes = np.zeros(len(spots), np.uint64)
    for column in words.T:
        hashes ^= column
        hashes *= np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    return hashes


def rows_of_cities(places: Places, rows: Int32s, width: int, over: Over | None = None) -> Int32s:
    """Expand neighbour rows of locations into rows of cities, complete and without duplicates.

    ``rows``: (places, any): neighbouring locations of each location, most important first
    ``width``: neighbours per city, less than the number of cities
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    n, front = len(places.of), places.front()
    out = np.empty((n, width), np.int32)
    shared = np.arange(n, dtype=np.int32)
    if rows.shape[1] >= width:
        out[front] = front.take(rows[:, :width])
        shared = shared[np.repeat(np.diff(places.start) > 1, np.diff(places.start))]
    for at in range(0, len(shared), CHUNK):  # cities line[slots]; coincident ones share rows
        go_on(over)
        slots = shared[at : at + CHUNK]
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
    """Return additional columns if locations are too few: cities next in line, then all cities of each location."""
    begin, end = places.start[here], places.start[here + 1]
    window = np.clip(slots - width // 2, begin, np.maximum(begin, end - width - 1))
    columns = [np.where((window + k < end) & (window + k != slots), window + k, -1) for k in range(width + 1)]
    most = min(width, int(np.diff(places.start).max()))
    for other in rows[here].T:
        first, last = places.start[other], places.start[other + 1]
        columns += [np.where(first + k < last, first + k, -1) for k in range(most)]
    return columns


def _first_distinct(columns: Int32s, width: int) -> Int32s:
    """Keep the first ``width`` distinct non-negative numbers of each row."""
    m, total = columns.shape
    keep = columns >= 0
    if total > width + 2:
        order = np.argsort(columns, axis=1, kind="stable")
        ordered = np.take_along_axis(columns, order, axis=1)
        again = np.zeros_like(keep)
        again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
        duplicate = np.empty_like(keep)
        np.put_along_axis(duplicate, order, again, axis=1)
        keep &= ~duplicate
    keep &= np.cumsum(keep, axis=1) <= width
    return columns[keep].reshape(m, width)


def _differs(ordered: NDArray[np.float64]) -> NDArray[np.bool_]:
    differs: NDArray[np.bool_] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return differs
