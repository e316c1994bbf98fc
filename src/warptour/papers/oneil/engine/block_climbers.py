"""A climber a group: the rungs intra, tile and tuned of O'Neil and Burtscher (2015).

``ladder_block.c`` has them with our loop, which keeps the minimum of a row and finds its column afterwards, and
``ladder_printed.c`` with the loop of the slides, which keeps both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.device import About
from warptour.devices.occupancy import REFERENCE, Needs, occupancy, resident
from warptour.devices.points import send_fast_coordinates
from warptour.devices.tuning import tuned
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.ladder.climber_batch import ResidentClimbers
from warptour.papers.scans.scan import GPU_CALL
from warptour.papers.scans.tour_scan import fast_special, move_count

PLACE_BYTES: Final = 16
"""Bytes of a position, in shared and in global memory."""

OWN_BYTES: Final = 2048
"""Shared memory (bytes) that collectives of a group may take; a chunk must leave room for it."""

REGISTERS: Final = 80
"""Register budget per lane: what the loop over columns takes, unrolled eight times."""

FIXED_LANES: Final = 1024
"""Lanes per group of the rungs that are not tuned, as many as a CUDA block has; OpenCL devices may have only 256."""

FIXED_CHUNK: Final = 1024
"""Positions per chunk of the rung that is not tuned."""

LONGEST_CHUNK: Final = 4096
"""Positions per chunk, for tours that do not fit into shared memory whole; three groups of an H200 have room."""

ENOUGH_LANES: Final = 640
"""Active lanes per multiprocessor that hide the latency of square roots: five warps on each of four schedulers."""

MEASURED_LAUNCHES: Final = 3
"""Launches measured, of those that the model ranks first."""

CORE_MOVES: Final = 10_000_000
"""Moves evaluated per core and native call, in about 20 ms."""

MOVE_ROOTS: Final = 4
"""Square roots that a GPU could compute in the time of one move: two, at half of its peak."""


@dataclass(frozen=True)
class ClimberLaunch:
    """Launch of a climber's group: its lanes, and the positions that lie in shared memory at a time."""

    lanes: int
    chunk: int

    @classmethod
    def fixed(cls, device: Device, n: int) -> ClimberLaunch:
        """Return the launch that on a GPU does not depend on the number of cities."""
        if device.lanes == 1:
            return cls(1, n)  # with one lane, every row would load all chunks again
        return cls(FIXED_LANES if device.about().max_lanes else 256, FIXED_CHUNK)

    @classmethod
    def ranked(cls, device: Device, n: int) -> list[ClimberLaunch]:
        """Return the possible launches, by estimated throughput and then by fewest lanes.

        With too few lanes a multiprocessor waits for square roots; with too many, lanes have no row, and warps wait at
        barriers for the one that has the longest rows.
        """
        if device.lanes == 1:
            return [cls(1, n)]
        about = device.about()
        fits = (about.local_memory - OWN_BYTES) // PLACE_BYTES - 1
        chunk = n if n <= fits else min(fits, LONGEST_CHUNK)
        lanes = (32, 64, 128, 256, 512, 1024) if about.max_lanes else (32, 64, 128, 256)
        return sorted((cls(count, chunk) for count in lanes), key=lambda launch: (-launch.rate(about, n), launch.lanes))

    def rate(self, about: About, n: int) -> float:
        """Return the estimated throughput relative to a multiprocessor whose lanes are all active and enough."""
        groups = occupancy(about if about.max_lanes else REFERENCE, self.needs).groups
        warps = max(1, self.lanes // 32)
        columns = [
            sum(max(0, n - 2 - i) for i in range(32 * warp, n - 2, self.lanes)) for warp in range(warps)
        ]  # fmt: skip
        busy = sum(columns) / (warps * max(columns))  # share of warps that are not waiting at a barrier
        fixed = 40 + 4 * (n / self.lanes) + 4 * warps  # columns' worth of time to lay out, reduce and apply
        return min(1.0, groups * self.lanes * busy / ENOUGH_LANES) * max(columns) / (max(columns) + fixed)

    @property
    def needs(self) -> Needs:
        """Resources of a group."""
        return Needs(self.lanes, min(REGISTERS, REFERENCE.registers // self.lanes), self.local)

    @property
    def local(self) -> int:
        """Bytes of shared memory per group."""
        return PLACE_BYTES * (self.chunk + 1)

    @property
    def defines(self) -> dict[str, int]:
        """Preprocessor definitions for the kernel."""
        return {"RESIDENT": resident(self.lanes, REGISTERS)} if self.lanes > 1 else {}


class BlockClimbers(ResidentClimbers):
    """Climbers that are groups; the rows of a scan are dealt out to the lanes."""

    text: ClassVar[str] = "ladder_block"
    kernel: ClassVar[str] = "ladder_tile"
    chunked: ClassVar[bool] = True

    def __init__(
        self,
        problem: TSP,
        device: Device,
        count: int,
        *,
        seed: int = 0,
        first: int = 0,
        tours: Ints | None = None,
        launch: ClimberLaunch | None = None,
    ) -> None:
        super().__init__(problem, device, count, seed=seed, first=first, tours=tours)
        n, about = problem.n, device.about()
        self.launch = launch or self.launch_for(problem, device)
        self._program = device.build(self.text, fast_special(problem), lanes=self.launch.lanes, **self.launch.defines)
        self._city = send_fast_coordinates(device, problem)
        self._places = device.empty((count, n + 1, 4), np.int32)
        self.busy = self.crowd(problem, device)
        groups = occupancy(about if about.max_lanes else REFERENCE, self.launch.needs).groups
        self._resident = about.units * (max(1, groups) if device.lanes > 1 else 1)
        self._moves = CORE_MOVES * about.units if device.lanes == 1 else self._launch_moves(about)

    @staticmethod
    def _launch_moves(about: About) -> int:
        return int(about.roots * 0.02 / MOVE_ROOTS) or GPU_CALL

    @classmethod
    def launch_for(cls, problem: TSP, device: Device) -> ClimberLaunch:
        """Return the launch of this rung."""
        return ClimberLaunch.fixed(device, problem.n)

    def _climb(self, first: int, end: int, scans: int | None) -> None:
        most = max(1, self._moves // (max(end - first, self._resident) * max(1, move_count(self.problem.n))))
        left = most if scans is None else scans
        while left > 0:
            self._launch(first, end, min(left, most))
            left -= most

    def _launch(self, first: int, end: int, scans: int) -> None:
        in_chunks = (np.int32(self.launch.chunk),) if self.chunked else ()
        self._program.launch(
            self.kernel, end - first, np.int32(first), np.int32(end), np.int32(self.problem.n), np.int32(scans),
            *self._tolerance, *self._numbers, self._sent, *self._city, self._places, self._lengths, self._counters,
            *in_chunks, local=self.launch.local if in_chunks else 0,
        )  # fmt: skip

    def _current(self, climbers: NDArray[np.intp]) -> Ints:
        if len(climbers) == self.count:
            places = self.device.fetch(self._places)
        else:
            places = np.stack([self.device.fetch(self._places[int(climber)]) for climber in climbers])
        return np.ascontiguousarray(places[:, :-1, 3], np.int32)


class Intra(BlockClimbers):
    """Coordinates in tour order in global memory."""

    kernel = "ladder_intra"
    chunked = False


class Tile(BlockClimbers):
    """Coordinates in shared memory, in chunks."""


class Tuned(BlockClimbers):
    """The same with lanes and chunks from the number of cities and the limits of the device, and a measurement."""

    @classmethod
    def launch_for(cls, problem: TSP, device: Device) -> ClimberLaunch:
        """Return the quickest launch."""
        return measured_launch(problem, device, Tile)


class IntraPrinted(Intra):
    """Intra with the loop of the slides."""

    text = "ladder_printed"
    kernel = "ladder_intra_printed"


class TilePrinted(BlockClimbers):
    """Tile with the loop of the slides."""

    text = "ladder_printed"
    kernel = "ladder_tile_printed"


class TunedPrinted(TilePrinted):
    """Tuned with the loop of the slides."""

    @classmethod
    def launch_for(cls, problem: TSP, device: Device) -> ClimberLaunch:
        """Return the quickest launch."""
        return measured_launch(problem, device, TilePrinted)


def measured_launch(problem: TSP, device: Device, kind: type[BlockClimbers]) -> ClimberLaunch:
    """Return the quickest of a few launches, measured once per device, kernel and number of cities."""
    teams: dict[ClimberLaunch, BlockClimbers] = {}

    def run(launch: ClimberLaunch) -> None:
        if launch not in teams:
            teams[launch] = kind(problem, device, kind.crowd(problem, device), launch=launch)
        teams[launch].climb(1)

    key = f"{kind.kernel} {fast_special(problem)} {problem.n}"
    return tuned(device, key, ClimberLaunch.ranked(device, problem.n), run, tried=MEASURED_LAUNCHES)
