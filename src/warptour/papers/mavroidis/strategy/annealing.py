"""Simulated annealing by rounds of symmetric 2-opt (Mavroidis 2011, 6.3.3).

    s := start
    for temperatures T from hot to cold
        some rounds of symmetric 2-opt in which a move that adds d is accepted if exp(-d / T) > u
    rounds that accept improving moves only, until none is left

With ``cooling="limits"`` the temperature falls geometrically from ``hot`` to ``cold``, at a rate that follows from the
limits of the search: ``cold`` is reached when most of the rounds, or of the time, are used up, and the rest is left for
the descent. With ``cooling="steps"``, the schedule of the thesis (6.4.2), it falls from ``hot`` by ``decrement`` after
every ``level`` rounds until it is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

import numpy as np

from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.blocks import BLOCK, MIN_BLOCK
from warptour.papers.mavroidis.engine.forms import Form, check_form, rows_in
from warptour.papers.mavroidis.engine.rows import TourRows, at_once
from warptour.papers.mavroidis.strategy.symmetric import advance, batches
from warptour.papers.scans.closed_tours import ClosedTours
from warptour.search.parameters import number
from warptour.search.search import Search
from warptour.tours.starts.start import first_tour, start

TEMPERATURES: Final = 400
"""Minimum number of temperature steps per run, where time allows."""

UNLIMITED: Final = 1000
"""Rounds per city if neither time nor rounds are limited."""


@dataclass(frozen=True)
class Annealing(ClosedTours):
    """Annealing from hot to cold, then a descent to a 2-optimal tour.

    Attributes
    ----------
    hot, cold : float
        First and last temperature, in mean edge lengths of a greedy tour; cooling in steps ends at 0.
    tours : int
        Number of tours annealed, up to thousands concurrently; 0 for as many as the device holds at once.
    descent : float
        Fraction of the time reserved for the descent; cooling in steps reserves none.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    cooling : {"limits", "steps"}
        What decides the temperature: the time or rounds used up, or the number of rounds alone.
    decrement : float
        How much the temperature falls at each step, in the unit of ``hot``.
    level : int
        Rounds at each temperature when cooling in steps; 0 for one per city.
    form : {"group", "blocks"}
        Where a tour lies: in one group of lanes, or spread over blocks.
    block : int
        Elements per block, with ``form="blocks"``: each decides one move of a round.
    """

    name: ClassVar[str] = "annealing"
    iteration: ClassVar[str] = "rounds"

    hot: float = number(0.5)
    cold: float = number(0.03)
    tours: int = number(0)
    descent: float = number(0.06)
    start: str = "greedy"
    cooling: Literal["limits", "steps"] = "limits"
    decrement: float = number(0.001)
    level: int = number(0)
    form: Form = "group"
    block: int = number(BLOCK, MIN_BLOCK)

    def __post_init__(self) -> None:
        check_form(self.form)
        if self.cooling not in ("limits", "steps"):
            raise ValueError(f"cooling is by limits or steps, not {self.cooling!r}")
        if not 0 < self.cold <= self.hot:
            raise ValueError("temperatures fall from hot to cold, and both are above 0")
        if not 0 <= self.descent < 1:
            raise ValueError("descent is a part of the time, from 0 to 1")
        if not self.decrement > 0:
            raise ValueError("the decrement of a temperature is above 0")

    @property
    def counts_together(self) -> bool:
        """Tours of all members make the same rounds."""
        return True

    def share(self, rank: int, members: int) -> Annealing:
        """Return what one of several members does: its part of the tours, at least one."""
        tours = self.tours // members + (rank < self.tours % members)
        return replace(self, tours=max(1, tours) if self.tours else 0)

    def run(self, search: Search[TSP]) -> None:
        """Anneal and descend; more tours than fit run in successive batches."""
        problem = search.problem
        first = first_tour(search, self.start, seeds=search.seeds.spawn(1)[0])
        search.offer(first.copy())
        chosen = self.start if search.start is None else search.start
        greedy = isinstance(chosen, str) and chosen == "greedy"
        scale = first if greedy else start(problem, "greedy", threads=search.threads, over=search.hurried)
        edge = float(problem.cost(scale)) / problem.n
        if not edge > 0:
            return
        seed = search.key()
        tours = self.tours or (1 if self.form == "blocks" else at_once(search.device, problem.n))
        for begin, count in batches(tours, problem.n):
            if search.over():
                return
            copies = np.tile(first, (count, 1))
            rows = rows_in(
                self.form, search.device, problem, copies, block=self.block, busy=True, seed=seed, first=begin
            )
            left = -(-(tours - begin) // count)
            budget = _Budget(search, self.descent, UNLIMITED * problem.n, 1 / left)
            limited = self.cooling == "limits"
            for heat, rounds in self._by_limits(rows, budget) if limited else self._by_steps(rows):
                if search.over():
                    break
                rows.heat(edge * heat)
                advance(search, rows, rounds)
                search.step("round", search.iterations, temperature=edge * heat)
            rows.heat(0)
            while not search.over() and not (limited and budget.over()) and not rows.locally_optimal:
                advance(search, rows, rows.budget)
            search.offer(rows.shortest())

    def _by_limits(self, rows: TourRows, budget: _Budget) -> Iterator[tuple[float, int]]:
        """Yield temperatures, in mean edges, and rounds at each until the budget of the annealing is spent."""
        while (spent := budget.spent()) < 1:
            yield self.hot * (self.cold / self.hot) ** spent, budget.rounds(rows.budget)

    def _by_steps(self, rows: TourRows) -> Iterator[tuple[float, int]]:
        """Yield temperatures, in mean edges, and rounds at each, in parts of about 50 ms."""
        for step in range(math.ceil(self.hot / self.decrement)):
            left = self.level or rows.problem.n
            while left > 0:
                rounds = min(left, rows.budget)
                yield self.hot - step * self.decrement, rounds
                left -= rounds


class _Budget:
    """Budget of a batch: its ``share`` of the search's remaining rounds if these are limited, else of its seconds."""

    def __init__(self, search: Search[TSP], descent: float, unlimited: int, share: float) -> None:
        self._search = search
        seconds, iterations = search.seconds_left() * share, search.iterations_left() * share
        if math.isinf(iterations) and math.isinf(seconds):
            iterations = unlimited
        self._began = search.iterations, search.seconds
        self._most = iterations, seconds
        self._rounds = iterations * (1 - descent)
        self._seconds = seconds * (1 - descent) if math.isinf(iterations) else math.inf

    def spent(self) -> float:
        """Return the fraction used of the annealing part of the budget."""
        if math.isfinite(self._rounds):
            return (self._search.iterations - self._began[0]) / self._rounds if self._rounds > 0 else 1.0
        return (self._search.seconds - self._began[1]) / self._seconds if self._seconds > 0 else 1.0

    def over(self) -> bool:
        """Return whether the budget is used up, including the descent's part."""
        used = self._search.iterations - self._began[0], self._search.seconds - self._began[1]
        return used[0] >= self._most[0] or used[1] >= self._most[1]

    def rounds(self, most: int) -> int:
        """Return the number of rounds at one temperature; ``most`` rounds take about 50 ms."""
        if math.isfinite(self._rounds):
            return max(1, min(most, int(self._rounds / TEMPERATURES)))
        share = self._seconds / TEMPERATURES / 0.05
        return max(1, int(most * min(1.0, share)))
