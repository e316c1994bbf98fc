"""A tour cut into windows, and the windows joined to a tour (``kernels/tours/window_split.c``).

Each window holds several fragments of the tour. As long as every fragment keeps
its first and last city, the fragments of all windows in their old sequence are
again one tour (:meth:`Split.joined`). In a loose split windows may change the ends
of fragments: each window alone still gives one tour, and subtour repair makes one
tour of all of them (:meth:`Split.subtour_free`).
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import spots
from warptour.kernels.groups import run_groups
from warptour.kernels.library import array, kernel
from warptour.tours.engine.cycles import cycles_of, patch, repair_subtours
from warptour.tours.engine.instance import Instance, Ints

SMALLEST: Final = 8
"""Smallest window that is searched."""

JITTER: Final = 0.05
"""Maximum deviation of a cell's share from an even one, in cells: threads wait for the largest cell."""

MAX_LOSS: Final = 0.01
"""Share of the windows' gain that may be lost when they are joined before another way is tried."""

_int32, _int64 = ctypes.c_int32, ctypes.c_int64
_ints, _longs = array(np.int32), array(np.int64)
_out, _out_long, _out_float = array(np.int32, output=True), array(np.int64, output=True), array(np.float32, output=True)
_COUNT = (_int64, _ints, _ints, _out_long, _out_long)
_DEAL = (_int64, _ints, _ints, _longs, _out_long, _out_long, _out, _out, _out, _out)
_RELINK = (_longs, _ints, _longs, _ints, _ints, _ints, _out, _out)
_JOIN = (_int64, _ints, _longs, _ints, _ints, _out)


class TourParts:
    """A tour in parts: the cities of each in tour order, and the fragments that they form.

    ``tour``: (nodes,): a closed tour
    ``label``: (nodes,): the part of each node, from 0 to ``windows - 1``
    ``offsets``, ``order``: the nodes of part w are ``order[offsets[w] : offsets[w + 1]]``, in tour order
    ``fragment_offsets``, ``heads``: the fragments of part w begin at its nodes ``heads[fragment_offsets[w] :
        fragment_offsets[w + 1]]``, counted from 0 in each part
    ``slot``: inverse of ``order``
    ``sequence``: the fragments in tour order
    """

    def __init__(self, tour: Ints, label: Ints) -> None:
        n = len(tour)
        self.tour = tour
        self.windows = int(label.max()) + 1
        self.offsets = np.zeros(self.windows + 1, np.int64)
        self.fragment_offsets = np.zeros(self.windows + 1, np.int64)
        kernel("window_count", *_COUNT)(0, 1, n, tour, label, self.offsets, self.fragment_offsets)
        np.cumsum(self.offsets, out=self.offsets)
        np.cumsum(self.fragment_offsets, out=self.fragment_offsets)
        self.fragments = int(self.fragment_offsets[-1])
        self.order = np.empty(n, np.int32)
        self.slot = np.empty(n, np.int32)
        self.heads = np.empty(self.fragments, np.int32)
        self.sequence = np.empty(self.fragments, np.int32)
        kernel("window_deal", *_DEAL)(
            0, 1, n, tour, label, self.offsets, self.offsets[:-1].copy(), self.fragment_offsets[:-1].copy(),
            self.order, self.slot, self.heads, self.sequence,
        )  # fmt: skip

    @property
    def largest(self) -> int:
        """Nodes in the largest part."""
        return int(np.diff(self.offsets).max())

    def relink(self, window: int, tour: Ints, place: Ints, spare: Ints, links: Ints) -> None:
        """Write the neighbours in the cycle ``tour`` of a part, numbered in the part, to the ``links`` of all nodes.

        ``place`` is the inverse of ``tour``, ``spare`` workspace of as many numbers.
        """
        kernel("window_relink", *_RELINK)(
            window, self.windows, self.offsets, self.heads, self.fragment_offsets, tour, place, self.order, spare, links
        )


