"""Cuts: inequalities that every tour satisfies, and what proves that it does."""

from __future__ import annotations

from ctypes import c_int32
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from warptour.bound.instance import Floats, Ints
from warptour.kernels.library import array, kernel

Bools = NDArray[np.bool_]

MOST_PROVED = 14
"""Maximum number of atoms of a cut that is proved by the closed walks through them."""


@dataclass(frozen=True, eq=False)
class TourCut:
    """Edges cost ``table[u, v]`` between the atoms of their ends, and a tour at least ``least``."""

    atoms: NDArray[np.int16]  # (n,): atom of each node; 0 is the largest
    table: NDArray[np.int64]  # (k, k): a metric: symmetric, 0 on the diagonal, with the triangle inequality
    least: int
    # (1 + teeth, k): atoms of the handle and of each tooth, if the cut is a comb: an edge costs the number of these
    # sets that it leaves
    comb: Bools | None = None

    @cached_property
    def key(self) -> bytes:
        """What equal cuts have in common."""
        return self.atoms.tobytes() + self.table.tobytes()

    def coefficients(self, one: Ints, two: Ints) -> NDArray[np.int64]:
        """Return the coefficient of each edge."""
        return self.table[self.atoms[one], self.atoms[two]]

    def proved(self) -> bool:
        """Return whether the table is a metric and every tour costs at least ``least``, by an exact computation."""
        table, k = self.table, len(self.table)
        if (table != table.T).any() or table.diagonal().any() or (table < 0).any() or self.atoms.max() >= k:
            return False
        if (table[:, :, None] + table[None, :, :] < table[:, None, :]).any():
            return False
        if k <= MOST_PROVED:
            return self.least <= shortest_walk(table)
        return self.comb is not None and self._is_comb(self.comb)

    def _is_comb(self, comb: Bools) -> bool:
        handle, teeth = comb[0], comb[1:]
        disjoint = bool((teeth.sum(axis=0) <= 1).all())
        astride = bool((teeth & handle).any(axis=1).all() and (teeth & ~handle).any(axis=1).all())
        odd = len(teeth) % 2 == 1 and len(teeth) >= 3
        counted = bool((self.table == (comb[:, :, None] != comb[:, None, :]).sum(axis=0)).all())
        return disjoint and astride and odd and counted and self.least <= 3 * len(teeth) + 1


def shortest_walk(table: NDArray[np.int64]) -> int:
    """Return the length of the shortest closed walk through all atoms, exactly."""
    k = len(table)
    if k == 2:
        return 2 * int(table[0, 1])
    reals = array(np.float64, output=True)
    call = kernel("walk_length", c_int32, array(np.float64, 2, output=True), reals, reals)
    length = np.zeros(1)
    call(0, 1, k, table.astype(np.float64), np.empty(16 << (k - 1)), length)
    return int(length[0])


def subtour(inside: Bools) -> TourCut:
    """Return the cut that at least two edges leave a set of nodes."""
    small = inside if 2 * int(inside.sum()) <= len(inside) else ~inside
    return TourCut(small.astype(np.int16), np.array([[0, 1], [1, 0]]), 2)


def comb_cut(handle: Bools, teeth: list[Bools]) -> TourCut:
    """Return the cut of a comb: a handle, and an odd number of disjoint teeth, each partly in it."""
    sets = np.array([handle, *teeth])
    patterns, atoms = np.unique(sets, axis=1, return_inverse=True)
    return ordered(
        atoms.ravel(), (patterns[:, :, None] != patterns[:, None, :]).sum(axis=0), 3 * len(teeth) + 1, patterns
    )


def ordered(atoms: NDArray[np.integer], table: NDArray[np.int64], least: int, comb: Bools | None = None) -> TourCut:
    """Return a cut with its largest atom in the first place."""
    k = len(table)
    largest = int(np.bincount(atoms, minlength=k).argmax())
    order = np.array([largest, *(atom for atom in range(k) if atom != largest)])
    place = np.empty(k, np.int16)
    place[order] = np.arange(k)
    return TourCut(place[atoms], table[np.ix_(order, order)], least, None if comb is None else comb[:, order])


def walk_cut(atoms: NDArray[np.integer], lengths: Floats, multiples: range) -> TourCut | None:
    """Return a cut whose table is proportional to ``lengths``; None if no multiple of these is integral.

    Its right-hand side is the shortest closed walk, so that it holds whatever the lengths.
    """
    k = len(lengths)
    for multiple in multiples:
        whole = np.rint(lengths * multiple)
        if np.abs(lengths * multiple - whole).max() < 1e-5:
            break
    else:
        return None
    table = whole.astype(np.int64)
    for w in range(k):
        np.minimum(table, table[:, w, None] + table[None, w, :], out=table)
    return ordered(atoms, table, shortest_walk(table))


def pairs_of(k: int) -> list[tuple[int, int]]:
    """Return the pairs of atoms in the order of ``closed_walks.c``."""
    return sorted(((v, u) for u, v in combinations(range(k), 2)))
