"""Rounds of overlapping windows on a device (``kernels/tours/window_overlapping.c``), combined on the host.

A window has an interior, where kicks are made, and a halo around it. Interiors are
small, so that a tour of ten thousand cities fills a GPU.

A city takes about 70 bytes on the device and 172 on the host, and each window
16 bytes per city: 210 more per city in windows of 640 with interiors of 50.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.points import send_axes
from warptour.neighborhoods.tolerance import tolerance, typical_extent
from warptour.tours.engine.conflicts import ConflictResolution, GroupThreads
from warptour.tours.engine.cycles import SubtourRepair
from warptour.tours.engine.device_tour import BuildOptions, Cut, DeviceTour, RoundResult
from warptour.tours.engine.instance import Instance, Ints

MANY = 1 << 30
"""Evaluations that no window reaches: no limit."""

NATIVE_WIDTH = 7
"""Length of neighbour lists in the native library, as in ``kernels/tours/window_fast.h``."""


class OverlappingWindows(DeviceTour):
    """A tour on a device, refined in overlapping windows. It should be a local optimum to start with.

    ``size``, ``seed``, ``ways``: as in :class:`DeviceTour`
    """

    text = "window_overlapping"
    option = "overlapping.window"

    def __init__(
        self,
        instance: Instance,  # its numbering and neighbour lists are also the device's
        device: Device,
        tour: Ints,  # a closed tour in the instance's numbering
        *,
        size: int,
        seed: int,
        pool: GroupThreads,  # threads of the host that resolve conflicts
        ways: BuildOptions | None = None,
    ) -> None:
        problem, points = instance.problem, instance.points
        width = instance.near.shape[1]
        if device.is_host and width != NATIVE_WIDTH:
            raise ValueError(f"the native library has lists of {NATIVE_WIDTH} neighbours, not of {width}")
        ways = replace(ways or BuildOptions(), width=width)
        super().__init__(problem, device, size=size, seed=seed, ways=ways)
        self.x, self.y = send_axes(device, points.x, points.y)
        self._lists = device.send(instance.near)
        epsilon = tolerance(problem).of(typical_extent(problem))
        self.conflicts = ConflictResolution(points, epsilon, pool)
        self._subtours = SubtourRepair(points, self.n, epsilon)
        self._linked = self.conflicts.link(tour.copy())
        self.tour = device.send(self._linked.tour)
        self._place = device.empty(self.n, np.int32)
        edges = problem.fixed_edges if instance.rank is None else instance.rank[problem.fixed_edges]
        self._edges = device.send(edges) if len(edges) else None
        self._held = device.zeros(self.n, np.int16)

    def restart(self, tour: Ints) -> None:
        """Continue from another tour in the instance's numbering, a local optimum."""
        self._linked = self.conflicts.link(tour.copy())
        self.device.fill(self.tour, self._linked.tour)

    def begin(self, cut: Cut, rows: int) -> None:
        """Cut the plane into interiors, each with a halo of the cells around it: ``rows`` rows in all, an odd number.

        All windows must be searched before :meth:`join`.
        """
        device = self.device
        self._ranks, self._bits = self._ranked(cut)
        self._launch("cut_places", np.int32(self.n), self.tour, self._place)
        if self._edges is not None:
            self._held = device.zeros(self.n, np.int16)
            count = np.int32(len(self.problem.fixed_edges))
            self._launch("cut_held", count, self._edges, np.int32(self.n), self._place, self._held)
        largest = -(-self.n // cut.strips)
        run = max(-(-largest // cut.across), self.size // rows)
        self._board = np.int32(cut.strips), np.int32(cut.across), np.int32(rows), np.int32(run)
        self.capacity = rows * run + 1
        self._slots = device.empty((cut.windows, self.capacity), np.int32)
        self._changes = device.empty((cut.windows, self.capacity, 3), np.int32)
        self._counts = device.zeros(cut.windows, np.int32)
        self._tallies = device.zeros((cut.windows, 2), np.int32)
        self.cut = cut
        self.rounds += 1

    def search(self, first: int, count: int, kicks: int, walk_length: int, evaluations: int = MANY) -> None:
        """Search windows ``first`` to ``first + count - 1``, with their share of the round's ``kicks``.

        A window ends early after ``evaluations`` evaluations, so that all windows take about as long.
        """
        stream, epsilon = self.rounds << 32, self.real(self.epsilon(self.capacity))
        self._program.launch(
            "overlapping_search", count, np.int32(self.n), self.x, self.y, *self._board, np.int32(self._bits),
            self._ranks, self._keys, self._lists, self.tour, self._place, self._held, np.int32(first), np.int32(count),
            self._slots, self._changes, self._counts, self._tallies, np.uint64(self.seed), np.uint64(stream), epsilon,
            np.int32(walk_length), np.int64(kicks), np.int64(evaluations), np.int32(self.capacity),
            local=self.local_bytes(self.capacity),
        )  # fmt: skip

    def changes(self) -> tuple[NDArray[np.int64], Ints]:
        """Return what the windows changed, as :meth:`ConflictResolution.resolve` takes it."""
        device, windows = self.device, self.cut.windows
        sums = device.running_sum(self._counts)
        packed = device.empty((windows * self.capacity, 3), np.int32)
        self._program.launch(
            "overlapping_pack", windows, np.int32(windows), np.int32(self.capacity), self._counts, sums, self._changes,
            packed,
        )  # fmt: skip
        totals = device.fetch(sums).astype(np.int64)
        return totals, device.fetch(packed[: max(1, int(totals[-1]))]).reshape(-1)

    def join(self) -> RoundResult:
        """Resolve conflicts, repair subtours, and return what the round did."""
        device = self.device
        totals, changes = self.changes()
        kicks, evaluations = device.fetch(self._tallies).sum(axis=0, dtype=np.int64)
        tour, links = self._linked.tour, self._linked.links
        self.conflicts.resolve(totals, changes, self._linked)
        gain = self._subtours.repair(tour, links)
        self._linked = self.conflicts.link(tour)
        device.fill(self.tour, tour)
        return RoundResult(gain, int(kicks), int(evaluations))

    def fetch(self) -> Ints:
        """Return the tour in the instance's numbering."""
        return self._linked.tour.copy()
