"""A population of tours under edge assembly crossover (Nagata and Kobayashi 2013), by ``kernels/tours/tour_eax.c``."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.tours.engine.instance import Instance, Ints

WORKSPACE: Final = 18
"""Integers of workspace per node, as in the kernel."""

CENSUS_WIDTH: Final = 16
"""Edges per node that a census counts; few nodes have more, whatever the population."""

SAMPLES: Final = 32
"""Exchanges per offspring whose gain per loss of entropy sets the next price."""

FREE: Final = 1e300
"""Gain per loss of entropy of an exchange that loses none, as in the kernel; the first price."""

Run: TypeAlias = Callable[..., None]
"""Calls a kernel for all of its groups, as :meth:`warptour.search.threads.ThreadPool.run_groups` does."""

_int32, _uint64, _real = ctypes.c_int32, ctypes.c_uint64, ctypes.c_double
_ints, _reals, _out = array(np.int32), array(np.float64), array(np.int32, output=True)
_CROSS = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _int32, _ints, array(np.int32, 2),
    array(np.int32, 2, output=True), array(np.float64, output=True), _real, _uint64, _uint64, _out,
    _int32, _ints, _ints, _reals, _real, _int32, array(np.float64, 2, output=True),
)  # fmt: skip
_CENSUS = (_int32, _int32, array(np.int32, 2), _int32, _out, _out)


def one_group(call: Callable[..., None], *arguments: Any) -> None:
    """Call a kernel for a single group."""
    call(0, 1, *arguments)


class TourPopulation:
    """Closed tours in an instance's numbering, and their lengths.

    A generation: :meth:`draw_parents`, then :meth:`cross` for each place, in parallel where there are several
    workspaces, then :meth:`replace_parents`. In a selective generation, a share of the exchanges that would shorten a
    tour are made: those with the highest gain per loss of entropy of the population's edges, so that diversity is kept
    for later generations (Nagata and Kobayashi 2013).

    ``seed``: the partition of differing edges into AB-cycles is random
    ``most``: maximum number of tours
    ``workspaces``: offspring that can be made in parallel; each workspace takes 72 bytes per node
    """

    def __init__(self, instance: Instance, *, seed: int, most: int, workspaces: int = 1) -> None:
        n = instance.nodes
        self.instance = instance
        self.seed = seed
        self.most = most
        self.generations = 0
        self._count = 0
        self._tours, self._children = np.empty((most, n), np.int32), np.empty((most, n), np.int32)
        self._lengths, self._gains = np.zeros(most), np.zeros(most)
        self._ring: Ints = np.empty(0, np.int32)
        self._workspaces: SimpleQueue[Ints] = SimpleQueue()
        for _ in range(workspaces):
            self._workspaces.put(np.empty(WORKSPACE * n + 2, np.int32))
        self._bonds = np.full(2 * n, -1, np.int32) if instance.fixed is None else instance.fixed.reshape(-1)
        self._kernel = kernel(f"tour_eax_{instance.points.special}", *_CROSS)
        self._ends, self._counts = np.empty(0, np.int32), np.empty(0, np.int32)
        self._entropy, self._ratios = np.empty(0), np.full((most, SAMPLES), np.nan)
        self._price, self._selective = FREE, False

    def __len__(self) -> int:
        return self._count

    @property
    def tours(self) -> Ints:
        """The tours, one per row."""
        return self._tours[: self._count]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """Their lengths."""
        return self._lengths[: self._count]

    @property
    def best(self) -> int:
        """Index of a shortest tour."""
        return int(self.lengths.argmin())

    def fill(self, tours: Sequence[Ints]) -> None:
        """Replace the whole population."""
        self._count, self._price = 0, FREE
        for tour in tours:
            self.add(tour)

    def add(self, tour: Ints) -> None:
        """Add a tour."""
        self._count += 1
        self.put(self._count - 1, tour)

    def put(self, number: int, tour: Ints) -> None:
        """Replace a tour."""
        self.tours[number] = tour
        self.lengths[number] = self.instance.length(tour)

    def draw_parents(self, *, selective: bool = False, run: Run = one_group) -> None:
        """Start a generation: a random cyclic order, in which each tour is crossed with the next.

        The first selective generation makes only exchanges that lose no entropy, and sets the price of the next.
        """
        ring = np.random.default_rng([self.seed, self.generations]).permutation(len(self))
        self._ring = np.append(ring, ring[:1]).astype(np.int32)
        self._selective = selective
        if selective:
            self._count_edges(run)

    def cross(self, place: int) -> None:
        """Cross the parents at a place of the cyclic order; the interpreter lock is released."""
        instance, pair = self.instance, self._ring[place : place + 2]
        stream = self.generations * len(self) + place
        workspace = self._workspaces.get()
        try:
            self._kernel(
                0, 1, *instance.points.arguments, instance.near.reshape(-1), instance.reaches.reshape(-1),
                instance.near.shape[1], self._bonds, instance.nodes, pair, self._tours, self._children,
                self._gains, instance.epsilon, self.seed % 2**64, stream, workspace, CENSUS_WIDTH, self._ends,
                self._counts, self._entropy, self._price if self._selective else 0.0, SAMPLES, self._ratios,
            )  # fmt: skip
        finally:
            self._workspaces.put(workspace)

    def replace_parents(self, share: float = 1.0) -> float:
        """Replace the parents by their offspring; return the total gain.

        After a selective generation, the price is set such that ``share`` of its exchanges would have been made.
        """
        gains = self._gains[: self._count]
        self._tours, self._children = self._children, self._tours
        self._lengths[: self._count] -= gains
        self.generations += 1
        if self._selective:
            ratios = self._ratios[: self._count]
            known = ratios[~np.isnan(ratios)]
            if known.size:
                self._price = float(np.quantile(known, 1 - share, method="lower"))
        return float(gains.sum())

    def _count_edges(self, run: Run) -> None:
        n, count = self.instance.nodes, self._count
        if not self._ends.size:
            self._ends, self._counts = np.empty(CENSUS_WIDTH * n, np.int32), np.empty(CENSUS_WIDTH * n, np.int32)
        run(kernel("tour_census", *_CENSUS), n, count, self._tours, CENSUS_WIDTH, self._ends, self._counts)
        shares = np.arange(1, count + 2) / count
        entropy = -shares * np.log(shares)
        self._entropy = np.concatenate(([0.0], np.round(entropy * 2**30) / 2**30))  # the same wherever log is computed
        self._ratios[:count] = np.nan
