"""Tours that a device makes beside its host, here on the CPU."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from clocks import Until
from random_cities import cities
from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, follow
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy import device_tours, host_and_device, windows
from warptour.tours.strategy.device_first import DeviceFirst
from warptour.tours.strategy.device_tours import DeviceTours
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.generations import offspring
from warptour.tours.strategy.host_and_device import HostAndDevice
from warptour.tours.strategy.start import SharedTask
from warptour.tours.strategy.windows import Windows

SMALL = Windows(window=200, whole=300, disjoint=DeviceWindows(200), overlapping=DeviceWindows(200, kicks=0.1))
FIXED = np.array([[k, k + 1] for k in range(0, 60, 2)])


class NotHost(Cpu):
    """The CPU as if it were a device beside it."""

    is_host = False


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_tours, "KICKS", 0.5)
    monkeypatch.setattr(windows, "MIN_NURSERY_SECONDS", 0.0)
    monkeypatch.setattr(windows, "NURSERY_TOURS", 3)


def tours_of(instance: Instance, over: Poll | None = None) -> list[Ints]:
    """Return the tours that are made, three unless ``over()``."""

    def disjoint(problem: TSP, tour: Ints, seed: int) -> DisjointWorker:
        engine = DisjointWindows(problem, Cpu(1), tour, size=200, seed=seed)
        return DisjointWorker(engine, DeviceWindows(walk_length=30))

    with ThreadPool(2) as pool:
        maker = DeviceTours(instance, [disjoint], pool, seed=1, numbers=range(3), over=over)
        found = maker.collect(1)
        while not maker.ended:
            time.sleep(0.001)
        return found + maker.collect(0)


def test_paths_are_exchanged_in_a_tour_of_the_device() -> None:
    problem = cities(600, side=10_000)
    instance, tours = made(problem)
    with ThreadPool(1) as pool:
        task = SharedTask(Search(problem, Iterations(1000), threads=1, seed=1), instance, tours[0], pool)
        exchanged = SMALL._exchanged(task, tours[0], lambda: False)
    assert instance.length(exchanged) < instance.length(tours[0])


def made(problem: TSP) -> tuple[Instance, list[Ints]]:
    instance = Instance.of(problem)
    return instance, tours_of(instance)


@pytest.mark.parametrize("options", [{}, {"fixed_edges": FIXED}], ids=["", "fixed edges"])
def test_tours_are_good_and_differ(options: dict[str, object]) -> None:
    problem = cities(600, side=10_000, **options)
    instance, tours = made(problem)
    assert len(tours) == 3
    for tour in tours:
        assert problem.check(instance.leave(tour)).violations == ()
        assert options or instance.length(tour) < 0.8 * 10_000 * np.sqrt(600)  # optimal ones are at 0.74
    assert len({instance.length(tour) for tour in tours}) == 3


def test_the_seed_decides_the_tours() -> None:
    problem = cities(600, side=10_000)
    (_, one), (_, two) = (made(problem) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))


def test_tours_that_are_not_finished_in_time_are_left_out() -> None:
    instance = Instance.of(cities(600))
    calls = iter([False, False])
    assert tours_of(instance, lambda: next(calls, True)) == []


def watched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of tours that the runs to come have bred."""
    bred: list[int] = []

    def crossed(instance: Instance, tours: list[Ints], pool: ThreadPool, **options: Any) -> tuple[Ints, float]:
        if "generations" not in options:
            bred.append(len(tours))
        return offspring(instance, tours, pool, **options)

    monkeypatch.setattr(host_and_device, "offspring", crossed)
    return bred


def test_a_host_joins_a_device_on_a_large_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MIN_DISJOINT_CITIES", 1000)
    problem = cities(1200, side=10_000, fixed_edges=FIXED)
    bred = watched(monkeypatch)
    search = Search(problem, Until(lambda: bool(bred)), device=NotHost(1), threads=2, seed=1)
    with ThreadPool(2) as pool:
        worker = SMALL.large_worker(search, pool)
        assert isinstance(worker, DeviceFirst)
        follow(search, worker, lambda tour: tour, lambda tour: tour)
        assert problem.check(worker.best()).violations == ()
        assert problem.cost(worker.best()) == search.cost
    assert bred == [4]


def test_without_time_for_its_host_a_device_searches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MIN_DISJOINT_CITIES", 1000)
    with ThreadPool(2) as pool:
        search = Search(cities(1200), Seconds(1e-9), device=NotHost(1), threads=2, seed=1)
        assert isinstance(SMALL.large_worker(search, pool), DisjointWorker)


def test_a_host_that_is_not_ready_in_time_does_not_join(monkeypatch: pytest.MonkeyPatch) -> None:
    def unfinished() -> Instance:
        raise Unfinished

    def join(instance: Instance, tour: Ints) -> HostAndDevice:
        raise AssertionError

    problem = cities(600, side=10_000)
    engine = DisjointWindows(problem, Cpu(1), size=200, seed=1)
    with ThreadPool(2) as pool:
        worker = DeviceFirst(DisjointWorker(engine, DeviceWindows(walk_length=30)), unfinished, join, pool)
        while worker.iterations < 1000:
            worker.advance(Budget(500))
        assert problem.check(worker.best()).violations == ()
