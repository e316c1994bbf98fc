"""Windows that overlap, on every device present: one tour, what they say they won, the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from device_windows import LIBRARY, points_of
from warptour.candidates import neighbours
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.search.threads import ThreadPool
from warptour.tours.engine.device_tour import BuildOptions, Cut
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.starts.start import start
from warptour.tours.strategy.overlapping import OVERLAPPING_BUILD


def greedy(problem: TSP) -> np.ndarray:
    return start(problem, "greedy", np.random.SeedSequence(1), None, 1)


def engine_of(
    problem: TSP, device: Device, tour: np.ndarray, *, size: int, seed: int = 1, ways: BuildOptions = LIBRARY
) -> OverlappingWindows:
    """Return an engine on one thread for a tour in the problem's numbering."""
    instance = Instance.of(problem, neighbours(problem, 7, 1))
    inner = instance.enter(tour)
    return OverlappingWindows(instance, device, inner, size=size, seed=seed, pool=ThreadPool(1), ways=ways)


def tour_of(engine: OverlappingWindows) -> np.ndarray:
    """Return the tour in the problem's numbering."""
    return Instance.of(engine.problem).leave(engine.fetch())


def refined(
    problem: TSP, device: Device, *, size: int = 90, windows: int = 24, ways: BuildOptions = LIBRARY
) -> np.ndarray:
    """Search a few rounds, in float64 unless told otherwise; return the tour."""
    engine = engine_of(problem, device, greedy(problem), size=size, seed=5, ways=ways)
    assert engine.real is (np.float64 if ways is LIBRARY else np.float32)
    first, won = problem.cost(tour_of(engine)), 0.0
    for number in range(4):
        engine.begin(Cut(4, windows // 4, 0.4 + number), rows=3)
        engine.search(0, engine.cut.windows, problem.n, 20)
        more = engine.join()
        won += more.gain
        assert more.kicks == problem.n
    tour = tour_of(engine)
    assert won >= 0
    assert first - problem.cost(tour) == pytest.approx(won, abs=1e-9 * max(1.0, first))
    return tour


@pytest.mark.long_on_opencl("CEIL_2D", "EUCLIDEAN")
@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D", "EUCLIDEAN"])
def test_windows_that_overlap_keep_one_tour_and_win_what_they_say(device: Device, kind: str, metric: str) -> None:
    problem = TSP("cities", METRICS[metric], points_of(kind, 300))
    assert sorted(refined(problem, device).tolist()) == list(range(300))


@pytest.mark.parametrize("n", [24, 33, 700])
def test_all_devices_find_the_same_tours(accelerator: Device, n: int) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", n))
    expected = refined(problem, Cpu(2), size=200)
    assert refined(problem, accelerator, size=200).tolist() == expected.tolist()


def test_a_window_that_has_looked_at_enough_cities_ends(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 300))
    engine = engine_of(problem, device, greedy(problem), size=90)
    engine.begin(Cut(4, 6, 1.0), rows=3)
    engine.search(0, 24, 2400, 20, evaluations=50)
    assert engine.join().kicks < 600


def test_without_kicks_nothing_changes(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 300))
    tour = np.random.default_rng(1).permutation(300).astype(np.int32)
    engine = engine_of(problem, device, tour, size=90)
    engine.begin(Cut(4, 6, 1.0), rows=3)
    engine.search(0, 24, 0, 10)
    won = engine.join()
    assert (won.gain, won.kicks, won.evaluations) == (0.0, 0, 0)
    assert tour_of(engine).tolist() == tour.tolist()


def test_one_window_over_all_cities_is_taken_whole(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 200))
    engine = engine_of(problem, device, greedy(problem), size=200)
    engine.begin(Cut(1, 1, 1.0), rows=1)
    engine.search(0, 1, 500, 20)
    assert 0 < engine.join().gain == problem.cost(greedy(problem)) - problem.cost(tour_of(engine))


def test_another_tour_is_where_it_continues(device: Device) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of("uniform", 200))
    engine = engine_of(problem, device, np.arange(200, dtype=np.int32), size=90)
    engine.restart(Instance.of(problem).enter(greedy(problem)))
    assert tour_of(engine).tolist() == greedy(problem).tolist()
    engine.begin(Cut(4, 6, 1.0), rows=3)
    engine.search(0, 24, 100, 20)
    gain = engine.join().gain
    assert problem.cost(tour_of(engine)) == problem.cost(greedy(problem)) - gain


@pytest.mark.long_on_opencl("EUCLIDEAN")
@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN"])
def test_the_build_of_a_gpu_keeps_one_tour_and_wins_what_it_says(gpu: Device, kind: str, metric: str) -> None:
    problem = TSP("cities", METRICS[metric], points_of(kind, 700))
    assert sorted(refined(problem, gpu, size=200, ways=OVERLAPPING_BUILD).tolist()) == list(range(700))


def test_fixed_edges_are_kept(device: Device) -> None:
    pairs = [[k, k + 1] for k in range(0, 200, 5)]
    chain = [[k, k + 1] for k in range(300, 320)]
    edges = np.array([*pairs, *chain, [599, 598]])
    problem = TSP("fixed", METRICS["EUC_2D"], points_of("uniform", 600), fixed_edges=edges)
    tour = refined(problem, device)
    assert problem.violations(tour) == []
    assert problem.cost(tour) < problem.cost(greedy(problem))


def test_fixed_edges_cost_no_device_its_tour(accelerator: Device) -> None:
    edges = np.array([[k, k + 1] for k in range(0, 200, 2)])
    problem = TSP("fixed", METRICS["EUC_2D"], points_of("uniform", 500), fixed_edges=edges)
    expected = refined(problem, Cpu(2), size=200)
    assert refined(problem, accelerator, size=200).tolist() == expected.tolist()
