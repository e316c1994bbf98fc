"""3-opt: remove three edges and reconnect the two segments between them in one of four ways that use none of the three.

    a-[b..c]-[d..e]-f  ->  0  a-[d..e]-[b..c]-f     both segments unreversed: or-opt with any number of cities
                           1  a-[c..b]-[e..d]-f
                           2  a-[e..d]-[b..c]-f
                           3  a-[d..e]-[c..b]-f

a is at position i and b after it, c at position j and d after it, e at position k and f after it. A move is
(i, j, k, way). Where two of the edges are adjacent, a segment is a single city and some ways restore a removed edge:
those moves are exactly the 2-opt moves. A tour that no move here improves is therefore 2-optimal and 3-optimal.

Ways 1, 2 and 3 each reverse two of the three segments [b..c], [d..e] and [f..a] of the cycle. Where both are single
cities all three edges are restored: that is no move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.problem import Problem
from warptour.neighborhoods.move import Ints, Move

REVERSED: Final = {1: (0, 1), 2: (0, 2), 3: (1, 2)}
"""Segments of the cycle that a way reverses in place: 0 is [b..c], 1 is [d..e], 2 is [f..a]."""


@dataclass(frozen=True)
class ThreeOpt:
    """All four reconnections of each of the n(n-1)(n-2)/6 sets of three edges, but for the n that restore all three."""

    name: ClassVar[str] = "3-opt"

    def moves(self, n: int) -> Iterator[Move]:
        """Yield every (i, j, k, way) with i < j < k < n that changes the tour; three cities have only one."""
        for i in range(n - 2 if n > 3 else 0):
            for j in range(i + 1, n - 1):
                for k in range(j + 1, n):
                    single = j == i + 1, k == j + 1, (i, k) == (0, n - 1)
                    for way in range(4):
                        if not (way and all(single[at] for at in REVERSED[way])):
                            yield i, j, k, way

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return the length of the added edges minus that of the removed ones, summed as in :meth:`deltas`."""
        i, j, k, way = move
        return self.deltas(problem, tour, [i], [j], [k])[0, way].item()  # type: ignore[no-any-return]

    def deltas(self, problem: Problem, tour: Ints, i: ArrayLike, j: ArrayLike, k: ArrayLike) -> NDArray[Any]:
        """Return the deltas of the four ways, on the last axis, for position arrays that broadcast.

        Each is (first added edge - d(a, b) - d(c, d)) + (second + (third - d(e, f))), in this order: the first bracket
        and the last one depend on only two positions each, which the fast scan exploits.
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
        """Return the tour with the two segments between the edges exchanged or reversed."""
        i, j, k, way = move
        first, second = tour[i + 1 : j + 1], tour[j + 1 : k + 1]
        parts = (
            (second, first),
            (first[::-1], second[::-1]),
            (second[::-1], first),
            (second, first[::-1]),
        )[way]
        return np.concatenate((tour[: i + 1], *parts, tour[k + 1 :]))
