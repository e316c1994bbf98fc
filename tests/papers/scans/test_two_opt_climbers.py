"""Climbers over all 2-opt moves end where the reference finds none, the same on every device."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from reference_engine import ReferenceEngine
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.papers.scans.ladder.climber_batch import BEGUN, KICKS, LOCALLY_OPTIMAL, SCANS
from warptour.papers.scans.two_opt_climbers import Shape, TwoOptClimbers
from warptour.tours.starts.start import start


def locally_optimal(team: TwoOptClimbers, scans: int = 40) -> TwoOptClimbers:
    while not team.counters()[:, LOCALLY_OPTIMAL].all():
        team.climb(scans)
    return team


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN"])
@pytest.mark.parametrize("n", [64, 65, 97])
def test_each_ends_at_a_local_minimum(device: Device, name: str, n: int) -> None:
    problem = cities(n, name, seed=0, side=100_000)
    team = locally_optimal(TwoOptClimbers(problem, device, 3, seed=5))
    tours = team.tours()
    assert all(problem.check(tour).feasible for tour in tours)
    assert all(ReferenceEngine(problem).certify(tour) is None for tour in tours)
    assert team.lengths() == pytest.approx([problem.cost(tour) for tour in tours], rel=1e-5)
    assert problem.cost(team.best()) == min(problem.cost(tour) for tour in tours)


@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN"])
@pytest.mark.parametrize("n", [64, 65, 97])
def test_every_device_ends_where_the_cpu_does(accelerator: Device, name: str, n: int) -> None:
    problem = cities(n, name, seed=0, side=100_000)
    costs, expected = (
        [problem.cost(tour) for tour in locally_optimal(TwoOptClimbers(problem, device, 3, seed=5)).tours()]
        for device in (accelerator, Cpu(1))
    )
    assert costs == pytest.approx(expected)


@pytest.mark.parametrize("n", [64, 65, 80, 97])
@pytest.mark.parametrize("grid", [8, 1000])
def test_ties_fall_the_same_way_on_every_device(accelerator: Device, n: int, grid: int) -> None:
    problem = cities(n, "EUC_2D", seed=0, side=grid)
    teams = [locally_optimal(TwoOptClimbers(problem, place, 4, seed=3)) for place in (accelerator, Cpu(1))]
    assert (teams[0].tours() == teams[1].tours()).all()


@pytest.mark.compiles
@pytest.mark.parametrize("simd", [1, 4, 8, 16])
def test_ties_fall_the_same_way_for_every_width(opencl: Device, monkeypatch: pytest.MonkeyPatch, simd: int) -> None:
    monkeypatch.setattr(opencl, "simd", simd)
    for n in (65, 90):
        problem = cities(n, "EUC_2D", seed=0, side=50)
        teams = [locally_optimal(TwoOptClimbers(problem, place, 3, seed=1)) for place in (opencl, Cpu(1))]
        assert (teams[0].tours() == teams[1].tours()).all()


def test_neither_the_batch_nor_the_length_of_a_call_decides_where_a_climber_ends(device: Device) -> None:
    problem = cities(80, "EUC_2D", seed=0, side=10_000)
    whole = locally_optimal(TwoOptClimbers(problem, device, 4, seed=1), 1000)
    parts = [locally_optimal(TwoOptClimbers(problem, device, 2, seed=1, first=first), 7) for first in (0, 2)]
    assert (whole.tours() == np.concatenate([part.tours() for part in parts])).all()
    assert (whole.counters() == np.concatenate([part.counters() for part in parts])).all()
    assert len({tuple(tour) for tour in whole.tours().tolist()}) == 4


def test_of_a_crowd_the_first_arrive_first_and_all_arrive(device: Device) -> None:
    problem = cities(64, "EUC_2D", seed=0, side=10_000)
    whole = locally_optimal(TwoOptClimbers(problem, device, 40, seed=1))
    team = TwoOptClimbers(problem, device, 40, seed=1)
    team._moves, team.busy = 1, 3
    team.climb()
    assert team.best() is not None and team.counters()[:, BEGUN].tolist() == [1] * 3 + [0] * 37
    while (climbing := team.counters()[:, LOCALLY_OPTIMAL] == 0).any():
        assert not climbing.all() or team.counters()[:, BEGUN].sum() == 3
        team.climb()
    assert (team.tours() == whole.tours()).all()


def test_climbers_that_have_not_begun_have_no_tour_but_a_common_one(device: Device) -> None:
    problem, tour = cities(64, "EUC_2D", seed=0, side=500), np.arange(64, dtype=np.int32)
    assert TwoOptClimbers(problem, device, 2).best() is None
    team = TwoOptClimbers(problem, device, 2, tour=tour)
    assert (team.best() == tour).all()
    alike = TwoOptClimbers(problem, device, 2, tours=np.array([tour, tour]))
    assert (locally_optimal(team).tours() == locally_optimal(alike).tours()).all()
    team.go_on(0, tour, 1.0)
    assert (locally_optimal(team).tours() == [tour, tour]).all() and (team.lengths() == 1.0).all()


def test_climbers_start_from_given_tours(device: Device) -> None:
    problem = cities(70, "EUC_2D", seed=0, side=10_000)
    top = ReferenceEngine(problem).descend(start(problem, "greedy"))
    team = locally_optimal(TwoOptClimbers(problem, device, 2, tours=np.array([top, top[::-1]])))
    assert (team.tours() == [top, top[::-1]]).all()
    assert (team.counters()[:, SCANS] == 1).all()


@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN"])
def test_kicks_never_lose_the_best_tour(device: Device, name: str) -> None:
    problem = cities(90, name, seed=0, side=10_000)
    plain = locally_optimal(TwoOptClimbers(problem, device, 3, seed=2))
    kicked = locally_optimal(TwoOptClimbers(problem, device, 3, seed=2, kicks=30, segment=10))
    assert (kicked.counters()[:, KICKS] == 30).all()
    before, after = ([problem.cost(tour) for tour in team.tours()] for team in (plain, kicked))
    assert all(b <= a for a, b in zip(before, after, strict=True)) and sum(after) < sum(before)
    assert all(ReferenceEngine(problem).certify(tour) is None for tour in kicked.tours())


def test_unfinished_climbers_have_tours_too(device: Device) -> None:
    problem = cities(100, "EUC_2D", seed=0, side=500)
    for kicks in (0, 3):
        team = TwoOptClimbers(problem, device, 2, kicks=kicks)
        team.climb(3)
        assert all(problem.check(tour).feasible for tour in [*team.tours(), team.best()])


def test_cities_in_one_place_and_on_a_line_are_no_trouble(device: Device) -> None:
    metric = cities(5, "EUC_2D", seed=0, side=500).metric
    for points in (np.zeros((70, 2)), np.arange(140.0).reshape(70, 2)):
        problem = TSP("degenerate", metric, points)
        team = locally_optimal(TwoOptClimbers(problem, device, 2, kicks=2))
        assert all(problem.check(tour).feasible for tour in team.tours())


def test_small_problems_and_other_metrics_are_left_to_exact_scans() -> None:
    assert not TwoOptClimbers.supports(cities(63, "EUC_2D", seed=0, side=500), Cpu(1))
    assert not TwoOptClimbers.supports(cities(100, "GEO", seed=0, side=500), Cpu(1))
    assert TwoOptClimbers.supports(cities(100, "ATT", seed=0, side=500), Cpu(1))


class Gpu:
    """As far as shapes are concerned."""

    lanes, simd = 32, 1


@pytest.mark.parametrize("n", [64, 100, 200, 500, 1000, 2000, 4000])
def test_the_parts_of_a_shape_cover_every_column(n: int) -> None:
    shape = Shape.of(Gpu(), n)  # type: ignore[arg-type]
    assert shape.rows % 2 == 1, "or lanes would read from the same banks"
    assert (shape.parts - 1) * shape.columns < shape.every <= shape.parts * shape.columns
    assert shape.every == n // 2 - 1
