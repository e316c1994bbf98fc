"""Cuts from closed walks through a few groups of nodes (local cuts, Applegate et al. 2001)."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_double, c_int32

import numpy as np

from warptour.bound.cutting.cut import TourCut, pairs_of, walk_cut
from warptour.bound.cutting.support import Shrunk, Support
from warptour.bound.instance import Floats, Ints
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel

CAPACITY = 1e-4
"""Added to the values of all pairs, so that coefficients of unused ones are small, too."""

WORTH = 0.997
"""Share of walks that fit into the values above which a cut would be too weak."""

MOST_PIVOTS = 1000

MULTIPLES = range(1, 121)
"""Right-hand sides that are tried in turn until all coefficients are integral."""


def walk_cuts(
    support: Support, shrunk: Shrunk, atoms: int, rng: np.random.Generator, over: Over, most: int
) -> list[TourCut]:
    """Return cuts that are violated in the graph of ``atoms - 1`` near groups and the rest.

    ``atoms``: up to 16; each more doubles the time
    ``rng``: order of the places that are tried
    ``over``: ends the search with Unfinished
    ``most``: number of cuts that are enough
    """
    found = []
    for label in _places(shrunk, atoms, rng):
        go_on(over)
        matrix = support.matrix(label)
        lengths = _facet(matrix)
        if lengths is None:
            continue
        cut = walk_cut(label, lengths, MULTIPLES)
        if cut is not None and violation(cut, support) > 0.01:
            found.append(cut)
            if len(found) == most:
                break
    return found


def violation(cut: TourCut, support: Support) -> float:
    """Return by how much a cut is violated, as a share of its right-hand side times ten."""
    return 10 * (1 - float(cut.coefficients(support.one, support.two) @ support.x) / max(1, cut.least))


def _places(shrunk: Shrunk, atoms: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield labels of nodes: groups near one another are 1 to ``atoms - 1``, and all others 0."""
    near = shrunk.near
    groups = np.array(list(near))
    seen: set[frozenset[int]] = set()
    for center in rng.permutation(groups).tolist():
        if all(value > 1 - 1e-6 for value in near[center].values()):
            continue
        chosen, shuffled = [center], rng.random() < 0.5
        for group in chosen:
            others = [*near[group]]
            if shuffled:
                rng.shuffle(others)
            else:
                others.sort(key=near[group].__getitem__, reverse=True)
            chosen += [other for other in others if other not in chosen][: atoms - 1 - len(chosen)]
            if len(chosen) == atoms - 1:
                break
        place = frozenset(chosen)
        if place in seen or len(chosen) < 4 or len(chosen) == len(groups) < 5:
            continue
        seen.add(place)
        number = np.zeros(len(shrunk.label), np.int32)
        number[chosen] = np.arange(1, len(chosen) + 1)
        label = number[shrunk.label]
        yield label if (label == 0).any() else label - 1


def _facet(matrix: Floats) -> Floats | None:
    """Return lengths between atoms under which closed walks are at least 1 and the values much less; None if none."""
    k = len(matrix)
    one, two = np.array(pairs_of(k)).T
    reals = array(np.float64, output=True)
    call = kernel("pack_walks", c_int32, array(np.float64), c_int32, c_double, reals, reals, reals, reals)
    m = len(one)
    capacity = matrix[one, two] + CAPACITY * (1 + np.arange(m) % 17 / 17)
    duals, state = np.empty(m), np.empty(3)
    call(0, 1, k, capacity, MOST_PIVOTS, WORTH, np.empty(16 << (k - 1)), np.empty(m * m), duals, state)
    if not state[1]:
        return None
    lengths = np.zeros((k, k))
    lengths[one, two] = lengths[two, one] = duals
    return lengths
