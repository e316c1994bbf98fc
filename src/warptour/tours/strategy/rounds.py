"""Rounds over a large tour: split it into windows, search them in parallel, repair subtours, split again."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from warptour.observe.progress import format_cost
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker
from warptour.tours.engine.arena import Arena, Arenas
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.split import Split, stretches
from warptour.tours.engine.window import Window
from warptour.tours.strategy.exchange_selection import PULLS, Credit, ExchangeSelection
from warptour.tours.strategy.parallel_start import ParallelStart, repair_windows, shorten_long_edges
from warptour.tours.strategy.round_plan import even_size, plan_round

FIRST_EFFORT = 0.1
"""Kicks per city in the first round that has any; half as many after a parallel start. Later rounds double it up to the
full effort: the first kicks in a window gain most, and a short run should reach every window."""

KICKS = 0
"""Key of the kicks among the levels of alternating-path exchanges."""

PREPARED = 150_000
"""Smallest instance that one thread repairs in windows, which fit into its cache, before the pass over the whole
tour."""

MAX_WHOLE_CITIES = 20_000_000
"""Largest instance that is repaired as a whole after a parallel start: 140 s gained 0.01% of a hundred million uniform
cities."""


class Rounds(TimedWorker):
    """A large tour under refinement in windows of about ``size`` cities.

    The first step makes the tour locally optimal. Each later step is a round in new windows, equally many for each
    thread: alternating-path exchanges as far as they pay, then up to ``effort`` kicks per city. With a limit on kicks
    alone no clock decides anything: windows are independent until subtour repair, which never makes the tour longer.

    ``tour``: a closed tour in the instance's numbering
    ``walk_length``: steps of the random walks that choose the edges of a kick
    ``size``: maximum number of cities in a window
    ``effort``: kicks per city in a full round
    ``parallel_start``: Repair the first tour in windows (:mod:`~warptour.tours.strategy.parallel_start`), and the whole
        tour, if it is not too large, only from edges that no window could remove. A first round of short exchanges
        without kicks follows, so that a run of a second has been everywhere.
    ``gradual``: Try at most one further length of alternating paths per round. Beside a device kicks gain so little
        from the first round on that all lengths would be tried in the next, for seconds.
    ``note``: told what each step gained
    ``selection``: what is known of alternating-path exchanges, from other tours of the same instance
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
        self.size = even_size(instance.nodes, size, pool.threads)
        self.effort = effort
        self.round = 0
        self.gain = 0.0
        self.iterations = 0
        self.evaluations = 0
        self._tour = tour.copy()
        self._marks = np.ones(instance.nodes, np.int32)
        self._whole: Window | None = None
        self._parallel_start = parallel_start
        self._tried: set[int] | None = set() if gradual else None
        self._note = note
        self._selection = ExchangeSelection() if selection is None else selection
        self._effort = 0.0
        self._won: list[tuple[int, int, float, int]] = []
        """Level, window, gain and evaluations of what was done in a round, until it is rewarded."""

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
        return self._tour if self._whole is None else self._whole.tour

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
        threads = self.pool.threads
        plan = plan_round(self.instance, self.size, rng, effort=effort, kicks_left=kicks_left, threads=threads)
        levels = self._levels(plan.windows)
        for number, batch in enumerate(plan.batches):
            if number and poll():
                return
            split = Split(self.instance, self._tour, plan.label, loose=True)
            gain = self._refine(split, batch, levels, poll)
            self._replace(*split.rejoined(gain, threads, patch_first=poll()))  # when time is up: patching is quicker
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
        instance, poll = self.instance, budget.over
        if self._parallel_start:
            start = ParallelStart(instance, self.pool, seed=self.seed, size=self.size, marks=self._marks)
            for tour, gain, evaluations in start.stages(self._tour, budget):
                self._replace(tour, gain)
                self.evaluations += evaluations
            if instance.nodes > MAX_WHOLE_CITIES:
                self._marks[start.unrepaired] = 1
            elif not poll():
                self._repair_whole(poll, start.unrepaired)
            return
        if instance.nodes >= PREPARED:
            split = Split(instance, self._tour, stretches(instance, self.size))
            gain, evaluations = repair_windows(split, self.pool, self._marks, poll, seed=self.seed)
            self._replace(split.joined(), gain)
            self.evaluations += evaluations
        self._repair_whole(poll)
        self._marks[:] = 0

    def _repair_whole(self, poll: Poll, queued: NDArray[np.bool_] | None = None) -> None:
        """Repair the whole tour as one window, on one thread: from all nodes, or from the ``queued`` and long edges."""
        self._whole = whole = Window.whole(self.instance, self._tour, queued)
        gain, evaluations = self.gain, self.evaluations

        def tally() -> bool:
            self.gain, self.evaluations = gain + whole.gain, evaluations + whole.evaluations
            return poll()

        whole.repair(tally, seed=self.seed)
        if queued is not None:
            shorten_long_edges(whole, tally, seed=self.seed)
        tally()
        self._tour = whole.tour
        self._whole = None

    def _refine(self, split: Split, works: list[tuple[int, int]], levels: dict[int, int], poll: Poll) -> float:
        """Search windows of a split in parallel, each with its kicks; return their gain before subtours are repaired.

        Windows that end early are put back as they are.
        """
        arenas, gains, lock = Arenas(split, self.pool.at_once), np.zeros(split.windows), Lock()

        def refine(work: tuple[int, int], halted: Poll) -> None:
            window, kicks = work
            with arenas.lent() as arena:
                arena.load(split, window, self._marks)
                chosen = [level for level, each in levels.items() if (window + self.round) % each == 0]
                stream = self.round * split.windows + window
                won = self._search(arena, chosen, kicks, stream, halted)
                with lock:
                    arena.unload(split, window)
                    gains[window] = arena.gain
                    self._won += [(level, window, gain, evaluations) for level, gain, evaluations in won]
                    self.iterations += arena.kicks
                    self.evaluations += arena.evaluations

        self.pool.work(refine, works, poll)
        return float(gains.sum())

    def _search(
        self, arena: Arena, levels: list[int], kicks: int, stream: int, halted: Poll
    ) -> list[tuple[int, float, int]]:
        """Repair a window, exchange paths at each level, and kick; return each with its gain and evaluations."""
        arena.repair(halted, seed=self.seed)
        won = []
        for level in [*levels, KICKS]:
            gain, evaluations = arena.gain, arena.evaluations
            if level != KICKS:
                arena.exchange_all_paths(level, halted, pull=PULLS[self.round % len(PULLS)])
            while level == KICKS and arena.kicks < kicks and not halted():
                arena.search(kicks - arena.kicks, seed=self.seed, stream=stream, walk_length=self.walk_length)
            arena.repair(halted, seed=self.seed)
            won.append((level, arena.gain - gain, arena.evaluations - evaluations))
        return won

    def _reward(self) -> None:
        """Credit kicks and exchanges with what they gained in the round, summed in an order that no thread decides."""
        credits: dict[int, Credit] = {}
        for level, _, gain, evaluations in sorted(self._won):
            credits.setdefault(level, Credit()).add(Credit(gain, evaluations, 1))
        self._won = []
        self._selection.reward(credits.pop(KICKS, Credit()), credits)

    def _replace(self, tour: Ints, gain: float) -> None:
        self._tour = tour
        self.gain += gain
