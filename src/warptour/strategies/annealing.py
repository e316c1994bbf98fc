"""Simulated annealing by rounds of symmetric 2-opt (Mavroidis 2011, 6.3.3).

    s := start
    for temperatures T from hot to cold
        some rounds of symmetric 2-opt in which a move that adds d is accepted if exp(-d / T) > u
    rounds that accept improving moves only, until none is left

Cooling is geometric. Its rate follows from the limits of the search: the final temperature is reached when most of the
rounds, or of the time, are used up, and the rest is left for the descent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from warptour.engines.symmetric.rows import at_once, exact_rows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.fallback import in_time
from warptour.search.parameters import number
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search
from warptour.strategies.symmetric import advance, batches

TEMPERATURES: Final = 400
"""Minimum number of temperature steps per run, where time allows."""

UNLIMITED: Final = 1000
"""Rounds per city if neither time nor rounds are limited."""


@dataclass(frozen=True)
class Annealing:
    """Annealing from hot to cold, then a descent to a 2-optimal tour.

    Attributes
    ----------
    hot, cold : float
        First and last temperature, in mean edge lengths of the first tour.
    tours : int
        Number of tours annealed, up to thousands concurrently; 0 for as many as the device holds at once.
    descent : float
        Fraction of the time reserved for the descent.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    """

    name: ClassVar[str] = "annealing"
    iteration: ClassVar[str] = "rounds"
    counts_once: ClassVar[bool] = True

    hot: float = number(0.5)
    cold: float = number(0.03)
    tours: int = number(0)
    descent: float = number(0.06)
    start: str = "greedy"

    def __post_init__(self) -> None:
        if not 0 < self.cold <= self.hot:
            raise ValueError("temperatures fall from hot to cold, and both are above 0")
        if not 0 <= self.descent < 1:
            raise ValueError("descent is a part of the time, from 0 to 1")

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None."""
        return closed_tours_only(self.name, problem)

    def share(self, rank: int, members: int) -> Annealing:
        """Return what one of several members does: its part of the tours, at least one."""
        tours = self.tours // members + (rank < self.tours % members)
        return replace(self, tours=max(1, tours) if self.tours else 0)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first."""
        return ("cuda", "opencl", "cpu")

    @in_time
    def run(self, search: Search[TSP]) -> None:
        """Anneal until the limits are nearly used up, then descend; more tours than fit run in successive batches."""
        problem = search.problem
        first = search.first_tour(self.start, seeds=search.seeds.spawn(1)[0])
        search.offer(first.copy())
        edge = float(problem.cost(first)) / problem.n
        if not edge > 0:
            return
        seed = search.key()
        tours = self.tours or at_once(search.device, problem.n)
        for begin, count in batches(tours, problem.n):
            if search.over():
                return
            rows = exact_rows(search.device, problem, np.tile(first, (count, 1)), busy=True, seed=seed, first=begin)
            left = -(-(tours - begin) // count)
            budget = _Budget(search, self.descent, UNLIMITED * problem.n, 1 / left)
            while not search.over() and (spent := budget.spent()) < 1:
                temperature = edge * self.hot * (self.cold / self.hot) ** spent
                rows.heat(temperature)
                advance(search, rows, budget.rounds(rows.budget))
                search.step("round", search.iterations, temperature=temperature)
            rows.heat(0)
            while not search.over() and not budget.over() and not rows.locally_optimal:
                advance(search, rows, rows.budget)
            search.offer(rows.shortest())


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
