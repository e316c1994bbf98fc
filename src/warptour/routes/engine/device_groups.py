"""Ruin and recreate in many groups of routes at a time on a device (``kernels/routes/routes_groups.c``).

A warp searches a group in shared memory, with the results of a :class:`RouteState` on the host. The device holds the
instance; each launch gets all routes, divided into groups, and which of these to search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import BACKENDS, Array, Device, DeviceError, Program, kind_of
from warptour.devices.occupancy import Needs, occupancy, shared_memory_only
from warptour.devices.points import send_points
from warptour.kernels.points import special_of
from warptour.model.many_routes import ranges
from warptour.model.memory import shortage_text
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import LOCAL_LINES, LOG_LINE, Ruin
from warptour.routes.engine.sums import limits_of

LANES: Final = 32
"""Lanes of a group on a GPU."""

RESIDENT: Final = 16
"""Minimum resident groups per multiprocessor, which leaves a lane 128 registers."""

SPARE_ROUTES: Final = 6
"""Routes that a group may add in one launch."""

WIDE_GROUPS: Final = 4096
"""Number of groups of lanes that number the customers."""

NODE_BYTES: Final = 80
"""Device memory per node in bytes, besides neighbour lists: 16 per entry of those."""


@dataclass(frozen=True, eq=False)
class GroupBatch:
    """Groups to search."""

    groups: Ints  # their numbers in the division
    slots: Ints  # maximum number of routes of each, at most ``SPARE_ROUTES`` more than it has
    iterations: NDArray[np.int64]  # iterations in each


@dataclass(frozen=True, eq=False)
class GroupResults:
    """What a batch found, in its order."""

    # giant, best: giant tours of the last and of the best routes of all groups, one after the other
    giant: Ints
    best: Ints
    sizes: Ints  # (groups, 2): length of the giant tours of each group, last and best
    costs: NDArray[np.float64]  # (groups, 2): their costs


class DeviceGroups:
    """The instance on a device, and room for all its groups.

    ``instance``: one that :meth:`supports` accepts

    Raises
    ------
    DeviceError
        If the kernels do not compile, or the instance needs more memory than is free.
    """

    def __init__(self, instance: RouteInstance, device: Device, ruin: Ruin) -> None:
        n, self.width = instance.near.shape
        free, each = device.free_memory(), NODE_BYTES + 16 * self.width
        if n * each > free:
            where = f"are free on {device.name}"
            raise DeviceError(shortage_text(instance.problem.name, n, each, free, where))
        self.instance, self.device, self.ruin = instance, device, ruin
        self.lanes = LANES if device.warps else 1
        self.about = device.about()
        self._programs: dict[bool, Program] = {}
        self._program(in_shared=self.lanes > 1)
        self._pooled = int(min(n, 4 * ruin.mean)) + 1  # at most 4 * mean customers are removed, see ruin.h
        self._given: tuple[Any, ...] = (
            *send_points(device, instance.points), np.int32(self.width), device.send(instance.near.reshape(-1)),
            device.send(instance.demands), device.send(instance.services), np.float64(instance.capacity),
            np.float64(instance.limit), np.float64(instance.problem.fixed_cost),
        )  # fmt: skip
        self._home, self._number = device.zeros(n, np.int32), device.zeros(n, np.int32)
        self._room = 0
        self._results: tuple[Array, ...] = ()
        self._under_way: tuple[GroupBatch, Ints] | None = None
        self.wait: Callable[[], None] = device.synchronise
        """Waits for the batch under way."""

    @staticmethod
    def backends() -> tuple[str, ...]:
        """Return the backends whose groups are warps; others search one after the other."""
        return tuple(name for name in BACKENDS if kind_of(name).warps)

    @staticmethod
    def supports(problem: VRP) -> bool:
        """Return whether devices can search groups of this problem: planar, symmetric, no times, no second limit."""
        planar = problem.matrix is None and special_of(problem.metric) != "any"
        return planar and not (problem.timed or problem.mixed or problem.asymmetric) and limits_of(problem)[1] is None

    def at_once(self, nodes: int, routes: int) -> int:
        """Return how many groups of ``nodes`` nodes and ``routes`` routes the device searches at the same time."""
        if self.lanes == 1:
            return 1
        taken = self._room_bytes(nodes, routes)
        if taken > self.about.local_memory:
            return self.about.units * RESIDENT
        held = occupancy(shared_memory_only(self.about), Needs(self.lanes, shared=taken)).groups
        return self.about.units * min(RESIDENT, max(1, held))

    def launch(
        self, tour: Ints, starts: Ints, batch: GroupBatch, temperature: tuple[float, float], *, seed: int, stream: int
    ) -> None:
        """Begin to search a batch; :meth:`wait` and :meth:`collect` wait for it.

        ``tour``: the giant tour of all groups, one after the other
        ``starts``: where each group begins there, and the end of the last one
        ``temperature``: first and last temperature of each group
        ``seed``, ``stream``: group g draws from stream ``stream + g``
        """
        device, count, groups = self.device, len(batch.groups), len(starts) - 1
        self._reserve(len(tour), groups)
        customers = np.add.reduceat(tour != 0, starts[:-1], dtype=np.int64)[batch.groups]
        room = self._room_bytes(int(customers.max()) + 1, int(batch.slots.max()))
        in_shared = self.lanes > 1 and room <= self.about.local_memory
        program = self._program(in_shared=in_shared)
        begins, whole = device.send(starts), device.send(tour)
        numbering = self._numbered, self._nodes, self._members, self._home, self._number
        program.launch("groups_number", min(groups, WIDE_GROUPS), np.int32(groups), begins, whole, *numbering)
        self._results = device.empty((count, 2), np.int32), device.empty((count, 2), np.float64)
        rooms = device.empty(16 if in_shared else count * room, np.uint8)
        ruin, tolerance = self.ruin, self.instance.tolerance
        program.launch(
            "groups_search", count, *self._given, np.int32(count), device.send(batch.groups), device.send(batch.slots),
            device.send(batch.iterations), begins, *numbering, self._near, self._reach, np.int32(SPARE_ROUTES),
            self._best, self._last, *self._results, device.empty(8 * count, np.int64), np.int32(self._pooled), rooms,
            np.int64(room), np.uint64(seed % 2**64), np.uint64(stream), np.float64(ruin.mean), np.int32(ruin.longest),
            np.float64(ruin.split), np.float64(ruin.deeper), np.float64(ruin.blink), np.int32(ruin.sought),
            np.float64(ruin.slack), *map(np.float64, temperature), *map(np.float64, tolerance),
            local=room if in_shared else 16,
        )  # fmt: skip
        self._under_way = batch, starts
        self.wait = device.mark()

    def collect(self) -> GroupResults:
        """Wait for the batch under way and return what it found."""
        assert self._under_way is not None
        batch, starts = self._under_way
        self._under_way = None
        sizes, costs = (self.device.fetch(array) for array in self._results)
        firsts = starts[batch.groups] + SPARE_ROUTES * batch.groups.astype(np.int64)
        last, best = self.device.fetch(self._last), self.device.fetch(self._best)
        return GroupResults(last[ranges(firsts, sizes[:, 0])], best[ranges(firsts, sizes[:, 1])], sizes, costs)

    def _program(self, *, in_shared: bool) -> Program:
        if in_shared not in self._programs:
            defines: dict[str, int | str] = {"RESIDENT": RESIDENT} if self.lanes > 1 else {}
            if in_shared:
                defines["IN_SHARED"] = 1
            special = self.instance.points.special
            self._programs[in_shared] = self.device.build("routes_groups", special, lanes=self.lanes, **defines)
        return self._programs[in_shared]

    def _room_bytes(self, nodes: int, routes: int) -> int:
        """Return the bytes of a group with these numbers of nodes and routes: ``room_of`` in ``routes_groups.c``."""
        reals = 8 * nodes + 4 * routes + self._pooled
        ints = 8 * nodes + 7 * routes + LOG_LINE * (2 * self._pooled + LOCAL_LINES)
        return (8 * reals + 4 * ints + 15) // 16 * 16

    def _reserve(self, entries: int, groups: int) -> None:
        """Make room for all routes, with some to spare: their number changes."""
        if entries + SPARE_ROUTES * groups <= self._room:
            return
        device = self.device
        self._room = room = (entries + SPARE_ROUTES * groups) * 17 // 16 + 64
        self._numbered, self._nodes, self._members, self._best, self._last = (
            device.empty(room, np.int32) for _ in range(5)
        )
        self._near, self._reach = device.empty(room * self.width, np.int32), device.empty(room * self.width, np.float64)
