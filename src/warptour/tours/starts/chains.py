"""Chains of fixed edges, and tours that keep them intact for a given order of the cities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.model.fixed_edges import contains
from warptour.model.problem import TSP
from warptour.tours.starts.fragments import Fragments

Int32s = NDArray[np.int32]


@dataclass(frozen=True)
class FixedChains:
    """Partition of the cities into chains that a tour must contain; most are single cities."""

    cities: Int32s  # (n,): the cities, chain by chain
    start: Int32s  # (chains + 1,): index in ``cities`` where each chain begins
    of: Int32s  # (n,): chain of each city

    @classmethod
    def of_problem(cls, problem: TSP) -> FixedChains:
        """Return the chains formed by the fixed edges."""
        if len(problem.fixed_edges) == 0:
            every = np.arange(problem.n, dtype=np.int32)
            return cls(every, np.arange(problem.n + 1, dtype=np.int32), every)
        fragments = Fragments(problem.n)
        fragments.join(problem.fixed_edges)
        cities, start = fragments.in_order()
        of = np.empty(problem.n, np.int32)
        of[cities] = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
        return cls(cities, start, of)

    @property
    def count(self) -> int:
        """Number of chains."""
        return len(self.start) - 1

    @property
    def heads(self) -> Int32s:
        """First city of each chain."""
        return self.cities[self.start[:-1]]

    @property
    def tails(self) -> Int32s:
        """Last city of each chain."""
        return self.cities[self.start[1:] - 1]

    def emit(self, order: NDArray[np.int64] | Int32s, flipped: NDArray[np.bool_]) -> Int32s:
        """Return the cities of the chains in ``order``; chains marked in ``flipped`` run from tail to head."""
        if self.count == len(self.cities):
            return self.cities[order]
        sizes = np.diff(self.start)[order]
        begin = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        inside = np.arange(len(self.cities)) - np.repeat(begin, sizes)
        back = np.repeat(flipped[order], sizes)
        base = np.repeat(np.where(flipped, self.start[1:] - 1, self.start[:-1])[order], sizes)
        arranged: Int32s = self.cities[base + np.where(back, -inside, inside)]
        return arranged


def arrange(problem: TSP, order: NDArray[np.int64] | Int32s) -> Int32s:
    """Return the cities in ``order``, except that chains stay intact and an open path has its given ends.

    A chain is placed where its first city occurs in ``order``, and begins with the end that occurs earlier. ``order``
    is a permutation of the cities; one that is a tour of the problem stays as it is.
    """
    has_ends = problem.first in (None, order[0]) and problem.last in (None, order[-1])
    if has_ends and contains(order, problem.fixed_edges, closed=not problem.open).all():
        return np.array(order, np.int32)
    chains = FixedChains.of_problem(problem)
    rank = np.empty(problem.n, np.int64)
    rank[order] = np.arange(problem.n)
    place = np.minimum.reduceat(rank[chains.cities], chains.start[:-1])
    flipped = rank[chains.tails] < rank[chains.heads]
    if problem.last is not None:
        mine = chains.of[problem.last]
        place[mine], flipped[mine] = problem.n, chains.tails[mine] != problem.last
    if problem.first is not None:
        mine = chains.of[problem.first]
        place[mine], flipped[mine] = -1, chains.heads[mine] != problem.first
    return chains.emit(np.argsort(place), flipped)


def arrange_tour(problem: TSP, tour: Int32s) -> Int32s:
    """Return a closed tour without constraints as one of ``problem``: chains intact, an open path cut where that pays.

    A path with free ends loses its longest edge; one with a given end, the longer edge there.
    """
    end = problem.last if problem.first is None else problem.first
    if problem.open and problem.n > 2:
        steps = problem.distances(tour, np.roll(tour, -1))
        if end is None:
            tour = np.roll(tour, -1 - int(steps.argmax()))
        else:
            at = int(np.flatnonzero(tour == end)[0])
            forward = steps[at - 1] >= steps[at]
            tour = np.roll(tour, -at) if forward else np.roll(tour, -1 - at)[::-1]
            if problem.first is None:
                tour = np.roll(tour, -1)[::-1]
    return arrange(problem, tour)
