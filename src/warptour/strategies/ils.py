"""Iterated local search: kick, repair, keep what pays.

    s0 := start
    s* := local search(s0)
    until over:
        s'  := kick(s*)             a double bridge of short segments somewhere in the tour
        s*' := local search(s')     2-opt and or-opt, from the cities at the kick's cuts
        s*  := accept(s*, s*')

The repair looks only where the kick was, so a kick costs the same at a thousand
cities and at a million (kernels/descent.c).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.terrain import Terrain
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.accept import Acceptance, slack
from warptour.strategies.chains import Chains
from warptour.strategies.search import Search
from warptour.strategies.sections import Sections
from warptour.strategies.team import follow
from warptour.strategies.threads import Crew

SECTIONED = 20_000
"""From so many cities a thread on, threads work on sections of one tour instead of on tours of their own."""


@dataclass(frozen=True)
class IteratedLocalSearch:
    """Kicks, each repaired by 2-opt and or-opt over neighbour lists.

    Attributes
    ----------
    nearest : int
        Neighbours of each city.
    segment : int
        Longest segment of a kick's double bridge.
    accept : {"better", "equal", "threshold"}
        Which tours a chain goes on from: shorter ones, also equal ones, or those at most ``threshold`` mean edges
        longer than its best.
    threshold : float
    exchange : int
        Kicks of each thread, per city, after which threads exchange their tours.
    start : str
        How the first tour is built, unless the search brings one.
    """

    name: ClassVar[str] = "ils"
    iteration: ClassVar[str] = "kicks"
    devices: ClassVar[tuple[str, ...]] = ("cpu",)

    nearest: int = 8
    segment: int = 50
    accept: Acceptance = "threshold"
    threshold: float = 0.3
    exchange: int = 10
    start: str = "greedy"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        return None if isinstance(problem, TSP) else "ils is for one tour; vehicle routing needs the strategy routes"

    def run(self, search: Search) -> None:
        """Search until over, offering every better tour."""
        problem = search.problem
        assert isinstance(problem, TSP)
        lists = neighbours(problem, self.nearest, threads=search.threads)
        if search.over():
            return
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, lists, search.threads)
        search.offer(tour)
        if problem.n < 5 or search.over():
            return
        terrain = Terrain.of(problem, lists, threads=search.threads)
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        allowed = slack(self.accept, self.threshold, float(search.cost or 0.0), problem.n)
        with Crew(search.threads) as crew:
            kind = Sections if crew.threads > 1 and problem.n >= SECTIONED * crew.threads else Chains
            exchange = self.exchange * problem.n // (crew.threads if kind is Sections else 1)
            team = kind(terrain, tour, crew, seed=seed, slack=allowed, segment=self.segment, exchange=exchange)
            follow(search, team)
