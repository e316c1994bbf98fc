"""3-opt: remove three edges and join the three parts in one of the four ways that keep none of them.

    a-[b..c]-[d..e]-f  ->  0  a-[d..e]-[b..c]-f     both parts as they were: or-opt of any number of cities
                           1  a-[c..b]-[e..d]-f
                           2  a-[e..d]-[b..c]-f
                           3  a-[d..e]-[c..b]-f

a is at place i and b after it, c at place j and d after it, e at place k and f after it. A move is (i, j, k, way).
Where two of the edges meet a part is one city, and some ways give a removed edge back: those moves are the 2-opt
moves, all of them. So a tour that no move here improves is 2-optimal and 3-optimal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move


@dataclass(frozen=True)
class ThreeOpt:
    """All four ways for each of the n(n-1)(n-2)/6 sets of three edges."""

    name: ClassVar[str] = "3-opt"

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, j, k, way) with i < j < k < n."""
        for i in range(n - 2):
            for j in range(i + 1, n - 1):
                for k in range(j + 1, n):
                    for way in range(4):
                        yield i, j, k, way

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return what the added edges are longer than the removed ones, summed as :meth:`deltas` does."""
        i, j, k, way = move
        return self.deltas(problem, tour, [i], [j], [k])[0, way].item()  # type: ignore[no-any-return]

    def deltas(self, problem: Problem, tour: Ints, i: ArrayLike, j: ArrayLike, k: ArrayLike) -> NDArray[Any]:
        """Return the deltas of the four ways, last axis, for places that broadcast.

        Each is (first added edge - d(a, b) - d(c, d)) + (second + (third - d(e, f))), in this order: the first bracket
        and the last one depend on two places only, which is what the fast scan lives by.
        """
        n = len(tour)
        i, j, k = (np.asarray(places) for places in (i, j, k))
        a, b, c, d, e, f = tour[i], tour[i + 1], tour[j], tour[j + 1], tour[k], tour[(k + 1) % n]
        between = problem.distances
        ab, cd, ef = between(a, b), between(c, d), between(e, f)
        ways = (
            (between(a, d) - ab - cd) + (between(b, e) + (between(c, f) - ef)),
            (between(a, c) - ab - cd) + (between(b, e) + (between(d, f) - ef)),
            (between(b, d) - ab - cd) + (between(a, e) + (between(c, f) - ef)),
            (between(a, d) - ab - cd) + (between(c, e) + (between(b, f) - ef)),
        )
        return np.stack(ways, axis=-1)

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour with the two parts between the edges exchanged or reversed."""
        i, j, k, way = move
        first, second = tour[i + 1 : j + 1], tour[j + 1 : k + 1]
        parts = (
            (second, first),
            (first[::-1], second[::-1]),
            (second[::-1], first),
            (second, first[::-1]),
        )[way]
        return np.concatenate((tour[: i + 1], *parts, tour[k + 1 :]))
