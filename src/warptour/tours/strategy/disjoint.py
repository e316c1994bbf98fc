"""A worker on a device: rounds of disjoint windows, for large instances."""

from __future__ import annotations

import math
import time

import numpy as np

from warptour.search.worker import Budget, fitting
from warptour.tours.engine.device_tour import Cut
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.strategy.device_worker import DeviceWindows, DeviceWorker

LAUNCH_SECONDS = 0.1
"""Target duration of a launch, so that limits, signals and progress hold."""

FIRST_WAVES = 2
"""Waves of windows per launch before their duration is known."""


class DisjointWorker(DeviceWorker[DisjointWindows]):
    """Rounds of disjoint windows on a device; the first one repairs the tour.

    Rounds that would not end in time kick less. With a limit on kicks alone no clock decides anything. Tours are in the
    problem's numbering; the device translates them.
    """

    def __init__(self, engine: DisjointWindows, options: DeviceWindows) -> None:
        super().__init__(engine, options)
        self._windows_per_second = 0.0

    @property
    def windows(self) -> int:
        """Windows of a round."""
        return -(-self.engine.n // self.engine.size)

    def step(self, budget: Budget) -> None:
        """Do one round; one that is ended early joins the windows that were searched."""
        engine = self.engine
        rng = np.random.default_rng([engine.seed, engine.rounds])
        kicks = fitting(self.options.kicks * engine.n, budget, self._kicks_per_second) if engine.rounds > 0 else 0
        cut = Cut.of(self.windows, rng.uniform(0.0, 2 * math.pi))
        engine.begin(cut)
        began = time.perf_counter()
        first = 0
        while first < cut.windows:
            count = min(cut.windows - first, self._launch_size())
            sent = time.perf_counter()
            engine.search(first, count, kicks, self.options.walk_length)
            engine.device.synchronise()
            self._windows_per_second = count / (time.perf_counter() - sent)
            first += count
            if first < cut.windows and budget.over():
                engine.search(first, cut.windows - first, -1, self.options.walk_length)
                break
        took = time.perf_counter() - began
        won = engine.join(int(rng.integers(engine.n)))
        self._count(won, took)

    def _launch_size(self) -> int:
        """Return the windows that take ``LAUNCH_SECONDS``, a whole number of waves."""
        full = self.engine.at_once
        if not self._windows_per_second:
            return FIRST_WAVES * full
        return max(1, round(LAUNCH_SECONDS * self._windows_per_second / full)) * full
