"""Triples (i, j, k), i > j > k, from a job's id: formulas 4.8 to 4.10 of Ermis (2015), and exact integers.

Up to and including i, there are C(i + 1, 3) triples, so i is the largest with C(i, 3) <= id. Formula 4.8 is Cardano's
for x^3 - x = 6 id with x = i - 1, but has 1/9 where Cardano has 1/27; that, and no rounding, makes it fail from id 454
on. Formula 4.9 has 3 where its own example takes 1.
"""

from __future__ import annotations

from math import comb, isqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]


def triple(number: int) -> tuple[int, int, int]:
    """Return (i, j, k) of an id, exactly."""
    i = round((6 * number) ** (1 / 3)) + 2
    while comb(i, 3) > number:
        i -= 1
    while comb(i + 1, 3) <= number:
        i += 1
    rest = number - comb(i, 3)
    j = (1 + isqrt(8 * rest + 1)) // 2
    return i, j, rest - comb(j, 2)


def exact_i(ids: Ids) -> Ids:
    """Return i of each id, by a table of C(i, 3)."""
    most = triple(int(ids.max(initial=0)))[0]
    firsts = np.array([comb(i, 3) for i in range(2, most + 2)])
    found: Ids = np.searchsorted(firsts, ids, side="right") + 1
    return found


def formula_i(ids: Ids, real: type[Any] = np.float64, divisor: int = 9, *, revised: bool = False) -> Ids:
    """Return i by formula 4.8, in ``real`` arithmetic, for ids from 1 on.

    ``divisor``: 9 as printed, or Cardano's 27
    ``revised``: leave out the second cube root, as the thesis does to mend the formula
    """
    x = ids.astype(real)
    root = np.sqrt(real(9) * x * x - real(1) / real(divisor))
    found = np.cbrt(real(3) * x + root) + real(1)
    return _whole(found if revised else found + np.cbrt(real(3) * x - root))


def formula_j(ids: Ids, i: Ids, real: type[Any] = np.float64, constant: int = 3) -> Ids:
    """Return j by formula 4.9; ``constant`` is 3 as printed, 1 as in the example. Roots of negative numbers give 0."""
    rest = np.maximum(0, 8 * (ids - i * (i - 1) * (i - 2) // 6) + 1).astype(real)
    return _whole((real(constant) + np.sqrt(rest)) / real(2))


def formula_k(ids: Ids, i: Ids, j: Ids) -> Ids:
    """Return k by formula 4.10."""
    k: Ids = ids - i * (i - 1) * (i - 2) // 6 - j * (j - 1) // 2
    return k


def controlled(ids: Ids, real: type[Any] = np.float64) -> tuple[Ids, Ids, Ids]:
    """Return i, j and k by the revised formula and the thesis' control statement: where i = j, i is one more."""
    i = formula_i(ids, real, revised=True)
    i = i + (formula_j(ids, i, real, 1) == i)
    j = formula_j(ids, i, real, 1)
    return i, j, formula_k(ids, i, j)


def root_i(ids: Ids, real: type[Any] = np.float32) -> Ids:
    """Return i of a pair by formula 4.3 as the thesis' kernel computes it: int(3 + sqrt(8 id + 1)) / 2."""
    x = ids.astype(real)
    return _whole(real(3) + np.sqrt(real(8) * x + real(1))) // 2


def first_wrong_root(real: type[Any] = np.float32) -> int | None:
    """Return the first id at which :func:`root_i` is wrong, of tours of up to 65,536 cities; None if there is none.

    Rounding matters at the ends of rows only: row i has the ids from (i - 1)(i - 2) / 2 on, i - 1 of them.
    """
    i = np.arange(2, 2**16 + 1, dtype=np.int64)
    first, last = (i - 1) * (i - 2) // 2, i * (i - 1) // 2 - 1
    wrong = [ids[root_i(ids, real) != i] for ids in (first, last)]
    found = np.concatenate(wrong)
    return int(found.min()) if found.size else None


def _whole(values: NDArray[Any]) -> Ids:
    """Return values rounded down."""
    whole: Ids = np.floor(values).astype(np.int64)
    return whole
