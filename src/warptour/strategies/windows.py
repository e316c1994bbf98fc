"""Windows: local search in small pieces of the tour, all over it at once.

    tour := repair(start)
    until over:
        cut the cities into windows, cells of the plane that lie elsewhere each time
        for all windows side by side:
            until it was kicked often enough:
                kick        a double bridge among a few cities close to each other
                repair      Lin-Kernighan steps from the cities it touched
                undo        unless the window's part of the tour is no longer than before
        join the windows

A window holds fragments of the tour, each of which keeps its ends, so that all
windows can be joined again whatever happened in them. It fits the cache of one
core, and a kick costs the same at a thousand cities and at ten million. A tour
that is little more than one window is searched whole, each thread in its own
region, and merged with trials that start elsewhere (regions.py).
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
from warptour.strategies.regions import Regions
from warptour.strategies.rounds import Rounds
from warptour.strategies.search import Search, Tour
from warptour.strategies.team import Team, follow
from warptour.strategies.threads import Crew


@dataclass(frozen=True)
class Windows:
    """Kicks inside windows, each repaired by Lin-Kernighan steps over neighbour lists.

    Attributes
    ----------
    nearest, quadrant : int
        Neighbours of each city: so many in all, of which so many from each quadrant around it.
    paces : int
        Steps of the random walks that choose where a kick cuts; more make it wider.
    size : int
        Cities in a window, at most; each thread gets one at least.
    whole : int
        Tours of fewer cities are searched whole.
    effort : float
        Kicks per city in a round, once rounds have reached their full length.
    start : str
        How the first tour is built, unless the search brings one.
    """

    name: ClassVar[str] = "windows"
    iteration: ClassVar[str] = "kicks"
    devices: ClassVar[tuple[str, ...]] = ("cpu",)

    nearest: int = 7
    quadrant: int = 1
    paces: int = 100
    size: int = 12_000
    whole: int = 18_000
    effort: float = 1.0
    start: str = "greedy"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, TSP):
            return None
        return "windows is for one tour; vehicle routing needs the strategy routes"

    def run(self, search: Search) -> None:
        """Search until over, offering every better tour."""
        problem = search.problem
        assert isinstance(problem, TSP)
        lists = neighbours(problem, self.nearest, self.quadrant, threads=search.threads)
        if search.over():
            return
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, lists, search.threads)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return
        terrain = Terrain.of(problem, lists, threads=search.threads)
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        with Crew(search.threads) as crew:
            follow(search, self._team(terrain, tour, crew, seed))

    def _team(self, terrain: Terrain, tour: Tour, crew: Crew, seed: int) -> Team:
        problem = terrain.problem
        if problem.n < self.whole or problem.matrix is not None:
            # wider kicks measured better on whole tours (docs/results.md says how thinly)
            return Regions(terrain, tour, crew, seed=seed, paces=self.paces * 3 // 2)
        size = min(self.size, problem.n // max(2, crew.threads))
        return Rounds(terrain, tour, crew, seed=seed, paces=self.paces, size=size, effort=self.effort)
