"""3-opt scans find the first of the best of all moves, on every device."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from warptour.devices import Device, find
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import ThreeOpt
from warptour.papers.scans import three_opt
from warptour.papers.scans.three_opt import EXACT, FAST, BlockScan, ThreeOptEngine, block_count, move_count


def brute_force(problem: TSP, tour: np.ndarray) -> tuple[tuple[int, ...], int | float] | None:
    """The first of the best of all moves, by measuring each."""
    n = len(tour)
    i, j, k = np.array(list(combinations(range(n), 3))).T
    deltas = ThreeOpt().deltas(problem, tour, i, j, k)
    ranked = np.where(unchanged(n, i, j, k), np.inf, deltas).ravel()
    best, way = divmod(int(ranked.argmin()), 4)
    return ((int(i[best]), int(j[best]), int(k[best]), way), deltas[best, way].item()) if n > 3 else None


def unchanged(n: int, i: np.ndarray, j: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Which of the four ways restore all three edges."""
    one, other, rest = j - i == 1, k - j == 1, k - i == n - 1
    return np.stack((np.zeros(len(i), bool), one & other, one & rest, other & rest), axis=1)


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def test_the_brute_force_of_these_tests_is_the_reference() -> None:
    for name in ("EUC_2D", "EUCLIDEAN"):
        for n in (3, 4, 5, 11):
            problem = cities(n, name, seed=0, side=9)
            assert brute_force(problem, shuffled(n)) == ReferenceEngine(problem, "3-opt").best_move(shuffled(n))
    i, j, k = np.array(list(combinations(range(11), 3))).T
    every = [(*triple, way) for triple in zip(i, j, k, strict=True) for way in range(4)]
    changing = np.flatnonzero(~unchanged(11, i, j, k).ravel())
    assert [every[rank] for rank in changing] == list(ThreeOpt().moves(11))


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN", "CEIL_2D", "GEO", "EXPLICIT"])
@pytest.mark.parametrize(("n", "grid"), [(3, 9), (5, 50), (12, 3), (32, 500), (64, 4), (65, 900), (97, 500)])
def test_the_best_move_is_found_with_ties_broken_by_rank(device: Device, name: str, n: int, grid: int) -> None:
    problem, tour = cities(n, name, seed=0, side=grid), shuffled(n, n)
    assert ThreeOptEngine(problem, device=device).best_move(tour) == brute_force(problem, tour)


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_is_scanned(name: str) -> None:
    problem, tour = cities(41, name, seed=0, side=500), shuffled(41)
    found, expected = ThreeOptEngine(problem).best_move(tour), brute_force(problem, tour)
    if name == "GREAT_CIRCLE":
        assert found[1] == pytest.approx(expected[1], abs=1e-6)
    else:
        assert found == expected


@pytest.mark.parametrize("n", [3, 4, 8, 63, 64, 66, 130])
def test_what_the_fast_scan_finds_improves_by_about_the_best_delta(device: Device, n: int) -> None:
    problem, tour = cities(n, "EUCLIDEAN", seed=0, side=10_000), shuffled(n)
    engine = ThreeOptEngine(problem, device=device)
    found, best = engine.improving_move(tour), brute_force(problem, tour)
    if best is None or best[1] >= 0:
        assert found is None
    else:
        assert found[1] == ThreeOpt().delta(problem, tour, found[0])
        assert found[1] == pytest.approx(best[1], abs=0.1)


@pytest.mark.parametrize("count", [1, 2, 3, 16, 40])
def test_blocks_are_numbered_without_gap_or_repeat(device: Device, count: int) -> None:
    blocks = block_count(count)
    found = device.zeros(3 * blocks, np.int32)
    program = device.build("three_opt_scan", lanes=64 if device.lanes > 1 else 1)
    program.launch("three_opt_blocks", 4, np.int64(0), np.int64(blocks), found)
    rows = [tuple(row) for row in device.fetch(found).reshape(-1, 3).tolist()]
    assert sorted(rows) == sorted(combinations_with_replacement(range(count), 3))


def test_far_blocks_are_numbered_right_too() -> None:
    device, found = find("cpu"), np.zeros(30, np.int32)
    for last in (10**4, 10**6, 2**20 - 1):
        first = block_count(last)  # the first block with K = last
        device.build("three_opt_scan").launch("three_opt_blocks", 1, np.int64(first - 1), np.int64(first + 9), found)
        rows = found.reshape(-1, 3).tolist()
        assert rows[:4] == [[last - 1] * 3, [0, 0, last], [0, 1, last], [1, 1, last]]


def test_both_builds_agree_where_distances_are_whole() -> None:
    problem, tour = cities(150, "EUC_2D", seed=0, side=40), shuffled(150)
    scanners = [BlockScan(problem, find("cpu", 1), kind) for kind in (FAST, EXACT)]
    assert scanners[0].scan(tour) == scanners[1].scan(tour)


def test_long_distances_are_not_trusted_to_float32() -> None:
    metric = METRICS["EUC_2D"]
    points = np.random.default_rng(1).integers(0, 10**8, (40, 2)).astype(float)
    problem, tour = TSP("far", metric, points), shuffled(40)
    engine = ThreeOptEngine(problem)
    assert not engine.whole
    assert engine.best_move(tour) == brute_force(problem, tour)


def test_a_tour_is_certified_exactly_when_no_move_improves_it() -> None:
    problem = cities(30, "EUC_2D", seed=0, side=60)
    engine, tour = ThreeOptEngine(problem), shuffled(30)
    while (move := engine.certify(tour)) is not None:
        assert brute_force(problem, tour)[0] == move
        tour = engine.apply(tour, move)
    assert brute_force(problem, tour)[1] >= 0
    assert ReferenceEngine(problem).certify(tour) is None, "a 3-optimal tour is 2-optimal"


@pytest.mark.threads
def test_threads_and_slices_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, tour = cities(300, "EUC_2D", seed=0, side=50), shuffled(300)
    found = [ThreeOptEngine(problem, device=find("cpu", threads)).best_move(tour) for threads in (1, 2, 3)]
    monkeypatch.setattr(three_opt, "CPU_BLOCKS", 7)
    monkeypatch.setattr(three_opt, "CPU_DISTANCES", 1000)
    found.append(ThreeOptEngine(problem, device=find("cpu", 2)).best_move(tour))
    assert found == [found[0]] * 4


def test_a_scan_ends_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = cities(100, "EUC_2D", seed=0, side=500)
    with pytest.raises(Unfinished):
        ThreeOptEngine(problem, over=lambda: True).best_move(shuffled(100))
    evaluations = iter([False, False, True])
    monkeypatch.setattr(three_opt, "CPU_DISTANCES", 100)  # so that the table takes several launches
    with pytest.raises(Unfinished):
        ThreeOptEngine(problem, over=lambda: next(evaluations)).best_move(shuffled(100))


def test_sizes() -> None:
    assert [move_count(n) for n in (3, 4, 5, 9)] == [len(list(ThreeOpt().moves(n))) for n in (3, 4, 5, 9)]
    assert move_count(1000) == 664_667_000
    assert ThreeOptEngine(cities(5, "EUC_2D", seed=0, side=500)).best_move(np.arange(2, dtype=np.int32)) is None
    with pytest.raises(UnsupportedError, match="at most"):
        ThreeOptEngine(TSP("many", METRICS["EUC_2D"], np.zeros((three_opt.LARGEST + 1, 2))))
