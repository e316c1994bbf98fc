"""Symmetric 2-opt with a tour spread over blocks (``symmetric_blocks.c``; Mavroidis 2011, section 6.3)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import About, Device, DeviceError
from warptour.devices.occupancy import Needs, occupancy, resident
from warptour.kernels.points import Points
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.mavroidis.engine.rows import ACCEPTED, EFFORT, NARROW, TourRows, built, whole_coordinates
from warptour.papers.mavroidis.engine.shapes import MAX_LANES, REGISTERS, WARP

BLOCK: Final = 35
"""Elements of a block: the best of the thesis on d2103, where it gives a block to each of 30 multiprocessors."""

MIN_BLOCK: Final = 2
"""Least elements of a block: it passes its first two cities on."""

PATIENCE: Final = 1 << 22
"""Polls of a box before groups are taken not to run side by side: seconds on a GPU."""

COLLECTIVES: Final = 1024
"""Bytes of shared memory per group to spare for what lanes tell each other."""

TOLD, DECIDED = 2e-6, 1e-7
"""Seconds of a GPU until a message is read, and for a lane to decide about an element."""


class SymmetricBlocks(TourRows):
    """Tours spread over blocks of elements, one tour after the other; for any metric.

    On CUDA a block is a group of its own as long as all of them are resident; of more blocks each group has several.
    Elsewhere one group has all of them: OpenCL does not promise that groups run side by side.

    ``blocks``: number of blocks: (m - 1) / 2 elements over ``block``, rounded up
    ``steps``: times that a block tells others something in a round: log2(blocks), rounded up, and 2 for its cities
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        block: int = BLOCK,  # elements per block, at least ``MIN_BLOCK``
        groups: int | None = None,  # groups that share the blocks; they must run side by side
        patience: int = PATIENCE,  # polls of a box before a wait is given up, which raises ``DeviceError``
        **schedule: Any,  # as for :class:`TourRows`
    ) -> None:
        if block < MIN_BLOCK:
            raise ValueError(f"a block has at least {MIN_BLOCK} elements, not {block}")
        super().__init__(device, problem, tours, **schedule)
        self.block = min(block, max(MIN_BLOCK, self.moves))
        self.blocks = max(1, -(-self.moves // self.block))
        self.steps = (self.blocks - 1).bit_length() + 2
        special = Points.of(problem).special
        whole = not device.is_host and special == "euc" and whole_coordinates(problem, NARROW)
        self._span = 4 if whole else 8
        about = device.about()
        self.lanes = 1 if device.lanes == 1 else lanes_of(self.block, power=not device.warps)
        self.groups, wide = self._arranged(device, about) if groups is None else (groups, False)
        room = self._room(-(-self.blocks // self.groups))
        self._memory = device.empty(self.groups * room, np.uint8) if wide else None, np.int64(room)
        self._scratch = 16 if wide else room
        defines = {"WIDE": int(wide), "INTEGERS": int(whole), "RESIDENT": self._resident if about.warp else 0}
        self._program = built(
            device, "symmetric_blocks", special, self.lanes, **{name: value for name, value in defines.items() if value}
        )
        self._least = np.float64(tolerance(problem).absolute)
        self._accepted = device.zeros((self.batch, self.groups), np.int64)
        self._boxes = device.zeros(self.blocks * self.steps, np.int64)
        self._stuck = device.zeros(1, np.int32)
        self._patience = np.int32(patience)

    @property
    def _resident(self) -> int:
        """Groups per multiprocessor that the compiler keeps registers for."""
        return resident(self.lanes, REGISTERS)

    def _room(self, slots: int) -> int:
        return blocks_bytes(slots, self.block, self._span)

    def _arranged(self, device: Device, about: About) -> tuple[int, bool]:
        """Return the number of groups, all resident at once, and whether their buffers are in global memory."""
        most = about.local_memory or 1 << 40
        if not device.cooperative:
            return 1, self._room(self.blocks) > most
        for slots in range(1, self.blocks + 1):
            shared = self._room(slots) + COLLECTIVES
            groups = -(-self.blocks // slots)
            if shared > most:
                break
            if groups <= self._side_by_side(about, shared):
                return groups, False
        return min(self.blocks, self._side_by_side(about, COLLECTIVES)), True

    def _side_by_side(self, about: About, shared: int) -> int:
        """Return how many groups are resident on the device, each with ``shared`` bytes of shared memory."""
        held = occupancy(about, Needs(self.lanes, REGISTERS, shared)).groups
        return about.units * max(1, min(held, self._resident))

    @property
    def budget(self) -> int:
        if self.device.lanes == 1:
            return max(1, EFFORT // (8 * max(1, self.moves) * self.batch))
        slots, share = -(-self.blocks // self.groups), -(-self.block // self.lanes)
        return max(1, int(0.05 / (slots * (TOLD * self.steps + DECIDED * share) * self.batch)))

    def run(self, rounds: int | None = None) -> None:
        for tour in range(self.batch):
            self._program.launch(
                "symmetric_blocks", self.groups, *self._points, np.int32(self.length), np.int32(tour),
                np.int32(self.block), self._tours, self._state, self._accepted, self._temperatures, *self._levels,
                self._least, np.int32(rounds or self.budget), *self._seed, self._boxes, self._stuck, self._patience,
                *self._memory, local=self._scratch,
            )  # fmt: skip

    def state(self) -> NDArray[np.int64]:
        """Return rounds, current consecutive idle rounds and accepted moves of each tour, shape (batch, 4).

        Raises :class:`DeviceError` if groups did not run side by side; the tours are then useless.
        """
        if self.device.fetch(self._stuck)[0]:
            raise DeviceError(
                f"{self.device.name}: the blocks of a tour did not run side by side; use larger ones (--set block=...)"
                " or --set form=group"
            )
        state = super().state()
        state[:, ACCEPTED] = self.device.fetch(self._accepted).sum(axis=1)
        return state


def blocks_bytes(blocks: int, size: int, span: int) -> int:
    """Return the bytes of a group with ``blocks`` blocks of ``size`` elements, and coordinates of ``span`` bytes.

    A block has two buffers of cities, a parity for each element, and two numbers for messages.
    """
    places = 2 * blocks * (size + 2)
    return (places * (2 * span + 4) + (2 * blocks + 1) * 4 + blocks * size + 15) // 16 * 16


def lanes_of(block: int, *, power: bool) -> int:
    """Return the lanes of a group whose blocks have ``block`` elements: whole warps, ``power``: a power of two."""
    lanes = min(MAX_LANES, -(-block // WARP) * WARP)
    return 1 << (lanes - 1).bit_length() if power else lanes
