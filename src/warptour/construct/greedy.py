"""Greedy edge: the shortest edge that still fits, again and again.

Candidate edges are taken in order of length. Where a neighbour list has no more
to give, fragments remain; then the open ends of fragments alone are neighbours
of each other, and the same is done again, until there is one fragment. Every
round leaves at most a part of the fragments, so all rounds together cost little
more than the first. Where one does not, since the same few ends are nearest to
all, as hubs are, the next looks at four times as many.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import neighbours, rows_of_matrix
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.construct.chains import FixedChains
from warptour.construct.fragments import Fragments
from warptour.kernels.groups import Over
from warptour.kernels.points import ROUNDINGS, Points
from warptour.model.problem import TSP

Int32s = NDArray[np.int32]

NEAREST = 5
"""How many of a city's candidates are looked at. The longer ones of a list, such as those of empty quadrants, come too
early: ends of fragments in between would be joined first, and those are no candidates before the next round."""

NEAREST_ENDS = 6
"""Candidates of an open end; its own fragment's other end may be one of them."""

STALLED = 0.8
"""Four times as many are looked at after a round that leaves more than this part of the fragments."""

MAX_EDGES = 1 << 24
"""Edges of a round, so that looking at more does not take all memory."""


def greedy(
    problem: TSP,
    rng: np.random.Generator,
    candidates: Int32s | None = None,
    threads: int | None = None,
    over: Over | None = None,
) -> Int32s:
    """Return a greedy tour, about 14 to 18% above the shortest; nothing in it is random."""
    fragments = Fragments(problem.n)
    fragments.join(problem.fixed_edges)
    _tie_ends(problem, fragments)
    points = replace(Points.of(problem), rounding=ROUNDINGS["none"])
    if fragments.count > 1:
        rows = neighbours(problem, NEAREST, threads=threads, over=over) if candidates is None else candidates
        fragments.join_shortest(points, np.ascontiguousarray(rows[:, :NEAREST]), None, threads, over)
    width = NEAREST_ENDS
    while fragments.count > 1:
        before, ends = fragments.count, fragments.open_ends()
        wide = min(width, len(ends) - 1, max(NEAREST_ENDS, MAX_EDGES // len(ends)))
        rows = _rows_of_ends(problem, ends, wide, threads, over)
        fragments.join_shortest(points, rows, ends, threads, over)
        if fragments.count > STALLED * before:
            width *= 4
    return _from_first_to_last(problem, fragments.walk()[0])


def _tie_ends(problem: TSP, fragments: Fragments) -> None:
    """Join the two ends of an open path, which makes a tour of it, or close the one that is given."""
    first, last = problem.first, problem.last
    if first is not None and last is not None:
        FixedChains.of_problem(problem)  # refuses what cannot be
        fragments.join(np.array([[first, last]], np.int32))
    elif first is not None or last is not None:
        fragments.close_end(first if last is None else last)  # type: ignore[arg-type]


def _from_first_to_last(problem: TSP, path: Int32s) -> Int32s:
    first, last, n = problem.first, problem.last, problem.n
    if first is None and last is None:
        return path
    if first is None or last is None:
        return path if (path[0] == first or path[-1] == last) else path[::-1].copy()
    at = int(np.flatnonzero(path == first)[0])
    if path[(at + 1) % n] == last and n > 2:
        path, at = path[::-1], n - 1 - at
    return np.roll(path, -at)


def _rows_of_ends(problem: TSP, ends: Int32s, width: int, threads: int | None, over: Over | None) -> Int32s:
    if problem.matrix is not None:
        return rows_of_matrix(problem.matrix, width, ends, over)
    return Tree(spots(problem)[ends], norm_code(problem), threads, over).rows(width)
