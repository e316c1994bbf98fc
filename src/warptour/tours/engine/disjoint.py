"""Rounds of disjoint windows, entirely on a device (``kernels/tours/window_disjoint.c``).

A city takes 30 bytes between rounds: 16 for its coordinates, 8 for the tour and
the city's number, 6 for keys and marks; 50 while windows are searched, and up to
``PEAK_BYTES`` while they are cut or joined.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device, DeviceError
from warptour.model.memory import shortage_text
from warptour.model.problem import TSP
from warptour.tours.engine.device_tour import BuildOptions, Cut, DeviceTour, RoundResult

PEAK_BYTES: Final = 70
"""Device memory per city, in bytes: arrays and the workspace of a sort take 58, CuPy's pool 68 for a billion cities."""

MARKED, HELD = 1, 2
"""Bits of a city's mark, as in the kernel."""


class DisjointWindows(DeviceTour):
    """A tour on a device, refined in disjoint windows that keep the ends of their fragments.

    The device numbers the cities itself, and translates tours as they come and go: at a hundred million cities either
    would take the host a second or more.

    Parameters
    ----------
    problem, device, size, seed, ways
        As in :class:`DeviceTour`.
    tour : array of int32, optional
        Where to start, with all fixed edges; by default along the curve, for a problem without them.
    """

    text = "window_disjoint"
    option = "disjoint.window"

    def __init__(
        self,
        problem: TSP,
        device: Device,
        tour: NDArray[np.int32] | None = None,
        *,
        size: int,
        seed: int,
        ways: BuildOptions | None = None,
    ) -> None:
        free = device.free_memory()
        if problem.n * PEAK_BYTES > free:
            where = f"are free on {device.name}"
            raise DeviceError(shortage_text(problem.name, problem.n, PEAK_BYTES, free, where))
        super().__init__(problem, device, size=size, seed=seed, ways=ways or BuildOptions())
        self._edges = problem.fixed_edges
        self._renumber()
        self.tour = device.send(np.arange(self.n, dtype=np.int32) if tour is None else self.numbers[tour])
        self._marks = device.send(np.ones(self.n, np.int16))
        self._hold(tour)

    def _renumber(self) -> None:
        """Number the cities along a Moore curve, over a square that the cities are stretched to."""
        device, n = self.device, np.int32(self.n)
        x, y = (device.send(axis) for axis in self.problem.points.T)
        scale = 65535 / np.maximum(self._high - self._low, 1e-300)
        corner = np.float64(self._low[0]), np.float64(self._low[1])
        self._launch("cut_curve_keys", n, x, y, *corner, np.float64(scale[0]), np.float64(scale[1]), self._keys)
        self._named = device.order(self._keys)
        self.x, self.y = device.empty(self.n, np.float64), device.empty(self.n, np.float64)
        self._launch("cut_renumber", n, self._named, x, y, self.x, self.y)

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """The number of each city on the device."""
        numbers = np.empty(self.n, np.int32)
        numbers[self.device.fetch(self._named)] = np.arange(self.n, dtype=np.int32)
        return numbers

    def rename(self, rank: NDArray[np.int32] | None) -> None:
        """Call city c of the problem ``rank[c]`` in tours from now on."""
        if rank is not None:
            self.device.fill(self._named, rank[self.device.fetch(self._named)])
            self._edges = rank[self._edges]
            self.__dict__.pop("numbers", None)

    def restart(self, tour: NDArray[np.int32]) -> None:
        """Continue from another tour, a local optimum."""
        self.device.fill(self.tour, self.numbers[tour])
        self._hold(tour)

    def _hold(self, tour: NDArray[np.int32] | None) -> None:
        """Mark the cities at which fragments begin because of fixed edges; they stay the same from round to round."""
        edges = self._edges
        if tour is None or len(edges) == 0:
            return
        place = np.empty(self.n, np.int32)
        place[tour] = np.arange(self.n, dtype=np.int32)
        later = (place[edges[:, 0]] + 1) % self.n == place[edges[:, 1]]
        marks = self.device.fetch(self._marks) & MARKED
        marks[self.numbers[np.where(later, edges[:, 1], edges[:, 0])]] |= HELD
        self.device.fill(self._marks, marks)

    def fetch(self) -> NDArray[np.int32]:
        """Return the tour, of the problem's cities or as :meth:`rename` calls them."""
        named = self.device.empty(self.n, np.int32)
        self._launch("cut_named", np.int32(self.n), self._named, self.tour, named)
        return self.device.fetch(named)

    def begin(self, cut: Cut) -> None:
        """Cut the tour into windows; all of them must be searched before :meth:`join`."""
        n, device = np.int32(self.n), self.device
        ranked, _ = self._ranked(cut)
        self._launch("cut_labels", n, np.int32(cut.strips), np.int32(cut.across), ranked, self._keys)
        del ranked  # its memory is needed for the next sort
        along_tour = device.empty(self.n, np.uint32)
        self._launch("cut_along", n, self.tour, self._keys, along_tour)
        self._slots = device.order(along_tour)
        del along_tour
        self._lengths = device.zeros(self.n, np.int32)
        self._order, self._heads, self._begins = (device.empty(self.n, np.int32) for _ in range(3))
        self._won = device.empty(cut.windows, self.real)
        self._tallies = device.empty((cut.windows, 2), np.int32)
        self.cut = cut
        largest = -(-self.n // cut.strips)
        self.capacity = -(-largest // cut.across) + 1
        self.rounds += 1

    def search(self, first: int, count: int, kicks: int, walk_length: int) -> None:
        """Search windows ``first`` to ``first + count - 1``, with their share of the round's ``kicks``.

        With negative ``kicks`` they stay as they are.
        """
        cut, stream, epsilon = self.cut, self.rounds << 32, self.real(self.epsilon(self.capacity))
        board = np.int32(cut.strips), np.int32(cut.across)
        self._program.launch(
            "disjoint_search", count, np.int32(self.n), self.x, self.y,
            np.float64(math.cos(cut.angle)), np.float64(math.sin(cut.angle)), *board,
            np.int32(first), np.int32(count), self._marks, self.tour, self._slots, self._order, self._heads,
            self._lengths, self._begins, self._won, self._tallies, np.uint64(self.seed), np.uint64(stream), epsilon,
            np.int32(walk_length), np.int64(kicks), np.int32(self.capacity), local=self.local_bytes(self.capacity),
        )  # fmt: skip

    def join(self, turn: int = 0) -> RoundResult:
        """Join all windows to one tour, its first city at position ``turn``; return what the round did."""
        sums = self.device.running_sum(self._lengths)
        self._launch(
            "disjoint_join", np.int32(self.n), np.int32(turn), self._order, self._heads, self._lengths, sums,
            self._begins, self.tour,
        )  # fmt: skip
        del sums, self._slots, self._lengths, self._order, self._heads, self._begins
        tallies = self.device.fetch(self._tallies).sum(axis=0, dtype=np.int64)
        won = float(self.device.fetch(self._won).sum(dtype=np.float64))
        return RoundResult(won, int(tallies[0]), int(tallies[1]))
