"""Symmetric 2-opt: nested segments reversed simultaneously (Mavroidis 2011, chapter 6).

A tour of odd length m is stored in a row. Move q reverses the positions q+1 .. m-2-q:

    a-b ... c-d  ->  a-c ... b-d        a at position q, b at q+1, c at m-2-q, d at m-1-q

The segments are nested around the middle position and involve different edges, so any subset of the moves may be
accepted together: b and c, which mirror each other, are swapped if and only if an odd number of the moves 0 .. q was
accepted. The row then rotates by one, the first city becoming the last, so that the next round evaluates other
segments; m rounds evaluate every 2-opt move once. The segment of all m cities is omitted: it reverses the whole tour,
which changes nothing.

A tour of even length gets a duplicate of its last city, numbered n, next to it. The edge between the two is fixed: with
rounded distances the triangle inequality fails, and annealing accepts worse tours, so that nothing else would keep them
together.

It runs on any device (``kernels/papers/mavroidis/symmetric.c``, ``symmetric_ahead.c``, ``symmetric_batch.c``).
The same kernels run natively, under OpenCL and on CUDA, and produce the tours of the reference,
``tests/symmetric_reference.py``, move for move. :class:`Symmetric` supports any metric. On GPUs, for EUC_2D and
CEIL_2D, two kernels are faster: :class:`SymmetricAhead` for single tours, :class:`SymmetricBatch` for thousands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device, Program
from warptour.devices.occupancy import resident
from warptour.devices.points import send_points
from warptour.kernels.points import Points
from warptour.model.problem import CHUNK, TSP
from warptour.model.spread import extent
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.mavroidis.engine.shapes import (
    KEEPS,
    MAX_LANES,
    REGISTERS,
    REGISTERS_BY_KEEP,
    RESIDENT,
    SLACK,
    WARP,
    batch_bytes,
    batch_slack,
    keep_for,
    lanes_for,
    shape_for,
)

ROUNDS, IDLE, ACCEPTED = range(3)

EFFORT: Final = 4_000_000
"""Moves evaluated per tour and native call: about 50 ms."""

GPU_ROUNDS: Final = 60_000
"""Rounds per GPU call, for tours with at most one move per lane of a block: 15 to 50 ms."""

NARROW: Final = 2.0**15
WIDE: Final = 2.0**21
"""Exclusive upper bounds on the coordinate range.

