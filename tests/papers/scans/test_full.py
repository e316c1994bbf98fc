"""Scans of several neighbourhoods over one tour find the moves of the reference, on every device."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from warptour.devices import Device, find
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import OrOpt
from warptour.papers.scans import exact, full
from warptour.papers.scans.full import CITY_MOVES, SCANNED, full_scans


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


@cache
def expected_move(metric: str, n: int, grid: int, neighborhood: str, tour: tuple[int, ...]) -> Any:
    """Return the reference's best move, found once for all devices."""
    problem = cities(n, metric, seed=0, side=grid)
    return ReferenceEngine(problem, neighborhood).best_move(np.array(tour, np.int32))


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN", "EXPLICIT"])
@pytest.mark.parametrize(("n", "grid"), [(4, 50), (5, 50), (6, 9), (9, 2), (11, 500), (17, 500)])
def test_the_best_move_is_found_with_ties_broken_by_rank(device: Device, name: str, n: int, grid: int) -> None:
    problem = cities(n, name, seed=0, side=grid)
    scans = full_scans(problem, device, list(SCANNED))
    for tour in (shuffled(n, n), np.arange(n, dtype=np.int32)):
        for scan in scans:
            found = next(scan.best_row(tour, 1.0))
            assert found == expected_move(name, n, grid, scan.name, tuple(tour.tolist())), scan.name


@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN", "CEIL_2D", "GEO", "GREAT_CIRCLE", "EXPLICIT"])
def test_a_descent_through_all_neighbourhoods_makes_the_moves_of_the_reference(device: Device, name: str) -> None:
    problem, tour, level = cities(9, name, seed=3, side=500), shuffled(9), 0
    scans = full_scans(problem, device, list(SCANNED))
    while level < len(scans):
        scan, reference = scans[level], ReferenceEngine(problem, scans[level].name)
        found, move = scan.best_improvement(tour), reference.certify(tour)
        if name != "GREAT_CIRCLE":
            assert (found and found[0]) == move
        if found is not None:
            before, tour = tour, scan.apply(tour, found[0])
            assert problem.cost(tour) - problem.cost(before) == pytest.approx(found[1], abs=1e-6)
        level = level + 1 if found is None else 0
    assert all(ReferenceEngine(problem, each).certify(tour) is None for each in SCANNED)


@pytest.mark.parametrize("neighborhood", CITY_MOVES)
@pytest.mark.parametrize("name", NAMES)
def test_every_metric_is_scanned(neighborhood: str, name: str) -> None:
    problem, tour = cities(14, name, seed=0, side=500), shuffled(14)
    (scan,) = full_scans(problem, find("cpu"), [neighborhood])
    found, expected = next(scan.best_row(tour, 1.0)), ReferenceEngine(problem, neighborhood).best_move(tour)
    if name == "GREAT_CIRCLE":
        assert found[1] == pytest.approx(expected[1], abs=1e-6)
    else:
        assert found == expected


def test_a_gain_below_the_error_of_its_edges_is_none_and_hides_no_other(device: Device) -> None:
    """Far apart, two rows of cities: the edges between them round away what is gained within a row."""
    points = np.array([[0.0, 0], [3, 0], [1, 0], [4, 0], [1e13, 1], [1e13, 2], [1e13, 3], [1e13, 4]])
    problem, tour = TSP("far", METRICS["EUCLIDEAN"], points), np.arange(8, dtype=np.int32)
    for scan in full_scans(problem, device, ["2-opt", "or-opt", "swap"]):
        while (found := scan.best_improvement(tour)) is not None:
            tour = scan.apply(tour, found[0])
        assert ReferenceEngine(problem, scan.name).certify(tour) is None


@pytest.mark.parametrize("longest", [1, 2, 5, 40])
def test_segments_may_be_as_long_as_one_likes(longest: int) -> None:
    problem, tour = cities(16, "EUC_2D", seed=0, side=30), shuffled(16)
    moves = {move: OrOpt(longest).delta(problem, tour, move) for move in OrOpt(longest).moves(16)}
    (scan,) = full_scans(problem, find("cpu"), ["or-opt"], longest=longest)
    assert next(scan.best_row(tour, 1.0)) == min(moves.items(), key=lambda pair: pair[1])
    assert scan.move_count == len(moves)


@pytest.mark.threads
def test_threads_and_slices_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, tour = cities(500, "EUC_2D", seed=0, side=40), shuffled(500)

    def found(threads: int) -> list[object]:
        return [
            next(scan.best_row(tour, 1.0))
            for scan in full_scans(problem, find("cpu", threads), list(SCANNED[:1] + SCANNED[2:]))
        ]

    expected = found(1)
    monkeypatch.setattr(full, "CALL", 20_000)
    monkeypatch.setattr(exact, "CALL", 20_000)
    assert found(1) == found(3) == expected


def test_a_scan_ends_when_told_to(device: Device) -> None:
    for scan in full_scans(cities(20), device, list(SCANNED)):
        scan.over = lambda: True
        with pytest.raises(Unfinished):
            scan.best_improvement(shuffled(20))


def test_a_table_too_large_is_refused() -> None:
    many = TSP("many", METRICS["EUC_2D"], np.zeros((20_001, 2)))
    with pytest.raises(UnsupportedError, match="20000 cities, not 20001"):
        full_scans(many, find("cpu"), ["2-opt", "3-opt"])
