"""A tour refined by a device in windows that overlap and by its host at the same time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import numpy as np

from warptour.engines.instance import Ints
from warptour.engines.windows.device_tour import Cut, Won
from warptour.engines.windows.overlapping import OverlappingWindows
from warptour.engines.windows.partition_crossover import partition_crossover
from warptour.search.team import fitting
from warptour.search.threads import Poll
from warptour.strategies.windows.rounds import Rounds

MAX_INTERIOR = 200
"""Cities of a core at most; where there are more, the device is filled several times."""

MIN_KICKS = 8
"""Kicks of a window at least, on average: to begin and end a round takes as long as some of them."""

SPARE_KICKS = 1.5
"""Windows whose kicks are cheap may make so many times their share, while those with dear ones make less."""

FIRST_EVALUATIONS = 25.0
"""Cities that a kick leads to look at, before it is known."""


class OverlappingTeam:
    """The host makes the start a local optimum; then rounds kick about ``effort`` times a city on the device.

    The host refines tours too, in fewer and larger windows and by walks, which suits some. With a time limit both go on
    from the same tour at the same time; when a round of the host ends, each exchange in which the two tours differ
    is taken from the one where it is better. With a limit on kicks alone the device does all of them, and the tour
    depends on no clock.
    """

    def __init__(
        self,
        host: Rounds,
        cores: OverlappingWindows,
        *,
        walk_length: int,
        effort: float,
        seconds_left: Callable[[], float],
    ) -> None:
        self.host = host
        self.cores = cores
        self.walk_length = walk_length
        self.effort = effort
        self.searched = 0.0
        """Seconds that windows were searched on the device, of all that passed."""
        self.windows, self.rows = layout(cores.n, cores.at_once, cores.size)
        self._kicks = self._evaluations = 0
        self._ahead = 0.0
        self._repaired = False
        self._current = False
        self._lock = Lock()
        self._seconds_left = seconds_left
        self._uniting_takes = 0.0
        self._kicks_per_second = 0.0
        self._evaluations_per_kick = FIRST_EVALUATIONS

    @property
    def kicks(self) -> int:
        """Kicks so far."""
        return self.host.kicks + self._kicks

    @property
    def host_evaluations(self) -> int:
        """Cities that the threads of the host looked at, and kicks."""
        return self.host.host_evaluations

    @property
    def evaluations(self) -> int:
        """Cities looked at so far."""
        return self.host.evaluations + self._evaluations

    @property
    def gain(self) -> float:
        """By how much the tour of :meth:`best` is shorter than the first one."""
        return self.host.gain + self._ahead

    @property
    def tour(self) -> Ints:
        """The tour of :meth:`best`, as the host numbers cities."""
        return self.host.tour

    @property
    def rounds(self) -> int:
        """Rounds of the device so far."""
        return self.cores.rounds

    @property
    def at_once(self) -> int:
        """How many windows the device works on at a time."""
        return self.cores.at_once

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Repair the start, the first time; then do a round of the device, or one of the host beside it."""
        if not self._repaired:
            self.host.repair(poll)
            self._repaired = True
            return
        if not self._current:
            self.cores.restart(self.host.best())
            self._current = True
        if math.isinf(kicks_left) and self._seconds_left() > self._uniting_takes:
            self._side_by_side(poll)
        else:
            self._ahead += self._on_device(kicks_left)
            self.host.tour = self.host.instance.enter(self.cores.fetch())

    def _side_by_side(self, poll: Poll) -> None:
        """Let the host do one round and the device as many as fit, and unite what they made."""
        host, ended = self.host, Event()
        before = host.gain

        def device() -> float:
            won = 0.0
            while not ended.is_set():
                won += self._on_device(math.inf)
            return won

        with ThreadPoolExecutor(1, "warptour") as pool:
            beside = pool.submit(device)
            try:
                host.advance(math.inf, lambda: poll() or self._seconds_left() < self._uniting_takes)
            finally:
                ended.set()
            done = time.perf_counter()
            won = beside.result()
        ahead = won - (host.gain - before)
        other = host.instance.enter(self.cores.fetch())
        tour, other = (other, host.tour) if ahead > 0 else (host.tour, other)
        host.tour, more = partition_crossover(host.instance, tour, other)
        self._ahead += max(ahead, 0.0) + more
        self.cores.restart(host.best())
        self._uniting_takes = time.perf_counter() - done

    def _on_device(self, kicks_left: float) -> float:
        """Do one round of the device for the tour of both; return what it won."""
        won = self._round(kicks_left)
        self._kicks += won.kicks
        self._evaluations += won.evaluations
        return won.gain

    def _round(self, kicks_left: float) -> Won:
        """Do one round of the device."""
        cores, windows = self.cores, self.windows
        rng = np.random.default_rng([cores.seed, cores.rounds])
        kicks = self._share(kicks_left)
        strips = round(math.sqrt(windows))
        cores.begin(Cut(strips, windows // strips, rng.uniform(0.0, 2 * math.pi)), self.rows)
        cores.device.synchronise()
        sent = time.perf_counter()
        evaluations = max(1, int(self._evaluations_per_kick * kicks / cores.cut.windows))
        cores.search(0, cores.cut.windows, int(min(SPARE_KICKS * kicks, kicks_left)), self.walk_length, evaluations)
        cores.device.synchronise()
        took = time.perf_counter() - sent
        won = cores.join()
        self.searched += took
        if won.kicks:
            self._kicks_per_second = won.kicks / took
            self._evaluations_per_kick = 0.8 * self._evaluations_per_kick + 0.2 * won.evaluations / won.kicks
        return won

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""
        self.host.follow(tour, gain)
        self._repaired, self._current = True, False

    def kick(self, tour: Ints, kicks: int, halted: Poll) -> tuple[Ints, int, int]:
        """Kick another tour about so often on the device, one caller at a time; return it, its kicks and its looks."""
        instance, done, evaluations = self.host.instance, 0, 0
        with self._lock:
            if halted():
                return tour, 0, 0
            self._current = False
            self.cores.restart(instance.leave(tour))
            for _ in range(math.ceil(kicks / self._wanted)):
                won = self._round(math.inf)
                done, evaluations = done + won.kicks, evaluations + won.evaluations
                if halted():
                    break
            return instance.enter(self.cores.fetch()), done, evaluations

    @property
    def _wanted(self) -> float:
        """Kicks of a round."""
        return max(self.effort * self.cores.n, MIN_KICKS * self.windows)

    def _share(self, kicks_left: float) -> int:
        """Return the kicks of the next round."""
        return fitting(self._wanted, kicks_left, self._kicks_per_second, self._seconds_left())

    def best(self) -> Ints:
        """Return the best tour so far; while device and host both go on, that of the host."""
        return self.host.best()


def layout(n: int, at_once: int, size: int) -> tuple[int, int]:
    """Return into how many windows of ``size`` cities to cut, and the rows of each.

    There are as many as fill the device a whole number of times, and rows enough to make them about square.
    """
    windows = max(1, min(at_once * max(1, -(-n // (at_once * MAX_INTERIOR))), n // 4))
    rows = round((math.sqrt(size * windows / n) - 1) / 2) * 2 + 1
    return windows, max(3, rows)
