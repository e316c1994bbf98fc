"""A climber a lane (``ladder_climb.c``): matr_s, matr_g, matr_g_ro and calc of O'Neil and Burtscher (2015)."""

from __future__ import annotations

from math import isqrt
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.device import About
from warptour.devices.occupancy import REFERENCE, Needs, occupancy
from warptour.devices.points import send_fast_coordinates
from warptour.model.problem import TSP
from warptour.model.spread import extent
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.ladder.climber_batch import FLOAT32_SHARE, ResidentClimbers
from warptour.papers.scans.tour_scan import LONGEST_ROUNDED, fast_special

REGISTERS: Final = 48
"""Registers per lane that the compiler takes for sm_90, at most."""

CACHE_BYTES: Final = 48 * 1024
"""What stands for shared memory on a device without: a core's first-level cache."""

LANE_MOVES: Final = 10_000
"""Moves evaluated per lane and launch of a GPU: about 20 ms with a matrix in global memory and all lanes busy."""

CORE_MOVES: Final = 5_000_000
"""Moves evaluated per core and native call, between two polls of the limits."""

MEMORY_SHARE: Final = 4
"""A batch of climbers, and a distance matrix, take at most 1 / MEMORY_SHARE of the device's memory."""

CHUNK: Final = 1 << 22
"""Distances computed at a time on the host."""


