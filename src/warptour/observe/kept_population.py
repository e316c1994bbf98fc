"""The population of a search as a checkpoint keeps it: each solution by what differs from the first.

A solution is one row of nodes, with node n between two routes. Nodes are numbered by their places in the first
solution, so that successive numbers mostly differ by one; the differences are compressed. Local optima of one problem
share most of their edges: a tour takes about a byte per city.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP
from warptour.model.searched import needed
from warptour.model.vehicles import VRP, Routes

MAX_NODES = 10_000_000
"""Maximum number of nodes of all kept solutions together: about 10 MB."""
MAX_SOLUTIONS = 1000
"""Maximum number of kept solutions."""

MAX_BYTES_PER_NODE = 5
"""Maximum bytes per node of a kept solution; a larger file is no checkpoint."""

Ints = NDArray[np.int32]


def capacity(problem: TSP | VRP) -> int:
    """Return how many solutions are kept at most; none where not even two would be."""
    most = min(MAX_SOLUTIONS, MAX_NODES // problem.n)
    return most if most > 1 else 0


class KeptPopulation:
    """A population in its encoded form; each solution is encoded once."""

    def __init__(self, problem: TSP | VRP) -> None:
        self._nodes = problem.n
        self._most = capacity(problem)
        self._number = 0
        self._rank: Ints | None = None
        self._codes: list[bytes] = []
        self._seen = 0

    def update(self, number: int, solutions: Callable[[int], Sequence[Any]]) -> None:
        """Encode the new solutions of population ``number``.

        ``solutions(k)`` returns those from index ``k`` on, with None for one that is not a solution of the problem.
        """
        if number != self._number:
            self._number, self._rank, self._codes, self._seen = number, None, [], 0
        for solution in solutions(self._seen) if len(self._codes) < self._most else ():
            self._seen += 1
            if solution is None or len(self._codes) == self._most:
                continue
            row = self._row(solution)
            rank = np.arange(self._nodes + 1, dtype=np.int32) if self._rank is None else self._rank
            self._codes.append(_compressed(rank[row]))
            if self._rank is None:
                self._rank = _places(row, self._nodes)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the codes, one after another, and their sizes in bytes, by the names they have in a checkpoint."""
        sizes = np.array([len(code) for code in self._codes], np.int64)
        return {"population": np.frombuffer(b"".join(self._codes), np.uint8), "sizes": sizes}

    def _row(self, solution: Ints | Routes) -> Ints:
        if not isinstance(solution, list):
            return np.asarray(solution, np.int32)
        between = np.array([self._nodes], np.int32)
        parts = [part for route in solution for part in (route, between)]
        return np.concatenate(parts[:-1] or [between[:0]]).astype(np.int32)


def decode(problem: TSP | VRP, codes: NDArray[np.uint8], sizes: NDArray[np.int64]) -> list[Any]:
    """Return the solutions of a population; raises arbitrary exceptions if the codes are invalid.

    Tours are feasible; routes hold every customer who is searched once, if all must be served, but may exceed limits.
    """
    if len(sizes) > capacity(problem) or (sizes < 0).any() or sizes.sum() != codes.size:
        raise ValueError
    n, node = problem.n, np.arange(problem.n + 1, dtype=np.int32)
    vehicles = len(problem.fleet.kinds) if isinstance(problem, VRP) and problem.fleet is not None else n
    solutions: list[Any] = []
    ends = np.cumsum(sizes)
    for first, end in zip(ends - sizes, ends, strict=True):
        row = node[_decompressed(codes[first:end].tobytes(), n + vehicles + 1)]
        solutions.append(_solution(problem, row))
        if len(solutions) == 1:
            node = np.argsort(_places(row, n)).astype(np.int32)
    return solutions


def _solution(problem: TSP | VRP, row: Ints) -> Ints | Routes:
    """Return the solution of a row, or raise an error if it is none."""
    if isinstance(problem, TSP):
        if not problem.check(row).feasible:
            raise ValueError
        return row
    kept = needed(problem)
    customers = problem.customers if kept is None else kept[1:]
    served = np.sort(row[row < problem.n])
    if problem.optional:
        customers = np.intersect1d(customers, served)
    if not np.array_equal(served, customers):
        raise ValueError
    ends = np.flatnonzero(row == problem.n)
    if problem.fleet is not None and len(ends) + 1 != len(problem.fleet.kinds):
        raise ValueError
    return [route[route < problem.n] for route in np.split(row, ends)]


def _places(row: Ints, nodes: int) -> Ints:
    """Return the place of each node in ``row``; nodes that it lacks come last, and ``nodes`` itself."""
    order = row[row < nodes]
    others = np.setdiff1d(np.arange(nodes + 1, dtype=np.int32), order)
    rank = np.empty(nodes + 1, np.int32)
    rank[np.concatenate((order, others))] = np.arange(nodes + 1, dtype=np.int32)
    return rank


def _compressed(row: Ints) -> bytes:
    steps = np.diff(row, prepend=np.int32(0)).astype("<i4")
    return zlib.compress(np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 4).T).tobytes(), 1)


def _decompressed(code: bytes, most: int) -> NDArray[np.int64]:
    """Return a row of at most ``most`` numbers."""
    reader = zlib.decompressobj()
    data = reader.decompress(code, 4 * most + 1)
    if len(data) > 4 * most or len(data) % 4 or not reader.eof or reader.unused_data:
        raise ValueError
    planes = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(4, -1).T)
    row = np.cumsum(planes.reshape(-1).view("<i4"), dtype=np.int64)
    if (row < 0).any():
        raise ValueError
    return row
