"""Random-restart hill climbing (O'Neil and Burtscher 2015).

repeat until over
    climbers start from random tours, as many side by side as the device holds
    each makes the best of all 2-opt moves of its tour, again and again, until none improves it
    the best of them, proved 2-optimal, is handed in
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from warptour.construct import start
from warptour.engines.scans.scan import gpu_moves, move_count
from warptour.engines.scans.two_opt import TwoOptEngine
from warptour.engines.scans.two_opt_climbers import LOCALLY_OPTIMAL, SCANS, TwoOptClimbers
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.fallback import first_solution, in_time
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search, Tour
from warptour.strategies.hill import climb

MAX_CITIES: Final = 1 << 26
"""Of the climbers of a batch together, which are held in memory: about a gigabyte."""


@dataclass(frozen=True)
class RandomRestart:
    """Random tours, each climbed to a local minimum of 2-opt by best improvement.

    Attributes
    ----------
    climbers : int
        How many, unless the search is over before; 0 for as many as there is time for.
    batch : int
        How many climb side by side; 0 for as many as keep the device busy. It does not change where each one ends.
    """

    name: ClassVar[str] = "restarts"
    iteration: ClassVar[str] = "climbers"

    climbers: int = 0
    batch: int = 0

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return closed_tours_only(self.name, problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the kinds of device, the best first."""
        return ("cuda", "opencl", "cpu")

    @in_time
    def run(self, search: Search) -> None:
        """Climb until over, a batch at a time, offering every better local minimum.

        If the search ends before the first of them, it offers a simple tour, since those on their way from random ones
        may be no tours to speak of.
        """
        problem = search.problem
        assert isinstance(problem, TSP)
        if isinstance(search.start, str):  # climbers start at random, and no result is worse than a start asked for
            search.offer(start(problem, search.start, search.seeds, None, search.threads, search.hurried))
        with suppress(Unfinished):
            self._climb(search, problem)
        if search.iterations == 0 and (simple := first_solution(problem, search.spare_seconds())) is not None:
            search.offer(simple)
            search.note("no climber had come to its local minimum when the search ended: give it more time, or use ils")

    def _climb(self, search: Search, problem: TSP) -> None:
        engine = TwoOptEngine(problem, device=search.device, over=search.over)
        resident = TwoOptClimbers.supports(problem, search.device)
        started = 0
        while not search.over() and (self.climbers == 0 or started < self.climbers):
            batch = min(self.batch, MAX_CITIES // problem.n) or (_batch(search, problem) if resident else 1)
            wanted = int(min(batch, self.climbers - started if self.climbers else batch, search.iterations_left()))
            if resident:
                _climb_together(search, engine, started, wanted)
            else:
                _climb_alone(search, engine, started)
            started += wanted if resident else 1


def _batch(search: Search, problem: TSP) -> int:
    """Return how many climbers keep the device busy, or fewer if so many would not be done in time.

    Where each of them ends does not depend on it.
    """
    crowd = TwoOptClimbers.crowd(search.device)
    if search.device.lanes == 1 or search.seconds_left() == math.inf:
        return crowd
    moves = problem.n * move_count(problem.n)  # a climb from a random tour takes about n scans
    in_time = gpu_moves(search.device, 0.3 * search.seconds_left()) // moves
    return max(crowd // 16, min(crowd, in_time))


def _climb_together(search: Search, engine: TwoOptEngine, first: int, count: int) -> None:
    """Let climbers ``first`` and on climb in the device's fast memory, and hand in the best."""
    problem = engine.problem
    team = TwoOptClimbers(problem, search.device, count, seed=search.seed, first=first)
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
        )  # the last ones after the proof: a search that has counted enough is over


def _offer_better(search: Search, tour: Tour) -> bool:
    """Hand in ``tour`` unless the best so far is shorter, and return whether it is not."""
    assert isinstance(search.given, TSP)
    if search.cost is not None and search.given.cost(tour) > search.cost:
        return False
    search.offer(tour)
    return True


def _climb_alone(search: Search, engine: TwoOptEngine, number: int) -> None:
    """Climb from one random tour with all of the device; for tours that do not fit into its fast memory."""
    seed = np.random.SeedSequence(search.seed, spawn_key=(number,))
    if climb(search, engine, start(engine.problem, "random", seed), counted=0):
        search.count(1)


def _prove(search: Search, engine: TwoOptEngine, tour: Tour) -> None:
    """Make what moves an exact scan still finds, until it finds none."""
    while (move := engine.certify(tour)) is not None:
        tour = engine.apply(tour, move)
        search.offer(tour)
    search.note("the best climber so far is 2-optimal: an exact scan of all moves found none that improves")
