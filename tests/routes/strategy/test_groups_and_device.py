"""Groups of routes on a device and its host, here both the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.devices.cpu import Cpu
from warptour.devices.device import DeviceError
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Note
from warptour.routes.strategy.device_share import (
    WORTHWHILE,
    WORTHWHILE_TOGETHER,
    Speeds,
    expected_speedup,
    group_size,
)
from warptour.routes.strategy.division import cells, quantiles
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop

STRATEGY = RouteImprovement(nearest=15, device_group_size=40, group_size=100, max_genetic_customers=100)


class FakeGpu(Cpu):
    """The CPU in the part of a GPU, and kernels of one lane."""

    is_host = False

    def __init__(self) -> None:
        super().__init__(1)
        self.name = "fake:0"
        self.launches: list[str] = []

    def build(self, name: str, *arguments: object, **options: object):  # type: ignore[no-untyped-def]
        program = super().build(name, *arguments, **options)  # type: ignore[arg-type]
        launch = program.launch
        program.launch = lambda name, *given, **more: (self.launches.append(name), launch(name, *given, **more))[1]  # type: ignore[method-assign, func-returns-value]
        return program


def stops(n: int = 900, metric: str = "EUCLIDEAN", **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = np.r_[0, rng.integers(1, 10, n - 1)]
    return VRP("stops", METRICS[metric], rng.uniform(0, 1000, (n, 2)), demands=demands, capacity=40, **options)


@pytest.fixture
def many_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a device be so fast that a few groups pay."""
    monkeypatch.setattr(Speeds, "of", classmethod(lambda cls, threads, at_once=8: cls(1e-5 / threads, 2e-5, 8)))


def run(problem: VRP, stop: Stop, device: Cpu | None = None, threads: int = 2) -> tuple[Search[VRP], list[str]]:
    notes: list[str] = []

    def heard(event: Event) -> None:
        if isinstance(event, Note):
            notes.append(event.text)

    search = Search(problem, stop, seed=4, threads=threads, device=device, listeners=[heard])
    STRATEGY.run(search)
    return search, notes


@pytest.mark.usefixtures("many_groups")
def test_equal_iterations_give_equal_routes_and_all_of_them_are_made() -> None:
    problem, gpu = stops(max_distance=3000.0), FakeGpu()
    (one, notes), (two, _) = run(problem, Iterations(30_000), gpu), run(problem, Iterations(30_000), FakeGpu())
    assert one.iterations == two.iterations == 30_000
    assert one.cost == two.cost and one.best is not None and two.best is not None
    assert [route.tolist() for route in one.best] == [route.tolist() for route in two.best]
    assert problem.check(list(one.best)).feasible
    assert gpu.launches.count("groups_search") >= 1
    assert any("fake:0 searches groups of" in note for note in notes)


@pytest.mark.usefixtures("many_groups")
@pytest.mark.parametrize("options", [{"vehicles": 140}, {"fixed_cost": 25}])
def test_a_round_is_worth_it_and_keeps_the_vehicles(options: dict[str, int]) -> None:
    problem = stops(metric="EUC_2D", **options)
    search, _ = run(problem, Seconds(0.7), FakeGpu())
    assert search.best is not None
    report = problem.check(list(search.best))
    assert report.feasible and report.cost == search.cost
    first, _ = run(problem, Iterations(1))
    assert first.cost is not None and search.cost is not None and search.cost < first.cost


def test_few_groups_are_left_to_the_host() -> None:
    gpu = FakeGpu()
    search, notes = run(stops(500), Iterations(3000), gpu)
    assert search.device.is_host and search.searched_on == ("cpu",)
    assert not gpu.launches
    assert any("too few for fake:0 beside 2 threads; going on with the CPU" in note for note in notes)
    alone, _ = run(stops(500), Iterations(3000))
    assert alone.cost == search.cost


@pytest.mark.usefixtures("many_groups")
def test_a_device_that_fails_at_first_is_replaced_by_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*given: object, **more: object) -> None:
        raise DeviceError("fake:0: kernel routes_groups does not compile")

    gpu = FakeGpu()
    monkeypatch.setattr(gpu, "build", build)
    search, notes = run(stops(), Iterations(2000), gpu)
    assert search.iterations == 2000 and search.searched_on == ("cpu",)
    assert any("does not compile; going on with the CPU" in note for note in notes)


def test_auto_takes_a_gpu_only_where_groups_are_many() -> None:
    def generated(n: int, capacity: int) -> VRP:
        points = np.random.default_rng(1).uniform(0, 1000, (n, 2))
        return VRP("generated", METRICS["EUC_2D"], points, demands=np.r_[0, np.ones(n - 1)], capacity=capacity)

    assert expected_speedup(generated(5_000, 15), 128, 16) == 1
    assert WORTHWHILE < expected_speedup(generated(30_000, 15), 128, 16) < WORTHWHILE_TOGETHER
    assert expected_speedup(generated(200_000, 15), 128, 16) > WORTHWHILE_TOGETHER
    assert expected_speedup(generated(30_000, 200), 128, 16) == 1
    assert group_size(generated(5_000, 15), 128) == 128 and group_size(generated(5_000, 100), 128) == 800
    assert RouteImprovement().runs_on(stops(metric="ATT")) == ("cpu",)
    assert RouteImprovement().runs_on(stops(50)) == ("cpu",)
    assert RouteImprovement().runs_on(stops(2000))[0] == "cpu"
    assert RouteImprovement().runs_on(generated(10**6, 15)) == ("cuda", "cpu")


def test_host_and_device_take_as_long_as_each_other() -> None:
    speeds = Speeds(1e-6, 50e-6, 100)
    for groups in (60, 100, 150, 1000, 10_000):
        host = speeds.host_share(groups) * groups
        assert host * speeds.host == pytest.approx(speeds.group * speeds.waves(groups - host))
    assert speeds.speedup(40) == 1.0
    speeds.learn(1_000_000, 2.0, 10_000, 100, 0.5)
    assert (speeds.host, speeds.group) == (2e-6, 250e-6)
    speeds.learn(1_000_000, 2.0, 10_000, 100, 0.0)
    assert speeds.group == pytest.approx(190e-6)


def test_cells_hold_equally_many_customers() -> None:
    rng = np.random.default_rng(2)
    centres, sizes = rng.uniform(0, 1, (3000, 2)), rng.integers(5, 20, 3000)
    cell = cells(centres, sizes, 100, 0.7)
    held = np.bincount(cell, sizes)
    assert 90 <= len(held) <= 110 and held.min() > 0.7 * held.mean() and held.max() < 1.3 * held.mean()
    for number in range(len(held)):
        assert np.ptp(centres[cell == number], axis=0).max() < 0.25
    assert quantiles(np.array([3.0, 1.0, 2.0]), np.array([2, 1, 1])).tolist() == [0.75, 0.125, 0.375]
