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
reverted until there is one tour (kernels/tour_subtours.c). A window fits into the
cache of a core, so a kick costs the same at a thousand cities and at ten million.
A tour not much larger than a window is searched as one, each thread in its own
region (regions.py). Where there is time for a population of tours, edge assembly
crossover combines them (edge_assembly.py). A device searches hundreds of windows at
a time: overlapping ones beside its host (device_beside.py), or disjoint ones for half
a million cities and more, where the host joins it (device_first.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.instance import Instance, along_curve
from warptour.engines.windows.device_tour import BuildOptions, DeviceTour
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.engines.windows.overlapping import OverlappingWindows
from warptour.model.memory import free_memory, require_memory
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.fallback import in_time
from warptour.search.parameters import number
from warptour.search.search import Search, Tour
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Worker, follow
from warptour.strategies.windows.device_beside import DeviceBeside
from warptour.strategies.windows.device_first import DeviceFirst
from warptour.strategies.windows.device_tours import DeviceTours
from warptour.strategies.windows.disjoint import DisjointWorker
from warptour.strategies.windows.edge_assembly import EdgeAssembly
from warptour.strategies.windows.host_and_device import HostAndDevice
from warptour.strategies.windows.incumbent import Incumbent
from warptour.strategies.windows.individuals import Individuals, SplitIndividuals, WholeIndividuals, is_curved
from warptour.strategies.windows.overlapping import OverlappingWorker
from warptour.strategies.windows.regions import Regions
from warptour.strategies.windows.rounds import Rounds

MIN_DEVICE_CITIES = 50_000
"""Smallest instance for which a GPU pays off; at 18,512 cities 16 host cores did as well."""

MIN_DISJOINT_CITIES = 500_000
"""Smallest instance for disjoint windows on a device, where the host has no population any more."""

HOST_BYTES = 180
"""Memory per city of a search on the CPU, in bytes, besides the coordinates: 177 at three million cities."""

MAX_SHARED_CITIES = 2_000_000
"""Largest instance that a host searches beside disjoint windows: its crossover with the device is serial."""

PREPARATION_SECONDS = 2.5e-6, 0.5e-6
"""Seconds per city until the host has neighbour lists and coordinates: divided among the threads, and not."""

SHARED_BYTES = 320
"""Memory of the host per city that it searches beside disjoint windows: ``HOST_BYTES`` and crossover of two tours."""

MIN_WINDOW_CITIES = 32
"""Smaller instances are never cut into windows."""

MIN_KICKED_CITIES = 8
"""Smallest instance on which a kick changes anything."""

OVERLAPPING_BUILD = BuildOptions(depth=25, log=256, resident=4)
"""Build options of overlapping windows on a device."""

MIN_NURSERY_SECONDS = 30e-6
"""Minimum seconds per city left for a device to make further tours of a large instance."""

MAX_CONFLICT_THREADS = 8
"""Threads that resolve conflicts between overlapping windows; more take longer to wake than they save."""


@dataclass(frozen=True)
class DeviceWindows:
    """Windows on a device, which lie in the shared memory of a group.

    Attributes
    ----------
    window : int
        Number of cities in a window: the maximum for disjoint ones, the target for overlapping ones.
    walk_length : int
        Steps of the random walks that choose the edges of a kick.
    kicks : float
        Kicks per city and round.
    """

    window: int = number(640, 8, 32_000)
    walk_length: int = number(50, 1, 10_000)
    kicks: float = number(0.5, 0.001, 1000)


@dataclass(frozen=True)
class Windows:
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

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, TSP):
            return None
        return "windows is for one tour; vehicle routing needs the strategy routes"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends that can search ``problem``, the best first."""
        if not isinstance(problem, TSP) or not DeviceTour.supports(problem):
            return ("cpu",)
        return ("cuda", "cpu", "opencl") if problem.n >= MIN_DEVICE_CITIES else ("cpu", "cuda", "opencl")

    @in_time
    def run(self, search: Search[TSP]) -> None:
        """Search until over, offering every better tour."""
        if not search.device.is_host and search.problem.n >= MIN_DISJOINT_CITIES:
            with ThreadPool(search.threads) as pool:
                follow(search, self.large_worker(search, pool), lambda tour: tour, lambda tour: tour)
        elif (started := self._start(search)) is not None:
            instance, tour = started
            with ThreadPool(search.threads) as pool:
                follow(search, self.worker(search, instance, tour, pool), instance.leave, instance.enter)

    def _start(self, search: Search[TSP]) -> tuple[Instance, Tour] | None:
        """Return the instance and its first tour, which is offered; None if there is nothing to search, or no time."""
        problem = search.problem
        require_memory(problem.n, HOST_BYTES, problem.name)
        if not self._is_whole(problem):
            return self._start_along_curve(search)
        lists = neighbours(problem, self.nearest, self.quadrant, search.threads, search.hurried)
        if search.over():
            return None
        tour = search.first_tour(self.start or "greedy", lists)
        search.offer(tour)
        if problem.n < MIN_KICKED_CITIES or search.over():
            return None
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        return instance, instance.enter(tour)

    def _start_along_curve(self, search: Search[TSP]) -> tuple[Instance, Tour] | None:
        """Return the same of a large instance, whose cities are renumbered first: near ones are near in memory."""
        problem, threads, over = search.problem, search.threads, search.hurried
        renumbered, order = along_curve(problem, threads)
        lists = neighbours(renumbered, self.nearest, self.quadrant, threads, over)
        if search.over():
            return None
        if (self.start or "greedy") == "greedy" and search.start is None:
            tour = order[start(renumbered, "greedy", candidates=lists, threads=threads, over=over)]
        else:
            tour = search.first_tour(self.start or "greedy")
        search.offer(tour)
        if search.over():
            return None
        instance = Instance.of(problem, lists, order=order, threads=threads, over=over)
        return instance, instance.enter(tour)

    def worker(self, search: Search[TSP], instance: Instance, tour: Tour, pool: ThreadPool) -> Worker:
        """Return the worker for an instance."""
        key = search.key()
        if math.isfinite(search.iterations_left()) and not search.device.is_host:
            rounds = self._rounds(search, instance, tour, pool, key)
            return HostAndDevice(rounds, self.overlapping_worker(search, instance, tour, pool, key), pool)
        incumbent = self._incumbent(search, instance, tour, pool, key)
        host = self._with_population(search, incumbent, pool, key)
        if search.device.is_host:
            return host
        return DeviceBeside(host, incumbent, self.overlapping_worker(search, instance, tour, pool, key), pool)

    def _incumbent(
        self, search: Search[TSP], instance: Instance, tour: Tour, pool: ThreadPool, key: int
    ) -> Regions | Rounds:
        """Return the worker of the host's threads on one tour."""
        if self._is_whole(instance.problem):
            walk_length = self._walk_length(instance.problem)
            return Regions(instance, tour, pool, seed=key, walk_length=walk_length)
        return self._rounds(search, instance, tour, pool, key)

    def _with_population(
        self, search: Search[TSP], incumbent: Regions | Rounds, pool: ThreadPool, key: int
    ) -> EdgeAssembly | Regions | Rounds:
        """Return an incumbent with a population, unless the instance is too large."""
        instance = incumbent.instance
        if instance.nodes >= MIN_DISJOINT_CITIES:
            return incumbent
        return self._edge_assembly(search, instance, incumbent, self._individuals(instance, pool, key), pool, key)

    def large_worker(self, search: Search[TSP], pool: ThreadPool) -> Worker:
        """Return the worker for half a million cities and more on a device; with time enough its host takes part."""
        problem, device = search.problem, self.disjoint_worker(search)
        seconds = problem.n * (PREPARATION_SECONDS[0] / search.threads + PREPARATION_SECONDS[1])
        in_time = math.isinf(search.iterations_left()) and search.seconds_left() > 3 * seconds
        if not in_time or problem.n > MAX_SHARED_CITIES or problem.n * SHARED_BYTES > free_memory():
            return device
        key = search.key()

        def over() -> bool:
            return pool.closed.is_set() or search.hurried()

        def prepare() -> Instance:
            lists = neighbours(problem, self.nearest, self.quadrant, search.threads, over)
            return Instance.of(problem, lists, threads=search.threads, over=over)

        def join(instance: Instance, tour: Tour) -> HostAndDevice:
            host = self._rounds(search, instance, tour, pool, key, gradual=True)
            host.adopt(tour, 0.0)
            in_time = search.seconds_left() > MIN_NURSERY_SECONDS * problem.n
            return HostAndDevice(host, device, pool, self._nursery(search, host, over) if in_time else None)

        return DeviceFirst(device, prepare, join, pool)

    def _nursery(self, search: Search[TSP], host: Rounds, over: Poll) -> DeviceTours:
        """Return what makes further tours on the device."""
        options, instance = self.disjoint, host.instance

        def rounds(tour: Tour) -> Rounds:
            return self._rounds(search, instance, tour, host.pool, host.seed, quiet=True)

        return DeviceTours(
            instance, search.device, size=options.window, walk_length=options.walk_length, effort=options.kicks,
            seed=host.seed, rounds=rounds, over=over,
        )  # fmt: skip

    def disjoint_worker(self, search: Search[TSP]) -> DisjointWorker:
        """Return the worker for half a million cities and more on a device."""
        problem, options, key = search.problem, self.disjoint, search.key()
        given = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour: Tour | None = None
        if given is not None:
            tour = start(problem, given, search.seeds, None, search.threads, search.hurried)
        elif len(problem.fixed_edges):  # windows never lose long edges, so the regions of a tour begin with it
            orders = [start(problem, name, threads=search.threads, over=search.hurried) for name in ("file", "curve")]
            tour = min(orders, key=search.exact_cost)
        engine = DisjointWindows(problem, search.device, tour, size=options.window, seed=key)
        return DisjointWorker(engine, walk_length=options.walk_length, effort=options.kicks)

    def overlapping_worker(
        self, search: Search[TSP], instance: Instance, tour: Tour, pool: ThreadPool, key: int
    ) -> OverlappingWorker:
        """Return the worker for smaller instances on a device."""
        options = self.overlapping
        engine = OverlappingWindows(
            instance, search.device, tour, size=options.window, seed=key,
            pool=pool.beside(min(search.threads, MAX_CONFLICT_THREADS)), ways=OVERLAPPING_BUILD,
        )  # fmt: skip
        return OverlappingWorker(engine, walk_length=options.walk_length, effort=options.kicks)

    def _rounds(
        self, search: Search[TSP], instance: Instance, tour: Tour, pool: ThreadPool, key: int,
        *, gradual: bool = False, quiet: bool = False,
    ) -> Rounds:  # fmt: skip
        return Rounds(
            instance, tour, pool, seed=key, walk_length=self.walk_length, size=self._window(instance.problem),
            effort=self.kicks, parallel_start=True, gradual=gradual, note=None if quiet else search.note,
        )  # fmt: skip

    def _individuals(self, instance: Instance, pool: ThreadPool, key: int) -> Individuals:
        walk_length, size = self._walk_length(instance.problem), self._window(instance.problem)
        if self._is_whole(instance.problem):
            return WholeIndividuals(instance, key, walk_length)
        return SplitIndividuals(instance, seed=key, walk_length=walk_length, size=size, threads=pool.threads)

    def _edge_assembly(
        self, search: Search[TSP], instance: Instance, incumbent: Incumbent, individuals: Individuals,
        pool: ThreadPool, key: int,
    ) -> EdgeAssembly:  # fmt: skip
        effort = self.large_individual_kicks if is_curved(instance.problem) else self.individual_kicks
        optima = [instance.enter(tour) for tour in search.population if not isinstance(tour, list)]
        return EdgeAssembly(incumbent, individuals, pool, seed=key, effort=effort, optima=optima, note=search.note)

    def _is_whole(self, problem: TSP) -> bool:
        return problem.n < max(self.whole, MIN_WINDOW_CITIES) or problem.matrix is not None

    def _window(self, problem: TSP) -> int:
        return min(self.window, problem.n // 2)

    def _walk_length(self, problem: TSP) -> int:
        # wider kicks measured slightly better on instances searched as one window
        return self.walk_length * 3 // 2 if self._is_whole(problem) else self.walk_length
