"""Sets of nodes that fewer than two edges leave."""

from __future__ import annotations

from ctypes import c_double, c_int32

import numpy as np

from warptour.bound.cutting.cut import Bools, TourCut, subtour
from warptour.bound.cutting.support import TINY, Support
from warptour.bound.instance import Ints, components
from warptour.kernels.library import array, kernel

ENOUGH = 2 - 1e-4
"""Value of the edges out of a set that counts as two edges."""

MOST_SETS = 100
"""Sets that are cut off at a time."""


def subtours(support: Support, tour: Ints) -> list[TourCut]:
    """Return violated subtour cuts: components; or runs of the tour; or minimum cuts, of which one is found if any is.

    ``tour``: a short tour, whose runs of nodes are tried
    """
    label = support.components()
    parts = int(label.max()) + 1
    if parts > 1:
        return [subtour(label == part) for part in range(parts)]
    sets = _runs(support, tour)
    if len(sets) == 0:
        sets = _minimum(support)
    return [subtour(inside) for inside in sets]


def _runs(support: Support, tour: Ints) -> Bools:
    """Return runs of the tour that less than 2 leaves, not too many of them with nodes in common."""
    n = support.n
    place = np.empty(n, np.int32)
    place[tour] = np.arange(n, dtype=np.int32)
    one, two = place[support.one], place[support.two]
    source, target, value = np.append(one, two), np.append(two, one), np.append(support.x, support.x)
    order = np.argsort(source, kind="stable")
    first = np.searchsorted(source[order], np.arange(n + 1)).astype(np.int32)
    ints, reals = array(np.int32), array(np.float64)
    out = (array(np.int32, output=True), array(np.float64, output=True))
    call = kernel("run_cuts", c_int32, ints, ints, reals, *out)
    size, least = np.empty(n, np.int32), np.empty(n)
    call(0, 1, n, first, np.ascontiguousarray(target[order]), np.ascontiguousarray(value[order]), size, least)
    found: list[Bools] = []
    used = np.zeros(n, np.int32)
    for at in np.argsort(least).tolist():
        if least[at] >= ENOUGH or len(found) == MOST_SETS:
            break
        run = tour[np.arange(at, at + size[at]) % n]
        if used[run].max() < 2:
            used[run] += 1
            inside = np.zeros(n, bool)
            inside[run] = True
            found.append(inside)
    return np.array(found, bool).reshape(-1, n)


def _minimum(support: Support) -> Bools:
    """Return minimum cuts below 2 among paths of edges of value 1, which no such cut needs to part."""
    label = components(support.n, *(ends[support.x > 1 - TINY] for ends in (support.one, support.two)))
    matrix = support.matrix(label)
    m = len(matrix)
    ints, reals = array(np.int32, output=True), array(np.float64, output=True)
    table = (array(np.float64, 2, output=True), array(np.int32, 2, output=True))
    call = kernel("small_cuts", c_int32, table[0], c_double, c_int32, ints, reals, table[1], ints)
    sets, many = np.empty((MOST_SETS, m), np.int32), np.zeros(1, np.int32)
    call(0, 1, m, matrix, ENOUGH, MOST_SETS, np.empty(3 * m, np.int32), np.empty(m), sets, many)
    return np.asarray(sets[: many[0]].astype(bool)[:, label])
