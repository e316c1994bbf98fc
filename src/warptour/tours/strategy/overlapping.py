"""A worker on a device: rounds of overlapping windows, for instances that would not fill it with disjoint ones."""

from __future__ import annotations

import math
import time

import numpy as np

from warptour.search.worker import Budget, fitting
from warptour.tours.engine.device_tour import BuildOptions, Cut
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.strategy.device_worker import DeviceWindows, DeviceWorker

MAX_INTERIOR = 200
"""Maximum interior size of an overlapping window; larger instances take several waves."""

MIN_KICKS = 8
"""Minimum kicks per window and round, on average: starting and ending a round takes as long as a few kicks."""

SPARE_KICKS = 1.5
"""Maximum kicks of a window, as a multiple of its even share: windows with cheap kicks make more, others fewer."""

FIRST_EVALUATIONS = 25.0
"""First estimate of the evaluations per kick, until a round has been measured."""

REST = 0.7
"""Share of the last round's duration for which the thread that drives the device sleeps, so that other threads of the
host can use its core."""

MIN_REST = 0.001
"""Shortest sleep of that thread in seconds; shorter ones are left out."""

OVERLAPPING_BUILD = BuildOptions(depth=25, log=256, resident=4)
"""Build options of overlapping windows on a device."""

MAX_CONFLICT_THREADS = 2
"""Threads that resolve conflicts between overlapping windows; more would take the cores of host threads."""


class OverlappingWorker(DeviceWorker[OverlappingWindows]):
    """Rounds of overlapping windows on a device.

    ``windows``: windows of a round
    """

    def __init__(self, engine: OverlappingWindows, options: DeviceWindows) -> None:
        super().__init__(engine, options)
        self.windows, self._rows = layout(engine.n, engine.at_once, engine.size)
        self._evaluations_per_kick = FIRST_EVALUATIONS
        self._took = 0.0

    def step(self, budget: Budget) -> None:
        """Do one round."""
        engine = self.engine
        rng = np.random.default_rng([engine.seed, engine.rounds])
        wanted = max(self.options.kicks * engine.n, MIN_KICKS * self.windows)
        kicks = fitting(wanted, budget, self._kicks_per_second)
        strips = round(math.sqrt(self.windows))
        engine.begin(Cut(strips, self.windows // strips, rng.uniform(0.0, 2 * math.pi)), self._rows)
        engine.device.synchronise()
        sent = time.perf_counter()
        windows = engine.cut.windows
        evaluations = max(1, int(self._evaluations_per_kick * kicks / windows))
        most = int(min(SPARE_KICKS * kicks, budget.iterations))
        engine.search(0, windows, most, self.options.walk_length, evaluations)
        self._rest(sent)
        engine.device.synchronise()
        took = self._took = time.perf_counter() - sent
        won = engine.join()
        self._count(won, took)
        if won.kicks:
            self._evaluations_per_kick = 0.8 * self._evaluations_per_kick + 0.2 * won.evaluations / won.kicks

    def _rest(self, sent: float) -> None:
        """Sleep for most of the time that the windows sent then will take: a thread that waits for CUDA is busy."""
        seconds = REST * self._took - (time.perf_counter() - sent)
        if seconds > MIN_REST:
            time.sleep(seconds)


def layout(n: int, at_once: int, size: int) -> tuple[int, int]:
    """Return the number of windows of ``size`` cities, and the rows of cells of each.

    Windows fill the device a whole number of times, and have enough rows to be about square.
    """
    windows = max(1, min(at_once * max(1, -(-n // (at_once * MAX_INTERIOR))), n // 4))
    rows = round((math.sqrt(size * windows / n) - 1) / 2) * 2 + 1
    return windows, max(3, rows)
