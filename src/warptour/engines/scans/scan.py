"""Scans of the whole 2-opt neighbourhood on any device.

The fast scan (``kernels/two_opt_scan.c``) works in float32 on planar Euclidean
distances and gives the least delta of each tile of moves and the row that has
it; ``kernels/two_opt_pick.c`` then looks at that row in the problem's own
metric. The exact scan (``kernels/two_opt_exact.c``) works in that metric
throughout. Neither depends on the number of threads, and the exact one not on
the device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Array, Device
from warptour.kernels.groups import Over, Unfinished
from warptour.kernels.points import Points
from warptour.model.metric import Metric
from warptour.model.problem import TSP
from warptour.model.spread import extent, median
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import tolerance, typical_extent

NATIVE_ROWS: Final = 8
"""Rows that go together in the native library and on other CPUs."""

FAST_CALL, EXACT_CALL = 40_000_000, 2_000_000
"""Moves that a core evaluates between two looks at the clock: 10 to 50 ms."""

GPU_CALL: Final = 4_000_000_000
"""The same for a GPU, for exact scans, and for fast ones if its rate is unknown."""

WARPS: Final = 16
"""Warps of a multiprocessor that registers are left for: from so many on latencies are hidden."""

RECORDED: Final = 8
"""Steps that a GPU is given at once, an even number, where scans are short."""

RECORDABLE: Final = 10_000_000_000
"""Moves of a scan that is short: launching it would take as long as the scan."""

MANY_TILES: Final = 20_000
"""About as many candidates are enough for one scan."""

SMALLEST: Final = 64
"""Tours of fewer cities are scanned exactly at once."""

LONGEST_ROUNDED: Final = 2.0**22
"""Below this, float32 numbers are rounded to whole ones by an addition."""

FLOAT32_ERROR: Final = 2.0**-20
"""Error of a delta in the fast scan, relative to how far apart most cities lie."""


def move_count(n: int) -> int:
    """Return the number of 2-opt moves of a tour of ``n`` cities."""
    return max(0, n * (n - 3) // 2)


def fast_metric(metric: Metric) -> bool:
    """Whether the fast scan can measure ``metric``, at least but for its rounding."""
    return metric.norm == "euclidean" and metric.dimensions == 2


def fast_error(problem: TSP) -> float:
    """Return a bound on the error of a delta in the fast scan, but for roundings that it leaves out."""
    return FLOAT32_ERROR * typical_extent(problem)


def fast_special(problem: TSP) -> str:
    """Return the build of the fast kernels: rounded to the nearest as EUC_2D is; other roundings are left out.

    So is this one where distances may be too long for it.
    """
    return "euc" if problem.metric.rounding == "nearest" and extent(problem) < LONGEST_ROUNDED else "flat"


def fast_coordinates(problem: TSP) -> NDArray[np.float32]:
    """Return x and y of each city about their median, shape (2, n), scaled so that plain roots measure them.

    float32 is then finest where most of them are, however far an outlier lies.
    """
    at = (problem.points - median(problem.points)) / np.sqrt(problem.metric.divisor)
    return np.ascontiguousarray(at.T, np.float32)


def gpu_moves(device: Device, seconds: float) -> int:
    """Return how many moves a GPU evaluates in about so many seconds, or a safe number where its rate is unknown."""
    return int(device.about().roots * seconds) or GPU_CALL


def sent_points(device: Device, points: Points) -> tuple[Any, ...]:
    """Return what a kernel takes for ``POINTS_PARAMETERS``, on a device."""
    axes = [device.send(axis) if axis.size else None for axis in (points.x, points.y, points.z, points.table)]
    counts = np.int32(points.n), np.int32(points.norm), np.int32(points.rounding)
    return (*axes, *counts, np.float64(points.divisor), np.float64(points.radius))


@dataclass(frozen=True)
class Tiling:
    """How the moves of one tour are cut into tiles.

    Attributes
    ----------
    lanes, rows : int
        Lanes of a group, and rows of each.
    blocks, columns : int
        A tile is ``blocks * rows`` rows by ``columns`` columns.
    simd : int
        Columns that a lane looks at in one operation.
    groups : int
        Groups that run side by side.
    call : int
        Moves of a launch.
    steps : int
        Columns between two tests of a GPU's loop.
    """

    lanes: int
    rows: int
    blocks: int
    columns: int
    simd: int
    groups: int
    call: int
    steps: int = 8

    @classmethod
    def of(cls, device: Device, n: int) -> Tiling:
        """Return the tiling that suits a device: what each number is good for is in docs/developer/scan.md."""
        units = device.about().units
        if device.lanes == 1:
            groups = units if move_count(n) >= FAST_CALL else 1
            return cls(1, NATIVE_ROWS, 64, 2048, device.simd, groups, FAST_CALL * groups)
        rows, lanes, tiles, steps = (
            (9, 32, 28, 12) if n < 30_000 else (13, 64, 88, 8) if n < 300_000 else (13, 128, 88, 8)
        )
        columns = n * (n // 2) // (rows * lanes * tiles * units)
        columns = min(1024, max(24, -(-columns // 8) * 8))
        return cls(lanes, rows, lanes, columns, 1, 1 << 30, gpu_moves(device, 0.03), steps)

    def fitted(self, device: Device) -> Tiling:
        """Return the tiling with tiles of whole vectors; raises ValueError if the device cannot do it."""
        if (self.lanes > 1) != (device.lanes > 1) or self.simd != device.simd:
            raise ValueError(
                f"{device.name} has groups of {device.lanes} lanes and vectors of {device.simd}, not {self}"
            )
        if self.lanes == 1 and self.rows != NATIVE_ROWS:
            raise ValueError(f"{device.name} takes {NATIVE_ROWS} rows together, not {self}")
        if min(self.blocks, self.columns, self.groups) < 1:
            raise ValueError(f"a tile has at least one row and one column, unlike {self}")
        return replace(self, columns=-(-self.columns // self.simd) * self.simd)

    @property
    def defines(self) -> dict[str, int]:
        """What the texts are built with."""
        if self.lanes > 1:
            return {"ROWS": self.rows, "STEPS": self.steps, "RESIDENT": WARPS * 32 // self.lanes}
        return {"ROWS": self.rows, "SIMD": self.simd}

    def finer(self, n: int) -> Tiling:
        """Return smaller tiles, for those who want many moves of a scan: each tile gives one."""
        blocks = self.lanes
        columns = max(64, n * (n // 2) // (blocks * self.rows * MANY_TILES))
        return replace(self, blocks=blocks, columns=min(self.columns, -(-columns // 16) * 16))

    def every(self, n: int) -> int:
        """Return the columns of a row: all others at most half a tour ahead, in whole operations."""
        return -(-(n // 2 - 1) // self.simd) * self.simd

    def chunks(self, n: int) -> int:
        """Return the tiles along a row."""
        return -(-self.every(n) // self.columns)

    def tiles(self, n: int) -> int:
        """Return how many tiles there are."""
        return self.chunks(n) * -(-n // (self.blocks * self.rows))

    def places(self, n: int) -> int:
        """Return how far the tour is laid out, running on into its beginning."""
        return -(-n // (self.blocks * self.rows)) * self.blocks * self.rows + self.every(n) + 2

    def slices(self, n: int) -> Iterator[tuple[int, int]]:
        """Cut the tiles into launches."""
        each = max(self.groups if self.lanes == 1 else 1, self.call // (self.blocks * self.rows * self.columns))
        for first in range(0, self.tiles(n), each):
            yield first, min(self.tiles(n), first + each)


class FastScan:
    """A tour on a device, scanned in float32, and changed there.

    Parameters
    ----------
    problem : TSP
        With a metric that :func:`fast_metric` accepts and at least ``SMALLEST`` cities.
    device : Device
    """

    def __init__(self, problem: TSP, device: Device, tiling: Tiling | None = None) -> None:
        n = problem.n
        self.problem = problem
        self.device = device
        self.tiling = cut = (Tiling.of(device, n) if tiling is None else tiling).fitted(device)
        points = Points.of(problem)
        special = fast_special(problem)
        self._scan = device.build("two_opt_scan", special, lanes=cut.lanes, **cut.defines)
        self._pick = device.build("two_opt_pick", points.special, lanes=256 if cut.lanes > 1 else 1)
        self._points = sent_points(device, points)
        self._city = [device.send(axis) for axis in fast_coordinates(problem)]
        self._tours = [device.empty(n, np.int32) for _ in range(2)]
        self._first = self._tours[0]
        self._recordable = cut.lanes > 1 and move_count(n) <= RECORDABLE
        self._recorded: dict[bool, Callable[[], None]] = {}
        self._queued = 0
        self._lap = [device.empty(cut.places(n), np.float32) for _ in range(3)]
        self.least = device.empty(cut.tiles(n), np.float32)
        self.least_row = device.empty(cut.tiles(n), np.int32)
        self.move = device.zeros(2, np.int32)
        self._delta = device.zeros(1, np.float64)
        self._threshold = np.float64(tolerance(problem).absolute)
        self._grid = np.int32(n), np.int32(cut.every(n))
        self._tile = np.int32(cut.blocks * cut.rows), np.int32(cut.columns)

    def load(self, tour: Ints) -> None:
        """Put a tour there."""
        self.device.fill(self._tours[0], np.asarray(tour, np.int32))
        self._lay(None)

    def scan(self, over: Over | None = None) -> None:
        """Find the least delta of each tile; raises :class:`Unfinished` once ``over()``."""
        cut = self.tiling
        local = 16 * (cut.blocks * cut.rows + cut.columns)
        for first, last in cut.slices(self.problem.n):
            if over is not None:
                self._wait((last - first) * cut.blocks * cut.rows * cut.columns)
                if over():
                    raise Unfinished
            self._scan.launch(
                "two_opt_scan", min(cut.groups, last - first), *self._grid, np.int32(first), np.int32(last),
                np.int32(cut.blocks), np.int32(cut.columns), *self._lap, self.least, self.least_row, local=local,
            )  # fmt: skip

    def _wait(self, moves: int) -> None:
        """Let a device that takes launches before it is done with others do a launch's work of them, not more."""
        self._queued += moves
        if self._queued > self.tiling.call:
            self.device.synchronise()
            self._queued = moves

    def pick(self) -> None:
        """Measure the move of the least delta exactly and keep it on the device if it improves the tour."""
        self._pick.launch(
            "two_opt_pick", 1, *self._points, self._tours[0], *self._grid, *self._tile, np.int32(len(self.least)),
            self.least, self.least_row, self._threshold, self.move, self._delta,
        )  # fmt: skip

    def make(self) -> None:
        """Make the move that was picked, or none."""
        self._lay(self.move)

    def steps(self, count: int, over: Over | None = None) -> int:
        """Scan, pick and make, so many times or until ``over()``; return how many times it was.

        A step that finds nothing changes nothing.
        """
        done = 0
        try:
            if self._recordable and count > RECORDED:
                which = self._tours[0] is self._first
                if which not in self._recorded:
                    for _ in range(2):  # an even number, so that the same array holds the tour again
                        self._step(over)
                        done += 1
                    self._recorded[which] = self.device.record(self._recorded_steps)
                while count - done >= RECORDED and not (over is not None and over()):
                    self._recorded[which]()
                    done += RECORDED
            while done < count:
                self._step(over)
                done += 1
        except Unfinished:
            pass
        return done

    def _recorded_steps(self) -> None:
        for _ in range(RECORDED):
            self._step(None)

    def _step(self, over: Over | None) -> None:
        self.scan(over)
        self.pick()
        self.make()

    def picked(self) -> tuple[Move, float] | None:
        """Return the move that was picked and its exact delta, or None if it does not improve the tour."""
        i, j = self.device.fetch(self.move).tolist()
        return ((i, j), float(self.device.fetch(self._delta)[0])) if i != j else None

    def found(self, limit: int = 1024) -> list[tuple[float, Move]]:
        """Return (exact delta, move) of the best rows of the tiles that seem to improve the tour, best first."""
        least = self.device.fetch(self.least)
        chosen = np.flatnonzero(least < -self._threshold)
        chosen = chosen[least[chosen].argsort(kind="stable")[:limit]].astype(np.int32)
        if chosen.size == 0:
            return []
        moves, deltas = self.device.empty((len(chosen), 2), np.int32), self.device.empty(len(chosen), np.float64)
        self._pick.launch(
            "two_opt_confirm", len(chosen) if self.tiling.lanes > 1 else 1, *self._points, self._tours[0], *self._grid,
            *self._tile, np.int32(len(chosen)), self.device.send(chosen), self.least_row, moves, deltas,
        )  # fmt: skip
        exact = self.device.fetch(deltas).tolist()
        pairs = [(delta, (i, j)) for delta, (i, j) in zip(exact, self.device.fetch(moves).tolist(), strict=True)]
        return sorted({pair for pair in pairs if pair[0] < -self._threshold})

    def tour(self) -> Ints:
        """Return the tour as it is now."""
        tour: Ints = self.device.fetch(self._tours[0])
        return tour

    def _lay(self, move: Array | None) -> None:
        lanes = self.tiling.lanes
        old, new = self._tours
        self._scan.launch(
            "two_opt_lay", -(-self.tiling.places(self.problem.n) // lanes) if lanes > 1 else 1, self._grid[0],
            np.int32(self.tiling.places(self.problem.n)), *self._city, old, move, new, *self._lap,
        )  # fmt: skip
        self._tours = [new, old]


class ExactScan:
    """All moves of a tour in the problem's own metric."""

    def __init__(self, problem: TSP, device: Device) -> None:
        n = problem.n
        self.problem = problem
        self.device = device
        points = Points.of(problem)
        self._in_order = points.special != "any"
        self._lanes = 128 if device.lanes > 1 else 1
        self._program = device.build("two_opt_exact", points.special, lanes=self._lanes)
        self._points = list(sent_points(device, points))
        if self._in_order:
            self._points[:2] = [device.empty(n + 1, np.float64) for _ in range(2)]
        self._tour = device.empty(n + 1, np.int32)
        self._edge = device.empty(n, np.float64)
        self._least = device.empty(max(1, n - 2), np.float64)

    def rows(self, tour: Ints, over: Over | None = None, kept: float = 1.0) -> NDArray[np.float64]:
        """Return the least delta of each row of moves, shape (n - 2,); raises :class:`Unfinished` once ``over()``.

        The edges of the tour count as ``kept`` times as long as they are.
        """
        n, device = len(tour), self.device
        cycle = np.append(tour, tour[0]).astype(np.int32)
        device.fill(self._tour, cycle)
        device.fill(self._edge, kept * self.problem.distances(cycle[:-1], cycle[1:]).astype(np.float64))
        if self._in_order:
            for place, axis in zip(self._points[:2], self.problem.points.T, strict=True):
                device.fill(place, axis[cycle].astype(np.float64))
        for first, last, groups in self._slices(n):
            if over is not None:
                device.synchronise()
                if over():
                    raise Unfinished
            self._program.launch(
                "two_opt_exact", groups, *self._points, self._tour, self._edge, np.int32(n), np.int32(first),
                np.int32(last), self._least,
            )  # fmt: skip
        least: NDArray[np.float64] = device.fetch(self._least)
        return least

    def _slices(self, n: int) -> Iterator[tuple[int, int, int]]:
        """Cut the rows into launches: first row, last row, groups."""
        units = self.device.about().units
        workers = units if move_count(n) >= EXACT_CALL else 1
        call = EXACT_CALL * workers if self._lanes == 1 else GPU_CALL
        first = 0
        while first < n - 2:
            last = min(n - 2, first + max(workers, call // (n - first - 2)))
            yield first, last, workers if self._lanes == 1 else last - first
            first = last
