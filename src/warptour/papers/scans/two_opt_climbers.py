"""Best-improvement 2-opt climbers, each resident in a device's shared memory (``two_opt_climb.c``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.occupancy import REFERENCE, Needs, occupancy, resident
from warptour.devices.points import send_fast_coordinates
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.ladder.climber_batch import BEGUN, LOCALLY_OPTIMAL, ResidentClimbers
from warptour.papers.scans.scan import NATIVE_ROWS, REGISTERS, SMALLEST, gpu_moves
from warptour.papers.scans.tour_scan import fast_metric, fast_special, move_count

CORE_MOVES: Final = 20_000_000
"""Moves evaluated per core and native call: about 20 ms."""

CPU_LARGEST: Final = 5000
"""Maximum number of cities on a CPU; a scan of more would take too long between two polls."""

PLACE_BYTES: Final = 16
"""Bytes of shared memory per position of a tour."""

MAX_LANES: Final = 512
"""Maximum lanes per group, and the resident lanes per multiprocessor that the register budget allows."""

TUNED: Final = replace(REFERENCE, shared_memory=227 * 1024, memory_unit=0)
"""GPU that shapes are chosen for, so that all GPUs get the same builds."""


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


class TwoOptClimbers(ResidentClimbers):
    """Tours of one problem, each climbed by best-improvement 2-opt to a local minimum."""

    def __init__(
        self,
        problem: TSP,  # one that :meth:`supports` accepts
        device: Device,
        count: int,  # number of climbers
        *,
        seed: int = 0,  # determines, with the climber's number, its random first tour
        first: int = 0,  # number of the first climber
        tours: Ints | None = None,  # (count, n): first tours, instead of random ones
        tour: Ints | None = None,  # (n,): first tour shared by all climbers
        kicks: int = 0,  # number of kicks per climber, each from a local minimum; a climber keeps its best tour
        segment: int = 50,  # maximum segment length of a kick, in cities
    ) -> None:
        super().__init__(problem, device, count, seed=seed, first=first, tours=tours)
        n = problem.n
        self.shape = shape = Shape.of(device, n)
        self._program = device.build("two_opt_climb", fast_special(problem), lanes=shape.lanes, **shape.defines)
        self._city = send_fast_coordinates(device, problem)
        self._tours = device.empty((count, n), np.int32)
        self._present = device.empty((count, n), np.int32) if self._sent is None else self._sent
        self.kicks = kicks
        if tours is not None:
            self.begin_from_given()
        self._start_from(tour)
        self._longest = np.int32(max(1, min(segment, (n - 2) // 2)))
        self._moves = CORE_MOVES * device.about().units if shape.lanes == 1 else gpu_moves(device, 0.015)
        self.busy = max(self.crowd(problem, device), self._moves // (n * move_count(n)))  # a climb takes about n scans
        self._resident = device.about().units * shape.resident(n)

    def _start_from(self, tour: Ints | None, length: float = np.inf) -> None:
        """Let all climbers begin, or begin again, from ``tour``, of length ``length`` if it is a local minimum."""
        self._given = self._given if tour is None else np.asarray(tour, np.int32)[None]
        self._common = None if tour is None else self.device.send(np.asarray(tour, np.int32))
        self._common_length = np.float64(length)

    @staticmethod
    def supports(problem: TSP, device: Device) -> bool:
        """Return whether the fast scan supports the metric and a climber fits into the device's shared memory."""
        n = problem.n
        if not fast_metric(problem.metric) or n < SMALLEST:
            return False
        if device.lanes == 1:
            return n <= CPU_LARGEST
        return Shape.of(device, n).local(n) <= device.about().local_memory - 2048

    def _climb(self, first: int, end: int, scans: int | None) -> None:
        shape, n = self.shape, self.problem.n
        if scans is None:
            running = len(self._climbing[: self.busy])
            scans = max(1, self._moves // (max(running, self._resident) * move_count(n)))
        self._program.launch(
            "two_opt_climb", end - first, np.int32(first), np.int32(end), np.int32(n), np.int32(shape.every),
            np.int32(shape.parts), np.int32(shape.columns), np.int32(scans), self._tolerance[0],
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
            self._start_from(tour, length)
        self.device.fill(self._counters, counters)

    def _current(self, climbers: NDArray[np.intp]) -> Ints:
        rows = zip(climbers.tolist(), np.isfinite(self.lengths()[climbers]), strict=True)
        return np.stack([self.device.fetch((self._tours if at else self._present)[climber]) for climber, at in rows])
