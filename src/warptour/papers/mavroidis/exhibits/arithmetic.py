"""Table 2 in other arithmetic: precision, order of a sum, and the smallest gain that counts.

Where a move's two new edges are as long as the two that it removes, or differ by less than a rounding error, the
arithmetic decides, and a tour may take another way from there on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.fpga import emulate
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_2

Floats = NDArray[Any]


@dataclass(frozen=True)
class Arithmetic:
    """How a move is decided."""

    title: str
    real: type  # precision of coordinates, distances and sums
    # whether the new edges less the removed ones are below 0, or the removed ones less the new ones above 0; both sums
    # run from left to right
    added_first: bool

    def accepts(self, ab: Floats, cd: Floats, ac: Floats, bd: Floats) -> NDArray[np.bool_]:
        """Return which moves a-b ... c-d -> a-c ... b-d shorten the tour."""
        saved = ac + bd - ab - cd < 0 if self.added_first else ab + cd - ac - bd > 0
        return np.asarray(saved, np.bool_)


ARITHMETICS: Final = tuple(
    Arithmetic(f"{title}, {'added - removed' if added_first else 'removed - added'}", real, added_first)
    for title, real in (("double", np.float64), ("single", np.float32), ("long double", np.longdouble))
    for added_first in (True, False)
)
"""Arithmetics of a program in C; long double is that of the registers of a Pentium."""


def loops_in(problem: TSP, arithmetic: Arithmetic, most: int) -> int | None:
    """Return the loops until n - 1 in a row make no move, one element per four cities; None if they are over ``most``.

    A rounding error that counts as a gain can go on for ever.
    """
    n, elements = problem.n, problem.n // 4
    row: Floats = problem.points.astype(arithmetic.real)
    loops = idle = 0
    while idle < n - 1:
        if loops == most:
            return None
        moved = False
        for width in (2 * elements, 2 * elements + 1):
            moved |= _evaluate(row, width, elements, arithmetic)
        row = np.roll(row, 1, axis=0)
        idle = 0 if moved else idle + 1
        loops += 1
    return loops


def _evaluate(row: Floats, width: int, elements: int, arithmetic: Arithmetic) -> bool:
    """Make the moves of one evaluation of segments of up to ``width`` cities, and return whether there were any."""
    lower, upper = np.arange(elements), width - 1 - np.arange(elements)
    a, b, c, d = row[lower - 1], row[lower], row[upper], row[(upper + 1) % len(row)]
    said = arithmetic.accepts(_apart(a, b), _apart(c, d), _apart(a, c), _apart(b, d))
    said &= upper - lower + 1 <= len(row) // 2 + 1
    if not said.any():
        return False
    swapped = np.logical_xor.accumulate(said)
    row[lower[swapped]], row[upper[swapped]] = c[swapped], b[swapped]
    return True


def _apart(one: Floats, other: Floats) -> Floats:
    gap = one - other
    return np.asarray(np.sqrt(gap[:, 0] * gap[:, 0] + gap[:, 1] * gap[:, 1]))


THRESHOLDS: Final = (1e-7, 1e-6, 3e-6, 1e-5)
"""Smallest gains that count, as fractions of the edges that a move removes."""
CHOSEN: Final = 1e-6
"""The one that is tried on every instance."""
MOST: Final = 100_000
"""Loops after which a run of other arithmetic is given up."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the loops of vm1748 in other arithmetic and with other thresholds, and of all with one threshold."""
    name = "eil51" if options.quick else "vm1748"
    problem, same = named(name, TABLE_2[name].n)
    peer = TABLE_2[name].loops if same else None
    for arithmetic in ARITHMETICS:
        loops = loops_in(problem, arithmetic, MOST)
        if loops is not None:
            yield _row(problem, arithmetic.title, loops, peer)
    for least in THRESHOLDS:
        yield _row(problem, _gains(least), emulate(problem, least=least).loops, peer)
    for other, printed in list(TABLE_2.items())[: QUICK if options.quick else None]:
        problem, same = named(other, printed.n)
        if other != name:
            loops = emulate(problem, least=CHOSEN).loops
            yield _row(problem, _gains(CHOSEN), loops, printed.loops if same else None)


def _gains(least: float) -> str:
    return f"double, gains above {least:g} of the removed edges"


def _row(problem: TSP, how: str, loops: int, peer: int | None) -> Row:
    return Row("mavroidis", f"{problem.name}, {how}", problem.n, "cpu", loops, "loops", peer=peer)


EXHIBIT: Final = Exhibit(
    "table-2-arithmetic",
    "Table 2: loops of vm1748 by precision, order of the sum and smallest gain, and of all instances by one of these",
    "The thesis does not say how its emulator computes. Moves that gain nothing, or less than a rounding error, decide "
    "which way a descent takes. A count that a threshold brings out does not prove that he had it.",
    measure,
)
