"""A device that adds to the search of its host, here both the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Until
from random_cities import cities
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, follow
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy.device_beside import DeviceBeside
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.host_and_device import HostAndDevice
from warptour.tours.strategy.start import SharedTask
from warptour.tours.strategy.windows import Windows

SMALL = Windows(window=200, whole=300, overlapping=DeviceWindows(200, kicks=0.1))


class NotHost(Cpu):
    """The CPU as if it were a device beside it."""

    is_host = False


def beside(search: Search[TSP], pool: ThreadPool) -> tuple[DeviceBeside, Instance, Ints]:
    started = SMALL._start(search)
    assert started is not None
    worker = SMALL.worker(SharedTask(search, *started, pool))
    assert isinstance(worker, DeviceBeside)
    return worker, *started


def test_a_host_takes_what_the_device_hands_in() -> None:
    problem = cities(4000, side=10_000)
    taken: list[float] = []
    search = Search(problem, Until(lambda: len(taken) > 0), device=NotHost(1), threads=2, seed=1)
    with ThreadPool(2) as pool:
        worker, instance, tour = beside(search, pool)
        plain = worker.host.adopt

        def adopt(tour: Ints, gain: float) -> None:
            taken.append(gain)
            plain(tour, gain)

        worker.host.adopt = adopt  # type: ignore[method-assign]
        follow(search, worker, instance.leave, instance.enter)
        assert worker.device.iterations > 0 and worker.host.iterations > 0
        assert instance.length(tour) - instance.length(worker.best()) == worker.gain
    assert min(taken) > 0
    assert isinstance(search.best, np.ndarray) and problem.cost(search.best) == search.cost


def test_with_a_limit_on_kicks_no_clock_decides() -> None:
    tours = []
    for _ in range(2):
        search = Search(cities(1200, side=10_000), Iterations(2000), device=NotHost(1), threads=2, seed=1)
        SMALL.run(search)
        assert search.iterations == 2000
        tours.append(search.best)
    assert (tours[0] == tours[1]).all()
    with ThreadPool(1) as pool:
        search = Search(cities(1200), Iterations(1), device=NotHost(1), threads=1, seed=1)
        started = SMALL._start(search)
        assert started is not None
        assert isinstance(SMALL.worker(SharedTask(search, *started, pool)), HostAndDevice)


def test_a_device_that_fails_ends_the_search_with_the_tour_of_the_host() -> None:
    class Failing:
        iterations = evaluations = 0
        gain = rate = 0.0

        def adopt(self, tour: Ints, gain: float) -> None:
            pass

        def advance(self, budget: Budget) -> None:
            raise DeviceError("cuda:0 failed")

    problem = cities(1200, side=10_000)
    search = Search(problem, Until(lambda: False), device=NotHost(1), threads=2, seed=1)
    with ThreadPool(2) as pool:
        worker, instance, tour = beside(search, pool)
        worker.device = Failing()  # type: ignore[assignment]
        with pytest.raises(DeviceError):
            follow(search, worker, instance.leave, instance.enter)
    assert search.cost is not None and search.cost < problem.cost(instance.leave(tour))
