"""Best-improvement 2-opt climbers, each resident in a device's shared memory (``two_opt_climb.c``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.occupancy import REFERENCE, Needs, occupancy, resident
from warptour.devices.points import send_fast_coordinates
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.scan import NATIVE_ROWS, REGISTERS, SMALLEST, gpu_moves
from warptour.papers.scans.tour_scan import fast_error, fast_metric, fast_special, move_count

CORE_MOVES: Final = 20_000_000
"""Moves evaluated per core and native call: about 20 ms."""

CPU_LARGEST: Final = 5000
"""Maximum number of cities on a CPU; a scan of more would take too long between two polls."""

GPU_CROWD: Final = 64
"""Climbers per multiprocessor, enough to keep it busy until the last ones finish."""

PLACE_BYTES: Final = 16
"""Bytes of shared memory per position of a tour."""

MAX_LANES: Final = 512
"""Maximum lanes per group, and the resident lanes per multiprocessor that the register budget allows."""

TUNED: Final = replace(REFERENCE, shared_memory=227 * 1024, memory_unit=0)
"""GPU that shapes are chosen for, so that all GPUs get the same builds."""

MEASURED_EXACTLY: Final = 4
"""Number of tours whose exact lengths are compared; device lengths have about seven significant digits."""

BEGUN, LOCALLY_OPTIMAL, SCANS, KICKS, DRAWS = range(5)


@dataclass(frozen=True)
class Shape:
    """Division of a climber's moves among the lanes of its group: ``rows`` by ``columns`` moves per lane and pass."""

    lanes: int
    rows: int
    parts: int
    columns: int
    every: int
    simd: int

    @classmethod
    def of(cls, device: Device, n: int) -> Shape:
        """Return the shape with the lowest estimated cost per scan: few idle lanes, and few square roots per move."""
        every = n // 2 - 1
        if device.lanes == 1:
            return cls(1, NATIVE_ROWS, 1, every, every, device.simd)
        lanes, shared = 32, PLACE_BYTES * (n + n // 2 + 16)
        while lanes < MAX_LANES and occupancy(TUNED, Needs(lanes, REGISTERS, shared)).lanes < MAX_LANES:
            lanes *= 2
        shapes = []
        for rows in (5, 7, 9, 11):
            for parts in range(1, 10):
                for columns in (-(-every // parts), -(-every // (8 * parts)) * 8):
                    if columns * (parts - 1) < every:
                        shapes.append(cls(lanes, rows, parts, columns, every, 1))
        return min(shapes, key=lambda shape: shape.slots(n))

    def slots(self, n: int) -> float:
        """Return the approximate instructions per lane and scan; columns beyond a multiple of 8 cost more."""
        rounds = -(-(-(-n // self.rows) * self.parts) // self.lanes)
        whole, rest = self.columns // 8 * 8, self.columns % 8
        return rounds * (
            whole * (8 * self.rows + 5 + (8 + self.rows) / 8) + rest * (9 * self.rows + 9) + 12 * self.rows + 50
        )

    @property
    def defines(self) -> dict[str, int]:
        """Preprocessor definitions for the kernel."""
        if self.lanes > 1:
            return {"ROWS": self.rows, "RESIDENT": resident(self.lanes, REGISTERS)}
        return {"ROWS": self.rows, "SIMD": self.simd}

    def local(self, n: int) -> int:
        """Return the bytes of shared memory per climber."""
        return PLACE_BYTES * (-(-n // self.rows) * self.rows + self.every + 2)

    def resident(self, n: int) -> int:
        """Return the number of climbers that a core or multiprocessor holds concurrently."""
        if self.lanes == 1:
            return 1
        return max(1, occupancy(TUNED, Needs(self.lanes, REGISTERS, self.local(n))).groups)


class ClimberCounters:
    """What a device has counted and measured for ``count`` climbers of one problem."""

    problem: TSP
    device: Device
    _counters: Any
    _lengths: Any
    _climbing: NDArray[np.intp]
    """Climbers that are not locally optimal."""

    @staticmethod
    def crowd(problem: TSP, device: Device) -> int:
        """Return the number of climbers that keep a device busy."""
        return device.about().units * (1 if device.lanes == 1 else GPU_CROWD)

    def counters(self) -> NDArray[np.int32]:
        """Return the counters of each climber, shape (count, 5): begun, locally optimal, scans, kicks, random draws."""
        counters: NDArray[np.int32] = self.device.fetch(self._counters)
        self._climbing = np.flatnonzero(counters[:, LOCALLY_OPTIMAL] == 0)
        return counters

    def evaluated(self) -> int:
        """Return the number of moves evaluated so far by all climbers."""
        return int(self.counters()[:, SCANS].sum(dtype=np.int64)) * move_count(self.problem.n)

    def lengths(self) -> NDArray[np.float64]:
        """Return the approximate length of each climber's best local minimum; infinite before the first."""
        lengths: NDArray[np.float64] = self.device.fetch(self._lengths)
        return lengths


class TwoOptClimbers(ClimberCounters):
    """Tours of one problem, each climbed by best-improvement 2-opt to a local minimum.

    Parameters
    ----------
    problem : TSP
        One that :meth:`supports` accepts.
    device : Device
    count : int
        Number of climbers.
    seed : int
        Determines, with the climber's number, its random first tour.
    first : int
        Number of the first climber.
    tours : array of int32, shape (count, n), optional
        First tours, instead of random ones.
    tour : array of int32, shape (n,), optional
        First tour shared by all climbers.
    kicks : int
        Number of kicks per climber, each from a local minimum; a climber keeps its best tour.
    segment : int
        Maximum segment length of a kick, in cities.
    """

    def __init__(
        self,
        problem: TSP,
        device: Device,
        count: int,
        *,
        seed: int = 0,
        first: int = 0,
        tours: Ints | None = None,
        tour: Ints | None = None,
        kicks: int = 0,
        segment: int = 50,
    ) -> None:
        n = problem.n
        self.problem = problem
        self.device = device
        self.count = count
        self.shape = shape = Shape.of(device, n)
        special = fast_special(problem)
        self._program = device.build("two_opt_climb", special, lanes=shape.lanes, **shape.defines)
        self._city = send_fast_coordinates(device, problem)
        self._tours = device.empty((count, n), np.int32)
        self._present = device.empty((count, n), np.int32)
        self.kicks = kicks
        self._lengths = device.send(np.full(count, np.inf))
        counters = np.zeros((count, 5), np.int32)
        if tours is not None:
            device.fill(self._present, np.ascontiguousarray(tours, np.int32))
            counters[:, BEGUN] = 1
        self._counters = device.send(counters)
        self._common = None if tour is None else device.send(np.asarray(tour, np.int32))
        self._common_length = np.float64(np.inf)
        self._climbing = np.arange(count)
        self._threshold = 0.5 if special == "euc" else fast_error(problem)
        self._numbers = np.uint64(seed % 2**64), np.int32(first)
        self._longest = np.int32(max(1, min(segment, (n - 2) // 2)))
        self._moves = CORE_MOVES * device.about().units if shape.lanes == 1 else gpu_moves(device, 0.015)
        self._busy = self.crowd(problem, device)
        self._resident = device.about().units * shape.resident(n)

    @staticmethod
    def supports(problem: TSP, device: Device) -> bool:
        """Return whether the fast scan supports the metric and a climber fits into the device's shared memory."""
        n = problem.n
        if not fast_metric(problem.metric) or n < SMALLEST:
            return False
        if device.lanes == 1:
            return n <= CPU_LARGEST
        return Shape.of(device, n).local(n) <= device.about().local_memory - 2048

    def climb(self, scans: int | None = None) -> None:
        """Run all climbers for ``scans`` scans; by default run some that are not yet locally optimal, for about 20 ms.

        The last call to :meth:`counters` determines which are locally optimal. If there are more than the device can
        run in that time, the first of them continue, so that some have reached a local minimum whenever a search ends.
        """
        shape, n = self.shape, self.problem.n
        first, last = 0, self.count
        if scans is None:
            each = move_count(n)
            chosen = self._climbing[: max(self._busy, self._moves // (n * each))]  # a climb takes about n scans
            if not chosen.size:
                return
            first, last = int(chosen[0]), int(chosen[-1]) + 1
            scans = max(1, self._moves // (max(len(chosen), self._resident) * each))
        self._program.launch(
            "two_opt_climb", last - first, np.int32(first), np.int32(last), np.int32(n), np.int32(shape.every),
            np.int32(shape.parts), np.int32(shape.columns), np.int32(scans), np.float32(self._threshold),
            *self._numbers, np.int32(self.kicks), self._longest, *self._city, self._common, self._common_length,
            self._tours, self._present, self._lengths, self._counters, local=shape.local(n),
        )  # fmt: skip

    def go_on(self, kicks: int, tour: Ints | None = None, length: float = np.inf) -> None:
        """Give each climber ``kicks`` more kicks, from its own best tour or from ``tour``, of length ``length``."""
        counters = self.counters()
        counters[:, LOCALLY_OPTIMAL] = 0
        self._climbing = np.arange(self.count)
        self.kicks += kicks
        if tour is not None:
            counters[:, BEGUN] = 0
            self._common, self._common_length = self.device.send(np.asarray(tour, np.int32)), np.float64(length)
        self.device.fill(self._counters, counters)

    def tours(self) -> Ints:
        """Return each climber's best tour, shape (count, n); before its first local minimum, its current tour.

        Rows of climbers that have not begun are undefined.
        """
        tours: Ints = self.device.fetch(self._tours)
        unfinished = ~np.isfinite(self.lengths())
        if unfinished.any():
            tours[unfinished] = self.device.fetch(self._present)[unfinished]
        return tours

    def best(self) -> Ints | None:
        """Return the best tour of all climbers, by exact length among the apparently shortest; None if none has begun.

        Before the first local minimum, return the best of a few current tours.
        """
        lengths = self.lengths()
        if np.isfinite(lengths).any():
            near = lengths.argsort(kind="stable")[:MEASURED_EXACTLY]
            tours = [self.device.fetch(self._tours[int(climber)]) for climber in near if np.isfinite(lengths[climber])]
        else:
            begun = np.flatnonzero(self.counters()[:, BEGUN])[:MEASURED_EXACTLY]
            tours = [self.device.fetch(self._present[int(climber)]) for climber in begun]
            if not tours and self._common is not None:
                tours = [self.device.fetch(self._common)]
        return min(tours, key=self.problem.cost, default=None)
