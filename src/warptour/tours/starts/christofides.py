"""Christofides' heuristic (1976): minimum spanning tree, minimum matching of its odd cities, Euler circuit, shortcuts.

If distances satisfy the triangle inequality and the matching is exact, the tour is at most 1.5 times as long as the
Held-Karp bound. Up to ``EXACT`` odd cities the matching is exact; above, it takes edges of neighbour lists, and above
``TOGETHER`` the plane is cut into parts that are matched one by one.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import neighbours
from warptour.candidates.places import shared_places
from warptour.candidates.space import spots
from warptour.kernels.groups import ASK_SECONDS, Over, go_on
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.observe.child import python
from warptour.tours.starts import match_edges as matching
from warptour.tours.starts.chains import arrange_tour
from warptour.tours.starts.euler import euler_circuit, shortcut
from warptour.tours.starts.growing import Rule, grow
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]

EXACT = 1200
"""Maximum number of odd cities, about 0.42 of all, that are matched over all pairs: ten seconds."""

NEAREST, QUADRANT = 10, 2
"""Neighbours of an odd city, in all and per quadrant, where not all pairs are considered; of 5,000 uniform cities 2,074
were matched as over all pairs."""

TOGETHER, APART = 50_000, 12_000
"""Maximum number of odd cities that are matched together (5 s), and of the odd cities in a part if there are more. A
matching of 430,000 did not finish in 18 minutes; parts of 6,000 to 12,000 make the tour 0.1% longer."""

QUICK = 20_000
"""Maximum number of edges that are matched in this process: about 0.3 s."""


def christofides(task: StartTask) -> Int32s:
    """Return a Christofides tour, about 10% above the Held-Karp bound; it is deterministic.

    Chains of fixed edges are moved together afterwards, and an open path is cut out of the tour.
    """
    problem, threads, over = task.problem, task.threads, task.over
    if not matching.installed():
        raise UnsupportedError("the start 'christofides' needs PyMatching: pip install 'warptour[christofides]'")
    if problem.n < 4:
        return arrange_tour(problem, np.arange(problem.n, dtype=np.int32))
    tree = _spanning_tree(problem, threads, over)
    odd = np.flatnonzero(np.bincount(tree.ravel(), minlength=problem.n) % 2).astype(np.int32)
    flat = problem.rounded("none")
    pairs, odd = _pair_coincident(problem, odd, over)
    for part in _parts(problem, odd):
        edges = _edges_between(flat, part, threads, over)
        weights = flat.distances(part[edges[:, 0]], part[edges[:, 1]])
        found = _match(np.column_stack([edges, weights]).astype(np.float64), over)
        pairs = np.concatenate([pairs, part[found]])
    circuit = euler_circuit(problem.n, np.concatenate([tree, pairs]))
    return arrange_tour(problem, shortcut(problem, circuit))


def _spanning_tree(problem: TSP, threads: int | None, over: Over | None) -> Int32s:
    """Return the edges of a minimum spanning tree, shape (n - 1, 2)."""
    parents = grow(problem, Rule.SPAN, np.zeros(1, np.int32), threads, over)
    return np.column_stack([np.arange(1, problem.n, dtype=np.int32), parents[1:]])


def _pair_coincident(problem: TSP, odd: Int32s, over: Over | None) -> tuple[Int32s, Int32s]:
    """Return pairs of ``odd`` cities in the same place, and the cities that are left: one or none per place."""
    places = shared_places(spots(problem)[odd], over) if problem.matrix is None else None
    if places is None:
        return np.empty((0, 2), np.int32), odd
    line, size = odd[places.line], np.diff(places.start)
    rank = np.arange(len(line)) - np.repeat(places.start[:-1], size)
    single = (rank == np.repeat(size, size) - 1) & (rank % 2 == 0)
    return line[~single].reshape(-1, 2), line[single]


def _parts(problem: TSP, odd: Int32s) -> list[Int32s]:
    """Return ``odd`` cities in parts of even numbers, cut across the longer side of their places if they are many."""
    if len(odd) == 0:
        return []
    if len(odd) <= TOGETHER or problem.matrix is not None:
        return [odd]
    places = spots(problem)
    parts, waiting = [], [odd]
    while waiting:
        part = waiting.pop()
        if len(part) <= APART:
            parts.append(part)
            continue
        along = places[part]
        order = np.argsort(along[:, np.argmax(np.ptp(along, axis=0))], kind="stable")
        middle = len(part) // 4 * 2
        waiting += [part[order[:middle]], part[order[middle:]]]
    return parts


def _edges_between(problem: TSP, odd: Int32s, threads: int | None, over: Over | None) -> Int32s:
    """Return the edges that a matching of ``odd`` may use, as indices into it: all, or of a connected sparse graph."""
    many = len(odd)
    if many <= EXACT:
        return np.column_stack(np.triu_indices(many, 1)).astype(np.int32)
    matrix = problem.matrix
    part = TSP("odd", problem.metric, problem.points[odd] if matrix is None else matrix[np.ix_(odd, odd)])
    rows = neighbours(part, NEAREST, QUADRANT, threads, over)
    tree = _spanning_tree(part, threads, over)
    here = np.concatenate([np.repeat(np.arange(many), rows.shape[1]), tree[:, 0]])
    there = np.concatenate([rows.ravel(), tree[:, 1]])
    codes = np.sort(np.minimum(here, there) * np.int64(many) + np.maximum(here, there))
    codes = codes[np.concatenate(([True], codes[1:] != codes[:-1]))]
    return np.column_stack([codes // many, codes % many]).astype(np.int32)


def _match(edges: NDArray[np.float64], over: Over | None) -> Int32s:
    """Return the minimum matching; if it takes long, from a process that ends once ``over()``."""
    go_on(over)
    if len(edges) <= QUICK or not sys.executable:
        return matching.match_edges(edges)
    import subprocess

    with TemporaryFile() as given, TemporaryFile() as answer:
        np.save(given, edges)
        given.seek(0)
        command = python(str(Path(matching.__file__)))
        process = subprocess.Popen(
            command, stdin=given, stdout=answer, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            while process.poll() is None:
                go_on(over)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(ASK_SECONDS)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            return matching.match_edges(edges)  # here, for the result or the error
        answer.seek(0)
        return np.asarray(np.load(answer), np.int32)
