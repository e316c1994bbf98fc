"""Rounds over a large tour: split it into windows, refine them side by side, unite them, split anew."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from warptour.engines.copies import Copies
from warptour.engines.split import SMALLEST, Arena, Split, cells, stretches
from warptour.engines.terrain import Ints, Terrain
from warptour.engines.window import Window
from warptour.observe.progress import money
from warptour.strategies.threads import Crew, Tend
from warptour.strategies.walks import LONG, Account, Ledger

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

FEW_THREADS = 2
"""More threads than these may have copies of the tour in place of windows that have become too small."""

CORES = 4
"""Parts of the tour for each thread, where walks or kicks are made in copies. Threads work on every fourth part at a
time, so that few of them find the same."""

SMALL = 4_000
"""In windows of fewer cities kicks win less."""


class Rounds:
    """A large tour under refinement in windows of about ``size`` cities.

    It becomes a local optimum first: by a round in windows if it is very large, then by a global pass over the whole
    tour. Then rounds walk from long edges as far as that pays (walks.py) and kick up to ``effort`` times per city, each
    round in other windows, as many for each thread. Where there are so many threads that windows are smaller than
    ``size``, long walks are made in copies of the whole tour, each from a part of it; and so is all else if windows
    would be small. With a limit on kicks the rounds depend on no clock: windows and copies know nothing of each other
    until they are united, and the tour never becomes longer by that.
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
        crowded = crew.threads > FEW_THREADS and terrain.nodes < size * crew.threads
        self._copies = Copies(terrain, crew.threads) if crowded else None
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
        self._entries: list[tuple[int, int, float, int, float]] = []

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Do one round, the first one with the global pass, and note what it gained."""
        rng = np.random.default_rng([self.seed, self.round])
        before = self.gain
        if self.round > 0:
            first = self.round == 1
            self._effort = min(self.effort, FIRST_EFFORT) if first else self._ledger.effort(self._effort, self.effort)
            self._round(self._effort, kicks_left, rng, tend)
        elif self._copies is not None:
            self._mend(tend)
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
        if self._copies is not None and self.size < SMALL:
            self._in_copies(effort, kicks_left, rng, tend)
            return
        label = cells(self.terrain, self.size, rng)
        sizes = np.bincount(label)
        wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
        if wanted.sum() > kicks_left:
            wanted = wanted * (kicks_left / wanted.sum())
        kicks = _whole(wanted)
        windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
        least = max(BATCH, BATCH_SHARE * self.crew.threads * self.terrain.nodes)
        batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // least
        levels = self._ledger.plan(len(windows))
        far = {level: each for level, each in levels.items() if self._copies is not None and level >= LONG}
        for number in range(int(batch[-1]) + 1):
            if number and tend():
                return
            split = Split(self.terrain, self.tour, label, loose=True)
            works = [(window, int(kicks[window])) for window in windows[batch == number].tolist()]
            self._refine(split, works, tend, {level: each for level, each in levels.items() if level not in far})
            tour, gain = split.united()
            with self._lock:
                self.tour = tour
                self.gain += gain
        if self._copies is not None and far:
            cores = CORES * self.crew.threads
            self._refine_copies(self._copies, far, np.zeros(cores, np.int64), len(windows) / cores, rng, tend)
        self._enter()

    def _in_copies(self, effort: float, kicks_left: float, rng: np.random.Generator, tend: Tend) -> None:
        """Walk and kick in copies of the tour, each in a part of it."""
        assert self._copies is not None
        cores, nodes = CORES * self.crew.threads, self.terrain.nodes
        kicks = _whole(np.full(cores, min(effort * nodes, kicks_left) / cores))
        self._refine_copies(self._copies, self._ledger.plan(cores), kicks, 1.0, rng, tend)
        self._enter()

    def _refine_copies(
        self,
        copies: Copies,
        levels: dict[int, int],
        kicks: NDArray[np.int64],
        weight: float,
        rng: np.random.Generator,
        tend: Tend,
    ) -> None:
        """Walk and kick in copies of the tour, each in a range of the cities' numbers, and bring them together.

        For the ledger a copy counts as so much of a window.
        """
        cores, nodes = len(kicks), self.terrain.nodes
        turn, edges = int(rng.integers(nodes)), np.arange(cores + 1) * nodes // cores

        def refine(core: int, halted: Tend) -> None:
            window = copies.copy()
            region = (turn + int(edges[core])) % nodes, int(edges[core + 1] - edges[core])
            stream = self.round * cores + core
            self._search(window, core, int(kicks[core]), levels, stream, halted, region, weight)
            copies.keep(core, window)

        for first in range(CORES):
            copies.begin(self.tour)
            self.crew.work(refine, range(first, cores, CORES), tend)
            tour, gain = copies.united()
            with self._lock:
                self.tour = tour
                self.gain += gain
            if tend():
                return

    def _prepare(self, tend: Tend) -> None:
        """Repair in windows along the order of the cities."""
        split = self._split = Split(self.terrain, self.tour, stretches(self.terrain, self.size))
        windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
        self._refine(split, [(window, 0) for window in windows], tend, {})
        self._entries = []
        self.tour = split.joined()
        self._split = None

    def repair(self, tend: Tend) -> None:
        """Do the first round, as suits many threads, however many there are."""
        self._mend(tend)
        self.round += 1

    def _mend(self, tend: Tend) -> None:
        """Do what the first round does, but let windows repair what they can before, side by side, and copies then.

        On many cores that takes half the time, and the tour is no worse.
        """
        split = Split(self.terrain, self.tour, stretches(self.terrain, self.size), loose=True)
        windows = np.flatnonzero(np.diff(split.offsets) >= SMALLEST).tolist()
        self._refine(split, [(window, 0) for window in windows], tend, {})
        self._entries = []
        tour, gain = split.united()
        with self._lock:
            self.tour = tour
            self.gain += gain
        if self._copies is not None:
            self._repair_copies(self._copies, tend)
            self._global_pass(tend, self._copies.lost())
        else:
            self._global_pass(tend)

    def _repair_copies(self, copies: Copies, tend: Tend) -> None:
        """Repair copies of the tour, each in a part of it, and bring them together."""
        cores, nodes = self.crew.threads, self.terrain.nodes
        edges = np.arange(cores + 1) * nodes // cores
        copies.begin(self.tour)

        def repair(core: int, halted: Tend) -> None:
            window = copies.copy()
            window.soil(np.arange(edges[core], edges[core + 1], dtype=np.int32))
            self._settle(window, halted)
            copies.keep(core, window)
            with self._lock:
                self.looks += window.looks

        self.crew.work(repair, range(cores), tend)
        tour, gain = copies.united()
        with self._lock:
            self.tour = tour
            self.gain += gain

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
            self._search(arena, window, goal, levels, self.round * split.windows + window, halted)
            with self._lock:
                arena.unload(split, window)
                if split.links is None:
                    self.gain += arena.gain
            arenas.put(arena)

        self.crew.work(refine, works, tend)

    def _search(
        self,
        window: Window,
        number: int,
        goal: int,
        levels: dict[int, int],
        stream: int,
        halted: Tend,
        region: tuple[int, int] | None = None,
        weight: float = 1.0,
    ) -> None:
        """Repair a window, walk in it and kick ``goal`` times, and count what that was."""
        self._settle(window, halted)
        entries = []
        for level in [level for level, each in levels.items() if (number + self.round) % each == 0] + [0]:
            gain, before = window.gain, window.looks
            if level:
                self._walk(window, level, region, halted)
            while level == 0 and window.kicks < goal and not halted():
                window.search(goal - window.kicks, seed=self.seed, stream=stream, paces=self.paces, region=region)
            self._settle(window, halted)
            entries.append((level, number, window.gain - gain, window.looks - before, weight))
        with self._lock:
            self._entries += entries
            self.kicks += window.kicks
            self.looks += window.looks

    def _settle(self, window: Window, halted: Tend) -> None:
        while not window.settled and not halted():
            window.search(0, seed=self.seed)

    def _walk(self, window: Window, level: int, region: tuple[int, int] | None, halted: Tend) -> None:
        """Walk from all long edges of a window, or of a region of it."""
        pull = PULLS[self.round % len(PULLS)]
        while not halted() and not window.walk(level, pull=pull, region=region):
            pass

    def _enter(self) -> None:
        """Give the ledger what the windows of the round did, summed up in an order that no thread decides."""
        accounts: dict[int, Account] = {}
        for level, _, gain, looks, weight in sorted(self._entries):
            accounts.setdefault(level, Account()).add(Account(gain, looks, weight))
        self._entries = []
        self._ledger.enter(accounts.pop(0, Account()), accounts)

    def _global_pass(self, tend: Tend, dirty: Ints | None = None) -> None:
        """Repair the whole tour as one window, by one thread: all cities, or those given."""
        whole = Window.whole(self.terrain, self.tour)
        if dirty is not None:
            whole.soil(dirty)
        self._whole = whole
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


def _whole(wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return whole numbers that add up to what was wanted, up to each of them."""
    sums = np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64)
    return sums - np.concatenate((np.zeros(1, np.int64), sums[:-1]))
