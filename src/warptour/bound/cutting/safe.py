"""Bounds in integers: valid whatever the linear program's tolerances.

The duals of the linear program are rounded to multiples of the scale. Any duals give a bound: what degrees and cuts
contribute, and the negative reduced costs of all edges that a tour may have. All sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int32, c_int64
from dataclasses import dataclass

import numpy as np

from warptour.bound.cutting.cut import Bools, TourCut
from warptour.bound.cutting.graph import CompleteGraph, Longs
from warptour.bound.cutting.program import Solved
from warptour.bound.instance import Floats, Ints
from warptour.kernels.library import array, kernel

Decision = tuple[int, int, int]
"""An edge, the lower node first, and whether a tour has it (1) or not (0)."""

LARGEST = 2.0**60
"""Bound on the weights of nodes, so that sums of three fit into 64 bits."""

ROOM = 1 << 18
"""Edges of the complete graph that are written without a second look; room for more is made when needed."""

_LONGS, _INTS = array(np.int64), array(np.int32)
_DUALS = (_LONGS, _LONGS, _INTS, _INTS, _LONGS, _INTS, _LONGS)


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges with their reduced costs, the lower node first, in lexical order."""

    one: Ints
    two: Ints
    reduced: Longs

    def of(self, chosen: Bools) -> Edges:
        """Return some of them."""
        return Edges(self.one[chosen], self.two[chosen], self.reduced[chosen])

    def pairs(self) -> list[tuple[int, int]]:
        """Return their ends."""
        return list(zip(self.one.tolist(), self.two.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class ExactBound:
    """Bound of a subproblem, the edges that its tours may have, and which of these are decided."""

    bound: int
    edges: Edges
    decided: Bools


class ExactDuals:
    """Duals of degrees and cuts as integers.

    ``constant``: what degrees and cuts contribute to the bound
    """

    def __init__(self, graph: CompleteGraph, degrees: Floats, cuts: list[TourCut], duals: Floats) -> None:
        self.graph = graph
        scaled = np.rint(duals * graph.scale)
        active = [(cut, int(dual)) for cut, dual in zip(cuts, scaled.tolist(), strict=True) if dual > 0]
        own = np.rint(degrees * graph.scale)
        most = float(np.abs(own).max(initial=0)) + sum(dual * int(cut.table.max()) for cut, dual in active)
        if not most < LARGEST:
            raise OverflowError
        own = own.astype(np.int64)
        self.constant = 2 * sum(own.tolist()) + sum(dual * cut.least for cut, dual in active)
        atoms = np.array([cut.atoms for cut, _ in active], np.int16).reshape(-1, graph.n)
        tables, heights = [], []
        self._weight = own
        for (cut, dual), row in zip(active, atoms, strict=True):
            height = cut.table[:, 0] * dual
            tables.append((height[:, None] + height - cut.table * dual).ravel())
            heights.append(height)
            self._weight = self._weight + height[row]
        widths = np.array([len(height) for height in heights], np.int32)
        place = np.concatenate(([0], np.cumsum(widths.astype(np.int64) ** 2)))[:-1]
        node, cut_number = np.nonzero(atoms.T)
        first = np.searchsorted(node, np.arange(graph.n + 1)).astype(np.int64)
        inside = atoms.T[node, cut_number].astype(np.int32)
        saved = np.concatenate(tables) if tables else np.zeros(0, np.int64)
        self._arrays = (self._weight, first, cut_number.astype(np.int32), inside, place, widths, saved)

    def all_edges(self, limit: int) -> Edges:
        """Return the edges of the complete graph whose reduced cost is at most ``limit``."""
        out_ints, out_longs = array(np.int32, output=True), array(np.int64, output=True)
        types = (c_int32, array(np.int64, 2), c_int64, *_DUALS, c_int64, out_ints, out_ints, out_longs, out_longs)
        call = kernel("edges_priced", *types)
        n, room, found = self.graph.n, ROOM, np.zeros(1, np.int64)
        most = max(-(2**62), min(2**62, limit))
        while True:
            one, two, reduced = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int64)
            call(0, 1, n, self.graph.length, most, *self._arrays, room, one, two, reduced, found)
            many = int(found[0])
            if many <= room:
                return Edges(one[:many], two[:many], reduced[:many])
            room = many

    def of(self, one: Ints, two: Ints) -> Longs:
        """Return the reduced costs of given edges."""
        call = kernel("edges_reduced", c_int64, _INTS, _INTS, _LONGS, *_DUALS, array(np.int64, output=True))
        reduced = np.empty(len(one), np.int64)
        call(0, 1, len(one), one, two, self.graph.length[one, two], *self._arrays, reduced)
        return reduced


def exact_bound(
    graph: CompleteGraph,
    solved: Solved,
    cuts: list[TourCut],
    left: Edges | None,  # the edges that a tour may have; None for all
    forced: frozenset[tuple[int, int]] | set[tuple[int, int]],
    decisions: Sequence[Decision],
    limit: int,  # of all edges, those are returned that a tour of this length may have by the bound
) -> ExactBound | None:
    """Return a bound on tours that have the forced edges and keep to the decisions; None if the duals are too large."""
    try:
        duals = ExactDuals(graph, solved.degrees, cuts, solved.duals)
    except OverflowError:
        return None
    if left is None:
        gap = limit - duals.constant - total(duals.all_edges(-1).reduced)
        edges = duals.all_edges(max(0, gap))
    else:
        edges = Edges(left.one, left.two, duals.of(left.one, left.two))
    had = np.array(sorted(forced.union((a, b) for a, b, value in decisions if value)), np.int32).reshape(-1, 2)
    out = np.array([(a, b) for a, b, value in decisions if not value], np.int32).reshape(-1, 2)
    pairs = np.vstack((had, out)).astype(np.int64)
    decided = np.isin(edges.one.astype(np.int64) * graph.n + edges.two, pairs[:, 0] * graph.n + pairs[:, 1])
    had_costs = duals.of(np.ascontiguousarray(had[:, 0]), np.ascontiguousarray(had[:, 1]))
    free = edges.reduced[~decided]
    return ExactBound(duals.constant + total(had_costs) + total(free[free < 0]), edges, decided)


def total(numbers: Longs) -> int:
    """Return the exact sum."""
    return (int((numbers >> 31).sum()) << 31) + int((numbers & ((1 << 31) - 1)).sum())
