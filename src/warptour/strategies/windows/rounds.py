"""Rounds over a large tour: split it into windows, refine them side by side, unite them, split anew."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock

import numpy as np

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.split import SMALLEST, Arena, Split, cells, stretches
from warptour.engines.windows.window import Window
from warptour.observe.progress import format_cost
from warptour.search.threads import Poll, ThreadPool
from warptour.strategies.windows.exchange_selection import Credit, ExchangeSelection

FIRST_EFFORT = 0.1
"""Kicks per city in the first round; rounds double them up to the wished-for effort, since the first kicks at a place
win most and a run may end before all windows had theirs."""

PREPARED = 150_000
"""From so many cities on, a round in windows that only repairs comes before the global pass."""

BATCH = 100_000
"""Least kicks between two times that windows are united."""

BATCH_SHARE = 0.05
"""Least kicks for each city and thread then: uniting takes one thread a while for each city, which must not show."""

PULLS = 0.1, 0.2, 0.4
"""How much walks are pulled to where they must close, in turns."""


class Rounds:
    """A large tour under refinement in windows of about ``size`` cities.

    It becomes a local optimum first: by a round in windows if it is very large, then by a global pass over the whole
    tour. Then rounds walk from long edges as far as that pays (walks.py) and kick up to ``effort`` times per city, each
    round in other windows, as many for each thread. With a limit on kicks the rounds depend on no clock: windows know
    nothing of each other until they are united, and the tour never becomes longer by that.
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
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.seed = seed
        self.walk_length = walk_length
        self.size = _even(instance.nodes, size, pool.threads)
        self.effort = effort
        self.tour = instance.enter(tour)
        self.marks = np.ones(instance.nodes, np.int32)
        self.round = 0
        self.gain = 0.0
        self.kicks = 0
        self.evaluations = 0
        self._whole: Window | None = None
        self._split: Split | None = None
        self._lock = Lock()
        self._note = note
        self._selection = ExchangeSelection()
        self._effort = 0.0
        self._entries: list[tuple[int, int, float, int]] = []

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Do one round, the first one with the global pass, and note what it gained."""
        rng = np.random.default_rng([self.seed, self.round])
        before = self.gain
        if self.round > 0:
            first = self.round == 1
            self._effort = (
                min(self.effort, FIRST_EFFORT) if first else self._selection.effort(self._effort, self.effort)
            )
            self._round(self._effort, kicks_left, rng, poll)
        else:
            if self.instance.nodes >= PREPARED:
                self._prepare(poll)
            self._global_pass(poll)
        if self._note is not None:
            what = f"round {self.round}" if self.round else "repair"
            self._note(f"{what} gained {format_cost(self.gain - before)}")
        self.round += 1

    def _round(self, effort: float, kicks_left: float, rng: np.random.Generator, poll: Poll) -> None:
        """Kick in all windows of a new division, in batches that are united one after the other."""
        label = cells(self.instance, self.size, rng)
        sizes = np.bincount(label)
        wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
        if wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        kicks = np.diff(np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64), prepend=0)
        windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
        least = max(BATCH, BATCH_SHARE * self.pool.threads * self.instance.nodes)
        batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // least
        levels = self._selection.plan(len(windows))
        for number in range(int(batch[-1]) + 1):
            if number and poll():
                return
            split = Split(self.instance, self.tour, label, loose=True)
            works = [(window, int(kicks[window])) for window in windows[batch == number].tolist()]
            self._refine(split, works, poll, levels)
            self.follow(*split.subtour_free())
        self._enter()

    def _prepare(self, poll: Poll) -> None:
        """Repair in windows along the order of the cities."""
        split = self._split = Split(self.instance, self.tour, stretches(self.instance, self.size))
        self._repair_windows(split, poll)
        self.tour = split.joined()
        self._split = None

    def repair(self, poll: Poll) -> None:
        """Do what the first round does, but let windows repair what they can before, side by side.

        On many cores that takes half the time, and the tour is no worse.
        """
        split = Split(self.instance, self.tour, stretches(self.instance, self.size), loose=True)
        self._repair_windows(split, poll)
        self.follow(*split.subtour_free())
        self._global_pass(poll)
        self.round += 1

    def _repair_windows(self, split: Split, poll: Poll) -> None:
        windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
        self._refine(split, [(window, 0) for window in windows], poll, {})
        self._entries = []

    def _refine(self, split: Split, works: list[tuple[int, int]], poll: Poll, levels: dict[int, int]) -> None:
        """Repair each window, walk in it and kick so many times, side by side.

        ``levels`` says how far walks go, each level in one of so many windows. Ended early, windows are put back as
        they are.
        """
        arenas: SimpleQueue[Arena] = SimpleQueue()
        for _ in range(self.pool.threads):
            arenas.put(Arena(self.instance, split.largest))

        def refine(work: tuple[int, int], halted: Poll) -> None:
            window, goal = work
            arena = arenas.get()
            arena.load(split, window, self.marks)
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
                if split.links is None:
                    self.gain += arena.gain
                self.kicks += arena.kicks
                self.evaluations += arena.evaluations
            arenas.put(arena)

        self.pool.work(refine, works, poll)

    def _descend(self, arena: Arena, halted: Poll) -> None:
        while not arena.locally_optimal and not halted():
            arena.search(0, seed=self.seed)

    def _exchange_paths(self, arena: Arena, level: int, halted: Poll) -> None:
        """Walk from all long edges of a window."""
        pull = PULLS[self.round % len(PULLS)]
        while not halted() and not arena.exchange_paths(level, pull=pull):
            pass

    def _enter(self) -> None:
        """Give the ledger what the windows of the round did, summed up in an order that no thread decides."""
        accounts: dict[int, Credit] = {}
        for level, _, gain, evaluations in sorted(self._entries):
            accounts.setdefault(level, Credit()).add(Credit(gain, evaluations, 1))
        self._entries = []
        self._selection.enter(accounts.pop(0, Credit()), accounts)

    def _global_pass(self, poll: Poll) -> None:
        """Repair the whole tour as one window, by one thread."""
        self._whole = whole = Window.whole(self.instance, self.tour)
        gain, evaluations = self.gain, self.evaluations
        while not whole.locally_optimal and not poll():
            whole.search(0, seed=self.seed)
            self.gain, self.evaluations = gain + whole.gain, evaluations + whole.evaluations
        self.marks[:] = 0
        self.tour = whole.tour
        self._whole = None

    @property
    def host_evaluations(self) -> int:
        """Cities that the threads of the crew looked at, and kicks."""
        return self.evaluations + self.kicks

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""
        with self._lock:
            self.tour = tour
            self.gain += gain

    def best(self) -> Ints:
        """Return the tour with all that was refined so far, as the problem numbers cities."""
        with self._lock:
            if self._whole is not None:
                return self.instance.leave(self._whole.tour)
            return self.instance.leave(self.tour if self._split is None else self._split.joined())


def _even(nodes: int, size: int, threads: int) -> int:
    """Return the size of windows, at most about ``size``, of which every thread gets the same number."""
    each = -(-nodes // (size * threads))
    return -(-nodes // (each * threads))
