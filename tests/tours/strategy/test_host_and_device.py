"""A device and its host on one tour, here both the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Until
from random_cities import cities
from warptour.candidates import neighbours
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations, Stop
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, follow
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.starts.start import start
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.host_and_device import HostAndDevice
from warptour.tours.strategy.overlapping import OverlappingWorker, layout
from warptour.tours.strategy.rounds import Rounds


@pytest.fixture
def problem() -> TSP:
    return cities(900, seed=1, side=10_000)


def run(problem: TSP, stop: Stop | None = None, seed: int = 1) -> tuple[Search[TSP], HostAndDevice]:
    """Follow the pair until ``stop``, without one until device and host have both made rounds."""
    both = Until(lambda: pair.device.rounds > 0 and pair.host.round > 1)
    search = Search(problem, stop or both, seed=seed, threads=2)
    lists = neighbours(problem, 7, 1)
    first = start(problem, "greedy", search.seeds, lists, 1)
    search.offer(first)
    with ThreadPool(2) as pool:
        instance = Instance.of(problem, lists)
        tour = instance.enter(first)
        host = Rounds(instance, tour, pool, seed=seed, walk_length=50, size=300, effort=1.0, parallel_start=True)
        engine = OverlappingWindows(instance, Cpu(2), tour, size=200, seed=seed, pool=pool.beside(1))
        pair = HostAndDevice(host, OverlappingWorker(engine, DeviceWindows(walk_length=30)), pool)
        follow(search, pair, instance.leave)
        assert problem.cost(instance.leave(pair.best())) == search.cost
    return search, pair


def length(pair: HostAndDevice) -> float:
    return pair.instance.length(pair.best())


def test_a_number_of_kicks_gives_one_tour_whatever_the_clock_says(problem: TSP) -> None:
    (one, pair), (two, _) = run(problem, Iterations(3000)), run(problem, Iterations(3000))
    assert isinstance(one.best, np.ndarray) and isinstance(two.best, np.ndarray)
    assert one.best.tolist() == two.best.tolist()
    assert pair.iterations == one.iterations == 3000 and pair.host.iterations == 0
    assert sorted(one.best.tolist()) == list(range(900))


def test_gains_add_up_to_the_tour_that_is_reported(problem: TSP) -> None:
    lists = neighbours(problem, 7, 1)
    first = problem.cost(start(problem, "greedy", np.random.SeedSequence(1), lists, 1))
    search, pair = run(problem, Iterations(2000))
    assert search.cost == first - pair.gain


def test_without_a_limit_on_kicks_device_and_host_both_work(problem: TSP) -> None:
    lists = neighbours(problem, 7, 1)
    first = problem.cost(start(problem, "greedy", np.random.SeedSequence(1), lists, 1))
    search, pair = run(problem)
    assert pair.device.rounds > 0 and pair.host.round > 1
    assert isinstance(search.best, np.ndarray)
    assert sorted(search.best.tolist()) == list(range(900))
    assert search.cost == first - pair.gain
    assert (pair.device.best() == pair.best()).all(), "both continue from the same tour"


def test_an_adopted_tour_is_where_both_continue(problem: TSP) -> None:
    first, pair = run(problem, Iterations(500))
    shorter, _ = run(problem, Iterations(5000))
    assert isinstance(shorter.best, np.ndarray) and shorter.cost is not None and first.cost is not None
    before = pair.gain
    pair.adopt(pair.instance.enter(shorter.best), float(first.cost - shorter.cost))
    assert length(pair) == shorter.cost
    assert pair.gain - before == first.cost - shorter.cost
    pair.advance(Budget(100))
    assert length(pair) <= shorter.cost
    assert length(pair) == shorter.cost - (pair.gain - before - (first.cost - shorter.cost))


class Failing:
    """A device that fails in its second round."""

    iterations = evaluations = rounds = 0
    gain = rate = 0.0

    def adopt(self, tour: np.ndarray, gain: float) -> None:
        pass

    def advance(self, budget: Budget) -> None:
        self.rounds += 1
        if self.rounds == 2:
            raise DeviceError("cuda:0 failed")

    def best(self) -> np.ndarray:
        raise AssertionError


def test_a_device_that_fails_ends_the_round_of_the_host_which_is_kept(problem: TSP) -> None:
    search = Search(problem, Until(lambda: False), threads=2)
    lists = neighbours(problem, 7, 1)
    instance = Instance.of(problem, lists)
    first = start(problem, "greedy", search.seeds, lists, 1)
    search.offer(first)
    with ThreadPool(2) as pool:
        host = Rounds(instance, instance.enter(first), pool, seed=1, walk_length=50, size=300, effort=1000.0)
        pair = HostAndDevice(host, Failing(), pool)
        with pytest.raises(DeviceError):
            follow(search, pair, instance.leave)
        assert search.cost == instance.length(host.best()) < problem.cost(first)


@pytest.mark.parametrize("n", [8, 9, 15, 40])
def test_few_cities_and_many_threads_have_a_window(n: int) -> None:
    small = cities(n, seed=2)
    instance = Instance.of(small)
    with ThreadPool(8) as pool:
        host = Rounds(
            instance, instance.enter(start(small, "random", 0)), pool, seed=1, walk_length=10, size=4, effort=0.001
        )
        for _ in range(3):
            host.advance(Budget())
    assert host.iterations == 2, "one kick a round at least"


@pytest.mark.parametrize("n", [8, 1000, 4461, 18_512, 85_900, 249_999])
@pytest.mark.parametrize("at_once", [1, 2, 528, 1188])
def test_windows_fill_the_device_a_whole_number_of_times(n: int, at_once: int) -> None:
    windows, rows = layout(n, at_once, 640)
    assert windows % at_once == 0 or windows == n // 4
    assert rows % 2 == 1 and rows >= 3
