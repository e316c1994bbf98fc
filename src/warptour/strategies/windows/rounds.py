"""Rounds over a large tour: split it into windows, search them in parallel, repair subtours, split again."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.split import SMALLEST, Arena, Split, cells, stretches
from warptour.engines.windows.window import Window
from warptour.observe.progress import format_cost
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker
from warptour.strategies.windows.exchange_selection import LEVELS, Credit, ExchangeSelection
from warptour.strategies.windows.parallel_start import ParallelStart

FIRST_EFFORT = 0.1
"""Kicks per city in the first round that has any; half as many after a parallel start. Later rounds double it up to the
full effort: the first kicks in a window gain most, and a short run should reach every window."""

PREPARED = 150_000
"""Smallest instance that one thread repairs in windows, which fit into its cache, before the pass over the whole
tour."""

BATCH = 100_000
"""Minimum kicks between two subtour repairs."""

BATCH_SHARE = 0.05
"""Minimum kicks per city and thread between two subtour repairs, which take time in proportion to the cities on one
thread."""

PULLS = 0.1, 0.2, 0.4
"""Weights of the distance to the first city in the search for alternating paths, one per round in turn."""

LONG_EDGE_RATIO = 30.0
"""Minimum length of an edge, in distances to the nearest candidate, that a parallel start tries in the whole tour,"""

LONG_EDGE_PASSES = 3
"""and how many times at most. Three gain 0.3 to 1.6% where cities lie in clusters or rows, in 30 ms at 100,000 cities;
elsewhere one pass of 3 ms finds none."""


class Rounds(TimedWorker):
    """A large tour under refinement in windows of about ``size`` cities.

    The first step makes the tour locally optimal. Each later step is a round in new windows, equally many for each
    thread: alternating-path exchanges as far as they pay, then up to ``effort`` kicks per city. With a limit on kicks
    alone no clock decides anything: windows are independent until subtour repair, which never makes the tour longer.

    Parameters
    ----------
    instance : Instance
    tour : array of int32
        A closed tour in the instance's numbering.
    pool : ThreadPool
    seed : int
    walk_length : int
        Steps of the random walks that choose the edges of a kick.
    size : int
        Maximum number of cities in a window.
    effort : float
        Kicks per city in a full round.
    parallel_start : bool
        Repair the first tour in windows (:mod:`~warptour.strategies.windows.parallel_start`), and the whole tour only
        from edges that no window could remove. A first round of short exchanges without kicks follows, so that a run of
        a second has been everywhere.
    gradual : bool
        Try at most one further length of alternating paths per round. Beside a device kicks gain so little from the
        first round on that all lengths would be tried in the next, for seconds.
    note : callable, optional
        Told what each step gained.
    selection : ExchangeSelection, optional
        What is known of alternating-path exchanges, from other tours of the same instance.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Ints,
        pool: ThreadPool,
        *,
        seed: int,
        walk_length: int,
        size: int,
        effort: float,
        parallel_start: bool = False,
        gradual: bool = False,
        note: Callable[[str], object] | None = None,
        selection: ExchangeSelection | None = None,
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.seed = seed
        self.walk_length = walk_length
        self.size = _even(instance.nodes, size, pool.threads)
        self.effort = effort
        self.round = 0
        self.gain = 0.0
        self.iterations = 0
        self.evaluations = 0
        self._tour = tour.copy()
        self._marks = np.ones(instance.nodes, np.int32)
        self._whole: Window | None = None
        self._split: Split | None = None
        self._lock = Lock()
        self._parallel_start = parallel_start
        self._tried: set[int] | None = set() if gradual else None
        self._note = note
        self._selection = ExchangeSelection() if selection is None else selection
        self._effort = 0.0
        self._entries: list[tuple[int, int, float, int]] = []

    @property
    def locally_optimal(self) -> bool:
        """Whether the tour has been repaired; before, kicks would be wasted."""
        return self.round > 0

    @property
    def host_evaluations(self) -> int:
        """Evaluations and kicks of the host's threads."""
        return self.evaluations + self.iterations

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self._replace(tour.copy(), gain)
        if self.round == 0:
            self._marks[:] = 0
            self.round = 1

    def step(self, budget: Budget) -> None:
        """Repair the tour, the first time; then do one round."""
        rng = np.random.default_rng([self.seed, self.round])
        before = self.gain
        if self.round > 0:
            self._effort = self._next_effort()
            self._round(self._effort, budget.iterations, rng, budget.over)
        else:
            self._repair(budget)
        if self._note is not None:
            what = f"round {self.round}" if self.round else "repair"
            self._note(f"{what} gained {format_cost(self.gain - before)}")
        self.round += 1

    def best(self) -> Ints:
        """Return the tour with everything refined so far."""
        with self._lock:
            if self._whole is not None:
                return self._whole.tour
            return self._tour if self._split is None else self._split.joined()

    def _next_effort(self) -> float:
        """Return the kicks per city of the next round."""
        first = 1 + self._parallel_start
        if self.round < first:
            return 0.0
        if self.round == first:
            return min(self.effort, FIRST_EFFORT / first)
        return self._selection.effort(self._effort, self.effort)

    def _round(self, effort: float, kicks_left: float, rng: np.random.Generator, poll: Poll) -> None:
        """Search all windows of a new division, in batches with subtour repair after each."""
        label = cells(self.instance, self.size, rng, self.pool.threads)
        sizes = np.bincount(label)
        wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
        if wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        kicks = np.diff(np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64), prepend=0)
        windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
        if effort > 0 and not kicks.any() and kicks_left >= 1:
            kicks[windows[0]] = 1  # every round but the first makes progress
        smallest = max(BATCH, BATCH_SHARE * self.pool.threads * self.instance.nodes)
        batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // smallest
        levels = self._levels(len(windows))
        for number in range(int(batch[-1]) + 1):
            if number and poll():
                return
            split = Split(self.instance, self._tour, label, loose=True)
            works = [(window, int(kicks[window])) for window in windows[batch == number].tolist()]
            gain = self._refine(split, works, poll, levels)
            self._replace(*split.rejoined(gain, self.pool.threads, patch_first=poll()))  # patching is quicker
        self._reward()

    def _levels(self, windows: int) -> dict[int, int]:
        """Return the path lengths of the next round, each with k: one window in k has it."""
        levels = self._selection.plan(windows)
        if self._tried is not None:
            further = [level for level in levels if level not in self._tried][1:]
            levels = {level: each for level, each in levels.items() if level not in further}
            self._tried.update(levels)
        return levels

    def _repair(self, budget: Budget) -> None:
        """Make the tour locally optimal."""
        poll = budget.over
        if self._parallel_start:
            start = ParallelStart(self.instance, self.pool, seed=self.seed, size=self.size, marks=self._marks)
            for tour, gain, evaluations in start.stages(self._tour, budget):
                self._replace(tour, gain)
                self.evaluations += evaluations
            self._repair_whole(poll, start.unrepaired)
            return
        if self.instance.nodes >= PREPARED:
            split = self._split = Split(self.instance, self._tour, stretches(self.instance, self.size))
            windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
            self._refine(split, [(window, 0) for window in windows], poll, {})
            self._entries = []
            self._tour = split.joined()
            self._split = None
        self._repair_whole(poll)
        self._marks[:] = 0

    def _repair_whole(self, poll: Poll, queued: NDArray[np.bool_] | None = None) -> None:
        """Repair the whole tour as one window, on one thread: from all nodes, or from the ``queued`` and long edges.

        An edge between distant windows may be too long for Lin-Kernighan steps, and no later window holds both its
        ends; an alternating path shortens it.
        """
        self._whole = whole = Window.whole(self.instance, self._tour, queued)
        gain, evaluations = self.gain, self.evaluations

        def tally() -> bool:
            self.gain, self.evaluations = gain + whole.gain, evaluations + whole.evaluations
            return poll()

        self._descend(whole, tally)
        for _ in range(0 if queued is None else LONG_EDGE_PASSES):
            before = whole.gain
            while not tally() and not whole.exchange_paths(LEVELS[0], ratio=LONG_EDGE_RATIO, pull=PULLS[-1]):
                pass
            self._descend(whole, tally)
            if whole.gain == before:
                break
        tally()
        self._tour = whole.tour
        self._whole = None

    def _refine(self, split: Split, works: list[tuple[int, int]], poll: Poll, levels: dict[int, int]) -> float:
        """Repair each window, exchange alternating paths in it, and kick the given number of times, in parallel.

        ``levels`` maps each path length to k: one window in k has exchanges of that length. Windows that end early are
        put back as they are. Returns the gain of all windows, before subtours are repaired.
        """
        gains = np.zeros(split.windows)
        arenas: SimpleQueue[Arena] = SimpleQueue()
        for _ in range(self.pool.threads):
            arenas.put(Arena(self.instance, split.largest))

        def refine(work: tuple[int, int], halted: Poll) -> None:
            arena = arenas.get()
            try:
                refine_in(arena, *work, halted)
            finally:
                arenas.put(arena)

        def refine_in(arena: Arena, window: int, goal: int, halted: Poll) -> None:
            arena.load(split, window, self._marks)
            stream = self.round * split.windows + window
            self._descend(arena, halted)
            entries = []
            for level in [level for level, each in levels.items() if (window + self.round) % each == 0] + [0]:
                gain, evaluations = arena.gain, arena.evaluations
                if level:
                    self._exchange_paths(arena, level, halted)
                while level == 0 and arena.kicks < goal and not halted():
                    arena.search(goal - arena.kicks, seed=self.seed, stream=stream, walk_length=self.walk_length)
                self._descend(arena, halted)
                entries.append((level, window, arena.gain - gain, arena.evaluations - evaluations))
            with self._lock:
                arena.unload(split, window)
                self._entries += entries
                gains[window] = arena.gain
                if split.links is None:
                    self.gain += arena.gain
                self.iterations += arena.kicks
                self.evaluations += arena.evaluations

        self.pool.work(refine, works, poll)
        return float(gains.sum())

    def _descend(self, window: Window, halted: Poll) -> None:
        while not window.locally_optimal and not halted():
            window.search(0, seed=self.seed)

    def _exchange_paths(self, arena: Arena, level: int, halted: Poll) -> None:
        """Exchange alternating paths from all long edges of a window."""
        pull = PULLS[self.round % len(PULLS)]
        while not halted() and not arena.exchange_paths(level, pull=pull):
            pass

    def _reward(self) -> None:
        """Credit kicks and exchanges with what they gained in the round, summed in an order that no thread decides."""
        credits: dict[int, Credit] = {}
        for level, _, gain, evaluations in sorted(self._entries):
            credits.setdefault(level, Credit()).add(Credit(gain, evaluations, 1))
        self._entries = []
        self._selection.reward(credits.pop(0, Credit()), credits)

    def _replace(self, tour: Ints, gain: float) -> None:
        with self._lock:
            self._tour = tour
            self.gain += gain


def _even(nodes: int, size: int, threads: int) -> int:
    """Return a window size of at most about ``size`` that gives every thread the same number of windows."""
    each = -(-nodes // (size * threads))
    return max(2 * SMALLEST, -(-nodes // (each * threads)))
