"""Every engine on every device finds the move that the reference finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods import TwoOpt
from warptour.papers.scans import exact, scan
from warptour.papers.scans.climbers import list_descent
from warptour.papers.scans.scan import FastScan, Tiling
from warptour.papers.scans.tour_scan import move_count
from warptour.papers.scans.two_opt import TwoOptEngine, independent

FAST = ["EUC_2D", "EUCLIDEAN", "CEIL_2D", "ATT"]


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "grid"), [(4, 50), (5, 50), (12, 3), (41, 500)])
def test_best_moves_agree_move_for_move(device: Device, name: str, n: int, grid: int) -> None:
    problem = cities(n, name, seed=0, side=grid)
    engine, reference = TwoOptEngine(problem, device=device), ReferenceEngine(problem)
    for tour in (shuffled(n, seed) for seed in range(3)):
        found, expected = engine.best_move(tour), reference.best_move(tour)
        if name == "GREAT_CIRCLE":
            assert found[1] == pytest.approx(expected[1], abs=1e-6)
        else:
            assert found == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_tour_is_certified_exactly_when_no_move_improves_it(device: Device, name: str) -> None:
    problem = cities(25, name, seed=0, side=60)
    tour = np.arange(25, dtype=np.int32)
    engine = TwoOptEngine(problem, device=device)
    assert engine.certify(tour) == ReferenceEngine(problem).certify(tour)
    assert engine.certify(ReferenceEngine(problem).descend(tour)) is None


@pytest.mark.parametrize("name", NAMES)
def test_descents_end_where_no_two_opt_move_improves(name: str) -> None:
    problem = cities(40, name, seed=0, side=500)
    top, engine = list_descent(problem, np.arange(40, dtype=np.int32)), TwoOptEngine(problem)
    while (move := engine.certify(top)) is not None:
        top = list_descent(problem, engine.apply(top, move))
    assert problem.check(top).feasible
    assert ReferenceEngine(problem).certify(top) is None


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("n", [4, 9, 11, 64, 65, 71, 200, 1003])
@pytest.mark.sanitize_quick
def test_what_the_fast_scan_finds_is_about_the_best(device: Device, name: str, n: int) -> None:
    problem, tour = cities(n, name, seed=0, side=10_000), shuffled(n, n)
    engine = TwoOptEngine(problem, device=device)
    best, found = engine.best_move(tour), engine.improving_move(tour)
    if best[1] >= 0:
        assert found is None
    else:
        assert TwoOpt().delta(problem, tour, found[0]) == found[1]
        assert found[1] <= best[1] + (4 if name in ("CEIL_2D", "ATT") else 0.1)


@pytest.mark.parametrize("n", [64, 67, 130, 331])
@pytest.mark.parametrize(("blocks", "columns"), [(1, 1), (1, 8), (3, 16), (2, 23), (5, 2048)])
def test_no_tiling_misses_a_move(device: Device, n: int, blocks: int, columns: int) -> None:
    problem, tour = cities(n, "EUCLIDEAN", seed=0, side=10_000), shuffled(n)
    lanes, rows = (32, 9) if device.lanes > 1 else (1, 8)
    scanner = FastScan(problem, device, Tiling(lanes, rows, blocks, columns, device.simd, 3, 1000))
    scanner.load(tour)
    scanner.scan()
    scanner.pick()
    (i, j), delta = scanner.picked()
    assert 0 <= i < j < n
    assert ((i, j), delta) == TwoOptEngine(problem).best_move(tour)
    scanner.make()
    assert (scanner.tour() == TwoOpt().apply(tour, (i, j))).all()


def test_a_tiling_that_a_device_cannot_do_is_refused(device: Device) -> None:
    problem = cities(64, "EUCLIDEAN", seed=0, side=500)
    right = Tiling.of(device, 64)
    wrong = [replace(right, lanes=32 if right.lanes == 1 else 1), replace(right, simd=2), replace(right, columns=0)]
    if right.lanes == 1:
        wrong.append(replace(right, rows=9))
    for tiling in wrong:
        with pytest.raises(ValueError, match="Tiling"):
            FastScan(problem, device, tiling)


@pytest.mark.parametrize("name", FAST)
def test_a_climb_makes_improving_moves_until_it_is_locally_optimal(device: Device, name: str) -> None:
    problem, tour = cities(90, name, seed=0, side=5000), shuffled(90)
    engine = TwoOptEngine(problem, device=device)
    few = engine.climb(tour, 5)
    assert few.scans == 5 and not few.locally_optimal and problem.cost(few.tour) < problem.cost(tour)
    top = engine.climb(tour, 300)
    assert top.locally_optimal and problem.check(top.tour).feasible
    if name in ("EUC_2D", "EUCLIDEAN"):
        assert ReferenceEngine(problem).certify(top.tour) is None


@pytest.mark.parametrize("name", FAST)
def test_many_moves_of_one_scan_gain_what_each_of_them_says(device: Device, name: str) -> None:
    problem, tour = cities(300, name, seed=0, side=5000), np.arange(300, dtype=np.int32)
    tiling = Tiling(32, 9, 1, 16, 1, 64, 10**9) if device.lanes > 1 else Tiling(1, 8, 1, 16, device.simd, 2, 10**9)
    scanner = FastScan(problem, device, tiling)
    scanner.load(tour)
    scanner.scan()
    chosen = independent(scanner.found())
    assert len(chosen) > 3
    after = tour
    for _, move in chosen:
        after = TwoOpt().apply(after, move)
    assert problem.cost(after) - problem.cost(tour) == pytest.approx(sum(delta for delta, _ in chosen))
    engine = TwoOptEngine(problem, device=device)
    assert engine.climb(tour, 1000, many=True).locally_optimal


@pytest.mark.threads
def test_threads_and_slices_do_not_change_what_a_scan_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, tour = cities(301, "EUC_2D", seed=0, side=500), shuffled(301)
    monkeypatch.setattr(scan, "FAST_CALL", 2000)
    monkeypatch.setattr(exact, "CALL", 2000)
    engines = [TwoOptEngine(problem, Cpu(threads)) for threads in (1, 2, 3)]
    found = [(engine.improving_move(tour), engine.best_move(tour)) for engine in engines]
    assert found == [found[0]] * 3


def test_a_scan_ends_when_told_to(device: Device) -> None:
    problem = cities(100, "EUC_2D", seed=0, side=500)
    engine = TwoOptEngine(problem, device=device, over=lambda: True)
    for ask in (engine.best_move, engine.improving_move):
        with pytest.raises(Unfinished):
            ask(shuffled(100))


def test_moves_are_counted_as_the_neighbourhood_has_them() -> None:
    assert [move_count(n) for n in (3, 4, 5, 12)] == [len(list(TwoOpt().moves(n))) for n in (3, 4, 5, 12)]


@pytest.mark.parametrize("grid", [1_000_000, 3_000_000, 2_000_000_000])
def test_long_rounded_distances_are_found_as_well(device: Device, grid: int) -> None:
    problem, tour = cities(200, "EUC_2D", seed=0, side=grid), shuffled(200)
    engine = TwoOptEngine(problem, device=device)
    assert engine.improving_move(tour)[0] == engine.best_move(tour)[0]


@pytest.mark.parametrize("offset", [0.0, 1e7, -3e8])
def test_a_far_origin_does_not_blind_the_fast_scan(device: Device, offset: float) -> None:
    points = np.random.default_rng(1).random((300, 2)) * 1000
    near = TSP("near", cities(5, "EUCLIDEAN", seed=0, side=500).metric, points)
    far = TSP("far", near.metric, points + offset)
    found = [TwoOptEngine(problem, device=device).improving_move(shuffled(300, 2))[0] for problem in (far, near)]
    assert found[0] == found[1]
