"""Neighbourhoods of which only some neighbours are evaluated (section 7 of Schulz 2011)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warptour.devices import Array, Device
from warptour.papers.schulz.engine.version import LISTED, MASKED


class Filter:
    """A random choice of neighbours, by a mask or a list of their slots.

    ``kind``: option of the kernels
    ``mask``: whether each neighbour is evaluated
    ``list``: slots of those that are
    ``slots``: slots of the fitness structure that are in use
    """

    def __init__(
        self, device: Device, launch: Callable[..., None], pairs: int, slots: int, share: float, how: str, seed: int
    ) -> None:
        if how not in ("mask", "list", "compaction"):
            raise ValueError(f"{how!r} is no way to filter: mask, list or compaction")
        chosen = np.random.default_rng(seed).random(slots) >= share
        self._device, self._launch = device, launch
        self._pairs, self._all, self._compacts = pairs, slots, how == "compaction"
        self.kind = MASKED if how == "mask" else LISTED
        self.mask: Array = device.send(chosen.astype(np.uint8))
        self.list: Array | None = None
        self.slots = slots if how == "mask" else int(chosen.sum())
        self._kept_pairs = pairs if how == "mask" else int(chosen[:pairs].sum())
        if how == "list":
            self.list = device.send(np.flatnonzero(chosen))
        elif how == "compaction":
            self.list, self._kept = device.empty(slots, np.int64), device.empty(slots, np.int64)

    @property
    def listed(self) -> bool:
        """Whether there are threads only for the neighbours that are evaluated."""
        return self.kind == LISTED

    def prepare(self) -> tuple[int, int]:
        """Return the numbers of 2-opt neighbours and of all neighbours that have a thread; compact the mask first."""
        if self._compacts:
            count = np.int64(self._all)
            self._launch("giant_kept", self._all, count, self.mask, self._kept)
            sums = self._device.running_sum(self._kept)
            self._launch("giant_list", self._all, count, self.mask, sums, self.list)
            self._kept_pairs = int(self._device.fetch(sums[self._pairs - 1 : self._pairs])[0])
            self.slots = int(self._device.fetch(sums[self._all - 1 :])[0])
        return self._kept_pairs, self.slots
