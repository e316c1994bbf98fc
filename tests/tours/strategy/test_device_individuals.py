"""Individuals that a device makes for the population of its host, here on the CPU."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from clocks import Until
from random_cities import cities
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.devices.device import About
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, follow
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy import device_beside, device_tours
from warptour.tours.strategy.device_beside import DeviceBeside, host_threads
from warptour.tours.strategy.device_tours import DeviceTours, tours_together
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.edge_assembly import EdgeAssembly
from warptour.tours.strategy.start import SharedTask
from warptour.tours.strategy.windows import Windows

PATIENCE_SECONDS = 60
SMALL = Windows(window=200, whole=300, disjoint=DeviceWindows(200), overlapping=DeviceWindows(200, kicks=0.1))


class ApartHost(Cpu):
    """The CPU as if it were a device beside it, with a queue for every thread."""

    is_host = False

    def apart(self) -> ApartHost:  # type: ignore[override]
        return ApartHost(1)

    def about(self) -> About:
        return replace(super().about(), units=10)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_tours, "KICKS", 0.5)


def disjoint(problem: TSP, tour: Ints, seed: int) -> DisjointWorker:
    return DisjointWorker(DisjointWindows(problem, Cpu(1), tour, size=200, seed=seed), DeviceWindows(walk_length=30))


def collected(individuals: DeviceTours, least: int) -> list[Ints]:
    tours: list[Ints] = []
    until = time.monotonic() + PATIENCE_SECONDS
    while len(tours) < least and time.monotonic() < until:
        tours += individuals.collect(1)
        time.sleep(0.001)
    return tours


@pytest.mark.threads
def test_individuals_are_made_while_they_are_wanted() -> None:
    problem = cities(600, side=10_000)
    instance = Instance.of(problem)
    with ThreadPool(2) as pool:
        individuals = DeviceTours(instance, [disjoint] * 2, pool, seed=1)
        assert individuals.collect(0) == []
        tours = collected(individuals, 4)
    assert len(tours) >= 4
    assert all(problem.check(instance.leave(tour)).violations == () for tour in tours)
    assert len({instance.length(tour) for tour in tours}) == len(tours)


def test_a_device_that_fails_is_reported() -> None:
    def failing(problem: TSP, tour: Ints, seed: int) -> DisjointWorker:
        raise DeviceError("cuda:0 failed")

    with ThreadPool(2) as pool:
        individuals = DeviceTours(Instance.of(cities(100)), [failing], pool, seed=1)
        with pytest.raises(DeviceError, match="cuda:0 failed"):
            collected(individuals, 1)


@pytest.mark.threads
def test_a_population_takes_the_individuals_of_the_device() -> None:
    problem = cities(1500, side=10_000)
    populations: list[int] = []
    search = Search(problem, Until(lambda: bool(populations)), device=ApartHost(1), threads=2, seed=1)
    with ThreadPool(2) as pool:
        started = SMALL._start(search)
        assert started is not None
        worker = SMALL.worker(SharedTask(search, *started, pool))
        assert isinstance(worker, DeviceBeside) and isinstance(worker.host, EdgeAssembly)
        host, taken = worker.host, []
        assert host._helper is not None
        collect = host._helper.collect

        def collecting(wanted: int) -> list[Ints]:
            tours = collect(wanted)
            taken.extend(tours)
            if host.population.generations and taken:
                populations.append(len(host.population))
            return tours

        host._helper.collect = collecting  # type: ignore[method-assign]
        follow(search, worker, started[0].leave, started[0].enter)
        assert {tour.tobytes() for tour in host.optima} & {tour.tobytes() for tour in taken}
    assert search.best is not None and problem.cost(search.best) == search.cost


class Supply:
    """Has made some individuals whenever it is asked."""

    def __init__(self, tours: list[Ints]) -> None:
        self.tours = tours
        self.wanted: list[int] = []

    def collect(self, wanted: int) -> list[Ints]:
        self.wanted.append(wanted)
        return self.tours if wanted else []


def on_one_thread() -> EdgeAssembly:
    """Return a host without a device."""
    search = Search(cities(300), Iterations(10**9), threads=1, seed=1)
    started = Windows()._start(search)
    assert started is not None
    worker = Windows().worker(SharedTask(search, *started, ThreadPool(1)))
    assert isinstance(worker, EdgeAssembly)
    return worker


def test_what_the_device_has_made_is_not_made_again() -> None:
    worker = on_one_thread()
    worker._helper = supply = Supply([worker.best()] * 3)
    while not worker.population.generations:
        worker.advance(Budget())
    made = worker._made
    assert made < len(worker.population) == made + 3 * (supply.wanted.index(0))
    assert supply.wanted[0] == 8


def test_no_more_is_crossed_than_there_is_time_for() -> None:
    worker = on_one_thread()
    worker._helper = Supply([worker.best()] * 30)
    worker._planned = 1
    worker.plan.crossed(12, 18.0)
    assert worker._collect(Budget(seconds_left=lambda: 20.0)) == len(worker.optima) == 12
    worker._helper = Supply([])
    worker._planned = 1
    assert worker._collect(Budget()) == 18, "those that were left"


def test_a_core_is_left_to_the_thread_that_drives_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_beside, "usable_cores", lambda: 16)
    problem = cities(100)
    for device, stop, threads, host in (
        (ApartHost(1), Until(lambda: False), 16, 15),
        (ApartHost(1), Until(lambda: False), 8, 8),
        (ApartHost(1), Iterations(9), 16, 16),
        (Cpu(1), Until(lambda: False), 16, 16),
    ):
        assert host_threads(Search(problem, stop, device=device, threads=threads, seed=1)) == host


def test_tours_fill_a_device() -> None:
    search = Search(cities(100), Iterations(1), device=ApartHost(1), threads=1, seed=1)
    assert tours_together(search, 640) == 16
    assert tours_together(search, 10) == 10
    assert tours_together(search, 1) == 1
