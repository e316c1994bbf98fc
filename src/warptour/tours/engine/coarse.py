"""A tour as its fragments, whose inner cities are left out.

Edges of a greedy tour that lead to candidates form fragments. The others, one in twenty, are a third or more of what
the tour is too long, and some lead across the whole map. The ends of the fragments make a small problem, in which each
fragment is a fixed edge:

    a · · · · b ── c · · · d ── e ── f · · · · · g        edges to candidates ( · ), others ( ─ )
    a ═══════ b ── c ═════ d ── e ── f ═════════ g        fixed edges ( ═ )

There an edge across the map is as cheap to remove as any other.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Instance, Ints

MIN_FRAGMENTS = 100
"""Minimum number of fragments whose ends are searched as an instance of their own; with fewer it gains nothing."""

NEAREST, QUADRANT = 7, 1
"""Neighbours per end: in all, and per quadrant."""

_LISTED = (ctypes.c_int32, array(np.int32), array(np.int32, 2), ctypes.c_int32, array(np.int32, output=True))


@dataclass(frozen=True, eq=False)
class Coarse:
    """The ends of a tour's fragments, as an instance of their own."""

    instance: Instance  # the ends, with a fixed edge for each fragment of more than one city
    tour: Ints  # the tour through them, in the instance's numbering
    _whole: Ints
    _ends: NDArray[np.int64]
    _fragment: NDArray[np.int64]

    @classmethod
    def of(cls, instance: Instance, tour: Ints, threads: int) -> Coarse | None:
        """Return the ends of the fragments of ``tour``; None if there are too few."""
        cuts = np.flatnonzero(~_kept(instance, tour, threads))
        if len(cuts) < MIN_FRAGMENTS:
            return None
        tour = np.roll(tour, -int(cuts[0]) - 1)  # now the last edge is cut
        lasts = np.append(cuts[1:] - cuts[0], len(tour)) - 1
        firsts = np.append(0, lasts[:-1] + 1)
        longer = firsts < lasts  # than one city
        ends = np.column_stack((firsts, lasts))[np.column_stack((np.ones_like(longer), longer))]
        second = np.cumsum(1 + longer) - 1
        pairs = np.column_stack((second - 1, second))[longer].astype(np.int32)
        problem, cities = instance.problem, tour[ends]
        points = problem.points.take(cities if instance.order is None else instance.order[cities], axis=0)
        small = TSP("ends of fragments", problem.metric, points, fixed_edges=pairs)
        coarse = Instance.of(small, neighbours(small, NEAREST, QUADRANT, threads), threads=threads)
        inner = coarse.enter(np.arange(len(ends), dtype=np.int32))
        return cls(coarse, inner, tour, ends, np.repeat(np.arange(len(longer)), 1 + longer))

    def expanded(self, inner: Ints) -> Ints:
        """Return the tour of all cities whose fragments follow one another as in ``inner``, a tour through the ends."""
        return self._whole[_places(self.instance.leave(inner), self._ends, self._fragment)]


def _kept(instance: Instance, tour: Ints, threads: int) -> NDArray[np.bool_]:
    """Return which edges of the tour lead to a candidate or are fixed."""
    n = len(tour)
    kept, listed, call = np.zeros(n, np.bool_), np.empty(n, np.int32), kernel("tour_listed", *_LISTED)
    for lists in (instance.near, instance.fixed):
        if lists is not None:
            run_groups(call, threads, threads, n, tour, lists, lists.shape[1], listed)
            kept |= listed > 0
    return kept


def _places(order: Ints, ends: NDArray[np.int64], fragment: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all places of the tour, with fragments one after the other as ``order`` visits their ends."""
    visits = fragment[order]
    if visits[0] == visits[-1]:
        order, visits = np.roll(order, 1), np.roll(visits, 1)
    first = visits != np.roll(visits, 1)
    begin, end = ends[order[first]], ends[order[np.roll(first, -1)]]
    counts = np.abs(end - begin) + 1
    along = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places: NDArray[np.int64] = np.repeat(begin, counts) + np.repeat(np.where(end < begin, -1, 1), counts) * along
    return places
