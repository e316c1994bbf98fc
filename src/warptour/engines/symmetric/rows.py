"""Symmetric 2-opt on a device (``kernels/symmetric.c``, ``symmetric_ahead.c``, ``symmetric_batch.c``).

The same texts run natively, under OpenCL and on CUDA, and give the tours of the
reference, ``neighborhoods/symmetric.py``, move for move: :class:`Symmetric` in any
metric; on GPUs and in EUC_2D or CEIL_2D, sooner, :class:`SymmetricAhead` single
tours and :class:`SymmetricBatch` thousands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device, Program
from warptour.kernels.points import Points
from warptour.model.problem import CHUNK, TSP
from warptour.model.spread import extent
from warptour.neighborhoods.tolerance import tolerance

ROUNDS, IDLE, ACCEPTED = range(3)

EFFORT: Final = 4_000_000
"""Moves of one tour in one call: about 50 ms natively."""

GPU_ROUNDS: Final = 60_000
"""Rounds in one call on a GPU, of tours that give each lane of a block one move: 15 to 50 ms."""

MAX_LANES: Final = 1024
"""Of a block; larger groups are clusters of blocks."""

NARROW: Final = 2.0**15
WIDE: Final = 2.0**21
"""Coordinates that differ by less have distances in 32-bit arithmetic, and below 2^22."""

FOREVER: Final = 1 << 60

SLACK: Final = 128
"""Places a row moves on a GPU before it is moved back."""

WARP: Final = 32

KEEPS: Final = (3, 5, 7, 9)
"""Neighbouring moves of a lane where tours are many, and what was measured for them on an H200."""
RESIDENT_BY_KEEP: Final = {3: 640, 5: 640, 7: 512, 9: 512}
SPEED_BY_KEEP: Final = {3: 1.25, 5: 1.7, 7: 1.75, 9: 1.9}
BATCH_LANES: Final = (32, 64, 96, 128, 160, 192, 256, 384, 512)
SLACKS: Final = (256, 192)

RESIDENT: Final = 512
"""Lanes that a multiprocessor should have room for, which leaves each 128 registers."""

BUSY_KEEP: Final = 3
"""Neighbouring moves that a lane looks at in groups that anneal; measured, as are the next ones."""

CALM, AHEAD, MAX_AHEAD = 1, 16, 256
"""Idle rounds before a block looks ahead, and how many rounds it looks at, first and at most."""

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
    ) -> None:
        self.device, self.problem = device, problem
        rows = with_doubles(np.atleast_2d(tours))
        self.batch: int
        self.length: int
        self.batch, self.length = rows.shape
        self.moves = (self.length - 1) // 2
        self._tours = device.send(rows)
        self._state = device.zeros((self.batch, 4), np.int64)
        self._temperatures = device.send(np.append(np.asarray(temperatures, np.float64), 0.0))
        self._levels = np.int32(len(temperatures)), np.int64(max(1, level))
        self._seed = np.uint64(seed), np.int32(first)
        points = Points.of(problem)
        columns = (points.x, points.y, points.z, points.table)
        numbers = np.int32(points.n), np.int32(points.norm), np.int32(points.rounding)
        self._points = (
            *(device.send(column) if column.size else None for column in columns),
            *numbers, np.float64(points.divisor), np.float64(points.radius),
        )  # fmt: skip

    def _build(self, text: str, lanes: int, room: int, **defines: int) -> None:
        """Compile ``text`` for groups of so many lanes, whose tours are in fast memory if that has ``room`` bytes."""
        about = self.device.about()
        wide = lanes > MAX_LANES or room > (about.local_memory or 1 << 40)
        self.lanes, self.groups = lanes, min(self.batch, about.units if lanes == 1 else 1 << 16)
        self._at_once = about.units * (1 if lanes == 1 else max(1, RESIDENT // lanes))
        self._memory = self.device.empty(self.groups * room, np.uint8) if wide else None, np.int64(room)
        self._scratch = 16 if wide else room
        if wide:
            defines["WIDE"] = 1
        self._program = _built(self.device, text, Points.of(self.problem).special, lanes, **defines)

    @property
    def budget(self) -> int:
        """Rounds that take about 50 ms."""
        turns = -(-self.batch // self._at_once)
        if self.device.lanes > 1:
            return max(1, GPU_ROUNDS * MAX_LANES // (max(MAX_LANES, self.moves) * turns))
        return max(1, EFFORT // (max(1, self.moves) * turns))

    @abstractmethod
    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""

    def heat(self, temperature: float) -> None:
        """Go on at ``temperature`` until told otherwise, in place of the schedule; 0 descends."""
        self._temperatures = self.device.send(np.array([temperature, 0.0]))
        self._levels = np.int32(temperature > 0), np.int64(FOREVER)

    @property
    def locally_optimal(self) -> bool:
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
        best: NDArray[np.int32] = tours[int(np.argmin(np.concatenate(costs)))].copy()
        return best

    def finish(self) -> NDArray[np.int32]:
        """Work until all tours are settled, and return them."""
        while not self.locally_optimal:
            self.run()
        return self.tours()


class Symmetric(Rows):
    """Tours in the fast memory of their groups, in the problem's own metric.

    Parameters
    ----------
    lanes : int, optional
        Of the group that works on a tour, on a GPU.
    **schedule
        As :class:`Rows` takes it.
    """

    def __init__(
        self, device: Device, problem: TSP, tours: NDArray[np.int32], *, lanes: int | None = None, **schedule: Any
    ) -> None:
        super().__init__(device, problem, tours, **schedule)
        one = device.lanes == 1
        self._slack = np.int32(self.length if one else min(self.length, SLACK))
        whole = device.name != "cpu" and Points.of(problem).special == "euc" and whole_coordinates(problem, NARROW)
        span = 4 if whole else 8
        places = self.length + int(self._slack)
        room = (places * (3 * span + 4) + self.moves * (2 * span + 1) + 15) // 16 * 16
        self._least = np.float64(tolerance(problem).absolute)
        chosen = 1 if one else lanes or lanes_for(device, self.moves, room)
        self._build("symmetric", chosen, room, **({"INTEGERS": 1} if whole else {}))

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_rounds", self.groups, *self._points, np.int32(self.length), np.int32(self.batch),
            self._tours, self._state, self._temperatures, *self._levels, self._least, np.int32(rounds or self.budget),
            self._slack, *self._seed, *self._memory, local=self._scratch,
        )  # fmt: skip


class SymmetricAhead(Rows):
    """Tours of which many rounds are looked at before lanes compare notes; for EUC_2D and CEIL_2D.

    Natively it is there to be tested, in EUC_2D with whole coordinates.

    Parameters
    ----------
    lanes : int, optional
        Of the group that works on a tour, at least 64 on a GPU.
    keep : int, optional
        Neighbouring moves that a lane looks at, odd.
    busy : bool
        Look ahead at temperatures above 0 too, which costs a little in descents.
    calm, ahead, most_ahead : int, optional
        Rounds without a move before a group of several warps looks ahead, and how many rounds it looks at, first and at
        most.
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
        busy: bool = False,
        calm: int = CALM,
        ahead: int | None = None,
        most_ahead: int = MAX_AHEAD,
        **schedule: Any,
    ) -> None:
        if not self.supports(device, problem):
            raise ValueError(f"{problem.n} cities in {problem.metric.name} are not for this kernel")
        whole = whole_coordinates(problem, NARROW)
        super().__init__(device, problem, tours, **schedule)
        self._lookahead = (
            np.int32(calm),
            np.int32(ahead or (AHEAD // 2 if busy else AHEAD)),
            np.int32(most_ahead),
            np.float32(_margin(problem)),
        )
        room = (self.length * 16 + self.moves + 15) // 16 * 16
        defines: dict[str, int] = {} if whole else {"FRACTIONS": 1}
        if device.name == "cpu":
            lanes = 1
        else:
            lanes = lanes or (1 if device.lanes == 1 else max(64, lanes_for(device, self.moves, room, RESIDENT)))
            defines["KEEP"] = keep or (BUSY_KEEP if busy else keep_for(self.moves, lanes))
            if busy:
                defines["HOT"] = 1
            if device.name.startswith("cuda"):
                defines["RESIDENT"] = max(1, RESIDENT // lanes)
        self._build("symmetric_ahead", lanes, room, **defines)

    @staticmethod
    def supports(device: Device, problem: TSP) -> bool:
        """Whether distances are rounded Euclidean and short enough for float32 to tell most moves from bad ones."""
        special = Points.of(problem).special
        if device.name == "cpu":
            return special == "euc" and whole_coordinates(problem, NARROW)
        return special in ("euc", "ceil") and np.ptp(problem.points, axis=0).max() < WIDE and _margin(problem) < 0.2

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_ahead", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, *self._levels, np.int32(rounds or self.budget), *self._seed,
            *self._lookahead, *self._memory, local=self._scratch,
        )  # fmt: skip


class SymmetricBatch(Rows):
    """Many tours, whose moves are all in the registers of their lanes; for EUC_2D and CEIL_2D.

    Natively it is there to be tested, with whole coordinates, 13 cities at most and no temperatures.

    Parameters
    ----------
    shape : tuple of int, optional
        Lanes of a tour and neighbouring moves of a lane: see :func:`shape_for`.
    busy : bool
        Temperatures above 0 come up.
    **schedule
        As :class:`Rows` takes it.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        shape: tuple[int, int] | None = None,
        busy: bool = False,
        **schedule: Any,
    ) -> None:
        super().__init__(device, problem, tours, **schedule)
        lanes, keep = shape or shape_for(self.moves) or (WARP, KEEPS[0])
        if not (SymmetricAhead.supports(device, problem) and keep <= self.moves <= lanes * keep + 1):
            raise ValueError(f"{problem.n} cities in {problem.metric.name} are not for this kernel")
        self._hot = busy or int(self._levels[0]) > 0
        resident = max(1, RESIDENT_BY_KEEP.get(keep, RESIDENT) // lanes)
        slack = batch_slack(self.length, (lanes, keep), device.about().local_memory // resident)
        self._last = np.int32(slack), np.float32(_margin(problem))
        defines = {"KEEP": keep}
        if not whole_coordinates(problem, NARROW):
            defines["FRACTIONS"] = 1
        if self._hot:
            defines["HOT"] = 1
        if device.name.startswith("cuda"):
            defines["RESIDENT"] = resident
        self._build("symmetric_batch", lanes, batch_room(self.length, keep, slack), **defines)

    @staticmethod
    def pays(device: Device, problem: TSP, tours: int) -> bool:
        """Whether so many tours keep a GPU busy, in blocks whose fast memory holds them."""
        length, about = problem.n | 1, device.about()
        shape = shape_for((length - 1) // 2)
        if shape is None or not device.name.startswith("cuda"):
            return False
        room = batch_room(length, shape[1], batch_slack(length, shape, about.local_memory))
        return room <= about.local_memory and 2 * tours * shape[0] >= about.units * RESIDENT

    def heat(self, temperature: float) -> None:
        """Go on at ``temperature`` until told otherwise, in place of the schedule; 0 descends."""
        if temperature > 0 and not self._hot:
            raise ValueError("tours that are to be heated are busy from the start")
        super().heat(temperature)

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_batch", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, *self._levels, np.int32(rounds or self.budget), *self._seed, *self._last,
            local=self._scratch,
        )  # fmt: skip


def batch_room(length: int, keep: int, slack: int) -> int:
    """Return the bytes of fast memory for one of many tours, whose row moves so many places before it is moved back."""
    return (length + slack + keep + 2) * 16


def batch_slack(length: int, shape: tuple[int, int], memory: int) -> int:
    """Return how many places a row should move before it is moved back: the more the better, while there is room."""
    lanes, keep = shape
    fits = (slack for slack in SLACKS if slack >= lanes and batch_room(length, keep, slack) + 1024 <= memory)
    return next(fits, max(lanes, SLACK))


def shape_for(moves: int) -> tuple[int, int] | None:
    """Return lanes and moves a lane for many tours of so many moves a round, or None if there are too few or many.

    Of the shapes that have room for all moves it is the quickest.
    """
    if moves < KEEPS[0]:
        return None
    shapes = ((lanes, keep) for lanes in BATCH_LANES for keep in KEEPS if keep <= moves <= lanes * keep + 1)
    return min(shapes, key=lambda shape: shape[0] * shape[1] / _speed(*shape), default=None)


def _speed(lanes: int, keep: int) -> float:
    """Return how soon groups of this shape do a move, which is less where they leave a multiprocessor room."""
    most = RESIDENT_BY_KEEP[keep]
    return SPEED_BY_KEEP[keep] * (most // lanes * lanes) / most


def _built(device: Device, name: str, special: str, lanes: int, **defines: int | str) -> Program:
    """Return a program, which searches on several problems share."""
    wanted = (id(device), name, special, lanes, *sorted(defines.items()))
    kept, program = _PROGRAMS.get(wanted, (None, None))
    if kept is not device or program is None:
        program = device.build(name, special, lanes=lanes, **defines)
        _PROGRAMS[wanted] = device, program
    return program


def with_doubles(tours: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return tours of odd length: of even ones those with a double of city n - 1, numbered n, after it."""
    n = tours.shape[1]
    if n % 2:
        return np.ascontiguousarray(tours, np.int32)
    after = (tours == n - 1).argmax(axis=1)[:, None]
    columns = np.arange(n + 1)
    rows = np.take_along_axis(tours, columns - (columns > after), axis=1).astype(np.int32)
    np.put_along_axis(rows, after + 1, np.int32(n), axis=1)
    return rows


def whole_coordinates(problem: TSP, span: float) -> bool:
    """Whether coordinates are integers and differ by less than ``span``."""
    points = problem.points
    return bool((points == np.floor(points)).all() and np.ptp(points, axis=0).max() < span)


def _margin(problem: TSP) -> float:
    """Return the error of a distance in float32 that comes from its coordinates, generously."""
    return 0.0 if whole_coordinates(problem, WIDE) else 2.0**-21 * extent(problem)


def exact_rows(device: Device, problem: TSP, tours: NDArray[np.int32], *, busy: bool = False, **options: Any) -> Rows:
    """Return the tours in the quickest form on this device, whose tours are the reference's; busy if they anneal."""
    if device.lanes == 1 or not SymmetricAhead.supports(device, problem):
        return Symmetric(device, problem, tours, **options)
    if "lanes" not in options and SymmetricBatch.pays(device, problem, len(np.atleast_2d(tours))):
        return SymmetricBatch(device, problem, tours, busy=busy, **options)
    return SymmetricAhead(device, problem, tours, busy=busy, **options)


def at_once(device: Device, n: int) -> int:
    """Return how many tours of ``n`` cities are annealed at once: so many that none waits for another, four a unit."""
    units = device.about().units
    return units if device.lanes == 1 else units * max(1, min(4, RESIDENT // lanes_for(device, n // 2)))


def lanes_for(device: Device, moves: int, room: int = 0, most: int = MAX_LANES) -> int:
    """Return how many lanes a GPU gives a tour of so many moves a round: one each, if there are so many.

    A tour that needs more ``room``, in bytes, than fast memory has is given all lanes that can work together.
    """
    if room > (device.about().local_memory or 1 << 40):
        return int(getattr(device, "most_lanes", most))
    lanes = WARP
    while lanes < moves and lanes < most:
        lanes *= 2
    return lanes


def keep_for(moves: int, lanes: int) -> int:
    """Return how many neighbouring moves a lane looks at: more spare reads, but take registers from other lanes."""
    return 3 if lanes >= MAX_LANES else 5 if moves < 600 else 9
