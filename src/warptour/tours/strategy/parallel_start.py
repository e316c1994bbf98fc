"""The first repair of a large tour, in parallel.

    between fragments   Lin-Kernighan search between the ends of the greedy fragments (tours/engine/coarse.py), in
                        windows and then on one thread
    shallow             if time is short, 3-opt in windows along the curve: a fifth of the time of the deep repair, and
                        most of its gain
    deep                Lin-Kernighan search from all cities in other windows, then from their borders in larger ones
    whole               unless cities are too many, on one thread (rounds.py) from the ends of edges that no window
                        could remove; the longest of them are shortened by alternating paths

A run that ends early has the tour of the last stage, and of the windows that were finished.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.arena import Arenas
from warptour.tours.engine.coarse import Coarse
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.split import SMALLEST, Split, cells, links_of, stretches
from warptour.tours.engine.window import DEPTH, Window
from warptour.tours.strategy.exchange_selection import LEVELS, PULLS

SHALLOW = 1
"""Steps of a Lin-Kernighan search in the first windows: the best sequential 3-opt move of a city."""

MIN_DEEP_SECONDS = 8e-6
"""Seconds per city and thread below which a shallow repair comes first. A deep one takes half of it on a Neoverse N1;
after a shallow one it leaves tours 0.1% longer."""

LARGER, MIN_LARGE_WINDOWS, MAX_LARGE_WINDOW = 8, 4, 1_000_000
"""Factor from one size of windows to the next, minimum number of windows, and maximum cities in one. The rest is
repaired in the whole tour on one thread, in time that grows with the square of the cities: at ten million it took a
quarter of the repair."""

ARENA_CITIES, ARENA_SHARE = 4_000_000, 8
"""Maximum cities of large windows in memory at a time: this number, or the tour's cities divided by the second if that
is more."""

LONG_EDGE_RATIO = 30.0
"""Minimum length of an edge from which exchanges are tried in the whole tour, in distances to the nearest candidate."""

LONG_EDGE_PASSES = 3
"""Maximum passes over such edges. Three gain 0.3 to 1.6% where cities lie in clusters or rows, in 30 ms at 100,000
cities; elsewhere one pass of 3 ms finds none."""


class ParallelStart:
    """Repair of a first tour.

    ``size``: number of cities in a window
    ``marks``: (nodes,): set where the next round has to repair
    ``unrepaired``: (nodes,): nodes at edges that no window could remove: long ones between windows, and those that
        patches added
    """

    def __init__(self, instance: Instance, pool: ThreadPool, *, seed: int, size: int, marks: Ints) -> None:
        self.instance = instance
        self.pool = pool
        self.seed = seed
        self.size = size
        self.marks = marks
        self.unrepaired: NDArray[np.bool_] = np.zeros(instance.nodes, np.bool_)

    def stages(self, tour: Ints, budget: Budget) -> Iterator[tuple[Ints, float, int]]:
        """Yield the tour after each stage, its gain and the evaluations; end early once ``budget.over()``."""
        instance, threads, poll = self.instance, self.pool.threads, budget.over
        step = self.shorten_between_fragments(tour, poll)
        yield step
        if not poll() and budget.seconds_left() < MIN_DEEP_SECONDS * instance.nodes / threads:
            self.marks[:] = 1
            step = self._repair(step[0], stretches(instance, self.size), SHALLOW, poll)
            yield step
        if not poll():
            yield self.repair_deeply(step[0], poll)

    def shorten_between_fragments(self, tour: Ints, poll: Poll) -> tuple[Ints, float, int]:
        """Return the tour after Lin-Kernighan search between the ends of its fragments, the gain and the evaluations.

        Ends for two windows and more are searched in windows first, then from what these could not repair.
        """
        coarse = Coarse.of(self.instance, tour, self.pool.threads)
        if coarse is None:
            return tour, 0.0, 0
        inner, gain, evaluations, queued = coarse.tour, 0.0, 0, None
        if len(inner) >= 2 * self.size:
            marks = np.ones(len(inner), np.int32)
            windows = ParallelStart(coarse.instance, self.pool, seed=self.seed + 1, size=self.size, marks=marks)
            inner, gain, evaluations = windows.repair_deeply(inner, poll)
            queued = windows.unrepaired
        whole = Window.whole(coarse.instance, inner, queued)
        whole.repair(poll, seed=0)
        return coarse.expanded(whole.tour), gain + whole.gain, evaluations + whole.evaluations

    def repair_deeply(self, tour: Ints, poll: Poll) -> tuple[Ints, float, int]:
        """Repair random windows by Lin-Kernighan search; return the tour, its gain and the evaluations.

        Larger windows follow, from what the former ones left at their borders.
        """
        instance, rng = self.instance, np.random.default_rng([self.seed, 0])
        self.marks[:] = 1
        tour, gain, evaluations = self._repair(tour, cells(instance, self.size, rng, self.pool.threads), DEPTH, poll)
        size = LARGER * self.size
        while size <= min(MAX_LARGE_WINDOW, instance.nodes // MIN_LARGE_WINDOWS) and not poll():
            self.marks[self.unrepaired] = 1
            label = cells(instance, size, rng, self.pool.threads)
            tour, further, more = self._repair(tour, label, DEPTH, poll)
            gain, evaluations, size = gain + further, evaluations + more, LARGER * size
        return tour, gain, evaluations

    def _repair(self, tour: Ints, label: Ints, depth: int, poll: Poll) -> tuple[Ints, float, int]:
        """Repair all windows from their marked nodes, and patch the cycles that they leave."""
        split = Split(self.instance, tour, label, loose=True)
        gain, evaluations = repair_windows(split, self.pool, self.marks, poll, seed=self.seed, depth=depth)
        tour, gain = split.rejoined(gain, self.pool.threads, patch_first=True)
        if not poll():
            self._find_unrepaired(split, label, tour)
        return tour, gain, evaluations

    def _find_unrepaired(self, split: Split, label: Ints, tour: Ints) -> None:
        """Find the nodes at edges that no window could remove, and mark those at all edges between windows."""
        assert split.links is not None
        links, found = links_of(tour).reshape(-1, 2), split.links.reshape(-1, 2)
        self.unrepaired = ~((links == found).all(axis=1) | (links == found[:, ::-1]).all(axis=1))
        ends = np.flatnonzero(label[tour] != label[np.roll(tour, -1)])
        edges = np.column_stack((tour[ends], tour[(ends + 1) % len(tour)]))
        self.marks[edges] = 1
        self.unrepaired[edges[self.instance.stretched(edges)]] = True


def repair_windows(
    split: Split, pool: ThreadPool, marks: Ints, poll: Poll, *, seed: int, depth: int = DEPTH
) -> tuple[float, int]:
    """Repair the windows of a split in parallel; return their gain and the evaluations.

    Windows that are not finished once ``poll()`` are put back as they are.
    """
    room = max(ARENA_CITIES, split.instance.nodes // ARENA_SHARE) // split.largest
    arenas, lock = Arenas(split, max(1, min(pool.at_once, room))), Lock()
    gains, evaluations = np.zeros(split.windows), np.zeros(split.windows, np.int64)

    def repair(window: int, halted: Poll) -> None:
        with arenas.lent() as arena:
            if halted():
                return  # time was up before an arena was free
            arena.load(split, window, marks)
            arena.repair(halted, seed=seed, depth=depth)
            with lock:
                arena.unload(split, window)
            gains[window], evaluations[window] = arena.gain, arena.evaluations

    pool.work(repair, np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist(), poll)
    return float(gains.sum()), int(evaluations.sum())


def shorten_long_edges(whole: Window, poll: Poll, *, seed: int) -> None:
    """Exchange alternating paths from the longest edges of a whole tour, and repair it.

    An edge between distant windows may be too long for Lin-Kernighan steps, and no later window holds both its ends.
    """
    for _ in range(LONG_EDGE_PASSES):
        before = whole.gain
        whole.exchange_all_paths(LEVELS[0], poll, ratio=LONG_EDGE_RATIO, pull=PULLS[-1])
        whole.repair(poll, seed=seed)
        if whole.gain == before:
            break
