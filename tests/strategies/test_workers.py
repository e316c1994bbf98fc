"""Every worker keeps the same contract: it improves a solution, counts, tells its gain, and adopts another solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from random_cities import cities
from warptour.devices.cpu import Cpu
from warptour.io.generate import generate
from warptour.model.vehicles import VRP
from warptour.papers.ermis.strategy.vns.scans import ScanShaker
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.rocki.strategy.chains import KickChains
from warptour.papers.rocki.strategy.scans import ResidentChains, ScanChain
from warptour.papers.rocki.strategy.sections import Sections
from warptour.papers.scans.full import full_scans
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import Ruin
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.hybrid_genetic import RoutePopulation
from warptour.routes.strategy.route_groups import RouteGroups
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, Worker
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.starts.start import start
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.edge_assembly import EdgeAssembly
from warptour.tours.strategy.host_and_device import HostAndDevice
from warptour.tours.strategy.individuals import WholeIndividual, WholeIndividuals
from warptour.tours.strategy.overlapping import OverlappingWorker
from warptour.tours.strategy.regions import Regions
from warptour.tours.strategy.rounds import Rounds

CITIES = cities(400, side=10_000)
INSTANCE = Instance.of(CITIES, nearest=7)
GREEDY = start(CITIES, "greedy", 0)
TOUR = INSTANCE.enter(GREEDY)
KICKS: dict[str, Any] = {"seed": 1, "slack": -1.0, "segment": 30, "exchange": 50}
STOPS = generate("vrp", 120, 1)
assert isinstance(STOPS, VRP)
ROUTES = RouteInstance.of(STOPS, 20)
GIANT = ROUTES.enter(savings(STOPS))

Made = tuple[Worker, Callable[[np.ndarray], float]]


def overlapping(pool: ThreadPool) -> OverlappingWorker:
    engine = OverlappingWindows(INSTANCE, Cpu(2), TOUR, size=100, seed=1, pool=pool.beside(1))
    return OverlappingWorker(engine, DeviceWindows(walk_length=20))


def rounds(pool: ThreadPool, *, parallel_start: bool = False) -> Rounds:
    options: dict[str, Any] = {"walk_length": 30, "size": 100, "effort": 0.5, "parallel_start": parallel_start}
    return Rounds(INSTANCE, TOUR, pool, seed=1, **options)


def plan(pool: ThreadPool) -> Plan:
    search = Search(STOPS, Iterations(10**6))
    return Plan(ROUTES, pool, Cooling(search, 1.0, 0.1), Ruin(), 1, 1e5, 10.0, 40, 2)


ON_INSTANCE: dict[str, Callable[[ThreadPool], Worker]] = {
    "rounds": rounds,
    "rounds after a parallel start": lambda pool: rounds(pool, parallel_start=True),
    "regions": lambda pool: Regions(INSTANCE, TOUR, pool, seed=1, walk_length=30),
    "whole individual": lambda pool: WholeIndividual(INSTANCE, TOUR, seed=1, walk_length=30),
    "edge assembly": lambda pool: EdgeAssembly(
        Regions(INSTANCE, TOUR, pool, seed=1, walk_length=30), WholeIndividuals(INSTANCE, 1, 30), pool,
        seed=1, effort=0.2,
    ),
    "overlapping windows": overlapping,
    "host and device": lambda pool: HostAndDevice(rounds(pool), overlapping(pool), pool),
    "kick chains": lambda pool: KickChains(INSTANCE, TOUR, pool, **KICKS),
    "sections": lambda pool: Sections(INSTANCE, TOUR, pool, **KICKS),
    "shakers": lambda pool: VariableNeighborhoodSearch(exchange=1).shakers(INSTANCE, GREEDY, Cpu(2), 1, 2),
}  # fmt: skip
ON_PROBLEM: dict[str, Callable[[ThreadPool], Worker]] = {
    "disjoint windows": lambda pool: DisjointWorker(
        DisjointWindows(CITIES, Cpu(2), GREEDY, size=100, seed=1), DeviceWindows(walk_length=20)
    ),
    "resident chains": lambda pool: ResidentChains(
        CITIES, Cpu(2), GREEDY, chains=4, seed=1, segment=30, exchange=20
    ),
    "scan chain": lambda pool: ScanChain(
        TwoOptEngine(CITIES, Cpu(2)), GREEDY, rng=np.random.default_rng(1), segment=30
    ),
    "scan shaker": lambda pool: ScanShaker(
        CITIES, GREEDY, full_scans(CITIES, Cpu(2), ["2-opt"]), rng=np.random.default_rng(1), segment=30
    ),
}  # fmt: skip
ON_ROUTES: dict[str, Callable[[ThreadPool], Worker]] = {
    "common annealing": lambda pool: CommonAnnealing(plan(pool), GIANT, 2),
    "route groups": lambda pool: RouteGroups(plan(pool), GIANT),
    "route population": lambda pool: RoutePopulation(ROUTES, pool, 1, GIANT),
}


@pytest.fixture(params=[*ON_INSTANCE, *ON_PROBLEM, *ON_ROUTES])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[], Made]]:
    """Makes the worker, and the function that measures its solutions."""
    name = request.param
    factories = [(ON_INSTANCE, INSTANCE.length), (ON_PROBLEM, CITIES.cost), (ON_ROUTES, ROUTES.cost)]
    factory, cost = next((table[name], cost) for table, cost in factories if name in table)
    with ThreadPool(2) as pool:
        yield lambda: (factory(pool), cost)


def advanced(worker: Worker, steps: int) -> Worker:
    """Do steps that have some iterations, a few thousand in all at most."""
    for _ in range(200):
        if steps <= 0:
            break
        before = worker.iterations
        worker.advance(Budget(2000))
        steps -= worker.iterations > before
    assert steps <= 0
    return worker


def test_the_gain_is_the_difference_of_the_costs(make: Callable[[], Made]) -> None:
    worker, cost = make()
    first = cost(worker.best()) + worker.gain
    advanced(worker, 3)
    assert worker.gain > 0 and worker.iterations > 0 and worker.rate > 0
    assert first - cost(worker.best()) == pytest.approx(worker.gain, abs=1e-6)


@pytest.mark.parametrize("steps", [0, 2], ids=["at first", "later"])
def test_it_continues_from_the_solution_that_it_adopts(make: Callable[[], Made], steps: int) -> None:
    one, cost = make()
    better = advanced(one, 5).best().copy()
    other = advanced(make()[0], steps)
    first = cost(other.best()) + other.gain
    other.adopt(better, cost(other.best()) - cost(better))
    assert cost(other.best()) == pytest.approx(first - other.gain)
    assert cost(other.best()) <= cost(better) + 1e-6
    advanced(other, 2)
    assert cost(other.best()) <= cost(better) + 1e-6
    assert first - cost(other.best()) == pytest.approx(other.gain, abs=1e-6)


def test_a_better_solution_of_another_search_is_where_it_continues(make: Callable[[], Made]) -> None:
    worker, cost = make()
    before = cost(advanced(worker, 1).best())
    first, other = before + worker.gain, make()[0]
    for _ in range(100):
        if cost(other.best()) >= before:
            advanced(other, 1)
    better = other.best().copy()
    assert cost(better) < before
    worker.welcome(better, before - cost(better))
    assert cost(worker.best()) <= cost(better) + 1e-6
    assert first - cost(worker.best()) == pytest.approx(worker.gain, abs=1e-6)


def test_a_worse_solution_of_another_search_costs_nothing(make: Callable[[], Made]) -> None:
    worker, cost = make()
    worse = worker.best().copy()
    before = cost(advanced(worker, 3).best())
    worker.welcome(worse, before - cost(worse))
    assert cost(worker.best()) <= before + 1e-6
    advanced(worker, 1)
    assert cost(worker.best()) <= before + 1e-6


def test_a_budget_of_iterations_is_kept(make: Callable[[], Made]) -> None:
    worker, _ = make()
    while worker.iterations < 500:
        worker.advance(Budget(500 - worker.iterations))
    assert worker.iterations == 500
