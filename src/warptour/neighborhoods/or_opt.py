"""Or-opt: move a segment of a few consecutive cities elsewhere.

    p-[a..b]-q ... c-d  ->  p-q ... c-[a..b]-d   or backward   p-q ... c-[b..a]-d

A move is (i, count, j, backward): the segment begins at position i and has ``count`` cities, c is at position j and d
after it. Positions are cyclic.
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
class OrOpt:
    """All moves of segments of at most ``longest`` cities, in both orientations."""

    name: ClassVar[str] = "or-opt"

    longest: int = 3

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, count, j, backward) whose edge c-d is neither inside the segment nor adjacent to it.

        A segment leaves at least three cities; a single city has no backward move.
        """
        for i in range(n):
            for count in range(1, min(self.longest, n - 3) + 1):
                for j in goals(n, i, count).tolist():
                    for backward in range(2 if count > 1 else 1):
                        yield i, count, j, backward

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return the length of the three added edges minus that of the three removed ones."""
        return self.deltas(problem, tour, np.array([move]))[0].item()  # type: ignore[no-any-return]

    def deltas(self, problem: Problem, tour: Ints, moves: NDArray[Any]) -> NDArray[Any]:
        """Return the delta of each of the ``moves``, shape (m, 4)."""
        i, count, j, backward = moves.T
        n = len(tour)
        p, a, b, q, c, d = (tour[at % n] for at in (i - 1, i, i + count - 1, i + count, j, j + 1))
        first, last = np.where(backward, b, a), np.where(backward, a, b)
        between = problem.distances
        added = between(p, q) + between(c, first) + between(last, d)
        return added - between(p, a) - between(b, q) - between(c, d)

    def row(self, problem: Problem, tour: Ints, i: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the deltas of all moves of segments that begin at position i, and those moves, by rank."""
        n = len(tour)
        moves = [
            np.stack(np.broadcast_arrays(i, count, goals(n, i, count)[:, None], np.arange(2 if count > 1 else 1)), -1)
            for count in range(1, min(self.longest, n - 3) + 1)
        ]
        every = np.concatenate([part.reshape(-1, 4) for part in moves])
        return self.deltas(problem, tour, every), every

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour with the segment moved."""
        i, count, j, backward = move
        n = len(tour)
        turned = np.roll(tour, -i)
        segment, rest = turned[:count], turned[count:]
        if backward:
            segment = segment[::-1]
        after = (j - i - count) % n + 1
        return np.concatenate((rest[:after], segment, rest[after:]))


def goals(n: int, i: int, count: int) -> NDArray[np.int64]:
    """Return the positions j whose edge to j + 1 is neither in the segment of ``count`` cities at i nor at its ends."""
    places = np.arange(n)
    return places[(places - i + 1) % n > count]
