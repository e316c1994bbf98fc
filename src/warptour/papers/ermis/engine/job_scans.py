"""Scans of one tour by jobs that all lanes share (``kernels/papers/ermis/ladder_jobs.c``), after Ermis (2015).

A job is a pair of positions, and a launch is ``block`` lanes in each of ``grid`` groups: with iterations =
ceil(jobs / (block * grid)), any such launch finds the same move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

import numpy as np

from warptour.devices import Device
from warptour.devices.launch import BLOCKS, Launch, ranked_launches
from warptour.devices.occupancy import resident
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.model.spread import extent
from warptour.papers.scans.ladder.ladder_scan import LadderScan
from warptour.papers.scans.scan import gpu_moves
from warptour.papers.scans.tour_scan import LONGEST_ROUNDED, fast_special

RANGE: Final = 3000
"""Positions per coordinate range of ``partitions``: two of them take 48,016 bytes."""

REGISTERS: Final = 32
"""Register budget per lane: 2,048 lanes on a multiprocessor with 65,536 registers."""

REDUCTION: Final = 512
"""Bytes of shared memory in which the warps of a group compare their best moves, rounded up."""

SMALL_BLOCKS: Final = (256, 128, 64)
"""Block sizes where a group may have no more than 256 lanes, as on some OpenCL GPUs."""

CORE_CALL: Final = 2_000_000
"""Jobs per core and native call: about 40 ms."""

GPU_CALL_SECONDS: Final = 0.03
JOB_ROOTS: Final = 8
"""Square roots that a GPU could compute in the time of a job: four, and as much again for the indices."""

MOST_ITERATIONS: Final = 200_000
"""Iterations of one launch, about 30 ms where few lanes leave a GPU's latencies exposed."""

INDEXED: Final = 2**16
"""Cities that a 16-bit tour index can number."""


def shared_bytes(n: int) -> int:
    """Return the bytes that coordinates by city and the tour take in shared memory, as Ermis (2015) counts them."""
    return 10 * n + 12


