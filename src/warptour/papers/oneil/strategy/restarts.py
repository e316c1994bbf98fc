"""Random-restart hill climbing (O'Neil and Burtscher 2015).

    repeat until over
        climbers start from random tours, as many concurrently as the device holds
        each applies the best of all 2-opt moves of its tour until none improves it
        the best of them, proved 2-optimal, is offered

Where a climber ends does not depend on how many run concurrently.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.papers.oneil.strategy.hill import climb, engine_by
from warptour.papers.scans.box_tree import prunable
from warptour.papers.scans.closed_tours import ClosedTours
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL, SCANS, ResidentClimbers
from warptour.papers.scans.ladder.pruned_climbers import PrunedClimbers
from warptour.papers.scans.ladder.registry import known_rung, rung_for
from warptour.papers.scans.scan import gpu_moves
from warptour.papers.scans.tour_scan import move_count
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers
from warptour.search.parameters import number
from warptour.search.search import Search, Tour
from warptour.strategies.fallback import first_solution
from warptour.tours.starts.start import first_tour, start

PRUNED_FROM: Final = 1000
"""Number of cities from which climbers on a CPU are quicker by the pruned search."""

MAX_CITIES: Final = 1 << 26
"""Maximum total number of cities of a batch of climbers, held in memory: about a gigabyte."""


@dataclass(frozen=True)
class RandomRestart(ClosedTours):
    """Random tours, each climbed to a local minimum by best-improvement 2-opt.

    Attributes
    ----------
    climbers : int
        Number of climbers, unless the search ends first; 0 for as many as there is time for.
    batch : int
        Number of concurrent climbers; 0 for as many as keep the device busy. It does not change their local minima.
    kernel : str
        Kernel that climbs: a rung of the ladder by name (``docs/developer/ladder.md``), or ``auto`` for the quickest.
    """

    name: ClassVar[str] = "restarts"
    iteration: ClassVar[str] = "climbers"

    climbers: int = number(0)
    batch: int = number(0)
    kernel: str = "auto"

    def __post_init__(self) -> None:
        if self.kernel != "auto":
            known_rung(self.kernel)

    def share(self, rank: int, members: int) -> RandomRestart | None:
        """Return what one of several members does: its part of the climbers; None if there is none for it."""
        climbers = self.climbers // members + (rank < self.climbers % members)
        return replace(self, climbers=climbers) if climbers or not self.climbers else None

    def run(self, search: Search[TSP]) -> None:
        """Climb in batches until the search is over, offering every better local minimum.

        If the search ends before the first of them, offer a simple constructed tour instead, since unfinished climbs
        from random tours may still be very long.
        """
        problem = search.problem
        if isinstance(search.start, str):  # the result must not be worse than a requested start
            search.offer(first_tour(search, search.start))
        with suppress(Unfinished):
            self._climb(search, problem)
        if search.iterations == 0 and (simple := first_solution(problem, search.spare_seconds())) is not None:
            search.offer(simple)
            search.note("no climber had come to its local minimum when the search ended: give it more time, or use ils")

    def _climb(self, search: Search[TSP], problem: TSP) -> None:
        engine = engine_by(self.kernel, search)
        climbers = self._climbers(search)
        started = 0
        while not search.over() and (self.climbers == 0 or started < self.climbers):
            batch = min(self.batch, MAX_CITIES // problem.n) or (_batch(search, climbers) if climbers else 1)
            wanted = int(min(batch, self.climbers - started if self.climbers else batch, search.iterations_left()))
            if climbers:
                team = climbers(problem, search.device, wanted, seed=search.seed, first=started)
                _climb_together(search, engine, team, wanted)
            else:
                _climb_alone(search, engine, started)
            started += wanted if climbers else 1

    def _climbers(self, search: Search[TSP]) -> type[ResidentClimbers] | None:
        """Return what makes climbers that run concurrently; None to climb with one after the other."""
        problem, device = search.problem, search.device
        if self.kernel == "auto" and device.about().kind == "cpu" and problem.n >= PRUNED_FROM and prunable(problem):
            return PrunedClimbers
        if self.kernel in ("auto", "diagonal"):
            return TwoOptClimbers if TwoOptClimbers.supports(problem, device) else None
        return rung_for(self.kernel, problem, device).climbers


def _batch(search: Search[TSP], climbers: type[ResidentClimbers]) -> int:
    """Return the number of climbers that keep the device busy, or fewer if these could not finish in time.

    The local minimum of each climber does not depend on it.
    """
    problem = search.problem
    crowd = climbers.crowd(problem, search.device)
    if search.device.lanes == 1 or search.seconds_left() == math.inf:
        return crowd
    moves = problem.n * move_count(problem.n)  # a climb from a random tour takes about n scans
    in_time = gpu_moves(search.device, 0.3 * search.seconds_left()) // moves
    return max(crowd // 16, min(crowd, in_time))


def _climb_together(search: Search[TSP], engine: TwoOptEngine, team: ResidentClimbers, count: int) -> None:
    """Run a batch of ``count`` climbers, and offer the best."""
    problem = engine.problem
    scans = locally_optimal = counted = 0
    shortest = math.inf
    while not search.over() and locally_optimal < count:
        team.climb()
        counters = team.counters()
        made, arrived = int(counters[:, SCANS].sum(dtype=np.int64)), int(counters[:, LOCALLY_OPTIMAL].sum())
        search.count(0, (made - scans) * move_count(problem.n))
        if locally_optimal < arrived < count:
            search.count(arrived - counted)
            counted = arrived
            if (length := float(team.lengths().min())) < shortest and (best := team.best()) is not None:
                shortest = length
                _offer_better(search, best)
        scans, locally_optimal = made, arrived
    best = team.best()
    try:
        if best is not None and _offer_better(search, best) and locally_optimal == count:
            _prove(search, engine, best)
    finally:
        search.count(
            locally_optimal - counted
        )  # count the last ones after the proof: reaching the iteration limit ends the search


def _offer_better(search: Search[TSP], tour: Tour) -> bool:
    """Offer ``tour`` unless the best so far is shorter; return whether it was offered."""
    if search.cost is not None and search.given.cost(tour) > search.cost:
        return False
    search.offer(tour)
    return True


def _climb_alone(search: Search[TSP], engine: TwoOptEngine, number: int) -> None:
    """Climb from one random tour with the whole device."""
    seed = np.random.SeedSequence(search.seed, spawn_key=(number,))
    if climb(search, engine, start(engine.problem, "random", seed), counted=0):
        search.count(1)


def _prove(search: Search[TSP], engine: TwoOptEngine, tour: Tour) -> None:
    """Apply the moves that exact scans still find, until there are none."""
    while (move := engine.certify(tour)) is not None:
        tour = engine.apply(tour, move)
        search.offer(tour)
    search.note("the best climber so far is 2-optimal: an exact scan of all moves found none that improves")
