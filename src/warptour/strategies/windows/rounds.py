"""Rounds over a large tour: split it into windows, refine them side by side, unite them, split anew."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock

import numpy as np

from warptour.engines.instance import Ints, Terrain
from warptour.engines.windows.split import SMALLEST, Arena, Split, cells, stretches
from warptour.engines.windows.window import Window
from warptour.observe.progress import money
from warptour.search.threads import Crew, Tend
from warptour.strategies.windows.exchange_selection import Account, Ledger

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
        terrain: Terrain,
        tour: Ints,
        crew: Crew,
        *,
        seed: int,
        paces: int,
        size: int,
        effort: float,
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.terrain = terrain
        self.crew = crew
        self.seed = seed
        self.paces = paces
        self.size = _even(terrain.nodes, size, crew.threads)
        self.effort = effort
        self.tour = terrain.enter(tour)
        self.marks = np.ones(terrain.nodes, np.int32)
        self.round = 0
        self.gain = 0.0
        self.kicks = 0
        self.looks = 0
        self._whole: Window | None = None
        self._split: Split | None = None
        self._lock = Lock()
        self._note = note
        self._ledger = Ledger()
        self._effort = 0.0
        self._entries: list[tuple[int, int, float, int]] = []

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Do one round, the first one with the global pass, and note what it gained."""
        rng = np.random.default_rng([self.seed, self.round])
        before = self.gain
        if self.round > 0:
            first = self.round == 1
            self._effort = min(self.effort, FIRST_EFFORT) if first else self._ledger.effort(self._effort, self.effort)
            self._round(self._effort, kicks_left, rng, tend)
        else:
            if self.terrain.nodes >= PREPARED:
                self._prepare(tend)
            self._global_pass(tend)
        if self._note is not None:
            what = f"round {self.round}" if self.round else "repair"
            self._note(f"{what} gained {money(self.gain - before)}")
        self.round += 1

    def _round(self, effort: float, kicks_left: float, rng: np.random.Generator, tend: Tend) -> None:
        """Kick in all windows of a new division, in batches that are united one after the other."""
        label = cells(self.terrain, self.size, rng)
        sizes = np.bincount(label)
        wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
        if wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        kicks = np.diff(np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64), prepend=0)
        windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
        least = max(BATCH, BATCH_SHARE * self.crew.threads * self.terrain.nodes)
        batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // least
        levels = self._ledger.plan(len(windows))
        for number in range(int(batch[-1]) + 1):
            if number and tend():
                return
            split = Split(self.terrain, self.tour, label, loose=True)
            works = [(window, int(kicks[window])) for window in windows[batch == number].tolist()]
            self._refine(split, works, tend, levels)
            self.follow(*split.united())
        self._enter()

    def _prepare(self, tend: Tend) -> None:
        """Repair in windows along the order of the cities."""
        split = self._split = Split(self.terrain, self.tour, stretches(self.terrain, self.size))
        self._repair_windows(split, tend)
        self.tour = split.joined()
        self._split = None

    def repair(self, tend: Tend) -> None:
        """Do what the first round does, but let windows repair what they can before, side by side.

        On many cores that takes half the time, and the tour is no worse.
        """
        split = Split(self.terrain, self.tour, stretches(self.terrain, self.size), loose=True)
        self._repair_windows(split, tend)
        self.follow(*split.united())
        self._global_pass(tend)
        self.round += 1

    def _repair_windows(self, split: Split, tend: Tend) -> None:
        windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
        self._refine(split, [(window, 0) for window in windows], tend, {})
        self._entries = []

    def _refine(self, split: Split, works: list[tuple[int, int]], tend: Tend, levels: dict[int, int]) -> None:
        """Repair each window, walk in it and kick so many times, side by side.

        ``levels`` says how far walks go, each level in one of so many windows. Ended early, windows are put back as
        they are.
        """
        arenas: SimpleQueue[Arena] = SimpleQueue()
        for _ in range(self.crew.threads):
            arenas.put(Arena(self.terrain, split.largest))

        def refine(work: tuple[int, int], halted: Tend) -> None:
            window, goal = work
            arena = arenas.get()
            arena.load(split, window, self.marks)
            stream = self.round * split.windows + window
            self._settle(arena, halted)
            entries = []
            for level in [level for level, each in levels.items() if (window + self.round) % each == 0] + [0]:
                gain, looks = arena.gain, arena.looks
                if level:
                    self._walk(arena, level, halted)
                while level == 0 and arena.kicks < goal and not halted():
                    arena.search(goal - arena.kicks, seed=self.seed, stream=stream, paces=self.paces)
                self._settle(arena, halted)
                entries.append((level, window, arena.gain - gain, arena.looks - looks))
            with self._lock:
                arena.unload(split, window)
                self._entries += entries
                if split.links is None:
                    self.gain += arena.gain
                self.kicks += arena.kicks
                self.looks += arena.looks
            arenas.put(arena)

        self.crew.work(refine, works, tend)

    def _settle(self, arena: Arena, halted: Tend) -> None:
        while not arena.settled and not halted():
            arena.search(0, seed=self.seed)

    def _walk(self, arena: Arena, level: int, halted: Tend) -> None:
        """Walk from all long edges of a window."""
        pull = PULLS[self.round % len(PULLS)]
        while not halted() and not arena.walk(level, pull=pull):
            pass

    def _enter(self) -> None:
        """Give the ledger what the windows of the round did, summed up in an order that no thread decides."""
        accounts: dict[int, Account] = {}
        for level, _, gain, looks in sorted(self._entries):
            accounts.setdefault(level, Account()).add(Account(gain, looks, 1))
        self._entries = []
        self._ledger.enter(accounts.pop(0, Account()), accounts)

    def _global_pass(self, tend: Tend) -> None:
        """Repair the whole tour as one window, by one thread."""
        self._whole = whole = Window.whole(self.terrain, self.tour)
        gain, looks = self.gain, self.looks
        while not whole.settled and not tend():
            whole.search(0, seed=self.seed)
            self.gain, self.looks = gain + whole.gain, looks + whole.looks
        self.marks[:] = 0
        self.tour = whole.tour
        self._whole = None

    @property
    def crew_looks(self) -> int:
        """Cities that the threads of the crew looked at, and kicks."""
        return self.looks + self.kicks

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""
        with self._lock:
            self.tour = tour
            self.gain += gain

    def best(self) -> Ints:
        """Return the tour with all that was refined so far, as the problem numbers cities."""
        with self._lock:
            if self._whole is not None:
                return self.terrain.leave(self._whole.tour)
            return self.terrain.leave(self.tour if self._split is None else self._split.joined())


def _even(nodes: int, size: int, threads: int) -> int:
    """Return the size of windows, at most about ``size``, of which every thread gets the same number."""
    each = -(-nodes // (size * threads))
    return -(-nodes // (each * threads))
