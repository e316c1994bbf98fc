"""Greedy edge heuristic: repeatedly add the shortest edge that closes no cycle and gives no city a third edge.

Candidate edges are processed in order of length. When the neighbour lists are exhausted, fragments remain; the lists
are then rebuilt over the open ends of fragments alone, and the process repeats until one fragment is left. Each round
leaves only a fraction of the fragments, so that all rounds together cost little more than the first. If a round does
not, because the same few ends (hubs) are nearest to all others, the next uses lists four times as long.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import neighbours, rows_of_matrix
from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over
from warptour.kernels.points import ROUNDINGS, Points
from warptour.model.problem import TSP
from warptour.tours.starts.fragments import Fragments
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]

NEAREST = 5
"""Candidates used per city.

Longer candidates of a list, such as those of empty quadrants, would be added too early: ends of fragments in between
should be joined first, and become candidates only in the next round.
"""

NEAREST_ENDS = 6
"""Candidates per open end; one of them may be the other end of its own fragment."""

STALLED = 0.8
"""Lists become four times as long after a round that leaves more than this fraction of the fragments."""

MAX_EDGES = 1 << 24
"""Maximum candidate edges per round, to limit memory."""


def greedy(task: StartTask) -> Int32s:
    """Return a greedy tour, about 14 to 18% above the optimum; it is deterministic."""
    problem, candidates, threads, over = task.problem, task.candidates, task.threads, task.over
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
    return _from_first_to_last(problem, fragments.in_order()[0])


def _tie_ends(problem: TSP, fragments: Fragments) -> None:
    """Join the given ends of an open path, which makes it a closed tour, or mark a single given end as permanent."""
    first, last = problem.first, problem.last
    if first is not None and last is not None:
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
