"""Symmetric 3-opt: nested 3-opt moves, evaluated and applied together (proposed in Mavroidis 2011, section 7.1).

The thesis leaves open how its scheme could handle 3-opt. Here an element has a segment of k cities on each side of the
row instead of one city, and whatever is between the two:

    a [s] [inner] [r] d        a at position q, s at q+1 .. q+k, r mirrored at m-1-q-k .. m-2-q, d at m-1-q

It takes the best arrangement of the three pieces that changes at most three of their four edges: 2-opt, or 3-opt with
one edge on one side and two on the other. Elements of a round are k+1 positions apart, so that their edges are distinct
and each lies inside the inner piece of those further out. Any of them may therefore be rearranged together: an inner
piece is reversed if an odd number of elements further out reversed theirs, and shifted by the sum of the cities that
those have moved from one side to the other. Parity and shift are both prefix sums, log2(n) steps each; in the 2-opt of
the thesis the shift is always 0.

A turn of the row has k+1 rounds for each k up to 3, so that every position is an a. Then the row rotates by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.mavroidis.engine.moves import with_double, without_double

LONGEST: Final = 3
"""Longest segment, in cities, as of or-opt."""

PIECES: Final = {"s": (1, 2), "inner": (3, 4), "r": (5, 6)}
"""The first and last city of each piece, as columns of the ends of an element: a, then these, then d."""
A, D = 0, 7

PAIRS: Final = tuple(combinations(range(8), 2))


@dataclass(frozen=True)
class Arrangement:
    """An order of the three pieces, each forwards or reversed.

    Attributes
    ----------
    pieces : tuple
        Name of each piece from a to d, and whether it is reversed.
    """

    pieces: tuple[tuple[str, bool], ...]

    @property
    def edges(self) -> frozenset[tuple[int, int]]:
        """The four edges between a, the pieces and d."""
        ends = [A]
        for name, reverse in self.pieces:
            ends.extend(PIECES[name][::-1] if reverse else PIECES[name])
        ends.append(D)
        return frozenset((min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True))


def _arrangements() -> tuple[Arrangement, ...]:
    """Return the arrangements that change two or three edges, after the one that changes none."""
    found = [
        Arrangement(tuple(zip(order, reverse, strict=True)))
        for order in permutations(PIECES)
        for reverse in product((False, True), repeat=3)
    ]
    present = found[0].edges
    return tuple(each for each in found if len(each.edges - present) <= 3)


ARRANGEMENTS: Final = _arrangements()
COSTS: Final = np.array([[pair in each.edges for pair in PAIRS] for each in ARRANGEMENTS], np.float64)
"""Which distances between the ends of an element make up each arrangement."""
PRESENT: Final = COSTS[0] > 0
"""Which distances between the ends of an element are edges of the tour."""


def descend_three(problem: TSP, tour: Ints, longest: int = LONGEST) -> tuple[Ints, int]:
    """Return the tour in which no evaluated arrangement is shorter, and the number of rounds.

    It ends after m consecutive turns without a move, one per position; the tour is then 2-optimal too.

    Parameters
    ----------
    problem : TSP
        Closed, of at least five cities.
    tour : array of int32
    longest : int
        Longest segment, in cities.
    """
    row = with_double(tour)
    rounds = idle = 0
    while idle < len(row):
        moves = 0
        for k in range(1, longest + 1):
            for offset in range(k + 1):
                row, made = three_opt_round(problem, row, k, offset)
                moves += made
                rounds += 1
        row = np.roll(row, -1)
        idle = 0 if moves else idle + 1
    return without_double(row, problem.n), rounds


def three_opt_round(problem: TSP, row: Ints, k: int, offset: int) -> tuple[Ints, int]:
    """Return the row after one round with segments of ``k`` cities, and the number of elements rearranged.

    ``offset`` is the position of the outermost a, from 0 to k.
    """
    return rearrange(problem, row, k, np.arange(offset, (len(row) - 1) // 2 - k, k + 1))


def rearrange(problem: TSP, row: Ints, k: int, at: NDArray[np.int64]) -> tuple[Ints, int]:
    """Return the row after the best arrangement of each element, and the number of elements that it changes.

    ``at`` is the position of each element's a, in ascending order and more than k apart.
    """
    m = len(row)
    if not len(at):
        return row, 0
    places = np.stack((at, at + 1, at + k, at + k + 1, m - 2 - at - k, m - 1 - at - k, m - 2 - at, m - 1 - at))
    lengths = _lengths(problem, row[places])
    best = lengths.argmin(axis=0)
    error = tolerance(problem)
    best[lengths[0] - lengths.min(axis=0) <= error.absolute + error.relative * lengths[0]] = 0
    if not best.any():
        return row, 0
    return _rearranged(row, at, k, best), int(np.count_nonzero(best))


def _lengths(problem: TSP, ends: Ints) -> NDArray[np.float64]:
    """Return the length of each arrangement of each element; infinite if a city would lose its duplicate."""
    one, other = ends[np.array(PAIRS).T]
    last = problem.n - 1
    lengths = COSTS @ problem.distances(np.minimum(one, last), np.minimum(other, last)).astype(np.float64)
    joined = (one >= last) & (other >= last) & PRESENT[:, None]
    lengths[(1 - COSTS) @ joined > 0] = np.inf
    return lengths


def _rearranged(row: Ints, at: NDArray[np.int64], k: int, best: NDArray[np.int64]) -> Ints:
    """Return the row with the chosen arrangement of each element, from the outside in."""
    m = len(row)
    left: list[Ints] = [row[: at[0] + 1]]
    right: list[Ints] = [row[m - 1 - at[0] :]]
    turned = False
    for q, choice in zip(at.tolist(), best.tolist(), strict=True):
        cut = {"s": row[q + 1 : q + k + 1], "inner": row[:0], "r": row[m - 1 - q - k : m - 1 - q]}
        pieces = ARRANGEMENTS[choice].pieces
        laid = [cut[name][::-1] if back else cut[name] for name, back in pieces]
        centre = [name for name, _ in pieces].index("inner")
        before, after = laid[:centre], laid[centre + 1 :]
        if turned:
            before, after = [part[::-1] for part in after[::-1]], [part[::-1] for part in before[::-1]]
        turned ^= pieces[centre][1]
        # The outermost cities of the inner piece are a and d of the next element.
        next_a, next_d = row[q + k + 1 : q + k + 2], row[m - 2 - q - k : m - 1 - q - k]
        if q == at[-1]:
            next_a = next_d = row[:0]
        left += [*before, next_d if turned else next_a]
        right[:0] = [next_a if turned else next_d, *after]
    q = int(at[-1]) + k
    core = row[q + 1 : m - 1 - q]
    return np.concatenate((*left, core[::-1] if turned else core, *right)).astype(np.int32)
