"""A tour resident on a device, improved step by step: scan its 2-opt moves, pick the best, apply it.

Subclasses differ in how they scan. Scans in float32 propose a move; :meth:`TourScan.pick` evaluates it in the problem's
own metric, and only a move that improves the tour there is applied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from warptour.devices import Array, Device
from warptour.devices.points import send_fast_coordinates, send_points
from warptour.kernels.groups import Over, Unfinished, go_on
from warptour.kernels.points import Points
from warptour.model.metric import Metric
from warptour.model.problem import TSP
from warptour.model.spread import extent
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import tolerance, typical_extent

RECORDED: Final = 8
"""Steps recorded for one submission to a GPU where scans are short; even, see :meth:`TourScan._launch`."""

RECORDABLE: Final = 10_000_000_000
"""Maximum moves of a short scan, one whose launches would take as long as the scan itself."""

LAY_LANES: Final = 128
"""Lanes per group of the kernel that lays out the tour, on a GPU."""

LONGEST_ROUNDED: Final = 2.0**22
"""Exclusive upper bound on distances that float32 arithmetic can round to integers by an addition."""

FLOAT32_ERROR: Final = 2.0**-20
"""Error of a delta in float32, relative to :func:`typical_extent`."""


def move_count(n: int) -> int:
    """Return the number of 2-opt moves of a tour of ``n`` cities."""
    return max(0, n * (n - 3) // 2)


def fast_metric(metric: Metric) -> bool:
    """Return whether scans in float32 can measure ``metric``, apart from its rounding."""
    return metric.norm == "euclidean" and metric.dimensions == 2


def fast_error(problem: TSP) -> float:
    """Return a bound on the error of a delta in float32, not counting any rounding that the scan omits."""
    return FLOAT32_ERROR * typical_extent(problem)


def fast_special(problem: TSP) -> str:
    """Return the build of scans in float32: ``euc`` rounds to the nearest integer like EUC_2D, ``flat`` does not.

    ``flat`` also serves other roundings, and EUC_2D instances whose distances may be too long to round.
    """
    return "euc" if problem.metric.rounding == "nearest" and extent(problem) < LONGEST_ROUNDED else "flat"


class TourScan:
    """A tour resident on a device, where its best 2-opt move is found and applied."""

    def __init__(self, problem: TSP, device: Device) -> None:
        self.problem = problem
        self.device = device
        self.move = device.zeros(3, np.int32)  # i, j and how many moves were picked so far
        self._delta = device.zeros(1, np.float64)
        self._threshold = np.float64(tolerance(problem).absolute)
        self._recorded: dict[bool, Callable[[], None]] = {}

    def load(self, tour: Ints) -> None:
        """Copy a tour to the device."""
        raise NotImplementedError

    def scan(self, over: Over | None = None) -> None:
        """Scan all moves on the device; raises :class:`Unfinished` once ``over()``."""
        raise NotImplementedError

    def pick(self) -> None:
        """Evaluate the proposed move exactly, and keep it on the device if it improves the tour."""
        raise NotImplementedError

    def make(self) -> None:
        """Apply the picked move, if there is one."""
        raise NotImplementedError

    def tour(self) -> Ints:
        """Return the current tour."""
        raise NotImplementedError

    @property
    def recordable(self) -> bool:
        """Whether several steps are worth recording for one submission."""
        return self.device.lanes > 1 and move_count(self.problem.n) <= RECORDABLE

    @property
    def swapped(self) -> bool:
        """Whether the arrays that alternate between steps are in their second order."""
        return False

    def steps(self, count: int, over: Over | None = None) -> int:
        """Scan, pick and apply up to ``count`` times, until no move improves the tour or until ``over()``.

        Returns the number of scans up to the first that found no improving move, that one included.
        """
        done = 0
        while done < count:
            # A GPU is asked seldom: the scans that it makes after the climb has ended are few beside the others.
            wanted = min(count - done, max(RECORDED, done // 4) if self.recordable else 1)
            before = self._moves_made()
            launched = self._launch(wanted, over)
            made = self._moves_made() - before
            if made < launched:
                return done + made + 1
            done += made
            if launched < wanted:
                break
        return done

    def _moves_made(self) -> int:
        return int(self.device.fetch(self.move)[2])

    def _launch(self, count: int, over: Over | None) -> int:
        """Launch up to ``count`` steps; return how many."""
        done = 0
        try:
            if self.recordable and count >= RECORDED:
                if self.swapped not in self._recorded:
                    for _ in range(2):  # even: arrays that alternate must end as they began
                        self._step(over)
                        done += 1
                    self._recorded[self.swapped] = self.device.record(self._recorded_steps)
                while count - done >= RECORDED and not (over is not None and over()):
                    self._recorded[self.swapped]()
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
        """Return the picked move and its exact delta, or None if it does not improve the tour."""
        i, j, _ = self.device.fetch(self.move).tolist()
        return ((i, j), float(self.device.fetch(self._delta)[0])) if i != j else None


class LaidScan(TourScan):
    """A tour laid out for scans in float32: coordinates and edges in tour order.

    ``problem``: with a metric that :func:`fast_metric` accepts
    ``places``: number of positions laid out, at least n; they continue past n at the tour's start
    """

    call: int  # moves per launch of the scan

    def __init__(self, problem: TSP, device: Device, places: int) -> None:
        super().__init__(problem, device)
        n = problem.n
        self.places = places
        points = Points.of(problem)
        self._exact_special = points.special
        self._points = send_points(device, points)
        self._city = send_fast_coordinates(device, problem) if fast_metric(problem.metric) else ()
        self._lay_lanes = LAY_LANES if device.lanes > 1 else 1
        self._laid = device.build("two_opt_lay", fast_special(problem), lanes=self._lay_lanes)
        self._tours = [device.empty(n, np.int32) for _ in range(2)]
        self._first = self._tours[0]
        self._lap = [device.empty(places, np.float32) for _ in range(3)]
        self._queued = 0

    @property
    def swapped(self) -> bool:
        """Whether the two tour arrays are in their second order."""
        return self._tours[0] is not self._first

    def load(self, tour: Ints) -> None:
        self.device.fill(self._tours[0], np.asarray(tour, np.int32))
        self._lay(None)

    def make(self) -> None:
        self._lay(self.move)

    def tour(self) -> Ints:
        tour: Ints = self.device.fetch(self._tours[0])
        return tour

    def _poll(self, moves: int, over: Over | None) -> None:
        """Raise :class:`Unfinished` once ``over()``, with at most ``call`` moves queued on an asynchronous device."""
        if over is None:
            return
        self._queued += moves
        if self._queued > self.call:
            self.device.synchronise()
            self._queued = moves
        go_on(over)

    def _lay(self, move: Array | None) -> None:
        old, new = self._tours
        groups = -(-self.places // self._lay_lanes) if self._lay_lanes > 1 else 1
        self._laid.launch(
            "two_opt_lay", groups, np.int32(self.problem.n), np.int32(self.places), *self._city, old, move, new,
            *self._lap,
        )  # fmt: skip
        self._tours = [new, old]
