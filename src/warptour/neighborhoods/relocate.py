"""Relocate: move one city elsewhere.

    p-a-q ... c-d  ->  p-q ... c-a-d

a is at position i, c at position j and d after it, cyclically. A move is (i, j): or-opt with one city.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.or_opt import OrOpt, goals


@dataclass(frozen=True)
class Relocate:
    """All n(n-2) insertions of one city between two other consecutive cities."""

    name: ClassVar[str] = "relocate"

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, j) whose edge c-d is not incident to the city."""
        for i in range(n if n > 3 else 0):
            for j in goals(n, i, 1).tolist():
                yield i, j

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return the length of the three added edges minus that of the three removed ones."""
        return OrOpt(1).delta(problem, tour, (move[0], 1, move[1], 0))

    def row(self, problem: Problem, tour: Ints, i: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the deltas of all moves of the city at position i, and those moves, by rank."""
        deltas, moves = OrOpt(1).row(problem, tour, i)
        return deltas, moves[:, [0, 2]]

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour with the city moved."""
        return OrOpt(1).apply(tour, (move[0], 1, move[1], 0))
