"""Rounds of windows on a device (``kernels/window_round.c``): all that a round needs stays there.

A city takes 84 bytes: 16 its coordinates, 12 the tour and its windows, 56 keys,
permutations and sums while a round is cut and joined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Array, Device, DeviceError
from warptour.engines.tolerance import extent
from warptour.kernels.points import Points, special_of
from warptour.model.problem import TSP

WIDE_GROUPS: Final = 4096
"""Groups of kernels that stride over all cities."""

LOCAL_TAX: Final = 1024
"""Bytes of fast memory that CUDA keeps of every group's."""

FLOAT32_NOISE: Final = 2.0**-20
"""A gain in float32 must exceed this share of a window's extent."""


@dataclass(frozen=True)
class Cut:
    """How a round cuts the tour: ``strips`` of ``across`` windows each, turned by an angle."""

    strips: int
    across: int
    angle: float

    @property
    def windows(self) -> int:
        """How many there are."""
        return self.strips * self.across

    @classmethod
    def of(cls, n: int, windows: int, angle: float) -> Cut:
        """Return a cut into so many windows or a few more, about square where cities lie evenly."""
        strips = max(1, round(math.sqrt(windows)))
        return cls(strips, max(1, -(-windows // strips)), angle)


@dataclass(frozen=True)
class Won:
    """What the windows of a launch did."""

    gain: float
    kicks: int
    looks: int


class DeviceRounds:
    """A closed tour of cities in the plane under refinement on a device.

    Parameters
    ----------
    problem : TSP
        Planar and Euclidean, without fixed edges.
    device : Device
    tour : array of int32, optional
        Where to start; by default along a curve.
    size : int
        Cities of a window, at most.
    seed : int
    wide : bool
        Search in float64, as the CPU does, whatever the device is good at; then all devices find the same tours.
    depth, width, log : int
        Steps of a search, candidates of a city, reversals that can be undone; fixed on the CPU.
    lanes : int, optional
        Of a group, by default what suits the device.
    resident : int
        Groups that a multiprocessor shall hold at least, which bounds the registers of a lane.
    """

    def __init__(
        self,
        problem: TSP,
        device: Device,
        tour: NDArray[np.int32] | None = None,
        *,
        size: int,
        seed: int,
        wide: bool = False,
        depth: int = 12,
        width: int = 7,
        log: int = 192,
        lanes: int | None = None,
        resident: int = 10,
    ) -> None:
        self.problem = problem
        self.device = device
        self.n = problem.n
        self.seed = seed
        self.size = size
        self.lanes = device.lanes if lanes is None else lanes
        narrow = device.lanes > 1
        self.real = np.float64 if wide or not narrow else np.float32
        points = Points.of(problem)
        defines: dict[str, int | str] = {"DEPTH": depth, "WIDTH": width, "LOG_SIZE": log}
        if narrow:
            defines |= {"INDEX": "narrow", "OFFSET": "int32", "REAL": "float64" if wide else "float32"}
            defines["RESIDENT"] = resident
            if not wide:
                defines["QUICK_ROOTS"] = 1
        self._program = device.build("window_round", points.special, lanes=self.lanes, **defines)
        self._x, self._y = device.send(points.x), device.send(points.y)
        self._low, self._high = problem.points.min(axis=0), problem.points.max(axis=0)
        self._keys = device.empty(self.n, np.uint32)
        self.tour = self._curve() if tour is None else device.send(np.asarray(tour, np.int32))
        self._marks = device.send(np.ones(self.n, np.int16))
        self._order = device.empty(self.n, np.int32)
        self._heads = device.empty(self.n, np.int32)
        self._begins = device.empty(self.n, np.int32)
        self._extent = extent(problem)
        self._bytes: dict[int, int] = {}
        self.rounds = 0
        about, taken = device.about(), self.local_bytes(size + 1)
        if about.local_memory and taken > about.local_memory:
            raise DeviceError(
                f"a window of {size} cities takes {taken} bytes of fast memory and {device.name} has"
                f" {about.local_memory}: use smaller windows (--set cell={size * about.local_memory // (2 * taken)})"
            )

    @staticmethod
    def supports(problem: TSP) -> bool:
        """Whether the windows of a device can hold this problem: closed tours in the plane, Euclidean distances."""
        return (
            not problem.open
            and len(problem.fixed_edges) == 0
            and special_of(problem.metric) != "any"
            and problem.n >= 8
        )

    @cached_property
    def at_once(self) -> int:
        """How many windows the device works on at a time."""
        about = self.device.about()
        if not about.local_memory or self.lanes == 1:
            return about.units
        return about.units * max(1, about.local_memory // (self.local_bytes(self.size + 1) + LOCAL_TAX))

    def _curve(self) -> Array:
        """Return the cities along a Hilbert curve."""
        scale = 65535 / max(float((self._high - self._low).max()), 1e-300)
        corner = np.float64(self._low[0]), np.float64(self._low[1])
        self._launch("round_curve_keys", np.int32(self.n), self._x, self._y, *corner, np.float64(scale), self._keys)
        return self.device.order(self._keys)

    def noise(self, room: int) -> float:
        """Return what a gain in a window of so many cities must exceed."""
        if self.real is np.float64:
            return 1e-9 * self._extent
        share = min(1.0, 4 * math.sqrt(room / self.n))
        return FLOAT32_NOISE * share * self._extent

    def local_bytes(self, room: int) -> int:
        """Return the fast memory that a window of so many cities takes."""
        if room not in self._bytes:
            answer = self.device.empty(1, np.int64)
            self._program.launch("round_bytes", 1, np.int32(room), answer)
            self._bytes[room] = int(self.device.fetch(answer)[0])
        return self._bytes[room]

    def begin(self, cut: Cut) -> None:
        """Cut the tour into windows; all of them must then be searched before :meth:`join`."""
        n, device = np.int32(self.n), self.device
        strips, across = np.int32(cut.strips), np.int32(cut.across)
        cosine, sine = math.cos(cut.angle), math.sin(cut.angle)
        corners = np.array([[x, y] for x in (self._low[0], self._high[0]) for y in (self._low[1], self._high[1])])
        over, along = corners @ [cosine, -sine], corners @ [sine, cosine]
        bits = 32 - max(1, (cut.strips - 1).bit_length())
        turn = np.float64(cosine), np.float64(sine)
        self._launch("round_strip_keys", n, self._x, self._y, *turn, *_scale(over, 32), self._keys)
        ranked = device.order(self._keys)
        self._launch(
            "round_cell_keys",
            n,
            strips,
            self._x,
            self._y,
            *turn,
            *_scale(along, bits),
            np.int32(bits),
            ranked,
            self._keys,
        )
        ranked = device.order(self._keys)
        self._launch("round_labels", n, strips, across, ranked, self._keys)
        along_tour = device.empty(self.n, np.uint32)
        self._launch("round_along", n, self.tour, self._keys, along_tour)
        self._slots = device.order(along_tour)
        self._lengths = device.zeros(self.n, np.int32)
        self._won = device.empty(cut.windows, self.real)
        self._tallies = device.empty((cut.windows, 2), np.int32)
        self.cut = cut
        largest = -(-self.n // cut.strips)
        self.room = -(-largest // cut.across) + 1
        self.rounds += 1

    def search(self, first: int, count: int, kicks: int, paces: int) -> None:
        """Search windows ``first`` to ``first + count - 1``, with their share of the round's ``kicks``.

        With kicks below 0 they stay as they are.
        """
        cut, stream, noise = self.cut, self.rounds << 32, self.real(self.noise(self.room))
        board = np.int32(cut.strips), np.int32(cut.across)
        self._program.launch(
            "round_search", count, np.int32(self.n), self._x, self._y,
            np.float64(math.cos(cut.angle)), np.float64(math.sin(cut.angle)), *board,
            np.int32(first), np.int32(count), self._marks, self.tour, self._slots, self._order, self._heads,
            self._lengths, self._begins, self._won, self._tallies, np.uint64(self.seed), np.uint64(stream), noise,
            np.int32(paces), np.int64(kicks), np.int32(self.room), local=self.local_bytes(self.room),
        )  # fmt: skip

    def join(self, turn: int = 0) -> Won:
        """Make one tour of all windows, its first city at place ``turn``; return what was won."""
        sums = self.device.running_sum(self._lengths)
        self._launch(
            "round_join", np.int32(self.n), np.int32(turn), self._order, self._heads, self._lengths, sums,
            self._begins, self.tour,
        )  # fmt: skip
        tallies = self.device.fetch(self._tallies).sum(axis=0, dtype=np.int64)
        won = float(self.device.fetch(self._won).sum(dtype=np.float64))
        return Won(won, int(tallies[0]), int(tallies[1]))

    def fetch(self) -> NDArray[np.int32]:
        """Return the tour."""
        return self.device.fetch(self.tour)

    def _launch(self, name: str, *arguments: object) -> None:
        self._program.launch(name, min(WIDE_GROUPS, -(-self.n // self.lanes)), *arguments)


def _scale(values: NDArray[np.float64], bits: int) -> tuple[np.float64, np.float64]:
    """Return the origin and the factor that bring ``values`` into so many bits."""
    low, high = values.min(), values.max()
    return np.float64(low), np.float64((2.0**bits - 1) / max(high - low, 1e-300))
