"""Hill climbing by best improvement over all 2-opt moves.

    s := start
    repeat
        m := the best of all n(n-3)/2 moves of s
        s := m(s)
    until no move improves s

The fast scan proposes the move and the exact metric confirms it; the last scan
is exact, so a climb that ends by itself has proved its tour 2-optimal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from warptour.construct import start
from warptour.engines.native import NativeEngine, Unfinished
from warptour.engines.scan import move_count
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.refusal import closed_tours_only
from warptour.strategies.search import Search


@dataclass(frozen=True)
class HillClimbing:
    """The best 2-opt move of the whole neighbourhood, again and again.

    Attributes
    ----------
    exact : bool
        Scan in the problem's own metric always, with ties broken by rank, so that every engine makes the same moves.
    start : str
        How the first tour is built, unless the search brings one.
    """

    name: ClassVar[str] = "hill"
    iteration: ClassVar[str] = "scans"
    devices: ClassVar[tuple[str, ...]] = ("cpu",)

    exact: bool = False
    start: str = "greedy"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return closed_tours_only(self.name, problem)

    def run(self, search: Search) -> None:
        """Climb until over or at the top."""
        problem = search.problem
        assert isinstance(problem, TSP)
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, None, search.threads)
        search.offer(tour)
        engine = NativeEngine(problem, threads=search.threads, over=search.over)
        while not search.over():
            try:
                found = engine.best_move(tour) if self.exact else engine.improving_move(tour)
            except Unfinished:
                return
            search.count(1, move_count(problem.n))
            if found is None or not found[1] < -engine.least:
                search.note("2-optimal: an exact scan of all moves found none that improves")
                return
            tour = engine.apply(tour, found[0])
            search.offer(tour)
