"""Symmetric 3-opt in plain Python, round by round, as ``papers/mavroidis/engine/three_opt.py`` describes it.

A round is a recursion from the outside in: each element rearranges its two segments and whatever is between them, which
further elements have rearranged before.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from symmetric_reference import with_double, without_double
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.tolerance import tolerance

Part = list[int]


def arrangements() -> list[tuple[tuple[int, bool], ...]]:
    """Return all orders of the pieces 0, 1 and 2, each forwards or reversed, that keep one of the four edges or more.

    The present order is the first.
    """
    found = [
        tuple(zip(order, turned, strict=True))
        for order in permutations(range(3))
        for turned in product((False, True), repeat=3)
    ]
    present = borders(found[0])
    return [each for each in found if borders(each) & present]


def joins(arrangement: tuple[tuple[int, bool], ...]) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """Return the four edges of an arrangement from a, the last of piece -1, to d, the first of piece 3."""
    ends: list[tuple[str, int]] = [("last", -1)]
    for piece, turned in arrangement:
        ends += [("last", piece), ("first", piece)] if turned else [("first", piece), ("last", piece)]
    ends.append(("first", 3))
    return [(ends[i], ends[i + 1]) for i in range(0, 8, 2)]


def borders(arrangement: tuple[tuple[int, bool], ...]) -> set[frozenset[tuple[str, int]]]:
    """Return the four edges of an arrangement, whichever way they are walked."""
    return {frozenset(edge) for edge in joins(arrangement)}


ARRANGEMENTS = arrangements()


BORDERS = [
    [
        (0 if u[1] < 0 else 2 * u[1] + 1 + (u[0] == "last"), 7 if v[1] > 2 else 2 * v[1] + 1 + (v[0] == "last"))
        for u, v in joins(each)
    ]
    for each in ARRANGEMENTS
]
"""The edges of each arrangement from left to right, between ends numbered from a, 0, to d, 7."""


def choose(problem: TSP, table: list[list[float]], a: int, parts: tuple[Part, Part, Part], d: int) -> int:
    """Return the shortest arrangement of the parts between a and d, the first of ties; 0 unless it gains."""
    last, error = problem.n - 1, tolerance(problem)
    ends = [min(city, last) for city in (a, *(part[i] for part in parts for i in (0, -1)), d)]
    glued = {edge for edge in BORDERS[0] if ends[edge[0]] == ends[edge[1]] == last}
    lengths = {}
    for number, edges in enumerate(BORDERS):
        if glued <= {(min(edge), max(edge)) for edge in edges}:
            total = 0.0
            for u, v in edges:
                total += table[ends[u]][ends[v]]
            lengths[number] = total
    best = min(lengths, key=lengths.__getitem__)
    return best if lengths[0] - lengths[best] > error.absolute + error.relative * lengths[0] else 0


def rearranged(problem: TSP, table: list[list[float]], row: Part, q: int, k: int, moves: list[int]) -> Part:
    """Return the row with the elements at q, q + k + 1 ... rearranged, and add to ``moves`` a 1 for each that is."""
    m = len(row)
    if q >= (m - 1) // 2 - k:
        return row
    begin, end = q + 1, m - 1 - q
    s, inner, r = row[begin : begin + k], row[begin + k : end - k], row[end - k : end]
    choice = choose(problem, table, row[q], (s, inner, r), row[end])
    moves += [1] if choice else []
    deeper = rearranged(problem, table, row, q + k + 1, k, moves)[begin + k : end - k]
    laid: Part = []
    for piece, turned in ARRANGEMENTS[choice]:
        part = (s, deeper, r)[piece]
        laid += part[::-1] if turned else part
    return row[:begin] + laid + row[end:]


def one_round(problem: TSP, row: Ints, k: int, offset: int) -> tuple[Ints, int]:
    """Return the row after a round with segments of ``k`` cities, and the number of elements rearranged."""
    moves: list[int] = []
    city = np.arange(problem.n)
    table = problem.distances(city[:, None], city[None]).tolist()
    after = rearranged(problem, table, row.tolist(), offset, k, moves)
    return np.array(after, np.int32), len(moves)


def descend(problem: TSP, tour: Ints, longest: int) -> tuple[Ints, int, int]:
    """Return the tour in which no element gains, the number of rounds and that of rearranged elements."""
    row = with_double(tour)
    rounds = idle = accepted = 0
    while idle < len(row):
        moves = 0
        for k in range(1, longest + 1):
            for offset in range(k + 1):
                row, made = one_round(problem, row, k, offset)
                moves += made
                rounds += 1
        row = np.roll(row, -1)
        idle = 0 if moves else idle + 1
        accepted += moves
    return without_double(row, problem.n), rounds, accepted
