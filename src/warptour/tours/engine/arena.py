"""Memory of a thread for one window of a split at a time (``kernels/tours/window_split.c``)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from queue import SimpleQueue

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.split import Split
from warptour.tours.engine.window import Window

_int32, _ints, _longs = ctypes.c_int32, array(np.int32), array(np.int64)
_out, _out_long, _out_real = array(np.int32, output=True), array(np.int64, output=True), array(np.float64, output=True)
_FILL = (
    *POINTS_TYPES, _ints, _int32, array(np.int32, 2, optional=True), _ints, _ints, _longs, _ints, _longs,
    _out, _out_real, _out_real, _out_real, _out, _out_real, _out, _out, _out, _out, _out, _out_long,
)  # fmt: skip
_EMPTY = (_longs, _ints, _longs, _ints, _ints, _out, _out, _out)


class Arena(Window):
    """Memory of one thread for one window of a split."""

    def __init__(self, instance: Instance, size: int) -> None:
        super().__init__(instance, size)
        self.x, self.y, self.z = (np.zeros(size) for _ in "xyz")
        self._ground = replace(instance.points, x=self.x, y=self.y, z=self.z, n=size)
        self.points = self._ground.arguments
        self.near = np.empty(size * self.width, np.int32)
        self.reach = np.empty(size * self.width)
        self.bonds = np.empty(2 * size, np.int32)
        self._spare = np.empty(size, np.int32)

    def load(self, split: Split, window: int, marks: Ints) -> None:
        """Load one window. Marked cities are queued; the kernel sets marks for the next round."""
        instance = self.instance
        kernel("window_fill", *_FILL)(
            window, split.windows, *instance.points.arguments, instance.near.reshape(-1), self.width, instance.fixed,
            split.order, split.slot, split.offsets, split.heads, split.fragment_offsets, marks,
            self.x, self.y, self.z, self.near, self.reach, self.bonds, self.tour, self.place,
            self.queue, self.queued, self.state,
        )  # fmt: skip
        first, last = split.fragment_offsets[window : window + 2]
        self.m = int(split.offsets[window + 1] - split.offsets[window])
        self.offsets[1] = self.m
        self.heads = split.heads[first:last]
        self.fragment_offsets[1] = 0 if split.links is not None else last - first
        self.gains[0] = 0
        self._progress[0] = 0

    def unload(self, split: Split, window: int) -> None:
        """Write the window back to the split."""
        if split.links is not None:
            split.relink(window, self.tour, self.place, self._spare, split.links)
            return
        kernel("window_empty", *_EMPTY)(
            window, split.windows, split.offsets, split.heads, split.fragment_offsets, self.tour, self.place,
            self._spare, split.order, split.counts,
        )  # fmt: skip


class Arenas:
    """Arenas that threads share to search the windows of one split, about 150 bytes for each city of the largest."""

    def __init__(self, split: Split, count: int) -> None:
        self._free: SimpleQueue[Arena] = SimpleQueue()
        for _ in range(min(count, split.windows)):
            self._free.put(Arena(split.instance, split.largest))

    @contextmanager
    def lent(self) -> Iterator[Arena]:
        """Lend an arena as soon as one is free."""
        arena = self._free.get()
        try:
            yield arena
        finally:
            self._free.put(arena)