def longest_shared(device: Device) -> int:
    """Return the largest n with n^2 distances of 4 bytes in shared memory: 110 at 48 KB.

    That is floor(sqrt(bytes / 4)), where a work-group of OpenCL needs some of the bytes for its collectives.
    """
    available = device.about().local_memory or CACHE_BYTES
    own = device.lane_memory * device.max_lanes if device.lanes > 1 else 0
    return isqrt(max(0, available - own) // 4)


def distance_matrix(problem: TSP) -> NDArray[np.float32]:
    """Return all distances as float32, shape (n, n)."""
    n = problem.n
    matrix = np.empty((n, n), np.float32)
    cities, rows = np.arange(n), max(1, CHUNK // n)
    for low in range(0, n, rows):
        matrix[low : low + rows] = problem.distances(cities[low : low + rows, None], cities)
    return matrix


class ThreadClimbers(ResidentClimbers):
    """Climbers that are lanes; arrays of positions are interleaved over the lanes of a group."""

    kernel: ClassVar[str]
    position_bytes: ClassVar[int] = 4  # global memory per climber and position

    def __init__(
        self, problem: TSP, device: Device, count: int, *, seed: int = 0, first: int = 0, tours: Ints | None = None
    ) -> None:
        super().__init__(problem, device, count, seed=seed, first=first, tours=tours)
        n = problem.n
        self.lanes = self.lanes_for(device, n)
        self._program = device.build("ladder_climb", fast_special(problem), lanes=self.lanes)
        self._groups = -(-count // self.lanes)
        self._cities = device.empty((self._groups, n + 1, self.lanes), np.int32)
        self._progress = device.zeros((count, 3), np.int32)
        self._changes = device.zeros(count, np.float32)
        self.busy = self.crowd(problem, device)
        self._inputs: tuple[Any, ...] = self._send_inputs()

    def _send_inputs(self) -> tuple[Any, ...]:
        """Return what distances are read or computed from, on the device."""
        raise NotImplementedError

    @classmethod
    def local(cls, n: int) -> int:
        """Return the bytes of shared memory per group."""
        return 0

    @classmethod
    def lanes_for(cls, device: Device, n: int) -> int:
        """Return the lanes per group that leave most lanes resident on a multiprocessor; among equals, the fewest."""
        if device.lanes == 1:
            return 1
        about = device.about()
        if not about.max_lanes:
            return 256
        return max((128, 256, 512, 1024), key=lambda lanes: (cls._resident(about, n, lanes), -lanes))

    @classmethod
    def _resident(cls, about: About, n: int, lanes: int) -> int:
        known = about if about.max_lanes else REFERENCE
        return occupancy(known, Needs(lanes, REGISTERS, cls.local(n))).lanes

    @classmethod
    def crowd(cls, problem: TSP, device: Device) -> int:
        """Return the number of climbers that fill a device, or fewer where memory would not hold them."""
        about, n = device.about(), problem.n
        if device.lanes == 1:
            return about.units
        lanes = cls.lanes_for(device, n)
        fitting = about.memory // MEMORY_SHARE // (cls.position_bytes * (n + 1) * lanes) * lanes
        return max(lanes, min(about.units * max(lanes, cls._resident(about, n, lanes)), fitting))

    def _climb(self, first: int, end: int, scans: int | None) -> None:
        first -= first % self.lanes
        n, units = self.problem.n, self.device.about().units
        per_core = -(-(end - first) // units)
        moves = LANE_MOVES if self.lanes > 1 else CORE_MOVES // per_core
        most = max(1, 2 * moves // n)  # a row has n / 2 moves on average
        left = most if scans is None else scans * (n - 2)
        while left > 0:
            self._launch(first, end, min(left, most))
            left -= most

    def _launch(self, first: int, end: int, rows: int) -> None:
        groups = -(-(end - first) // self.lanes)
        if self.lanes == 1:
            groups = min(groups, self.device.about().units)
        self._program.launch(
            self.kernel, groups, np.int32(first), np.int32(end), np.int32(self.problem.n), np.int32(rows),
            *self._tolerance, *self._numbers, self._sent, self._cities, self._progress, self._changes, self._lengths,
            self._counters, *self._inputs, local=self.local(self.problem.n),
        )  # fmt: skip

    def evaluated(self) -> int:
        """Return the number of moves evaluated so far by all climbers, those of unfinished scans included."""
        rows, n = self.device.fetch(self._progress)[:, 0].astype(np.int64), self.problem.n
        in_rows = rows * (n - 2) - rows * (rows - 1) // 2 - (rows > 0)  # row i has n - 2 - i moves, row 0 one less
        return super().evaluated() + int(in_rows.sum())

    def _current(self, climbers: NDArray[np.intp]) -> Ints:
        groups = np.unique(climbers // self.lanes)
        if len(groups) == self._groups:
            cities = self.device.fetch(self._cities)
        else:
            cities = np.stack([self.device.fetch(self._cities[int(group)]) for group in groups])
        chosen = cities[np.searchsorted(groups, climbers // self.lanes), :-1, climbers % self.lanes]
        return np.ascontiguousarray(chosen, np.int32)


class MatrixInGlobal(ThreadClimbers):
    """Distances from a matrix in global memory, cached in the L2 only."""

    kernel = "ladder_matr_g"

    @staticmethod
    def tolerance(problem: TSP) -> tuple[np.float32, np.float32]:
        """Return what a gain must exceed: the distances of a matrix have a relative error only, integers none."""
        whole = problem.metric.integral
        exact = whole and extent(problem) < LONGEST_ROUNDED
        return np.float32(0.5 if whole else 0), np.float32(0 if exact else FLOAT32_SHARE)

    def _send_inputs(self) -> tuple[Any, ...]:
        return (self.device.send(distance_matrix(self.problem)),)


class MatrixReadOnly(MatrixInGlobal):
    """The same through the read-only path, which has a first-level cache."""

    kernel = "ladder_matr_g_ro"


class MatrixInShared(MatrixInGlobal):
    """Distances from a matrix that every group copies into its shared memory."""

    kernel = "ladder_matr_s"

    @classmethod
    def local(cls, n: int) -> int:
        return 4 * n * n


class Computed(ThreadClimbers):
    """Distances computed again for each move, from coordinates in tour order."""

    kernel = "ladder_calc"
    position_bytes = 12

    def _send_inputs(self) -> tuple[Any, ...]:
        shape = self._groups, self.problem.n + 1, self.lanes
        in_order = tuple(self.device.empty(shape, np.float32) for _ in range(2))
        return *send_fast_coordinates(self.device, self.problem), *in_order
