"""Swap: two cities exchange positions.

    p-x-q ... r-y-s  ->  p-y-q ... r-x-s        adjacent:  p-x-y-s  ->  p-y-x-s

x is at position i and y at position j. A move is (i, j).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move


@dataclass(frozen=True)
class Swap:
    """All n(n-1)/2 pairs of cities; of four cities only adjacent ones, since opposite ones reverse the tour."""

    name: ClassVar[str] = "swap"

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, j) with i < j; three cities have only one tour, hence no move."""
        for i in range(n if n > 3 else 0):
            for j in range(i + 1, n):
                if n > 4 or j != i + 2:
                    yield i, j

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return (d(p, y) + d(y, q)) + (d(r, x) + d(x, s)) minus (d(p, x) + d(x, q)) + (d(r, y) + d(y, s)).

        For adjacent cities, (d(p, y) + d(x, s)) - (d(p, x) + d(y, s)).
        """
        return self.deltas(problem, tour, np.array([move]))[0].item()  # type: ignore[no-any-return]

    def deltas(self, problem: Problem, tour: Ints, moves: NDArray[Any]) -> NDArray[Any]:
        """Return the delta of each of the ``moves``, shape (m, 2)."""
        n = len(tour)
        i, j = moves.T
        round_the_end = (j + 1) % n == i
        i, j = np.where(round_the_end, j, i), np.where(round_the_end, i, j)
        p, x, q = (tour[at % n] for at in (i - 1, i, i + 1))
        r, y, s = (tour[at % n] for at in (j - 1, j, j + 1))
        between = problem.distances
        beside = (between(p, y) + between(x, s)) - (between(p, x) + between(y, s))
        added = (between(p, y) + between(y, q)) + (between(r, x) + between(x, s))
        apart = added - ((between(p, x) + between(x, q)) + (between(r, y) + between(y, s)))
        return np.where(q == y, beside, apart)

    def row(self, problem: Problem, tour: Ints, i: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the deltas of the swaps of position i with all later ones, and those moves, by rank."""
        later = np.arange(i + 1, len(tour))
        later = later[(later != i + 2) | (len(tour) > 4)]
        moves = np.stack((np.full_like(later, i), later), axis=1)
        return self.deltas(problem, tour, moves), moves

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour with the two cities exchanged."""
        after = tour.copy()
        after[list(move)] = tour[list(move[::-1])]
        return after