class Split(TourParts):
    """A tour in windows.

    ``tour``: (nodes,): a closed tour in the instance's numbering
    ``label``: (nodes,): the window of each node, from 0 to ``windows - 1``
    ``loose``: whether windows may change the ends of fragments
    """

    def __init__(self, instance: Instance, tour: Ints, label: Ints, *, loose: bool = False) -> None:
        super().__init__(tour, label)
        self.instance = instance
        self.links = links_of(tour) if loose else None
        sizes = np.diff(self.offsets)
        after = np.append(self.heads[1:], 0)
        after[self.fragment_offsets[1:] - 1] = sizes
        self.counts = (after - self.heads).astype(np.int32)

    def joined(self) -> Ints:
        """Return the tour of all windows as they are now; the split must not be loose."""
        starts = np.cumsum(self.counts, dtype=np.int64) - self.counts
        tour = np.empty(self.instance.nodes, np.int32)
        kernel("window_join", *_JOIN)(0, 1, self.fragments, self.sequence, starts, self.counts, self.order, tour)
        return tour

    def subtour_free(self) -> tuple[Ints, float]:
        """Return the tour of the windows of a loose split after subtour repair, and its gain."""
        assert self.links is not None
        return repair_subtours(self.instance, self.tour, self.links)

    def patched(self, gain: float, threads: int) -> tuple[Ints, float]:
        """Return the tour of a loose split with its cycles patched, and what is left of the ``gain`` of its windows."""
        assert self.links is not None
        instance, links = self.instance, self.links
        tour, cycle, count = cycles_of(links)
        if count > 1:
            links = links.copy()
            gain -= patch(instance.points, links, cycle, count, instance.fixed, threads, instance.near)
            tour = cycles_of(links)[0]
        return tour, gain

    def rejoined(self, gain: float, threads: int, *, patch_first: bool) -> tuple[Ints, float]:
        """Return the tour of the windows of a loose split, and what is left of their ``gain``.

        Cycles are patched or subtours repaired, and where that loses much, the other is tried, too. Subtour repair also
        reverts what does not pay, but loses most of the gain where everything has changed.
        """
        ways = [lambda: self.patched(gain, threads), self.subtour_free]
        first, second = ways if patch_first else reversed(ways)
        found = first()
        if found[1] >= (1 - MAX_LOSS) * gain:
            return found
        return max(found, second(), key=lambda way: way[1])


def links_of(tour: Ints) -> Ints:
    """Return the two neighbours of each node in ``tour``."""
    links = np.empty((len(tour), 2), np.int32)
    links[tour, 0], links[tour, 1] = np.roll(tour, 1), np.roll(tour, -1)
    return links.reshape(-1)


def cells(instance: Instance, size: int, rng: np.random.Generator, threads: int = 1) -> Ints:
    """Return the window of each node: random cells of at most about ``size`` nodes.

    Coordinates are rotated at random and bisected across the longer side, near the middle, until cells are small
    enough. The closing node of an open path gets a window of its own, so that no other window has to handle it.
    """
    problem, points = instance.problem, instance.points
    columns = [points.x, points.y, points.z][: spots(problem).shape[1]]
    rotation = _rotation(len(columns), rng)
    turned = np.stack([sum(c * r for c, r in zip(columns, row, strict=True)) for row in rotation.T]).astype(np.float32)
    nodes, values = np.arange(problem.n, dtype=np.int32), np.empty(problem.n, np.float32)
    firsts, pieces = np.array([0, problem.n], np.int64), np.array([max(1, round(problem.n / size))])
    halve = kernel("cells_halve", _int64, array(np.float32, 2), _int32, _longs, _longs, _out_float, _out)
    while pieces.max() > 1:
        counts, left = np.diff(firsts), pieces // 2
        share = left / pieces + rng.uniform(-JITTER, JITTER, len(pieces)) / pieces
        cut = np.where(pieces > 1, np.clip(np.rint(counts * share), 1, counts - 1), 0).astype(np.int64)
        run_groups(halve, len(pieces), threads, problem.n, turned, len(columns), firsts, cut, values, nodes)
        halves = np.column_stack((firsts[:-1], firsts[:-1] + cut)).ravel()
        parts = np.column_stack((left, pieces - left)).ravel()
        firsts, pieces = np.append(halves[parts > 0], problem.n), parts[parts > 0]
    label = np.full(instance.nodes, len(pieces), np.int32)
    label[nodes] = np.repeat(np.arange(len(pieces), dtype=np.int32), np.diff(firsts))
    return label


def stretches(instance: Instance, size: int) -> Ints:
    """Return the window of each node: ranges of about ``size`` consecutive numbers, along the space-filling curve."""
    n = instance.problem.n
    windows = max(1, round(n / size))
    label = np.arange(instance.nodes, dtype=np.int64) * windows // n
    label[n:] = windows
    return label.astype(np.int32)


def _rotation(dimensions: int, rng: np.random.Generator) -> NDArray[np.float64]:
    turn, upper = np.linalg.qr(rng.standard_normal((dimensions, dimensions)))
    rotation: NDArray[np.float64] = turn * np.sign(np.diag(upper))
    return rotation
