"""Symmetric 2-opt on a device: a batch of tours, a group each (``kernels/symmetric.c``, ``symmetric_batch.c``).

The same texts run natively, under OpenCL and on CUDA. :class:`Symmetric` gives
the tours of the reference, ``neighborhoods/symmetric.py``, move for move;
:class:`SymmetricBatch` keeps tours in registers and is less precise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices import Device, Program
from warptour.engines.scan import fast_error, fast_metric
from warptour.engines.tolerance import extent, least_gain
from warptour.kernels.points import Points
from warptour.model.problem import CHUNK, TSP

ROUNDS, IDLE, ACCEPTED = range(3)

EFFORT: Final = 4_000_000
"""Moves of one tour in one call: about 50 ms natively."""

GPU_ROUNDS: Final = 60_000
"""Rounds in one call on a GPU, of tours that give each lane of a block one move: 15 to 50 ms."""

MOST_LANES: Final = 1024
FAR_AHEAD: Final = range(600, 2 * MOST_LANES + 2)
"""Numbers of cities for which it pays to evaluate eight rounds before lanes compare notes, not four; measured."""

MARGIN: Final = 2.0**-21
"""Error of a distance in float32 that comes from its coordinates, relative to the extent; generous."""

FOREVER: Final = 1 << 60

SLACK: Final = 128
"""Places a row moves on a GPU before it is moved back."""

SHARE: Final = 4
"""Moves a round that a lane keeps, at most."""

NATIVE_KEEP, NATIVE_AHEAD = 8, 3
"""Moves of a lane, and rounds ahead, in the native builds of the kernels that keep moves in registers."""

RESIDENT: Final = {4: 24, 8: 16}
"""Tours a multiprocessor has room for, by the pairs that a lane keeps; measured."""

_PROGRAMS: dict[tuple[Any, ...], tuple[Device, Program]] = {}


class Rows(ABC):
    """Tours on a device, in rows of odd length, with the schedule that they follow.

    Parameters
    ----------
    device : Device
    problem : TSP
        Closed, without fixed edges, of at least five cities.
    tours : array of int32, shape (batch, n)
    temperatures : sequence of float
        One a level, in the unit of the distances; after the last level the tours descend to 2-optimal ones.
    level : int
        Rounds at each temperature.
    seed : int
        64 bits.
    first : int
        Number of the first tour; with the seed it gives a tour's random numbers.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        temperatures: Sequence[float] | NDArray[np.float64] = (),
        level: int = 1,
        seed: int = 0,
        first: int = 0,
        length: int = 0,
        real: DTypeLike = np.float64,
        least: float = 0.0,
        from_origin: bool = False,
    ) -> None:
        self.device, self.problem = device, problem
        rows = with_doubles(np.atleast_2d(tours), length)
        self.batch, self.length = rows.shape
        self.moves = (self.length - 1) // 2
        self._tours = device.send(rows)
        self._state = device.zeros((self.batch, 4), np.int64)
        self._temperatures = device.send(np.append(np.asarray(temperatures, np.float64), 0.0).astype(real))
        number = np.float32 if np.dtype(real) == np.float32 else np.float64
        self._schedule = np.int32(len(temperatures)), np.int64(max(1, level)), number(least)
        self._seed = np.uint64(seed), np.int32(first)
        points = Points.of(problem)
        if from_origin:
            points = replace(points, x=points.x - points.x.min(), y=points.y - points.y.min())
        if np.dtype(real) == np.float32:
            shifts = (column - column.mean() if column.size else column for column in (points.x, points.y))
            columns = [device.send(column.astype(np.float32)) for column in shifts] + [None, None]
        else:
            columns = [
                device.send(column) if column.size else None for column in (points.x, points.y, points.z, points.table)
            ]
        numbers = np.int32(points.n), np.int32(points.norm), np.int32(points.rounding)
        self.special = points.special
        self._points = (*columns, *numbers, number(points.divisor), number(points.radius))
        self.groups = self.batch

    @property
    def budget(self) -> int:
        """Rounds that take about 50 ms."""
        if self.device.lanes > 1:
            return max(1, GPU_ROUNDS * MOST_LANES // max(MOST_LANES, self.moves))
        return max(1, EFFORT // (max(1, self.moves) * -(-self.batch // self.groups)))

    @abstractmethod
    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""

    def heat(self, temperature: float) -> None:
        """Go on at ``temperature`` until told otherwise, in place of the schedule; 0 descends."""
        number = self._schedule[2]
        self._temperatures = self.device.send(np.array([temperature, 0.0], number.dtype))
        self._schedule = np.int32(temperature > 0), np.int64(FOREVER), number

    @property
    def settled(self) -> bool:
        """Whether no tour has a move left."""
        return bool((self.state()[:, IDLE] >= self.length).all())

    def state(self) -> NDArray[np.int64]:
        """Return the rounds, the last idle ones, and the accepted moves of each tour, shape (batch, 4)."""
        return self.device.fetch(self._state)

    def tours(self) -> NDArray[np.int32]:
        """Return the tours as they are now, shape (batch, n)."""
        rows: NDArray[np.int32] = self.device.fetch(self._tours)
        return rows[rows < self.problem.n].reshape(self.batch, self.problem.n)

    def shortest(self) -> NDArray[np.int32]:
        """Return the shortest of the tours, the first of equal ones."""
        tours = self.tours()
        some = max(1, CHUNK // self.problem.n)
        parts = (tours[k : k + some] for k in range(0, self.batch, some))
        costs = [self.problem.distances(part, np.roll(part, -1, axis=1)).sum(axis=1) for part in parts]
        return tours[int(np.argmin(np.concatenate(costs)))].copy()

    def finish(self) -> NDArray[np.int32]:
        """Work until all tours are settled, and return them."""
        while not self.settled:
            self.run()
        return self.tours()


class Symmetric(Rows):
    """Tours in the fast memory of their groups, in the problem's own metric: the reference, move for move.

    Parameters
    ----------
    lanes : int, optional
        Of the group that works on a tour, on a GPU.
    **schedule
        As :class:`Rows` takes it.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        lanes: int | None = None,
        **schedule: Any,
    ) -> None:
        super().__init__(device, problem, tours, least=least_gain(problem), **schedule)
        about = device.about()
        self.lanes = 1 if device.lanes == 1 else lanes or lanes_for(self.moves)
        slack = self.length if self.lanes == 1 else min(self.length, SLACK)
        whole = device.name != "cpu" and self.special == "euc" and whole_coordinates(problem)
        self._local = self._bytes(slack, 4 if whole else 8)
        wide = self.lanes > MOST_LANES or self._local > (about.local_memory or 1 << 40)
        if wide and lanes is None:
            self.lanes = getattr(device, "most_lanes", self.lanes)
        defines = {name: 1 for name, wanted in (("WIDE", wide), ("INTEGERS", whole)) if wanted}
        self._slack = np.int32(slack)
        self.groups = min(self.batch, about.units if self.lanes == 1 else 1 << 16)
        self._work = device.empty(self.groups * self._local, np.uint8) if wide else None
        self._program = _built(device, "symmetric", self.special, self.lanes, **defines)
        self._scratch = 16 if wide else self._local

    def _bytes(self, slack: int, span: int) -> int:
        """Return what a group needs to hold a tour that may move ``slack`` places, in numbers of ``span`` bytes."""
        places = self.length + slack
        return (places * (3 * span + 4) + self.moves * (2 * span + 1) + 15) // 16 * 16

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_rounds", self.groups, *self._points, np.int32(self.length), np.int32(self.batch),
            self._tours, self._state, self._temperatures, *self._schedule, np.int32(rounds or self.budget), self._slack,
            *self._seed, self._work, np.int64(self._local), local=self._scratch,
        )  # fmt: skip


class SymmetricBlock(Rows):
    """The rounds of :class:`Symmetric` in 32-bit integers, with several of them evaluated ahead.

    For EUC_2D on GPUs; natively it is there to be tested, to 17 cities with whole coordinates.

    Parameters
    ----------
    lanes, share, ahead : int, optional
        Lanes of a group, moves of a lane, and rounds evaluated before lanes compare notes.
    **schedule
        As :class:`Rows` takes it.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        lanes: int | None = None,
        share: int | None = None,
        ahead: int = 4,
        **schedule: Any,
    ) -> None:
        whole = whole_coordinates(problem)
        super().__init__(device, problem, tours, from_origin=whole, **schedule)
        if device.name == "cpu":
            self.lanes, share, ahead = 1, NATIVE_KEEP, NATIVE_AHEAD
        else:
            most = getattr(device, "most_lanes", MOST_LANES) if self.moves > SHARE * MOST_LANES else MOST_LANES
            self.lanes = 1 if device.lanes == 1 else lanes or lanes_for(self.moves, most)
            share = share or -(-self.moves // self.lanes)
        if not self.supports(device, problem) or self.lanes * share < self.moves:
            raise ValueError(f"{problem.n} cities in {problem.metric.name} are not for this kernel")
        slack = max(4 * ahead, self.length if self.lanes == 1 else min(self.length, SLACK))
        self._slack = np.int32(slack)
        self._local = (self.length + slack) * (12 if whole else 16)
        self._margin = np.float32(MARGIN * extent(problem))
        defines = {} if device.name == "cpu" else {"SHARE": share, "AHEAD": ahead}
        if not whole:
            defines["FRACTIONS"] = 1
        self.groups = min(self.batch, 1 << 16)
        self._work = None
        self._scratch = self._local
        if self.lanes > MOST_LANES or self._local > (device.about().local_memory or 1 << 40):
            defines["WIDE"] = 1
            self._work, self._scratch = device.empty(self.groups * self._local, np.uint8), 16
        self._program = _built(device, "symmetric_block", self.special, self.lanes, **defines)

    @staticmethod
    def supports(device: Device, problem: TSP) -> bool:
        """Whether distances are EUC_2D and not too long for float32, and no lane has more moves than it can keep."""
        if problem.n > 2 * SHARE * getattr(device, "most_lanes", MOST_LANES) or Points.of(problem).special != "euc":
            return False
        return whole_coordinates(problem) or (device.name != "cpu" and MARGIN * extent(problem) < 0.05)

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        levels, level, _ = self._schedule
        self._program.launch(
            "symmetric_block", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, levels, level, np.int32(rounds or self.budget), self._slack, *self._seed,
            self._margin, self._work, np.int64(self._local), local=self._scratch,
        )  # fmt: skip


class SymmetricAhead(Rows):
    """The rounds of :class:`Symmetric` for EUC_2D on GPUs, many of them looked at before lanes compare notes.

    Natively it is there to be tested, with whole coordinates.

    Parameters
    ----------
    lanes, keep : int, optional
        Lanes of a group, and neighbouring moves that a lane looks at.
    calm, ahead, most_ahead : int, optional
        Rounds without a move before a group looks ahead, and how many rounds it looks at, at first and at most.
    **schedule
        As :class:`Rows` takes it.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        lanes: int | None = None,
        keep: int | None = None,
        calm: int = 2,
        ahead: int = 16,
        most_ahead: int = 256,
        resident: int | None = None,
        **schedule: Any,
    ) -> None:
        whole = whole_coordinates(problem)
        super().__init__(device, problem, tours, from_origin=whole, **schedule)
        most = getattr(device, "most_lanes", MOST_LANES) if self.moves > SHARE * MOST_LANES else MOST_LANES
        self.lanes = 1 if device.lanes == 1 else lanes or lanes_for(self.moves, most)
        self._looks = np.int32(calm), np.int32(ahead), np.int32(most_ahead)
        self._local = (self.length * (12 if whole else 20) + self.moves + 15) // 16 * 16
        self._margin = np.float32(MARGIN * extent(problem))
        defines: dict[str, int | str] = {} if whole else {"FRACTIONS": 1}
        if keep:
            defines["KEEP"] = keep
        if resident:
            defines["RESIDENT"] = resident
        self.groups = min(self.batch, device.about().units if self.lanes == 1 else 1 << 16)
        self._work = None
        self._scratch = self._local
        if self.lanes > MOST_LANES or self._local > (device.about().local_memory or 1 << 40):
            defines["WIDE"] = 1
            self._work, self._scratch = device.empty(self.groups * self._local, np.uint8), 16
        self._program = _built(device, "symmetric_ahead", self.special, self.lanes, **defines)

    @staticmethod
    def supports(device: Device, problem: TSP) -> bool:
        """Whether distances are EUC_2D and not too long for float32."""
        if Points.of(problem).special != "euc":
            return False
        return whole_coordinates(problem) or (device.name != "cpu" and MARGIN * extent(problem) < 0.05)

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        levels, level, _ = self._schedule
        self._program.launch(
            "symmetric_ahead", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, levels, level, np.int32(rounds or self.budget), *self._seed, *self._looks,
            self._margin, self._work, np.int64(self._local), local=self._scratch,
        )  # fmt: skip


class SymmetricBatch(Rows):
    """Tours in registers, float32 on a GPU: for many short tours in planar Euclidean metrics.

    Parameters
    ----------
    keep : int, optional
        Pairs of places a lane keeps; by default the fewest of 4, 8, 16 that suffice.
    resident : int, optional
        Tours that a multiprocessor should have room for, which limits the registers of each.
    **schedule
        As :class:`Rows` takes it; ``level`` is rounded up to a multiple of ``keep``, and :meth:`heat` needs a schedule.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        keep: int | None = None,
        resident: int | None = None,
        **schedule: Any,
    ) -> None:
        self.lanes = device.lanes
        native = device.name == "cpu"
        self.keep = NATIVE_KEEP if native else keep or keep_for(problem.n, self.lanes)
        schedule["level"] = -(-schedule.get("level", 1) // self.keep) * self.keep
        real = np.float64 if self.lanes == 1 else np.float32
        least = least_gain(problem)
        if self.lanes > 1:
            least = max(least, fast_error(problem))
        length = 2 * self.lanes * self.keep + 1
        super().__init__(device, problem, tours, real=real, least=least, length=length, **schedule)
        if self.length > length or not self.supports(problem):
            raise ValueError(f"tours of {problem.n} cities in {problem.metric.name} do not fit into registers")
        defines = {} if native else {"KEEP": self.keep, "REAL": "float64" if self.lanes == 1 else "float32"}
        if not native and not len(schedule.get("temperatures", ())):
            defines["COLD"] = 1
        if device.name.startswith("cuda"):
            defines["RESIDENT"] = resident or RESIDENT.get(self.keep, 1)
        self._program = _built(device, "symmetric_batch", self.special, self.lanes, **defines)
        self.groups = min(self.batch, 1 << 16)

    @staticmethod
    def supports(problem: TSP) -> bool:
        """Whether distances are Euclidean in the plane, as the registers hold them."""
        return fast_metric(problem.metric) and Points.of(problem).special != "any"

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds, rounded up to a multiple of ``keep``, on each tour that has not settled."""
        wanted = -(-(rounds or self.budget) // self.keep) * self.keep
        self._program.launch(
            "symmetric_batch", self.groups, *self._points, np.int32(self.batch), self._tours, self._state,
            self._temperatures, *self._schedule, np.int32(wanted), *self._seed,
        )  # fmt: skip


def _built(device: Device, name: str, special: str, lanes: int, **defines: int | str) -> Program:
    """Return a program, which searches on several problems share."""
    wanted = (id(device), name, special, lanes, *sorted(defines.items()))
    kept, program = _PROGRAMS.get(wanted, (None, None))
    if kept is not device or program is None:
        program = device.build(name, special, lanes=lanes, **defines)
        _PROGRAMS[wanted] = device, program
    return program


def with_doubles(tours: NDArray[np.int32], places: int = 0) -> NDArray[np.int32]:
    """Return tours of odd length, with doubles numbered from n on after city n - 1 where it takes any, or more."""
    n = tours.shape[1]
    columns = np.arange(max(places, n | 1), dtype=np.int32)
    doubles = len(columns) - n
    rank = columns - 1 - (tours == n - 1).argmax(axis=1)[:, None]  # of a double, from 0 on
    rows = np.take_along_axis(tours, np.where(rank < 0, columns, np.maximum(columns - doubles, 0)), axis=1)
    return np.where((rank >= 0) & (rank < doubles), n + rank, rows).astype(np.int32)


def whole_coordinates(problem: TSP) -> bool:
    """Whether coordinates are integers and near enough for distances in 32-bit arithmetic."""
    points = problem.points
    return bool(
        (points == np.floor(points)).all() and np.abs(points).max() < 2**30 and np.ptp(points, axis=0).max() < 2**15
    )


def exact_rows(device: Device, problem: TSP, tours: NDArray[np.int32], *, busy: bool = False, **schedule: Any) -> Rows:
    """Return the tours in the quickest form that gives the reference's tours on this device.

    ``busy`` says that many rounds will make moves, as in annealing, so that looking far ahead does not pay.
    """
    if device.lanes > 1 and SymmetricBlock.supports(device, problem):
        ahead = 4 if busy or problem.n not in FAR_AHEAD else 8
        return SymmetricBlock(device, problem, tours, ahead=ahead, **schedule)
    return Symmetric(device, problem, tours, **schedule)


def at_once(device: Device, n: int) -> int:
    """Return how many tours of ``n`` cities the device works on without one waiting for another."""
    units = device.about().units
    return units if device.lanes == 1 else units * max(1, min(4, MOST_LANES // lanes_for(n // 2)))


def lanes_for(moves: int, most: int = MOST_LANES) -> int:
    """Return how many lanes a GPU gives a tour of so many moves a round: one each, if there are so many."""
    lanes = 32
    while lanes < moves and lanes < most:
        lanes *= 2
    return lanes


def keep_for(n: int, lanes: int) -> int:
    """Return how many pairs of places a lane keeps so that ``n`` cities fit."""
    return next((keep for keep in (4, 8, 16) if 2 * lanes * keep + 1 >= n), 32)