Below ``NARROW`` distances are computed in 32-bit integers; below ``WIDE`` distances are below 2^22.
"""

FOREVER: Final = 1 << 60

BUSY_KEEP: Final = 3
"""Adjacent moves per lane in groups that anneal; measured, as are the constants below."""

CALM, AHEAD, MAX_AHEAD = 1, 16, 256
"""Idle rounds before a group looks ahead, and the initial and maximum number of rounds it evaluates ahead."""

_PROGRAMS: dict[tuple[Any, ...], tuple[Device, Program]] = {}


class TourRows(ABC):
    """Tours on a device, stored as rows of odd length, with their annealing schedule.

    ``temperatures``: one per level, in the unit of the distances; after the last level the tours descend to 2-optimal
        ones
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,  # closed, without fixed edges, of at least five cities
        tours: NDArray[np.int32],  # (batch, n)
        *,
        temperatures: Sequence[float] | NDArray[np.float64] = (),
        level: int = 1,  # rounds at each temperature
        seed: int = 0,  # 64 bits
        first: int = 0,  # number of the first tour; with the seed, a tour's number determines its random numbers
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
        self._points = send_points(device, Points.of(problem))

    def _build(self, text: str, lanes: int, room: int, **defines: int) -> None:
        """Compile ``text`` for groups of ``lanes`` lanes; a tour's ``room`` bytes are in shared memory if they fit."""
        about = self.device.about()
        wide = lanes > MAX_LANES or room > (about.local_memory or 1 << 40)
        self.lanes, self.groups = lanes, min(self.batch, about.units if lanes == 1 else 1 << 16)
        self._at_once = about.units * (1 if lanes == 1 else resident(lanes, REGISTERS))
        self._memory = self.device.empty(self.groups * room, np.uint8) if wide else None, np.int64(room)
        self._scratch = 16 if wide else room
        if wide:
            defines["WIDE"] = 1
        self._program = built(self.device, text, Points.of(self.problem).special, lanes, **defines)

    @property
    def budget(self) -> int:
        """Rounds per call, for about 50 ms."""
        turns = -(-self.batch // self._at_once)
        if self.device.lanes > 1:
            return max(1, GPU_ROUNDS * MAX_LANES // (max(MAX_LANES, self.moves) * turns))
        return max(1, EFFORT // (max(1, self.moves) * turns))

    @property
    def evaluated(self) -> int:
        """Moves that a round evaluates."""
        return max(0, self.moves - 1)

    @abstractmethod
    def run(self, rounds: int | None = None) -> None:
        """Run ``rounds`` rounds on each tour that is not yet 2-optimal; by default as many as take about 50 ms."""

    def heat(self, temperature: float) -> None:
        """Continue at constant ``temperature`` until the next call, instead of the schedule; 0 descends."""
        self._temperatures = self.device.send(np.array([temperature, 0.0]))
        self._levels = np.int32(temperature > 0), np.int64(FOREVER)

    @property
    def locally_optimal(self) -> bool:
        """Whether no tour has an improving move left."""
        return bool((self.state()[:, IDLE] >= self.length).all())

    def state(self) -> NDArray[np.int64]:
        """Return rounds, current consecutive idle rounds and accepted moves of each tour, shape (batch, 4)."""
        return self.device.fetch(self._state)

    def tours(self) -> NDArray[np.int32]:
        """Return the current tours, shape (batch, n)."""
        rows: NDArray[np.int32] = self.device.fetch(self._tours)
        return rows[rows < self.problem.n].reshape(self.batch, self.problem.n)

    def shortest(self) -> NDArray[np.int32]:
        """Return the shortest tour, the first of ties."""
        tours = self.tours()
        some = max(1, CHUNK // self.problem.n)
        parts = (tours[k : k + some] for k in range(0, self.batch, some))
        costs = [self.problem.distances(part, np.roll(part, -1, axis=1)).sum(axis=1) for part in parts]
        best: NDArray[np.int32] = tours[int(np.argmin(np.concatenate(costs)))].copy()
        return best

    def finish(self) -> NDArray[np.int32]:
        """Run until all tours are 2-optimal, and return them."""
        while not self.locally_optimal:
            self.run()
        return self.tours()


class Symmetric(TourRows):
    """Tours in the shared memory of their groups, in the problem's own metric.

    ``lanes``: lanes of the group that works on one tour, on a GPU
    ``**schedule``: as for :class:`TourRows`
    """

    def __init__(
        self, device: Device, problem: TSP, tours: NDArray[np.int32], *, lanes: int | None = None, **schedule: Any
    ) -> None:
        super().__init__(device, problem, tours, **schedule)
        one = device.lanes == 1
        self._slack = np.int32(self.length if one else min(self.length, SLACK))
        whole = not device.is_host and Points.of(problem).special == "euc" and whole_coordinates(problem, NARROW)
        span = 4 if whole else 8
        places = self.length + int(self._slack)
        room = (places * (3 * span + 4) + self.moves * (2 * span + 1) + 15) // 16 * 16
        self._least = np.float64(tolerance(problem).absolute)
        chosen = 1 if one else lanes or lanes_for(device, self.moves, room)
        self._build("symmetric", chosen, room, **({"INTEGERS": 1} if whole else {}))

    def run(self, rounds: int | None = None) -> None:
        self._program.launch(
            "symmetric_rounds", self.groups, *self._points, np.int32(self.length), np.int32(self.batch),
            self._tours, self._state, self._temperatures, *self._levels, self._least, np.int32(rounds or self.budget),
            self._slack, *self._seed, *self._memory, local=self._scratch,
        )  # fmt: skip


class SymmetricAhead(TourRows):
    """Tours whose lanes evaluate several rounds ahead between synchronisations; for EUC_2D and CEIL_2D.

    The native build exists for tests only, for EUC_2D with integer coordinates.

    ``calm``, ``ahead``, ``most_ahead``: rounds without a move before a group of several warps looks ahead, and the
        initial and maximum number of rounds it evaluates ahead
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        lanes: int | None = None,  # lanes of the group that works on one tour, at least 64 on a GPU
        keep: int | None = None,  # adjacent moves per lane, odd
        busy: bool = False,  # look ahead at temperatures above 0 too, which slows descents slightly
        calm: int = CALM,
        ahead: int | None = None,
        most_ahead: int = MAX_AHEAD,
        **schedule: Any,  # as for :class:`TourRows`
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
        if device.is_host:
            lanes = 1
        else:
            lanes = lanes or (1 if device.lanes == 1 else max(64, lanes_for(device, self.moves, room, RESIDENT)))
            defines["KEEP"] = keep or (BUSY_KEEP if busy else keep_for(self.moves, lanes))
            if busy:
                defines["HOT"] = 1
            if device.about().warp:
                defines["RESIDENT"] = resident(lanes, REGISTERS)
        self._build("symmetric_ahead", lanes, room, **defines)

    @staticmethod
    def supports(device: Device, problem: TSP) -> bool:
        """Return whether distances are rounded Euclidean and short enough for float32 to reject most bad moves."""
        special = Points.of(problem).special
        if device.is_host:
            return special == "euc" and whole_coordinates(problem, NARROW)
        return special in ("euc", "ceil") and np.ptp(problem.points, axis=0).max() < WIDE and _margin(problem) < 0.2

    def run(self, rounds: int | None = None) -> None:
        self._program.launch(
            "symmetric_ahead", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, *self._levels, np.int32(rounds or self.budget), *self._seed,
            *self._lookahead, *self._memory, local=self._scratch,
        )  # fmt: skip


class SymmetricBatch(TourRows):
    """Many tours, with all moves of a round in the registers of their lanes; for EUC_2D and CEIL_2D.

    The native build exists for tests only: integer coordinates, at most 13 cities, no temperatures.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        shape: tuple[int, int] | None = None,  # lanes per tour and adjacent moves per lane: see :func:`shape_for`
        busy: bool = False,  # whether temperatures above 0 will be used
        **schedule: Any,  # as for :class:`TourRows`
    ) -> None:
        super().__init__(device, problem, tours, **schedule)
        lanes, keep = shape or shape_for(self.moves) or (WARP, KEEPS[0])
        if not (SymmetricAhead.supports(device, problem) and keep <= self.moves <= lanes * keep + 1):
            raise ValueError(f"{problem.n} cities in {problem.metric.name} are not for this kernel")
        self._hot = busy or int(self._levels[0]) > 0
        groups = resident(lanes, REGISTERS_BY_KEEP.get(keep, REGISTERS))
        slack = batch_slack(device.about(), self.length, (lanes, keep), groups)
        self._last = np.int32(slack), np.float32(_margin(problem))
        defines = {"KEEP": keep}
        if not whole_coordinates(problem, NARROW):
            defines["FRACTIONS"] = 1
        if self._hot:
            defines["HOT"] = 1
        if device.about().warp:
            defines["RESIDENT"] = groups
        self._build("symmetric_batch", lanes, batch_bytes(self.length, keep, slack), **defines)

    @staticmethod
    def pays(device: Device, problem: TSP, tours: int) -> bool:
        """Return whether ``tours`` tours keep a GPU busy and each fits into the shared memory of its block."""
        length, about = problem.n | 1, device.about()
        shape = shape_for((length - 1) // 2)
        if shape is None or not about.warp:
            return False
        room = batch_bytes(length, shape[1], batch_slack(about, length, shape))
        return room <= about.local_memory and 2 * tours * shape[0] >= about.units * RESIDENT

    def heat(self, temperature: float) -> None:
        if temperature > 0 and not self._hot:
            raise ValueError("tours that are to be heated are busy from the start")
        super().heat(temperature)

    def run(self, rounds: int | None = None) -> None:
        self._program.launch(
            "symmetric_batch", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, self._temperatures, *self._levels, np.int32(rounds or self.budget), *self._seed, *self._last,
            local=self._scratch,
        )  # fmt: skip


def built(device: Device, name: str, special: str, lanes: int, **defines: int | str) -> Program:
    """Return a compiled program, cached so that searches on several problems share it."""
    wanted = (id(device), name, special, lanes, *sorted(defines.items()))
    kept, program = _PROGRAMS.get(wanted, (None, None))
    if kept is not device or program is None:
        program = device.build(name, special, lanes=lanes, **defines)
        _PROGRAMS[wanted] = device, program
    return program


def with_doubles(tours: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return tours of odd length: even ones are padded with a duplicate of city n - 1, numbered n, right after it."""
    n = tours.shape[1]
    if n % 2:
        return np.ascontiguousarray(tours, np.int32)
    after = (tours == n - 1).argmax(axis=1)[:, None]
    columns = np.arange(n + 1)
    rows = np.take_along_axis(tours, columns - (columns > after), axis=1).astype(np.int32)
    np.put_along_axis(rows, after + 1, np.int32(n), axis=1)
    return rows


def whole_coordinates(problem: TSP, span: float) -> bool:
    """Return whether coordinates are integers within a range below ``span``."""
    points = problem.points
    return bool((points == np.floor(points)).all() and np.ptp(points, axis=0).max() < span)


def _margin(problem: TSP) -> float:
    """Return a generous bound on the float32 error of a distance that stems from rounding its coordinates."""
    return 0.0 if whole_coordinates(problem, WIDE) else 2.0**-21 * extent(problem)


def exact_rows(
    device: Device, problem: TSP, tours: NDArray[np.int32], *, busy: bool = False, **options: Any
) -> TourRows:
    """Return the tours in the fastest form on this device that matches the reference; ``busy`` if they anneal."""
    if device.lanes == 1 or not SymmetricAhead.supports(device, problem):
        return Symmetric(device, problem, tours, **options)
    if "lanes" not in options and SymmetricBatch.pays(device, problem, len(np.atleast_2d(tours))):
        return SymmetricBatch(device, problem, tours, busy=busy, **options)
    return SymmetricAhead(device, problem, tours, busy=busy, **options)


def at_once(device: Device, n: int) -> int:
    """Return how many tours of ``n`` cities to anneal concurrently: one per core, at most four per multiprocessor.

    None of them then waits for another.
    """
    units = device.about().units
    return units if device.lanes == 1 else units * min(4, resident(lanes_for(device, n // 2), REGISTERS))
