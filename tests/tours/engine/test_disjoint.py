"""Rounds of windows on every device present: one tour, what they say they won, the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from device_windows import LIBRARY, points_of
from warptour.devices import Device, DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.engine.device_tour import BuildOptions, Cut
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.starts.start import start as construct
from warptour.tours.strategy.windows import Windows

FLOAT32_ERROR = 1e-5
"""Of a tour's length: how far the gains that float32 windows report may be from the exact ones."""


def refined(
    problem: TSP, device: Device, *, size: int, kicks: int, rounds: int = 3, ways: BuildOptions | None = LIBRARY
) -> tuple[np.ndarray, float, int]:
    """Search a few rounds, in float64 unless told otherwise; return the tour, what was won, and the kicks."""
    engine = DisjointWindows(problem, device, size=size, seed=5, ways=ways)
    assert engine.real is (np.float64 if ways is LIBRARY else np.float32)
    first = problem.cost(engine.fetch())
    rng = np.random.default_rng(3)
    won, done = 0.0, 0
    for _ in range(rounds):
        cut = Cut.of(-(-problem.n // size), rng.uniform(0, 6))
        engine.begin(cut)
        engine.search(0, cut.windows, kicks, 30)
        more = engine.join(int(rng.integers(problem.n)))
        won, done = won + more.gain, done + more.kicks
    tour = engine.fetch()
    error = 1e-9 if ways is LIBRARY else FLOAT32_ERROR
    assert first - problem.cost(tour) == pytest.approx(won, abs=error * max(1.0, first))
    return tour, won, done


@pytest.mark.long_on_opencl("CEIL_2D", "EUCLIDEAN")
@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D", "EUCLIDEAN"])
def test_rounds_keep_one_tour_and_win_what_they_say(device: Device, kind: str, metric: str) -> None:
    problem = TSP("cities", METRICS[metric], points_of(kind, 300))
    tour, won, kicks = refined(problem, device, size=90, kicks=50, rounds=2)
    assert sorted(tour.tolist()) == list(range(300))
    assert won >= 0 and kicks == 100


@pytest.mark.parametrize("n", [8, 9, 33, 700])
def test_all_devices_find_the_same_tours(accelerator: Device, n: int) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", n))
    expected, _, _ = refined(problem, Cpu(2), size=200, kicks=n // 2)
    tour, _, _ = refined(problem, accelerator, size=200, kicks=n // 2)
    assert tour.tolist() == expected.tolist()


def test_windows_that_are_left_alone_keep_their_tour(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 500))
    start = np.random.default_rng(1).permutation(500).astype(np.int32)
    engine = DisjointWindows(problem, device, start, size=100, seed=1, ways=LIBRARY)
    engine.begin(Cut.of(5, 1.0))
    engine.search(0, engine.cut.windows, -1, 10)
    won = engine.join(turn=13)
    assert (won.gain, won.kicks, won.evaluations) == (0.0, 0, 0)
    assert np.roll(engine.fetch(), -13).tolist() == start.tolist()


def test_a_round_in_parts_is_the_same_round(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 600))
    tours = []
    for parts in (1, 3):
        engine = DisjointWindows(problem, device, size=100, seed=2, ways=LIBRARY)
        engine.begin(Cut.of(6, 0.5))
        for part in range(parts):
            first = engine.cut.windows * part // parts
            engine.search(first, engine.cut.windows * (part + 1) // parts - first, 120, 20)
        engine.join()
        tours.append(engine.fetch().tolist())
    assert tours[0] == tours[1]


@pytest.mark.long_on_opencl("CEIL_2D", "EUCLIDEAN")
@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D", "EUCLIDEAN"])
def test_the_build_of_a_gpu_keeps_one_tour_and_wins_about_what_it_says(gpu: Device, kind: str, metric: str) -> None:
    problem = TSP("cities", METRICS[metric], points_of(kind, 700))
    tour, won, kicks = refined(problem, gpu, size=200, kicks=350, ways=None)
    assert sorted(tour.tolist()) == list(range(700))
    assert won >= 0 and kicks == 3 * 350


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_a_far_origin_does_not_blind_the_build_of_a_gpu(gpu: Device, offset: float) -> None:
    points = np.random.default_rng(1).integers(0, 10_000, (2000, 2)).astype(float)
    near, far = (TSP("cities", METRICS["EUC_2D"], points + shift) for shift in (0.0, offset))
    costs = [
        problem.cost(refined(problem, gpu, size=Windows().disjoint.window, kicks=500, ways=None)[0])
        for problem in (near, far)
    ]
    assert costs[0] == pytest.approx(costs[1], rel=0.01)


def test_another_tour_is_where_it_continues(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 300))
    engine = DisjointWindows(problem, device, size=100, seed=1, ways=LIBRARY)
    tour = np.random.default_rng(1).permutation(300).astype(np.int32)
    engine.restart(tour)
    assert engine.fetch().tolist() == tour.tolist()


def fixed_problem(n: int) -> TSP:
    """Pairs, a chain, and an edge across the ends of the file's order."""
    pairs = [[k, k + 1] for k in range(0, n // 3, 5)]
    chain = [[k, k + 1] for k in range(n // 2, n // 2 + 20)]
    edges = np.array([*pairs, *chain, [n - 1, n - 2]])
    return TSP("fixed", METRICS["EUC_2D"], points_of("uniform", n), fixed_edges=edges)


@pytest.mark.long_on_opencl("own")
@pytest.mark.parametrize("ways", [LIBRARY, BuildOptions()], ids=["float64", "own"])
def test_fixed_edges_are_kept(device: Device, ways: BuildOptions) -> None:
    problem = fixed_problem(900)
    start = construct(problem, "curve")
    engine = DisjointWindows(problem, device, start, size=120, seed=2, ways=ways)
    rng = np.random.default_rng(3)
    for number in range(4):
        if number == 2:
            engine.restart(engine.fetch()[::-1].copy())
        engine.begin(Cut.of(8, rng.uniform(0, 6)))
        engine.search(0, engine.cut.windows, 900, 30)
        assert engine.join(int(rng.integers(900))).kicks == 900
        assert problem.violations(engine.fetch()) == []
    assert problem.cost(engine.fetch()) < problem.cost(start)


def test_fixed_edges_cost_no_device_its_tour(accelerator: Device) -> None:
    problem = fixed_problem(600)
    tours = []
    for device in (Cpu(2), accelerator):
        engine = DisjointWindows(problem, device, construct(problem, "curve"), size=150, seed=2, ways=LIBRARY)
        engine.begin(Cut.of(4, 0.7))
        engine.search(0, engine.cut.windows, 300, 30)
        engine.join()
        tours.append(engine.fetch().tolist())
    assert tours[0] == tours[1]


def test_too_many_cities_for_a_device_are_told_what_would_fit() -> None:
    class Small(Cpu):
        def free_memory(self) -> float:
            return 35_000.0

    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 1000))
    with pytest.raises(DeviceError, match=r"1,000 nodes take .* are free on cpu; 500 would fit"):
        DisjointWindows(problem, Small(1), size=100, seed=1)
