"""A tour on a device, and the plane cut into windows (``kernels/tours/window_cut.c``)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import corners
from warptour.devices import Array, Device, DeviceError, Program
from warptour.devices.occupancy import Needs, occupancy, shared_memory_only
from warptour.kernels.points import special_of
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import tolerance, typical_extent

WIDE_GROUPS: Final = 4096
"""Number of groups of kernels that stride over all cities."""

FLOAT32_EPSILON: Final = 2.0**-20
"""A gain in float32 must exceed this share of a window's extent."""


@dataclass(frozen=True)
class Cut:
    """Division of the plane in a round: ``strips`` strips of ``across`` cells each, rotated by an angle."""

    strips: int
    across: int
    angle: float

    @property
    def windows(self) -> int:
        """Number of windows."""
        return self.strips * self.across

    @classmethod
    def of(cls, windows: int, angle: float) -> Cut:
        """Return a cut into at least ``windows`` windows, about square where cities lie evenly."""
        strips = max(1, round(math.sqrt(windows)))
        return cls(strips, max(1, -(-windows // strips)), angle)


@dataclass(frozen=True)
class RoundResult:
    """Gain, kicks and evaluations of all windows of a round."""

    gain: float
    kicks: int
    evaluations: int


@dataclass(frozen=True)
class BuildOptions:
    """Build options of the window kernels on a device."""

    # search in float64 as the CPU does, so that all devices find the same tours, instead of in the fastest type
    wide: bool = False
    # depth, width, log: maximum Lin-Kernighan steps, candidates per city, reversals that can be undone; fixed on the
    # CPU
    depth: int = 12
    width: int = 7
    log: int = 192
    lanes: int | None = None  # lanes per group; by default those that suit the device
    resident: int = 10  # minimum resident groups per multiprocessor, which bounds the registers per lane


class DeviceTour:
    """A closed tour of cities in the plane on a device, in windows.

    ``problem``: A closed tour, planar and Euclidean. A fixed edge is a place where the tour is cut into fragments.
    ``size``: maximum number of cities in a window
    """

    text: str  # the kernel source that searches windows; its functions are named after its last word

    option: str  # the strategy parameter that sets the size of windows

    # x, y: on the device: coordinates in the numbering of the search, which subclasses choose: along a space-filling
    # curve, so that cities near in the plane are near in memory
    x: Array
    y: Array
    tour: Array  # on the device

    def __init__(self, problem: TSP, device: Device, *, size: int, seed: int, ways: BuildOptions) -> None:
        self.problem = problem
        self.device = device
        self.n = problem.n
        self.seed = seed
        self.size = size
        self.lanes = device.lanes if ways.lanes is None else ways.lanes
        narrow = device.lanes > 1
        self.real = np.float64 if ways.wide or not narrow else np.float32
        defines: dict[str, int | str] = {"DEPTH": ways.depth, "WIDTH": ways.width, "LOG_SIZE": ways.log}
        if narrow:
            defines |= {"INDEX": "narrow", "OFFSET": "int32", "REAL": "float64" if ways.wide else "float32"}
            defines["RESIDENT"] = ways.resident
            if not ways.wide:
                defines["QUICK_ROOTS"] = 1
        self._cutting = device.build("window_cut", lanes=self.lanes)
        self._program: Program = device.build(self.text, special_of(problem.metric), lanes=self.lanes, **defines)
        self._low, self._high = corners(problem.points)
        self._keys = device.empty(self.n, np.uint32)
        self._extent = typical_extent(problem)
        self._bytes: dict[int, int] = {}
        self.rounds = 0
        about, taken = device.about(), self.local_bytes(size + 1)
        if about.local_memory and taken > about.local_memory:
            raise DeviceError(
                f"a window of {size} cities takes {taken} bytes of fast memory and {device.name} has"
                f" {about.local_memory}: use smaller windows"
                f" (--set {self.option}={size * about.local_memory // (2 * taken)})"
            )
        held = occupancy(shared_memory_only(about), Needs(self.lanes, shared=taken)).groups if self.lanes > 1 else 1
        self.at_once = about.units * max(1, held)
        """Windows that the device searches at the same time."""

    @staticmethod
    def supports(problem: TSP) -> bool:
        """Return whether devices can search this problem in windows: closed tours in the plane, Euclidean distances."""
        return not problem.open and special_of(problem.metric) != "any" and problem.n >= 8

    def epsilon(self, capacity: int) -> float:
        """Return the smallest gain that counts in a window of ``capacity`` cities, besides the error of its edges.

        In float32 that is the error of the coordinates, which are relative to the centre of the window.
        """
        if self.real is np.float64:
            return tolerance(self.problem).absolute
        share = min(1.0, 4 * math.sqrt(capacity / self.n))
        return FLOAT32_EPSILON * share * self._extent

    def local_bytes(self, capacity: int) -> int:
        """Return the bytes of shared memory of a window of ``capacity`` cities."""
        if capacity not in self._bytes:
            answer = self.device.empty(1, np.int64)
            self._program.launch(f"{self.text.removeprefix('window_')}_bytes", 1, np.int32(capacity), answer)
            self._bytes[capacity] = int(self.device.fetch(answer)[0])
        return self._bytes[capacity]

    def _ranked(self, cut: Cut) -> tuple[Array, int]:
        """Return the cities sorted by strip and along it, and the number of key bits for the position along it."""
        n, device = np.int32(self.n), self.device
        cosine, sine = math.cos(cut.angle), math.sin(cut.angle)
        corners = np.array([[x, y] for x in (self._low[0], self._high[0]) for y in (self._low[1], self._high[1])])
        over, along = corners @ [cosine, -sine], corners @ [sine, cosine]
        bits = 32 - max(1, (cut.strips - 1).bit_length())
        turn = np.float64(cosine), np.float64(sine)
        self._launch("cut_strip_keys", n, self.x, self.y, *turn, *_scale(over, 32), self._keys)
        ranked = device.order(self._keys)
        self._launch(
            "cut_cell_keys", n, np.int32(cut.strips), self.x, self.y, *turn, *_scale(along, bits), np.int32(bits),
            ranked, self._keys,
        )  # fmt: skip
        del ranked  # its memory is needed for the sort
        return device.order(self._keys), bits

    def _launch(self, name: str, *arguments: object) -> None:
        program = self._cutting if name.startswith("cut") else self._program
        program.launch(name, min(WIDE_GROUPS, -(-self.n // self.lanes)), *arguments)


def _scale(values: NDArray[np.float64], bits: int) -> tuple[np.float64, np.float64]:
    """Return the origin and the factor that scale ``values`` to ``bits`` bits; the factor is always finite."""
    low, high = values.min(), values.max()
    return np.float64(low), np.float64((2.0**bits - 1) / max(high - low, 1e-290))
