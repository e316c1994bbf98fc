"""Windows: local search in small pieces of the tour, all over it at once.

    tour := repair(start)
    until over:
        cut the cities into windows, cells of the plane that lie elsewhere each time
        for all windows side by side:
            walk from long edges, as far as that pays: exchanges of many edges (walks.py)
            until it was kicked often enough:
                kick        a double bridge among a few cities close to each other
                repair      Lin-Kernighan steps from the cities it touched
                undo        unless the window's part of the tour is no longer than before
        unite the windows to one tour

A window holds fragments of the tour and makes one tour of them and of what lies
outside. Where two windows together do not, as little as possible of what they
did is given up (kernels/tour_subtours.c). A window fits the cache of one core, and
a kick costs the same at a thousand cities and at ten million. A tour that is
little more than one window is searched whole, each thread in its own region
(regions.py). Where there is time to search many tours, they take over from each
other what is better (breeding.py); the above then makes each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.instance import Instance
from warptour.engines.windows.device_tour import Ways
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.engines.windows.overlapping import OverlappingWindows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.fallback import in_time
from warptour.search.search import Search, Tour
from warptour.search.team import Team, follow
from warptour.search.threads import ThreadPool
from warptour.strategies.windows.device_individual import DeviceIndividual
from warptour.strategies.windows.disjoint import DisjointTeam
from warptour.strategies.windows.edge_assembly import EdgeAssembly, Incumbent, TourIndividual
from warptour.strategies.windows.exchange_selection import ExchangeSelection
from warptour.strategies.windows.individuals import SplitIndividual, WholeIndividual, new_tour
from warptour.strategies.windows.overlapping import OverlappingTeam
from warptour.strategies.windows.regions import Regions
from warptour.strategies.windows.rounds import Rounds

MIN_DEVICE_CITIES = 50_000
"""From so many cities on a GPU helps; at 18,512 the cores of its host alone were as good."""

LARGE = 500_000
"""From so many cities on a device starts along a curve; below, the host repairs the first tour, and windows overlap."""

FEWEST = 32
"""Fewer cities are never cut into windows."""

OVERLAPPING_WAYS = Ways(depth=25, log=256, resident=4)
"""How windows that overlap are searched on a device."""


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
        Kicks per city in a round, once rounds have reached their full length; fewer while walks win more.
    trial, split_trial : float
        Kicks per city in a trial, a tour of the population's: searched whole, or in windows.
    start : str, optional
        How the first tour is built, unless the search brings one; by default greedily on the CPU, along a curve on
        another device.
    cell, cell_paces, cell_effort
        Cities, paces and effort of the windows on another device, which lie in the fast memory of a group.
    core_cell, core_effort
        Cities and effort of those that overlap.
    """

    name: ClassVar[str] = "windows"
    iteration: ClassVar[str] = "kicks"

    nearest: int = 7
    quadrant: int = 1
    walk_length: int = 100
    size: int = 12_000
    whole: int = 18_000
    effort: float = 1.0
    individual: float = 0.2
    split_individual: float = 0.1
    start: str | None = None
    cell: int = 640
    cell_paces: int = 50
    cell_effort: float = 0.5
    core_cell: int = 1300
    core_effort: float = 0.1

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, TSP):
            return None
        return "windows is for one tour; vehicle routing needs the strategy routes"

    @in_time
    def run(self, search: Search) -> None:
        """Search until over, offering every better tour."""
        problem = search.problem
        assert isinstance(problem, TSP)
        if search.device.name != "cpu":
            self._run_on_device(search, problem)
            return
        found = self._on_host(search, problem)
        if found is None:
            return
        lists, tour = found
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        with ThreadPool(search.threads) as pool:
            follow(search, self._team(search, instance, tour, pool, seed))

    def _on_host(self, search: Search, problem: TSP) -> tuple[Tour, Tour] | None:
        """Return neighbour lists and the first tour, handed in; None if that is all that there is time for."""
        lists = neighbours(problem, self.nearest, self.quadrant, search.threads, search.hurried)
        if search.over():
            return None
        choice = self._first_tour(search)
        choice = "greedy" if choice is None else choice
        tour = start(problem, choice, search.seeds, lists, search.threads, search.hurried)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return None
        return lists, tour

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the kinds of device that can search ``problem``, the one that does it best first."""
        if not isinstance(problem, TSP) or not DisjointWindows.supports(problem):
            return ("cpu",)
        return ("cuda", "cpu", "opencl") if problem.n >= MIN_DEVICE_CITIES else ("cpu", "cuda", "opencl")

    def _run_on_device(self, search: Search, problem: TSP) -> None:
        with ThreadPool(search.threads) as pool:
            team = self.device_team(search, problem, pool)
            if isinstance(team, OverlappingTeam) and math.isinf(search.iterations_left()):
                follow(search, self._edge_assembly(search, team.host.instance, team, pool, team.host.seed))
            elif team is not None:
                follow(search, team)

    def device_team(self, search: Search, problem: TSP, pool: ThreadPool) -> OverlappingTeam | DisjointTeam | None:
        """Return what searches on the device of ``search``; None if the first tour is all that there is time for."""
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        left = search.seconds_left
        if problem.n >= LARGE:
            choice = self._first_tour(search)
            first = (
                None if choice is None else start(problem, choice, search.seeds, None, search.threads, search.hurried)
            )
            rounds = DisjointWindows(problem, search.device, first, size=self.cell, seed=seed)
            return DisjointTeam(rounds, walk_length=self.cell_paces, effort=self.cell_effort, seconds_left=left)
        found = self._on_host(search, problem)
        if found is None:
            return None
        lists, tour = found
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        host = self._rounds(instance, tour, pool, seed)
        cores = OverlappingWindows(
            problem, search.device, lists, size=self.core_cell, seed=seed, threads=search.threads, ways=OVERLAPPING_WAYS
        )
        return OverlappingTeam(host, cores, walk_length=self.cell_paces, effort=self.core_effort, seconds_left=left)

    def _first_tour(self, search: Search) -> str | Tour | None:
        return self.start if search.start is None or isinstance(search.start, list) else search.start

    def _team(self, search: Search, instance: Instance, tour: Tour, pool: ThreadPool, seed: int) -> Team:
        """Return the team for a CPU: a leader who polishes one tour, and a population that breeds unless it is huge."""
        incumbent: Incumbent
        if self._is_whole(instance.problem):
            incumbent = Regions(instance, tour, pool, seed=seed, walk_length=self._walk_length(instance.problem))
        else:
            incumbent = self._rounds(instance, tour, pool, seed, search.note)
        return incumbent if instance.nodes >= LARGE else self._edge_assembly(search, instance, incumbent, pool, seed)

    def _edge_assembly(
        self, search: Search, instance: Instance, incumbent: Incumbent, pool: ThreadPool, seed: int
    ) -> EdgeAssembly:
        problem = instance.problem
        walk_length, size = self._walk_length(problem), min(self.size, problem.n // 2)
        # trials that are made at the same time have numbers that differ by less than the threads
        selections = {(new, thread): ExchangeSelection() for new in (True, False) for thread in range(pool.threads)}

        def individual(number: int, old: Tour | None) -> TourIndividual:
            new = old is None
            selection = selections[new, number % pool.threads]
            first = new_tour(instance, seed, number) if old is None else old
            if self._is_whole(problem):
                return WholeIndividual(instance, first, new=new, seed=seed, number=number, walk_length=walk_length)
            split = SplitIndividual(
                instance,
                first,
                new=new,
                seed=seed,
                number=number,
                walk_length=walk_length,
                size=size,
                selection=selection,
            )
            return DeviceIndividual(split, incumbent) if isinstance(incumbent, OverlappingTeam) else split

        return EdgeAssembly(
            instance,
            incumbent,
            pool,
            seed=seed,
            effort=self.individual if self._is_whole(problem) else self.split_individual,
            individual=individual,
            seconds_left=search.seconds_left,
            note=search.note,
        )

    def _is_whole(self, problem: TSP) -> bool:
        return problem.n < max(self.whole, FEWEST) or problem.matrix is not None

    def _walk_length(self, problem: TSP) -> int:
        # wider kicks measured better on whole tours (docs/results.md says how thinly)
        return self.walk_length * 3 // 2 if self._is_whole(problem) else self.walk_length

    def _rounds(
        self, instance: Instance, tour: Tour, pool: ThreadPool, seed: int, note: Callable[[str], object] | None = None
    ) -> Rounds:
        size = min(self.size, instance.problem.n // 2)
        return Rounds(
            instance, tour, pool, seed=seed, walk_length=self.walk_length, size=size, effort=self.effort, note=note
        )
