"""Or-opt: take a few consecutive cities out and put them elsewhere.

    p-[a..b]-q ... c-d  ->  p-q ... c-[a..b]-d   or backward   p-q ... c-[b..a]-d

A move is (i, count, j, backward): the segment begins at place i and has
``count`` cities, c is at place j and d after it. Places are cyclic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move


@dataclass(frozen=True)
class OrOpt:
    """All moves of segments of up to ``longest`` cities, both ways round."""

    name: ClassVar[str] = "or-opt"

    longest: int = 3

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, count, j, backward) whose edge c-d is neither in the segment nor at its ends.

        A segment leaves at least three cities; one city has no backward.
        """
        for i in range(n):
            for count in range(1, min(self.longest, n - 3) + 1):
                for j in range(n):
                    if (j - i + 1) % n <= count:  # c or d in the segment
                        continue
                    for backward in range(2 if count > 1 else 1):
                        yield i, count, j, backward

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return what the three added edges are longer than the three removed ones."""
        i, count, j, backward = move
        n = len(tour)
        p, a, b, q, c, d = (int(tour[at % n]) for at in (i - 1, i, i + count - 1, i + count, j, j + 1))
        first, last = (b, a) if backward else (a, b)
        added = problem.distance(p, q) + problem.distance(c, first) + problem.distance(last, d)
        return added - problem.distance(p, a) - problem.distance(b, q) - problem.distance(c, d)

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
