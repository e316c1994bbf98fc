"""No scan loses a move: each move in turn is the best one, on tours that straddle tiles, strips and vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from giant_moves import three_opt_moves, two_opt_moves
from spoiled_circle import circle, near, pairs, restored, spoiled, thinned, triples, villages
from warptour.devices import Device
from warptour.model.vehicles import VRP
from warptour.neighborhoods import NEIGHBORHOODS, ThreeOpt, TwoOpt
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.ermis.engine import job_scans
from warptour.papers.ermis.engine.job_scans import JobScan, OrderedScan, PartitionScan, SharedScan
from warptour.papers.mavroidis.engine.blocks import SymmetricBlocks
from warptour.papers.mavroidis.engine.rows import Symmetric, SymmetricAhead, SymmetricBatch, TourRows
from warptour.papers.oneil.engine.block_climbers import ClimberLaunch, Tile
from warptour.papers.oneil.engine.rungs import ONEIL
from warptour.papers.rocki.engine.pairs import PairsScan
from warptour.papers.rocki.engine.table import TableScan
from warptour.papers.rocki.engine.vector import WIDTHS, VectorScan
from warptour.papers.scans.full import CITY_MOVES, full_scans
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL, SCANS, ResidentClimbers
from warptour.papers.scans.ladder.pruned_climbers import PrunedClimbers
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import FastScan, Tiling
from warptour.papers.scans.three_opt import EXACT, FAST, BlockScan
from warptour.papers.scans.tour_scan import TourScan
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.search import GiantSearch


def assert_each_is_found(
    find: Callable[[Ints], Any],
    name: str,
    n: int,
    device: Device,
    moves: list[Move],
    least: Callable[[], float] | None = None,
) -> None:
    """Assert that ``find`` restores the circle after each of the ``moves``, and by none of a higher rank.

    ``least()`` is the smallest delta of the first pass, which chooses a row that is then looked through once more: a
    row may be chosen for the wrong move.
    """
    kind = NEIGHBORHOODS[name]
    for move in thinned(device, moves):
        tour = spoiled(kind, n, move)
        found = find(tour)
        assert found is not None and found[0] <= move, (move, found)
        assert restored(kind.apply(tour, found[0])), (move, found)
        if least is not None:
            assert least() == pytest.approx(found[1], rel=1e-5), move


def picked(scan: TourScan, tour: Ints) -> tuple[Move, float] | None:
    """Return what a scan picks."""
    scan.load(tour)
    scan.scan()
    scan.pick()
    return scan.picked()


@pytest.mark.parametrize(("n", "metric"), [(66, "EUC_2D"), (67, "EUCLIDEAN")])
@pytest.mark.parametrize(("blocks", "columns"), [(1, 8), (3, 16), (2, 23), (64, 2048)])
def test_of_the_diagonal_scan(device: Device, n: int, metric: str, blocks: int, columns: int) -> None:
    n, lanes, rows = (n + 264, 32, 9) if device.lanes > 1 else (n, 1, 8)
    scan = FastScan(circle(n, metric), device, Tiling(lanes, rows, blocks, columns, device.simd, 3, 4000))
    moves = pairs(n, 8, 32, 64, n // 2, most=300)
    assert_each_is_found(partial(picked, scan), "2-opt", n, device, moves, lambda: device.fetch(scan.least).min())


@pytest.mark.parametrize("n", [23, 100])
def test_of_the_pruned_scan(device: Device, n: int) -> None:
    for metric in ("EUC_2D", "EUCLIDEAN"):
        scan = PrunedScan(circle(n, metric), device)
        assert_each_is_found(partial(picked, scan), "2-opt", n, device, pairs(n, 32, 64))


def test_of_the_pruned_scan_between_cities_that_are_not_neighbours(device: Device) -> None:
    n, size = 240, 10
    scan, ends = PrunedScan(villages(n, size), device), range(size - 1, n, size)
    assert_each_is_found(partial(picked, scan), "2-opt", n, device, list(combinations(ends, 2)))


@pytest.mark.parametrize(("n", "metric"), [(21, "EUC_2D"), (23, "EXPLICIT")])
def test_of_exact_scans(device: Device, n: int, metric: str) -> None:
    n += 120 if device.lanes > 1 else 0
    problem, moves = circle(n, metric), pairs(n, 8, 128)
    engine = TwoOptEngine(problem, device)
    assert_each_is_found(
        engine.best_move, "2-opt", n, device, moves, lambda: device.fetch(engine._exact_scan._least).min()
    )
    (scan,) = full_scans(problem, device, ["2-opt"])
    assert_each_is_found(lambda tour: next(scan.best_row(tour, 1.0)), "2-opt", n, device, moves)


@pytest.mark.parametrize("name", CITY_MOVES)
@pytest.mark.parametrize(("n", "metric"), [(11, "EUC_2D"), (13, "EXPLICIT")])
def test_of_or_opt_relocate_and_swap(device: Device, name: str, n: int, metric: str) -> None:
    n += 128 if device.lanes > 1 else 0
    problem, moves = circle(n, metric), list(NEIGHBORHOODS[name].moves(n))
    moves = moves[:: -(-len(moves) // 500)]
    (scan,) = full_scans(problem, device, [name])
    assert_each_is_found(
        lambda tour: next(scan.best_row(tour, 1.0)), name, n, device, moves,
        lambda: device.fetch(scan.scan._least).min(),
    )  # fmt: skip


@pytest.mark.parametrize("n", [7, 34, 98])
def test_of_three_opt(device: Device, n: int) -> None:
    for kind in (EXACT, FAST):
        moves = list(ThreeOpt().moves(n)) if n < 10 else triples(n, kind.side, most=300)
        scanner = BlockScan(circle(n), device, kind)
        assert_each_is_found(
            scanner.scan, "3-opt", n, device, moves, lambda scanner=scanner: device.fetch(scanner.least).min()
        )


def test_of_three_opt_inside_blocks(device: Device) -> None:
    scanner = BlockScan(circle(194), device, FAST)  # three blocks, of which one lies off all edges
    moves = triples(194, 64, 128, 192, most=200)
    assert_each_is_found(scanner.scan, "3-opt", 194, device, moves, lambda: device.fetch(scanner.least).min())


@pytest.mark.parametrize("make", [TableScan, PairsScan, *(partial(VectorScan, width=width) for width in WIDTHS)])
@pytest.mark.parametrize("n", [23, 75])
def test_of_the_rungs_of_rocki(device: Device, make: Any, n: int) -> None:
    scan = make(circle(n), device, groups=3)
    scan.call = 1000
    moves = pairs(n, 16, 32, most=200)
    assert_each_is_found(partial(picked, scan), "2-opt", n, device, moves, lambda: -device.fetch(scan.gains).max())


@pytest.mark.parametrize("make", [SharedScan, OrderedScan, PartitionScan])
@pytest.mark.parametrize("n", [20, 67])
def test_of_the_rungs_of_ermis(device: Device, make: type[JobScan], n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_scans, "RANGE", 21)
    scan = make(circle(n), device)
    scan.call = 500
    moves = pairs(n, 21, 42, 63, most=200)
    assert_each_is_found(partial(picked, scan), "2-opt", n, device, moves, lambda: -device.fetch(scan.gains).max())


CLIMBERS: dict[str, type[ResidentClimbers] | type[TwoOptClimbers]] = {
    **{rung.name: rung.climbers for rung in ONEIL if rung.climbers is not None},
    "diagonal": TwoOptClimbers,
    "pruned": PrunedClimbers,
}


@pytest.mark.parametrize("name", CLIMBERS)
@pytest.mark.parametrize("n", [66, 71])
def test_of_climbers(device: Device, name: str, n: int) -> None:
    assert_each_is_climbed(CLIMBERS[name], device, n)


@pytest.mark.parametrize("chunk", [1, 7, 32, 64])
def test_of_a_tour_in_chunks(device: Device, chunk: int) -> None:
    launch = replace(ClimberLaunch.ranked(device, 67)[0], chunk=chunk)
    assert_each_is_climbed(partial(Tile, launch=launch), device, 67)


def assert_each_is_climbed(climbers: Any, device: Device, n: int) -> None:
    """Assert that every climber restores the circle by one move, and then finds none."""
    moves = pairs(n, 8, 16, 32, 64, n // 2, most=800)
    team = climbers(circle(n), device, len(moves), tours=np.array([spoiled(TwoOpt(), n, move) for move in moves]))
    while not team.counters()[:, LOCALLY_OPTIMAL].all():
        team.climb()
    assert restored(team.tours())
    assert (team.counters()[:, SCANS] == 2).all()


@pytest.mark.parametrize(
    ("make", "n", "form"),
    [
        (Symmetric, 133, {}),
        (partial(SymmetricBlocks, block=5), 67, {}),
        (SymmetricAhead, 133, {"lanes": 1, "keep": 5}),
        (SymmetricBatch, 13, {"shape": (1, 5)}),
    ],
)
def test_of_a_symmetric_round(device: Device, make: Callable[..., TourRows], n: int, form: dict[str, Any]) -> None:
    tours = np.array([spoiled(TwoOpt(), n, (q, n - 2 - q)) for q in range((n - 1) // 2 - 1)])
    rows = make(device, circle(n), tours, **(form if device.lanes == 1 else {}))  # else PoCL compiles for minutes
    rows.run(1)
    assert restored(rows.tours())


@pytest.mark.parametrize(("names", "n"), [("2-opt", 20), ("2-opt", 150), ("3-opt", 7), ("3-opt", 36)])
def test_of_giant_tours(device: Device, names: str, n: int) -> None:
    around = circle(n)
    problem = VRP("circle", around.metric, around.points, demands=np.arange(n) > 0, capacity=n)
    instance = GiantInstance.of(problem, 1)
    search, edges = GiantSearch(instance, device, (names,)), n
    best = np.array([n, *range(1, n), n + 1], np.int32)
    every = three_opt_moves(edges) if names == "3-opt" else two_opt_moves(edges)
    places = near(n, 32) if names == "3-opt" else near(n, 64, 128)
    kept = np.isin(every[:, :3] if names == "3-opt" else every, places).all(axis=1)
    kept[:: max(1, len(every) // 300)] = True
    for move in map(tuple, thinned(device, every[kept].tolist())):
        giant = best[np.argsort(apply(np.arange(n + 1), move))]
        found = search.best_move(giant)
        if restored(instance.places(giant)[:-1]):
            assert found is None
            continue
        assert found is not None and found[0] <= move, (move, found)
        assert restored(instance.places(apply(giant, found[0]))[:-1]), (move, found)
