"""The rungs of O'Neil and Burtscher (2015) make the moves of the reference, and say where they end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cupy_stub import GPUS, StubCuda
from random_cities import NAMES, cities
from reference_engine import best_two_opt
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import TwoOpt
from warptour.papers.oneil.engine.block_climbers import ClimberLaunch, Intra, Tile, TilePrinted
from warptour.papers.oneil.engine.rungs import ONEIL
from warptour.papers.oneil.engine.thread_climbers import Computed, MatrixInGlobal, MatrixInShared, ThreadClimbers
from warptour.papers.scans.ladder.climber_batch import BEGUN, LOCALLY_OPTIMAL, SCANS, ResidentClimbers
from warptour.papers.scans.tour_scan import fast_error, move_count
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers

RUNGS = {rung.name: rung for rung in ONEIL}
CLASSES = [rung.climbers for rung in ONEIL]
named = pytest.mark.parametrize("rung", ONEIL, ids=lambda rung: rung.name)


def shuffled(count: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(n)
    return np.array([rng.permutation(n) for _ in range(count)], np.int32)


def descended(problem: TSP, tour: np.ndarray) -> np.ndarray:
    """Return the local minimum that best improvement reaches."""
    while (found := best_two_opt(problem, tour))[1] < -0.5:
        tour = TwoOpt().apply(tour, found[0])
    return tour


@cache
def climbed(n: int, side: int) -> tuple[TSP, np.ndarray]:
    """Return a problem and the minima from the first tours of climbers 2, 3 and 4 of seed 4."""
    problem = cities(n, "EUC_2D", seed=1, side=side)
    begun = TwoOptClimbers(problem, Cpu(1), 3, seed=4, first=2)
    begun.climb(0)
    return problem, np.array([descended(problem, tour) for tour in begun.tours()])


def locally_optimal(team: ResidentClimbers, scans: int = 40) -> ResidentClimbers:
    while not team.counters()[:, LOCALLY_OPTIMAL].all():
        team.climb(scans)
    return team


@pytest.mark.sanitize_quick
@named
def test_each_scan_makes_the_move_of_the_reference(device: Device, rung) -> None:
    for n, side in [(5, 500), (6, 3), (7, 500), (8, 2), (9, 4), (10, 500), (11, 3), (12, 500), (41, 5), (64, 500)]:
        problem, tours = cities(n, "EUC_2D", seed=n, side=side), shuffled(3, n)
        team = rung.climbers(problem, device, 3, tours=tours)
        assert (team.tours() == tours).all()
        for made in range(1, 6):
            moves = [best_two_opt(problem, tour) for tour in tours]
            tours = np.array([TwoOpt().apply(t, m) if d < 0 else t for t, (m, d) in zip(tours, moves, strict=True)])
            team.climb(1)
            assert (team.tours() == tours).all(), (n, side, made)
            assert (team.counters()[:, LOCALLY_OPTIMAL] >= [delta >= 0 for _, delta in moves]).all()


@named
@pytest.mark.parametrize(("n", "side"), [(64, 500), (70, 8)])
def test_all_rungs_climb_from_the_same_random_tours_to_the_minima_of_the_reference(
    device: Device, rung, n: int, side: int
) -> None:
    problem, expected = climbed(n, side)
    team = locally_optimal(rung.climbers(problem, device, 3, seed=4, first=2))
    assert (team.tours() == expected).all()
    assert team.lengths() == pytest.approx([problem.cost(tour) for tour in expected])
    assert problem.cost(team.best()) == min(problem.cost(tour) for tour in expected)
    assert team.evaluated() == team.counters()[:, SCANS].sum() * move_count(n)


@pytest.mark.long_on_opencl
@named
def test_without_rounding_moves_are_best_within_the_error_of_float32(device: Device, rung) -> None:
    problem, tours = cities(60, "EUCLIDEAN", seed=3, side=1000), shuffled(3, 60)
    team = rung.climbers(problem, device, 3, tours=tours)
    for _ in range(20):
        before = [problem.cost(tour) for tour in team.tours()]
        best = [best_two_opt(problem, tour)[1] for tour in team.tours()]
        team.climb(1)
        changes = [problem.cost(tour) - cost for tour, cost in zip(team.tours(), before, strict=True)]
        assert changes == pytest.approx(best, abs=fast_error(problem))
    for tour in locally_optimal(team).tours():
        assert best_two_opt(problem, tour)[1] > -2 * fast_error(problem)


@pytest.mark.long_on_opencl
@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_serves_every_metric(device: Device, name: str) -> None:
    problem, tours = cities(30, name, seed=5, side=400), shuffled(2, 30)
    for rung in ONEIL[:3]:
        assert rung.refuses(problem, device) is None
        found = locally_optimal(rung.climbers(problem, device, 2, tours=tours)).tours()
        if problem.metric.integral:
            assert (found == [descended(problem, tour) for tour in tours]).all()
        else:
            assert all(best_two_opt(problem, tour)[1] > -1e-6 * problem.cost(tour) for tour in found)


@named
def test_neither_the_batch_nor_the_length_of_a_call_decides_where_a_climber_ends(device: Device, rung) -> None:
    problem = cities(70, "EUC_2D", seed=0, side=600)
    whole = locally_optimal(rung.climbers(problem, device, 5, seed=1), 1000)
    parts = [locally_optimal(rung.climbers(problem, device, 5 - k, seed=1, first=k), 7) for k in (0, 3)]
    assert (whole.tours() == np.concatenate([parts[0].tours()[:3], parts[1].tours()])).all()
    assert (whole.counters() == np.concatenate([parts[0].counters()[:3], parts[1].counters()])).all()


@pytest.mark.parametrize("climbers", CLASSES, ids=lambda climbers: climbers.__name__)
def test_of_a_crowd_the_first_arrive_first_and_all_arrive(device: Device, climbers: type[ResidentClimbers]) -> None:
    problem = cities(40, "EUC_2D", seed=0, side=600)
    whole = locally_optimal(climbers(problem, device, 9, seed=1))
    team = climbers(problem, device, 9, seed=1)
    assert team.best() is None
    team.busy = 2
    team.climb()
    assert team.best() is not None
    assert team.counters()[:, BEGUN].tolist() == [1] * 2 + [0] * 7
    while len(team._climbing):
        team.climb()
        team.counters()
    assert (team.tours() == whole.tours()).all()


@pytest.mark.parametrize("kind", [Tile, TilePrinted])
@pytest.mark.parametrize("chunk", [1, 2, 7, 64, 69, 70, 200])
def test_a_tour_in_chunks_of_any_size_is_climbed_alike(device: Device, kind: type[Tile], chunk: int) -> None:
    problem, expected = climbed(70, 8)
    launch = replace(ClimberLaunch.ranked(device, 70)[0], chunk=chunk)
    team = locally_optimal(kind(problem, device, 3, seed=4, first=2, launch=launch))
    assert (team.tours() == expected).all()


@pytest.mark.compiles
@pytest.mark.parametrize("climbers", [MatrixInGlobal, Computed], ids=lambda climbers: climbers.__name__)
def test_lanes_hold_interleaved_tours(
    opencl: Device, climbers: type[ThreadClimbers], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, tours = cities(30, "EUC_2D", seed=0, side=400), shuffled(6, 30)
    monkeypatch.setattr(climbers, "lanes_for", classmethod(lambda *_: 4))
    team = locally_optimal(climbers(problem, opencl, 6, tours=tours))
    assert team._cities.shape == (2, 31, 4)
    assert (team.tours() == [descended(problem, tour) for tour in tours]).all()


@pytest.mark.compiles
@pytest.mark.parametrize("name", ["ladder_climb", "ladder_block", "ladder_printed"])
def test_groups_of_several_lanes_compile_for_opencl(opencl: Device, name: str) -> None:
    for special in ("euc", "flat"):
        assert opencl.build(name, special, lanes=64)


@named
def test_cities_in_one_place_and_on_a_line_are_no_trouble(device: Device, rung) -> None:
    for points in (np.zeros((30, 2)), np.arange(60.0).reshape(30, 2)):
        for name in ("EUC_2D", "EUCLIDEAN"):
            problem = TSP("degenerate", METRICS[name], points)
            team = locally_optimal(rung.climbers(problem, device, 2))
            assert all(problem.check(tour).feasible for tour in team.tours())


def cuda(**facts: int) -> StubCuda:
    return StubCuda(replace(GPUS[2], **facts))


def uniform(n: int, metric: str = "EUC_2D") -> TSP:
    return cities(n, metric, seed=0, side=1000)


def test_a_matrix_of_110_cities_fits_into_48_kb() -> None:
    kepler, rung = cuda(local_memory=48 * 1024, shared_memory=48 * 1024), RUNGS["matr_s"]
    assert rung.refuses(uniform(110), kepler) is None and MatrixInShared.local(110) <= 48 * 1024
    assert rung.refuses(uniform(111), kepler) == (
        "matr_s holds a distance matrix of at most 110 cities in 48 KB of shared memory, not of 111: matr_g goes on"
    )
    assert "at most 241 cities in 227 KB" in (rung.refuses(uniform(242), cuda()) or "")
    assert "at most 110 cities" in (rung.refuses(uniform(111), Cpu(1)) or "")


def test_every_limit_names_the_rung_that_goes_on() -> None:
    gpu = cuda()
    for name, n, said in [
        ("matr_g", 16_385, "at most 16,384 cities in 1 GB of global memory, not of 16,385: diagonal and pruned go on"),
        ("matr_g_ro", 16_385, "diagonal and pruned go on"),
        ("calc", 16_385, "calc evaluates rows of at most 16,384 moves, one lane each, not of 16,385"),
        ("intra", 30_000, "which a group scans in 50 ms, not of 30,000: diagonal and pruned go on"),
        ("tile", 30_000, "tile takes tours of at most 16,"),
        ("tuned", 30_000, "tuned takes tours of at most 16,"),
        ("tile_printed", 30_000, "tile_printed takes tours of at most 16,"),
    ]:
        assert said in (RUNGS[name].refuses(uniform(n), gpu) or ""), name
    small = cuda(memory=4 * 2**20)
    assert "at most 512 cities in 0.00098 GB" in (RUNGS["matr_g"].refuses(uniform(600), small) or "")
    assert (RUNGS["matr_g"].refuses(uniform(600), small) or "").endswith("calc goes on")
    assert (RUNGS["calc"].refuses(uniform(100, "GEO"), gpu) or "").endswith("not GEO: matr_g goes on")
    assert all("5 cities or more" in (rung.refuses(uniform(4), gpu) or "") for rung in ONEIL)
    assert all(rung.refuses(uniform(100), device) is None for rung in ONEIL for device in (gpu, Cpu(1)))


def test_a_launch_is_tuned_by_the_occupancy_of_the_device() -> None:
    gpu = cuda()
    assert [ClimberLaunch.ranked(gpu, n)[0] for n in (100, 200, 500, 1000, 2000)] == [
        ClimberLaunch(*launch) for launch in ((32, 100), (32, 200), (32, 500), (64, 1000), (128, 2000))
    ]
    for n in (5, 100, 3000, 14_000, 100_000):
        for device in (gpu, cuda(local_memory=48 * 1024, shared_memory=48 * 1024), Cpu(1)):
            launch = ClimberLaunch.ranked(device, n)[0]
            assert 1 <= launch.chunk <= n
            assert device.lanes == 1 or launch.local + 2048 <= device.about().local_memory
    assert ClimberLaunch.ranked(gpu, 100)[0] != Intra.launch_for(uniform(100), gpu) == ClimberLaunch(1024, 1024)


@pytest.mark.parametrize("climbers", CLASSES, ids=lambda climbers: climbers.__name__)
def test_a_crowd_fills_the_device_and_fits_its_memory(climbers: type) -> None:
    gpu, problem = cuda(), uniform(100)
    wanted = climbers.crowd(problem, gpu)
    assert wanted % gpu.about().units == 0 and wanted >= 64 * gpu.about().units
    assert climbers.crowd(problem, Cpu(2)) == 2
    if issubclass(climbers, ThreadClimbers):
        few = climbers.crowd(problem, cuda(memory=2**24))
        assert few % climbers.lanes_for(gpu, 100) == 0 and few < wanted
