"""Random-restart hill climbing (O'Neil and Burtscher 2015).

repeat until over:
a climber starts from a random tour
it climbs to a local minimum: no 2-opt or or-opt move over neighbour lists improves it
the best climber wins
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.climbers import Climbers
from warptour.engines.terrain import Ints, Terrain
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.refusal import closed_tours_only
from warptour.strategies.search import Search
from warptour.strategies.threads import Crew


@dataclass(frozen=True)
class RandomRestart:
    """Random tours, each climbed to a local minimum.

    Attributes
    ----------
    climbers : int
        How many, unless the search is over before; 0 for as many as there is time for.
    nearest : int
        Neighbours of each city.
    start : str
        How each climber's tour is built.
    """

    name: ClassVar[str] = "restarts"
    iteration: ClassVar[str] = "climbers"
    devices: ClassVar[tuple[str, ...]] = ("cpu",)

    climbers: int = 0
    nearest: int = 8
    start: str = "random"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return closed_tours_only(self.name, problem)

    def run(self, search: Search) -> None:
        """Climb until over, one climber a thread at a time, offering every better local minimum."""
        problem = search.problem
        assert isinstance(problem, TSP)
        lists = neighbours(problem, self.nearest, threads=search.threads)
        terrain = Terrain.of(problem, lists)

        def climber(number: int) -> Climbers:
            seed = np.random.SeedSequence(search.seed, spawn_key=(number,))
            return Climbers(terrain, terrain.enter(start(problem, self.start, seed, lists, 1)))

        def climb(one: Climbers) -> bool:
            one.climb()
            return one.settled

        started = 0
        with Crew(search.threads) as crew:
            while not search.over() and (self.climbers == 0 or started < self.climbers):
                unstarted = self.climbers - started if self.climbers else crew.threads
                wanted = min(crew.threads, unstarted, search.iterations_left())
                team = crew.map(climber, range(started, started + int(wanted)))
                started += len(team)
                while not all(crew.map(climb, team)) and not search.over():
                    pass
                for one in team:
                    search.offer(_tour(terrain, one))
                    search.count(int(one.settled), one.looks)


def _tour(terrain: Terrain, one: Climbers) -> Ints:
    return terrain.leave(one.best()[0])
