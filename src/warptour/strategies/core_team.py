"""A tour repaired by the host and then refined on a device, in windows that overlap."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from warptour.engines.device_cores import DeviceCores
from warptour.engines.device_tour import Cut
from warptour.engines.terrain import Ints
from warptour.strategies.rounds import Rounds
from warptour.strategies.threads import Tend

LARGEST_CORE = 96
"""Cities of a core at most; where there are more, the device is filled several times."""

WAITED = 2e-4
"""Seconds; who waits longer than this for the device knows how long it took."""


class CoreTeam:
    """The host makes the start a local optimum; then rounds kick ``effort`` times a city on the device.

    What a round wins is united by the host while the next one is under way, so a round builds on all but the last. With
    a limit on kicks alone the tour depends on no clock.
    """

    def __init__(
        self, host: Rounds, cores: DeviceCores, *, paces: int, effort: float, seconds_left: Callable[[], float]
    ) -> None:
        self.host = host
        self.cores = cores
        self.paces = paces
        self.effort = effort
        self.kicks = 0
        self.searched = 0.0
        """Seconds that windows were searched, of all that passed."""
        self._looks = 0
        self._gain = 0.0
        self._repaired = False
        self._seconds_left = seconds_left
        self._kicks_a_second = 0.0

    @property
    def looks(self) -> int:
        """Cities looked at so far."""
        return self.host.looks + self._looks

    @property
    def gain(self) -> float:
        """By how much the tour is shorter than the first one."""
        return self.host.gain + self._gain

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Repair the start, the first time; then do one round."""
        if not self._repaired:
            self.host.advance(0, tend)
            self.cores.restart(self.host.best())
            self._repaired = True
            return
        cores = self.cores
        rng = np.random.default_rng([cores.seed, cores.rounds])
        windows, rows = layout(cores.n, cores.at_once, cores.size)
        strips = round(math.sqrt(windows))
        kicks = self._share(kicks_left)
        cores.begin(Cut(strips, windows // strips, rng.uniform(0.0, 2 * math.pi)), rows)
        began = time.perf_counter()
        cores.search(0, cores.cut.windows, kicks, self.paces)
        self._gain += cores.settle()
        settled = time.perf_counter()
        cores.device.synchronise()
        ended = time.perf_counter()
        won = cores.collect()
        if ended - settled > WAITED or not self._kicks_a_second:
            self._kicks_a_second = won.kicks / (ended - began)
        self.searched += min(ended - began, won.kicks / self._kicks_a_second)
        self.kicks += won.kicks
        self._looks += won.looks
        if won.kicks >= kicks_left or tend():
            self._gain += cores.settle()

    def _share(self, kicks_left: float) -> int:
        """Return the kicks of the next round."""
        wanted = min(self.effort * self.cores.n, kicks_left)
        seconds = self._seconds_left()
        if math.isinf(kicks_left) and not math.isinf(seconds) and self._kicks_a_second:
            wanted = min(wanted, self._kicks_a_second * max(0.9 * seconds, 0.01))
        return max(1, int(wanted))

    def best(self) -> Ints:
        """Return the tour with all that was united so far."""
        return self.cores.fetch() if self._repaired else self.host.best()


def layout(n: int, at_once: int, size: int) -> tuple[int, int]:
    """Return into how many windows of ``size`` cities to cut, and the rows of each.

    There are as many as fill the device a whole number of times, and rows enough to make them about square.
    """
    windows = max(1, min(at_once * max(1, -(-n // (at_once * LARGEST_CORE))), n // 4))
    rows = round((math.sqrt(size * windows / n) - 1) / 2) * 2 + 1
    return windows, max(3, rows)
