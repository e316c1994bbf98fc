"""Windows: iterated local search in small parts of the tour, all over it at once.

    tour := repair(start)
    until over:
        cut the cities into windows, cells of the plane that lie elsewhere each time
        for all windows in parallel:
            exchange alternating paths from long edges, as far as that pays (exchange_selection.py)
            for the window's share of the kicks:
                kick        a double bridge among a few cities close to each other
                repair      Lin-Kernighan steps from the cities that the kick touched
                undo        if the window's part of the tour became longer
        join the windows and repair subtours

A window holds fragments of the tour and is searched as one cycle through them.
Two windows together may form subtours; then the changes that gain least are
reverted until there is one tour (kernels/tours/tour_subtours.c). A window fits into the
cache of a core, so a kick costs the same at a thousand cities and at ten million.
A tour not much larger than a window is searched as one, each thread in its own
region (regions.py). Where there is time for a population of tours, edge assembly
crossover combines them (edge_assembly.py). A device searches hundreds of windows at
a time: overlapping ones beside its host (device_beside.py), or disjoint ones for half
a million cities and more, where the host joins it (device_first.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from warptour.candidates import neighbours
from warptour.devices import Device, everywhere, host_first
from warptour.model.memory import require_memory
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.parameters import number
from warptour.search.search import Search, Tour
from warptour.search.strategy import Strategy
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, Worker, follow
from warptour.tours.engine.device_tour import DeviceTour
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.strategy.device_beside import DeviceBeside, host_threads
from warptour.tours.strategy.device_first import DeviceFirst, host_can_join
from warptour.tours.strategy.device_tours import MAKERS, DeviceTours, tours_together
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.edge_assembly import EdgeAssembly
from warptour.tours.strategy.host_and_device import HostAndDevice
from warptour.tours.strategy.individuals import Individuals, SplitIndividuals, WholeIndividuals, is_curved
from warptour.tours.strategy.overlapping import MAX_CONFLICT_THREADS, OVERLAPPING_BUILD, OverlappingWorker
from warptour.tours.strategy.parallel_start import ARENA_CITIES
from warptour.tours.strategy.regions import Regions
from warptour.tours.strategy.rounds import Rounds
from warptour.tours.strategy.start import SharedTask, begin, begin_along_curve, disjoint_start

MIN_DEVICE_CITIES = 50_000
"""Smallest instance for which a GPU pays off; at 18,512 cities 16 host cores did as well."""

MIN_DISJOINT_CITIES = 500_000
"""Smallest instance for disjoint windows on a device, where the host has no population any more."""

HOST_BYTES, WINDOW_BYTES = 200, 150
"""Memory of the host in bytes per city: of a search on the CPU besides the coordinates (measured with 16 threads at a
hundred million cities), and of the cities in large windows, of which a few million are in memory at a time."""

MIN_WINDOW_CITIES = 32
"""Smaller instances are never cut into windows."""

NURSERY_TOURS = 8
"""Number of further tours that a device makes of a large instance."""

MIN_NURSERY_SECONDS = 30e-6
"""Minimum seconds per city left for a device to make further tours of a large instance."""


@dataclass(frozen=True)
class Windows(Strategy):
    """Kicks inside windows, each repaired by Lin-Kernighan steps over neighbour lists.

    Attributes
    ----------
    nearest, quadrant : int
        Length of a city's neighbour list, and how many of each quadrant around the city it holds at least.
    walk_length : int
        Steps of the random walks that choose the edges of a kick; longer walks spread it wider.
    window : int
        Maximum number of cities in a window; each thread gets at least one window.
    whole : int
        Instances with fewer cities are searched as one window.
    kicks : float
        Kicks per city in a round, once rounds have reached their full length; fewer while exchanges gain more.
    individual_kicks, large_individual_kicks : float
        Kicks per city of an individual of the population: of a random tour, and along a curve (from 12,000 cities on).
    start : str, optional
        Construction of the first tour, unless the search brings one; by default greedy, and a space-filling curve for
        disjoint windows.
    overlapping, disjoint : DeviceWindows
        Windows on a device: overlapping below half a million cities, disjoint above.
    """

    name: ClassVar[str] = "windows"
    iteration: ClassVar[str] = "kicks"

    nearest: int = number(7, 1, 1000)
    quadrant: int = number(1, 0, 250)
    walk_length: int = number(100, 1, 10_000)
    window: int = number(12_000, 8)
    whole: int = number(18_000)
    kicks: float = number(1.0, 0.001, 1000)
    individual_kicks: float = number(0.1, 0, 1000)
    large_individual_kicks: float = number(0.03, 0, 1000)
    start: str | None = None
    overlapping: DeviceWindows = field(default=DeviceWindows(window=1300, kicks=0.1))
    disjoint: DeviceWindows = field(default=DeviceWindows())

    @property
    def keeps_fixed_edges(self) -> bool:
        """Whether it solves tours with fixed edges."""
        return True

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, TSP):
            return None
        return "windows is for one tour; vehicle routing needs the strategy routes"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends that can search ``problem``, the best first."""
        if not isinstance(problem, TSP) or not DeviceTour.supports(problem):
            return ("cpu",)
        return everywhere() if problem.n >= MIN_DEVICE_CITIES else host_first()

    def run(self, search: Search[TSP]) -> None:
        """Search until over, offering every better tour."""
        if not search.device.is_host and search.problem.n >= MIN_DISJOINT_CITIES:
            with ThreadPool(search.threads) as pool:
                follow(search, self.large_worker(search, pool), lambda tour: tour, lambda tour: tour)
        elif (begun := self._start(search)) is not None:
            with ThreadPool(host_threads(search)) as pool:
                task = SharedTask(search, *begun, pool)
                follow(search, self.worker(task), task.instance.leave, task.instance.enter)

    def _start(self, search: Search[TSP]) -> tuple[Instance, Tour] | None:
        """Return the instance and its first tour, which is offered; None if there is nothing to search, or no time."""
        problem = search.problem
        in_windows = min(1.0, ARENA_CITIES / problem.n)
        require_memory(problem.n, HOST_BYTES + round(WINDOW_BYTES * in_windows), problem.name)
        construction = self.start or "greedy"
        lists_of = partial(self._lists, threads=search.threads, over=search.hurried)
        if self._is_whole(problem):
            return begin(search, construction, lists_of)
        return begin_along_curve(search, construction, lists_of)

    def worker(self, task: SharedTask) -> Worker:
        """Return the worker for an instance."""
        search, pool = task.search, task.pool
        if math.isfinite(search.iterations_left()) and not search.device.is_host:
            return HostAndDevice(self._rounds(task), self.overlapping_worker(task), pool)
        incumbent = self._incumbent(task)
        if search.device.is_host:
            return self._with_population(task, incumbent)
        host = self._with_population(task, incumbent, self._device_individuals(task))
        return DeviceBeside(host, incumbent, self.overlapping_worker(task), pool)

    def large_worker(self, search: Search[TSP], pool: ThreadPool) -> Worker:
        """Return the worker for half a million cities and more on a device; with time enough its host takes part."""
        device = self.disjoint_worker(search)
        if not host_can_join(search):
            return device
        problem, threads = search.problem, search.threads

        def over() -> bool:
            return pool.closed.is_set() or search.hurried()

        def prepare() -> Instance:
            return Instance.of(problem, self._lists(problem, threads, over), threads=threads, over=over)

        def join(instance: Instance, tour: Tour) -> HostAndDevice:
            task = SharedTask(search, instance, tour, pool)
            host = self._rounds(task, gradual=True)
            host.adopt(tour, 0.0)
            if search.seconds_left() <= MIN_NURSERY_SECONDS * problem.n:
                return HostAndDevice(host, device, pool)
            makers, numbers = [partial(self._disjoint, search.device)], range(NURSERY_TOURS)
            nursery = DeviceTours(instance, makers, pool, seed=search.key(), numbers=numbers, over=over)
            return HostAndDevice(host, device, pool, nursery, partial(self._exchanged, task))

        return DeviceFirst(device, prepare, join, pool)

    def _exchanged(self, task: SharedTask, tour: Tour, poll: Poll) -> Ints:
        """Return a tour after a round of alternating-path exchanges."""
        rounds = self._rounds(replace(task, tour=tour), quiet=True)
        rounds.adopt(tour, 0.0)
        rounds.advance(Budget(over=poll))
        return rounds.best()

    def disjoint_worker(self, search: Search[TSP]) -> DisjointWorker:
        """Return the worker for half a million cities and more on a device."""
        return self._disjoint(search.device, search.problem, disjoint_start(search, self.start), search.key())

    def _disjoint(self, device: Device, problem: TSP, tour: Tour | None, seed: int) -> DisjointWorker:
        """Return disjoint windows over a tour of the problem's cities, by default along a curve."""
        options = self.disjoint
        return DisjointWorker(DisjointWindows(problem, device, tour, size=options.window, seed=seed), options)

    def overlapping_worker(self, task: SharedTask) -> OverlappingWorker:
        """Return the worker for smaller instances on a device."""
        search, options = task.search, self.overlapping
        engine = OverlappingWindows(
            task.instance, search.device, task.tour, size=options.window, seed=search.key(),
            pool=task.pool.beside(min(search.threads, MAX_CONFLICT_THREADS)), ways=OVERLAPPING_BUILD,
        )  # fmt: skip
        return OverlappingWorker(engine, options)

    def _incumbent(self, task: SharedTask) -> Regions | Rounds:
        """Return the worker of the host's threads on one tour."""
        problem = task.instance.problem
        if not self._is_whole(problem):
            return self._rounds(task)
        walk_length = self._walk_length(problem)
        return Regions(task.instance, task.tour, task.pool, seed=task.search.key(), walk_length=walk_length)

    def _rounds(self, task: SharedTask, *, gradual: bool = False, quiet: bool = False) -> Rounds:
        return Rounds(
            task.instance, task.tour, task.pool, seed=task.search.key(), walk_length=self.walk_length,
            size=self._window(task.instance.problem), effort=self.kicks, parallel_start=True, gradual=gradual,
            note=None if quiet else task.search.note,
        )  # fmt: skip

    def _device_individuals(self, task: SharedTask) -> DeviceTours | None:
        """Return what makes individuals on the device; None where it has one queue."""
        search = task.search
        devices = [device for _ in range(MAKERS) if (device := search.device.apart()) is not None]
        if not devices:
            return None
        makers = [partial(self._disjoint, device) for device in devices]
        together = tours_together(search, self.disjoint.window)
        return DeviceTours(task.instance, makers, task.pool, seed=search.key(), together=together)

    def _with_population(
        self, task: SharedTask, incumbent: Regions | Rounds, helper: DeviceTours | None = None
    ) -> EdgeAssembly | Regions | Rounds:
        """Return an incumbent with a population, unless the instance is too large."""
        instance, search = task.instance, task.search
        if instance.nodes >= MIN_DISJOINT_CITIES:
            return incumbent
        effort = self.large_individual_kicks if is_curved(instance.problem) else self.individual_kicks
        optima = [instance.enter(tour) for tour in search.population if not isinstance(tour, list)]
        return EdgeAssembly(
            incumbent, self._individuals(task), task.pool, seed=search.key(), effort=effort, optima=optima,
            note=search.note, helper=helper,
        )  # fmt: skip

    def _individuals(self, task: SharedTask) -> Individuals:
        instance, key = task.instance, task.search.key()
        walk_length, size = self._walk_length(instance.problem), self._window(instance.problem)
        if self._is_whole(instance.problem):
            return WholeIndividuals(instance, key, walk_length)
        return SplitIndividuals(instance, seed=key, walk_length=walk_length, size=size, threads=task.pool.threads)

    def _lists(self, problem: TSP, threads: int, over: Poll) -> Ints:
        return neighbours(problem, self.nearest, self.quadrant, threads, over)

    def _is_whole(self, problem: TSP) -> bool:
        return problem.n < max(self.whole, MIN_WINDOW_CITIES) or problem.matrix is not None

    def _window(self, problem: TSP) -> int:
        return min(self.window, problem.n // 2)

    def _walk_length(self, problem: TSP) -> int:
        # wider kicks measured slightly better on instances searched as one window
        return self.walk_length * 3 // 2 if self._is_whole(problem) else self.walk_length
