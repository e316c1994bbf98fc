"""Violated combs, found by heuristics."""

from __future__ import annotations

import numpy as np

from warptour.bound.cutting.cut import Bools, TourCut, comb_cut, subtour
from warptour.bound.cutting.support import Support
from warptour.bound.instance import Ints, components

THRESHOLDS = (0.0, 0.05, 0.15, 0.3)
"""Edges of values from here up to 1 less this join nodes to handles."""

VIOLATION = 0.02
"""Least violation of a cut that is worth adding."""


def combs(support: Support, groups: Ints | None = None) -> list[TourCut]:
    """Return violated blossoms: handles are components of fractional edges, teeth edges of large value that leave them.

    ``groups``: (n,): numbers of sets of nodes that are taken as single ones: blossoms become combs with larger teeth
    """
    n = support.n
    label = np.arange(n, dtype=np.int32) if groups is None else groups
    table = np.unique(label, return_inverse=True)[1].astype(np.int32)
    count = int(table.max()) + 1
    one, two, x = _merged(count, table[support.one], table[support.two], support.x)
    tried: set[bytes] = set()
    found = []
    for threshold in THRESHOLDS:
        inner = (x > threshold) & (x < 1 - max(threshold, 1e-6))
        component = components(count, one[inner], two[inner])
        sizes = np.bincount(component)
        for part in np.flatnonzero(sizes > 1 if groups is None else sizes > 0).tolist():
            handle = component == part
            if handle.tobytes() in tried:
                continue
            tried.add(handle.tobytes())
            cut = _blossom(handle, one, two, x, table)
            if cut is not None:
                found.append(cut)
    return found


def _merged(count: int, one: Ints, two: Ints, x: np.ndarray) -> tuple[Ints, Ints, np.ndarray]:
    """Return the edges between groups, each once."""
    apart = one != two
    keys = np.minimum(one, two)[apart].astype(np.int64) * count + np.maximum(one, two)[apart]
    known, at = np.unique(keys, return_inverse=True)
    return (known // count).astype(np.int32), (known % count).astype(np.int32), np.bincount(at, x[apart])


def _blossom(handle: Bools, one: Ints, two: Ints, x: np.ndarray, table: Ints) -> TourCut | None:
    """Return the most violated comb of a handle whose teeth are edges; None if none is violated."""
    leaving = np.flatnonzero(handle[one] != handle[two])
    if len(leaving) == 0:
        return None
    value = x[leaving]
    tooth = value > 0.5
    if tooth.sum() % 2 == 0:
        flip = int(np.abs(value - 0.5).argmin())
        tooth[flip] = not tooth[flip]
    if value[~tooth].sum() + (1 - value[tooth]).sum() > 1 - VIOLATION:
        return None
    handle, teeth = handle.copy(), leaving[tooth].tolist()
    while True:  # two teeth of one node: it changes sides, and they are none
        seen: dict[int, int] = {}
        twice = None
        for edge in teeth:
            for node in (int(one[edge]), int(two[edge])):
                if node in seen:
                    twice = (node, seen[node], edge)
                seen[node] = edge
        if twice is None:
            break
        node, *pair = twice
        handle[node] = not handle[node]
        teeth = [edge for edge in teeth if edge not in pair]
    inside = handle[table]
    if len(teeth) < 3:
        return subtour(inside) if 1 < inside.sum() < len(inside) - 1 else None
    pairs = [np.isin(table, (one[edge], two[edge])) for edge in teeth]
    return comb_cut(inside, pairs)
