"""Native emulation of the FPGA machine for symmetric 2-opt, and the random search it is compared with.

``machine.py`` is the readable reference of the same machine; ``fpga_machine.c`` is the fast version.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import RELATIVE
from warptour.papers.mavroidis.fpga import CostModel, groups_of, most_elements
from warptour.papers.scans.two_opt import TwoOptEngine

WORK: Final = 2_000_000
"""Moves evaluated per native call: 10 to 50 ms."""

_real, _int32, _int64, _uint64 = ctypes.c_double, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
_reals, _ints, _longs = array(np.float64, output=True), array(np.int32, output=True), array(np.int64, output=True)
_MACHINE = (
    _reals, _reals, _ints, _int32, _int32, _int32, _int32, _real, array(np.float64), _int32, _int64, _uint64, _int64,
    _reals, array(np.uint8, output=True), _longs, _reals,
)  # fmt: skip
_RANDOM = (_reals, _reals, _ints, _int32, _real, _uint64, _int64, _int64, _longs)

Watch = Callable[[int, float], None]
"""Called with the number of loops (or moves) so far and the tour's length in the machine's own measure."""


@dataclass(frozen=True)
class Emulation:
    """Result of an emulated run."""

    tour: NDArray[np.int32]
    loops: int
    cycles: int
    seconds: float  # hardware time according to the cost model
    cost: float  # unrounded length of the tour
    moves: int  # number of accepted moves
    # Whether the run ended by the machine's own stopping rule, n - 1 consecutive loops without a move. The tour may
    # still have an improving move (``machine.py`` explains why); :func:`gain_left` scans for it.
    finished: bool


def emulate(
    problem: TSP,
    *,
    elements: int | None = None,
    squared: bool = False,
    early: float = 0.0,
    temperatures: Sequence[float] = (),
    level: int = 1,
    seed: int = 0,
    model: CostModel | None = None,
    watch: Watch | None = None,
    least: float = RELATIVE,
) -> Emulation:
    """Run the machine from the file order of the cities, with unrounded distances.

    ``problem``: with coordinates in the plane
    ``elements``: number of processing elements; by default a quarter of the number of cities
    ``squared``: compare squared distances, as hardware without square roots does
    ``early``: stop once n - 1 loops shorten the tour by less than this fraction of its length; 0 leaves the end to the
        machine's own rule
    ``temperatures``, ``level``, ``seed``: annealing schedule of the first loops: ``level`` loops at each temperature
    ``least``: smallest gain of a move that counts, as a fraction of the edges that it removes; by default the error of
        their sum in double precision
    """
    check_plane(problem)
    n = problem.n
    elements = _checked_elements(n, elements)
    places = problem.points - np.floor(problem.points.min(axis=0))
    city = np.append(np.zeros(n + 1, np.int32), np.arange(n, dtype=np.int32))
    state, gained = np.array([0, 0, 0, n + 1], np.int64), np.zeros(1)
    run = _loops(places, city, elements, squared, temperatures, level, seed, state, gained, least)
    groups = len(groups_of(n, elements))
    budget = max(1, min(WORK // max(1, groups * elements), (n - 1) if early or watch else 1 << 40))
    last = begin = _length(places, np.arange(n), squared=squared)
    checked = 0
    while state[1] < n - 1:
        run(budget)
        now = begin - gained[0]
        if watch is not None:
            watch(int(state[0]), now)
        if early and state[0] - checked >= n - 1 and state[0] >= level * len(temperatures):
            if last - now < early * now:
                break
            last, checked = now, int(state[0])
    return _emulation(problem, city, state, elements, model or CostModel())


def _loops(
    places: NDArray[np.float64],
    city: NDArray[np.int32],
    elements: int,
    squared: bool,
    temperatures: Sequence[float],
    level: int,
    seed: int,
    state: NDArray[np.int64],
    gained: NDArray[np.float64],
    least: float,
) -> Callable[[int], None]:
    """Return what runs a number of loops on the registers ``city``, and enters them in ``state`` and ``gained``."""
    n = len(places)
    x, y = (np.append(np.zeros(n + 1), column) for column in places.T)
    rise, yes = np.zeros(max(1, elements)), np.zeros(max(1, elements), np.uint8)
    heats = np.append(np.asarray(temperatures, np.float64), 0.0)
    groups, call = len(groups_of(n, elements)), kernel("fpga_machine", *_MACHINE)
    return lambda budget: call(
        0, 1, x, y, city, n, elements, groups, int(squared), 1.0 - least, heats, len(heats) - 1, max(1, level),
        seed, budget, rise, yes, state, gained,
    )  # fmt: skip


def _checked_elements(n: int, elements: int | None) -> int:
    """Return the number of processing elements, by default as many as ``n`` cities have use for."""
    most = most_elements(n)
    elements = most if elements is None else elements
    if elements > most or elements < min(1, most):
        raise UsageError(f"{n} cities have use for 1 to {most} processing elements, not {elements}")
    return elements


def _emulation(
    problem: TSP, city: NDArray[np.int32], state: NDArray[np.int64], elements: int, model: CostModel
) -> Emulation:
    """Return the result that the machine's registers and ``state`` hold."""
    n, loops = problem.n, int(state[0])
    tour = city[state[3] : state[3] + n].copy()
    cycles = model.cycles(loops, n, elements)
    cost = _length(problem.points, tour, squared=False)
    return Emulation(tour, loops, cycles, model.seconds(cycles), cost, int(state[2]), bool(state[1] >= n - 1))


def check_plane(problem: TSP) -> None:
    """Raise UnsupportedError unless the machine can take the problem: a closed tour of cities in the plane."""
    if problem.metric.norm != "euclidean" or problem.metric.dimensions != 2 or problem.open or len(problem.fixed_edges):
        raise UnsupportedError("the machine is for closed tours of cities in the plane, with no fixed edges")


def gain_left(problem: TSP, tour: NDArray[np.int32]) -> float:
    """Return the gain of the best 2-opt move in unrounded length; 0 proves the tour 2-optimal in it.

    Exact scan of all moves on the CPU.
    """
    flat = TSP(problem.name, METRICS["EUCLIDEAN"], problem.points)
    engine = TwoOptEngine(flat)
    move = engine.certify(tour)
    return 0.0 if move is None else -float(engine.neighborhood.delta(flat, tour, move))


def random_search(
    problem: TSP, seed: int = 0, watch: Watch | None = None, work: int = WORK
) -> tuple[NDArray[np.int32], int]:
    """Return the tour that random improving 2-opt moves reach from the file order, and the number of moves evaluated.

    It stops after n^2 consecutive failures for n cities. Distances are unrounded. ``watch`` is called
    every ``work`` moves.
    """
    n = problem.n
    x, y = (np.ascontiguousarray(column, np.float64) for column in problem.points.T)
    city, state = np.arange(n, dtype=np.int32), np.zeros(3, np.int64)
    x, y = x.copy(), y.copy()
    call = kernel("random_two_opt", *_RANDOM)
    while state[1] < n * n:
        call(0, 1, x, y, city, n, 1.0 - RELATIVE, seed, n * n, work, state)
        if watch is not None:
            watch(int(state[0]), _length(problem.points, city, squared=False))
    return city, int(state[0])


def _length(points: NDArray[np.float64], tour: NDArray[np.int32] | NDArray[np.int64], *, squared: bool) -> float:
    at = points[tour]
    gap = at - np.roll(at, -1, axis=0)
    squares = (gap * gap).sum(axis=1)
    return float(squares.sum() if squared else np.sqrt(squares).sum())
