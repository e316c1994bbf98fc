"""2-opt: remove two edges and reconnect the tour with one part reversed.

    a-b ... c-d  ->  a-c ... b-d

a is at position i and b after it, c at position j and d after it; the segment from b to c is reversed. A move is (i,
j).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move


@dataclass(frozen=True)
class TwoOpt:
    """All n(n-3)/2 exchanges of two edges without a common city."""

    name: ClassVar[str] = "2-opt"

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, j) with i + 2 <= j < n, except (0, n-1), whose edges are adjacent."""
        for i in range(n - 2):
            for j in range(i + 2, n - (i == 0)):
                yield i, j

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return d(a, c) + d(b, d) - d(c, d) - d(a, b), summed in this order."""
        i, j = move
        return self.row(problem, tour, i, np.array([j]))[0].item()  # type: ignore[no-any-return]

    def row(self, problem: Problem, tour: Ints, i: int, columns: Ints | None = None) -> np.ndarray:
        """Return the deltas of the moves (i, j) for the given ``columns`` j, by default all of row i, in order."""
        n = len(tour)
        j = np.arange(i + 2, n - (i == 0)) if columns is None else np.asarray(columns)
        a, b = tour[[i]], tour[[i + 1]]
        c, d = tour[j], tour[(j + 1) % n]
        added = problem.distances(a, c) + problem.distances(b, d)
        return (added - problem.distances(c, d)) - problem.distances(a, b)

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour with the segment from b to c reversed."""
        i, j = move
        return np.concatenate((tour[: i + 1], tour[j:i:-1], tour[j + 1 :]))
