"""Rounds of windows on a device, one after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from warptour.engines.instance import Ints
from warptour.engines.windows.device_tour import Cut
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.search.team import fitting
from warptour.search.threads import Poll

LAUNCH = 0.1
"""Seconds that a launch should take, so that limits, signals and progress hold."""

FIRST_LAUNCH = 3000
"""Windows in a launch before it is known how long they take."""


class DisjointTeam:
    """A tour on a device under refinement: the first round repairs it, the others kick ``effort`` times a city.

    Rounds that would outlast the time limit kick less. With a limit on kicks alone they depend on no clock.
    """

    def __init__(
        self, rounds: DisjointWindows, *, walk_length: int, effort: float, seconds_left: Callable[[], float]
    ) -> None:
        self.engine = rounds
        self.walk_length = walk_length
        self.effort = effort
        self.kicks = 0
        self.evaluations = 0
        self.gain = 0.0
        self.searched = 0.0
        """Seconds that windows were searched, of all that passed."""
        self._seconds_left = seconds_left
        self._kicks_per_second = 0.0
        self._windows_per_second = 0.0

    @property
    def windows(self) -> int:
        """Windows of a round."""
        return -(-self.engine.n // self.engine.size)

    @property
    def rounds(self) -> int:
        """Rounds so far."""
        return self.engine.rounds

    @property
    def at_once(self) -> int:
        """How many windows the device works on at a time."""
        return self.engine.at_once

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Do one round; one that is ended early joins what it has."""
        rounds = self.engine
        rng = np.random.default_rng([rounds.seed, rounds.rounds])
        kicks = self._share(kicks_left) if rounds.rounds > 0 else 0
        cut = Cut.of(rounds.n, self.windows, rng.uniform(0.0, 2 * math.pi))
        rounds.begin(cut)
        began = time.perf_counter()
        first = 0
        while first < cut.windows:
            count = min(cut.windows - first, self._launch_size())
            sent = time.perf_counter()
            rounds.search(first, count, kicks, self.walk_length)
            rounds.device.synchronise()
            self._windows_per_second = count / (time.perf_counter() - sent)
            first += count
            if first < cut.windows and poll():
                rounds.search(first, cut.windows - first, -1, self.walk_length)
                break
        took = time.perf_counter() - began
        won = rounds.join(int(rng.integers(rounds.n)))
        if kicks:
            self._kicks_per_second = won.kicks / took
        self.searched += took
        self.kicks += won.kicks
        self.evaluations += won.evaluations
        self.gain += won.gain

    def _share(self, kicks_left: float) -> int:
        """Return the kicks of the next round."""
        return fitting(self.effort * self.engine.n, kicks_left, self._kicks_per_second, self._seconds_left())

    def _launch_size(self) -> int:
        """Return how many windows take about as long as a launch should, in whole fillings of the device."""
        if not self._windows_per_second:
            return FIRST_LAUNCH
        full = self.engine.at_once
        return max(1, round(LAUNCH * self._windows_per_second / full)) * full

    def best(self) -> Ints:
        """Return the tour as it was before the round that is under way."""
        return self.engine.fetch()
