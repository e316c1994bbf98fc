"""Scans of or-opt, relocate and swap find what the reference finds, on every device."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from warptour.devices import Device, find
from warptour.kernels.groups import Unfinished
from warptour.neighborhoods import OrOpt
from warptour.papers.scans import city_moves
from warptour.papers.scans.city_moves import CITY_MOVES, CityMoveEngine


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("neighborhood", CITY_MOVES)
@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN", "EXPLICIT"])
@pytest.mark.parametrize(("n", "grid"), [(4, 50), (5, 50), (6, 9), (12, 3), (21, 500)])
def test_the_best_move_is_found_with_ties_broken_by_rank(
    device: Device, neighborhood: str, name: str, n: int, grid: int
) -> None:
    problem, tour = cities(n, name, seed=0, side=grid), shuffled(n, n)
    expected = ReferenceEngine(problem, neighborhood).best_move(tour)
    assert CityMoveEngine(problem, neighborhood, device).best_move(tour) == expected


@pytest.mark.parametrize("neighborhood", CITY_MOVES)
@pytest.mark.parametrize("name", NAMES)
def test_every_metric_is_scanned(neighborhood: str, name: str) -> None:
    problem, tour = cities(14, name, seed=0, side=500), shuffled(14)
    found = CityMoveEngine(problem, neighborhood).best_move(tour)
    expected = ReferenceEngine(problem, neighborhood).best_move(tour)
    if name == "GREAT_CIRCLE":
        assert found[1] == pytest.approx(expected[1], abs=1e-6)
    else:
        assert found == expected


@pytest.mark.parametrize("longest", [1, 2, 5, 40])
def test_segments_may_be_as_long_as_one_likes(longest: int) -> None:
    problem, tour = cities(16, "EUC_2D", seed=0, side=30), shuffled(16)
    moves = {move: OrOpt(longest).delta(problem, tour, move) for move in OrOpt(longest).moves(16)}
    found = CityMoveEngine(problem, "or-opt", longest=longest)
    assert found.best_move(tour) == min(moves.items(), key=lambda pair: pair[1])
    assert found.move_count == len(moves)


@pytest.mark.parametrize("neighborhood", CITY_MOVES)
def test_a_tour_is_certified_exactly_when_no_move_improves_it(neighborhood: str) -> None:
    problem, tour = cities(16, "EUCLIDEAN", seed=0, side=500), shuffled(16)
    engine = CityMoveEngine(problem, neighborhood)
    assert engine.move_count == len(list(engine.neighborhood.moves(16)))
    while (found := engine.improving_move(tour)) is not None:
        before, tour = tour, engine.apply(tour, found[0])
        assert problem.cost(tour) - problem.cost(before) == pytest.approx(found[1])
    assert ReferenceEngine(problem, neighborhood).certify(tour) is None


@pytest.mark.threads
@pytest.mark.parametrize("neighborhood", CITY_MOVES)
def test_threads_and_slices_do_not_change_what_is_found(neighborhood: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, tour = cities(200, "EUC_2D", seed=0, side=40), shuffled(200)
    found = [CityMoveEngine(problem, neighborhood, find("cpu", threads)).best_move(tour) for threads in (1, 3)]
    monkeypatch.setattr(city_moves, "CALL", 1000)
    found.append(CityMoveEngine(problem, neighborhood, find("cpu", 2)).best_move(tour))
    assert found == [found[0]] * 3


def test_a_scan_ends_when_told_to_and_three_cities_have_no_move() -> None:
    problem = cities(10, "EUC_2D", seed=0, side=500)
    with pytest.raises(Unfinished):
        CityMoveEngine(problem, "swap", over=lambda: True).best_move(shuffled(10))
    assert CityMoveEngine(cities(3, "EUC_2D", seed=0, side=500), "or-opt").improving_move(shuffled(3)) is None
