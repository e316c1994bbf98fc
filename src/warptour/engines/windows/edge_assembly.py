"""A population of tours under edge assembly crossover (Nagata and Kobayashi 2013), by ``kernels/tour_eax.c``."""

from __future__ import annotations

import ctypes
from queue import SimpleQueue
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.engines.instance import Instance, Ints
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES

WORKSPACE: Final = 18
"""Integers of workspace per node, as in the kernel."""

_int32, _uint64, _real = ctypes.c_int32, ctypes.c_uint64, ctypes.c_double
_ints, _reals, _out = array(np.int32), array(np.float64), array(np.int32, output=True)
_CROSS = (
    *POINTS_TYPES, _ints, _reals, _int32, _ints, _int32, _ints, array(np.int32, 2),
    array(np.int32, 2, output=True), array(np.float64, output=True), _real, _uint64, _uint64, _out,
)  # fmt: skip


class TourPopulation:
    """Closed tours in an instance's numbering, and their lengths.

    A generation: :meth:`draw_parents`, then :meth:`cross` for each place, in parallel where there are several
    workspaces, then :meth:`replace_parents`.

    Parameters
    ----------
    instance : Instance
    seed : int
        The partition of differing edges into AB-cycles is random.
    most : int
        Maximum number of tours.
    workspaces : int
        Offspring that can be made in parallel; each workspace takes 72 bytes per node.
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

    def add(self, tour: Ints) -> None:
        """Add a tour."""
        self._count += 1
        self.put(self._count - 1, tour)

    def put(self, number: int, tour: Ints) -> None:
        """Replace a tour."""
        self.tours[number] = tour
        self.lengths[number] = self.instance.length(tour)

    def draw_parents(self) -> None:
        """Start a generation: a random cyclic order, in which each tour is crossed with the next."""
        ring = np.random.default_rng([self.seed, self.generations]).permutation(len(self))
        self._ring = np.append(ring, ring[:1]).astype(np.int32)

    def cross(self, place: int) -> None:
        """Cross the parents at a place of the cyclic order; the interpreter lock is released."""
        instance, pair = self.instance, self._ring[place : place + 2]
        stream = self.generations * len(self) + place
        workspace = self._workspaces.get()
        try:
            self._kernel(
                0, 1, *instance.points.arguments, instance.near.reshape(-1), instance.reaches.reshape(-1),
                instance.near.shape[1], self._bonds, instance.nodes, pair, self._tours, self._children,
                self._gains, instance.epsilon, self.seed % 2**64, stream, workspace,
            )  # fmt: skip
        finally:
            self._workspaces.put(workspace)

    def replace_parents(self) -> float:
        """Replace the parents by their offspring; return the total gain."""
        gains = self._gains[: self._count]
        self._tours, self._children = self._children, self._tours
        self._lengths[: self._count] -= gains
        self.generations += 1
        return float(gains.sum())