def shared_cities(local: int) -> int:
    """Return the most cities of :func:`shared_bytes` in ``local`` bytes: 4,914 in 48 KB.

    Ermis (2015) says 4,915, without the 12 bytes.
    """
    return min(INDEXED, (local - 12) // 10)


def ordered_cities(local: int) -> int:
    """Return the most cities whose coordinates fit into ``local`` bytes: 6,144 in 48 KB."""
    return local // 8


def job_memory(device: Device) -> int | None:
    """Return the bytes of shared memory left for coordinates in the smallest group, or None for no limit."""
    most = device.about().local_memory
    if device.lanes == 1:
        return most or None
    return most - (REDUCTION if device.warps else device.lane_memory * min(SMALL_BLOCKS))


def job_special(problem: TSP) -> str:
    """Return the build of the kernel: that of other scans in float32, but ``cut`` for distances rounded down."""
    plain = problem.metric.rounding == "floor" and problem.metric.divisor == 1.0
    return "cut" if plain and extent(problem) < LONGEST_ROUNDED else fast_special(problem)


class JobScan(LadderScan):
    """All moves of a tour as jobs, shared by the lanes of one launch after the other.

    ``launch``: By default the first of :meth:`launches`. A block is one lane on a CPU.
    """

    kernel: ClassVar[str]

    def __init__(self, problem: TSP, device: Device, launch: Launch | None = None) -> None:
        self.launch = launch or self.launches(device, problem.n)[0]
        super().__init__(problem, device, self.launch.grid)
        lanes = self.launch.block
        defines = {"RESIDENT": resident(lanes, REGISTERS)} if lanes > 1 else {}
        self._jobs = device.build("ladder_jobs", job_special(problem), lanes=lanes, **defines)
        pack = self.launch.block * self.launch.grid
        if lanes > 1:
            call = min(gpu_moves(device, GPU_CALL_SECONDS) // JOB_ROOTS, MOST_ITERATIONS * pack)
        else:
            call = CORE_CALL * self.launch.grid
        self.call = max(1, call // pack) * pack

    @classmethod
    def local(cls, n: int) -> int:
        """Return the bytes of shared memory for coordinates."""
        raise NotImplementedError

    @classmethod
    def jobs(cls, n: int) -> int:
        """Return the number of jobs that a launch shares out."""
        return n * (n - 1) // 2

    @classmethod
    def launches(cls, device: Device, n: int) -> list[Launch]:
        """Return the launches of most occupancy for each block size, best first, with no more groups than jobs."""
        about, jobs = device.about(), max(1, cls.jobs(n))
        if device.lanes == 1:
            return [Launch(1, about.units if jobs >= CORE_CALL else 1)]
        blocks = BLOCKS if device.max_lanes >= max(BLOCKS) else SMALL_BLOCKS
        extra, room = REDUCTION if device.warps else 0, device.lane_memory
        found = ranked_launches(about, lambda block: cls.local(n) + extra + room * block, REGISTERS, blocks)
        return [Launch(each.block, min(each.grid, -(-jobs // each.block))) for each in found]

    def parts(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the number of jobs and the kernel's own arguments of each part of the scan."""
        yield self.jobs(self.problem.n), ()

    def coordinates(self) -> tuple[Any, ...]:
        """Return the arrays that the kernel copies to shared memory."""
        return self._lap[0], self._lap[1]

    def scan(self, over: Over | None = None) -> None:
        """Do all jobs; raises :class:`Unfinished` once ``over()``."""
        fresh = 1
        for jobs, arguments in self.parts():
            for first in range(0, max(1, jobs), self.call):
                last = min(jobs, first + self.call)
                self._poll(last - first, over)
                self._jobs.launch(
                    self.kernel, self.launch.grid, np.int32(self.problem.n), np.int64(first), np.int64(last),
                    np.int32(fresh), *arguments, *self.coordinates(), self.gains, self.ranks,
                    local=self.local(self.problem.n),
                )  # fmt: skip
                fresh = 0


class SharedScan(JobScan):
    """The ``shared`` rung: coordinates of all cities and the tour index in shared memory, 10n + 12 bytes."""

    kernel = "jobs_shared"

    @classmethod
    def local(cls, n: int) -> int:
        """Return the bytes of shared memory for coordinates and index."""
        return shared_bytes(n)

    def coordinates(self) -> tuple[Any, ...]:
        """Return coordinates by city, and the tour."""
        return *self._city, self._tours[0]


class OrderedScan(JobScan):
    """The ``ordered`` rung: coordinates in tour order in shared memory, 8n bytes."""

    kernel = "jobs_ordered"

    @classmethod
    def local(cls, n: int) -> int:
        return 8 * n


class PartitionScan(JobScan):
    """The ``partitions`` rung: a launch for each pair of coordinate ranges, both in shared memory, for any n.

    In the thesis each launch goes through the ids of all pairs of positions, and skips those outside its two ranges;
    here a launch has its own pairs only.
    """

    kernel = "jobs_partition"

    @classmethod
    def local(cls, n: int) -> int:
        """Return the bytes of shared memory for two ranges, each with the position after it."""
        return 16 * (min(n, RANGE) + 1)

    @classmethod
    def jobs(cls, n: int) -> int:
        """Return the number of jobs of the largest part."""
        return n * (n - 1) // 2 if n <= RANGE else RANGE * RANGE

    @staticmethod
    def ranges(n: int) -> list[range]:
        """Return the ranges of positions."""
        return [range(n)[first : first + RANGE] for first in range(0, n, RANGE)]

    @classmethod
    def parts_of(cls, n: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the jobs and the two ranges of each of the r(r + 1) / 2 launches, in the order of table 4.16."""
        ranges = cls.ranges(n)
        for k, rows in enumerate(ranges):
            for columns in reversed(ranges[k:]):
                jobs = len(rows) * (len(rows) - 1) // 2 if rows == columns else len(rows) * len(columns)
                spans = rows.start, len(rows), columns.start, len(columns)
                yield jobs, tuple(np.int32(number) for number in spans)

    def parts(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the jobs and the two ranges of each launch."""
        return self.parts_of(self.problem.n)
