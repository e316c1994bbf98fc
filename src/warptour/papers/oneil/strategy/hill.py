"""Hill climbing: best improvement over the full 2-opt neighbourhood.

    s := start
    repeat
        m := the best of all n(n-3)/2 moves of s
        s := m(s)
    until no move improves s

The fast scan proposes the move and the exact metric confirms it; the last scan is exact, so a climb that ends on its
own has proved its tour 2-optimal. Several devices share exact scans, as with ``exact``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from warptour.kernels.groups import Unfinished
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.papers.scans.engines import ScansRows, shares, two_opt_engine
from warptour.papers.scans.ladder.registry import known_rung, rung_for, scan_by
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.search.search import Search, Tour
from warptour.tours.starts.start import first_tour

RUN_MOVES = 40_000_000
"""Moves evaluated between two offers of the tour on a CPU; a GPU evaluates a thousand times as many."""


@dataclass(frozen=True)
class HillClimbing(ScansRows):
    """Best-improvement 2-opt.

    Attributes
    ----------
    exact : bool
        Always scan in the problem's own metric, with ties broken by rank, so that every engine makes the same moves.
        Always so on several devices.
    apply : {"best", "many"}
        Apply the best move of a scan, or all its good moves that do not interfere with a better one.
    kernel : str
        Kernel that scans: a rung of the ladder by name (``docs/developer/ladder.md``), or ``auto`` for the quickest.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    """

    name: ClassVar[str] = "hill"
    iteration: ClassVar[str] = "scans"

    exact: bool = False
    apply: Literal["best", "many"] = "best"
    kernel: str = "auto"
    start: str = "greedy"

    def __post_init__(self) -> None:
        if self.kernel == "auto":
            return
        known_rung(self.kernel)
        if self.exact or self.apply == "many":
            raise UsageError(
                "kernel is for apply=best without exact=true; apply=many and exact=true have kernels of their own"
            )

    def run(self, search: Search[TSP]) -> None:
        """Climb to a local optimum or until the search is over."""
        if self.apply not in ("best", "many"):
            raise UsageError(f"unknown way to apply moves {self.apply!r}; there are best, many")
        if shares(search) and (self.kernel != "auto" or self.apply == "many"):
            raise UsageError("kernel and apply=many are for one device; several devices share exact scans")
        engine = engine_by(self.kernel, search)
        tour = first_tour(search, self.start)
        search.offer(tour)
        try:
            exact = self.exact and not shares(search)  # a shared engine climbs by exact scans
            proved = climb(search, engine, tour, exact=exact, many=self.apply == "many")
        except Unfinished:
            return
        if proved:
            search.note("2-optimal: an exact scan of all moves found none that improves")


def engine_by(kernel: str, search: Search[TSP]) -> TwoOptEngine:
    """Return the engine that scans by a rung of the ladder; with ``auto``, the engine chooses."""
    problem, device = search.problem, search.device
    if kernel == "auto":
        return two_opt_engine(search)
    return TwoOptEngine(problem, device, search.over, partial(scan_by, rung_for(kernel, problem, device)))


def climb(
    search: Search[TSP], engine: TwoOptEngine, tour: Tour, *, exact: bool = False, many: bool = False, counted: int = 1
) -> bool:
    """Apply best moves to ``tour`` until the search is over or an exact scan finds none; return whether it found none.

    A scan counts as ``counted`` iterations. Raises :class:`Unfinished` if the search ends during a scan.
    """
    power = 1 if search.device.lanes == 1 else 1000
    run = max(1, min(1000, RUN_MOVES * power // max(1, engine.move_count)))
    while not search.over():
        if engine.fast and not exact:
            scans = int(min(run, search.iterations_left())) if counted else run
            climbed = engine.climb(tour, scans, many=many)
            tour = climbed.tour
            search.count(climbed.scans * counted, climbed.scans * engine.move_count)
            search.offer(tour)
            if climbed.proved:
                return True
            if not climbed.locally_optimal or search.over():
                continue
        found = engine.best_improvement(tour)
        search.count(counted, engine.move_count)
        if found is None:
            search.offer(tour)
            return True
        tour = engine.apply(tour, found[0])
        search.offer(tour)
    return False
