"""Every engine finds the move that the reference finds."""

from __future__ import annotations

import numpy as np
import pytest
from metrics import NAMES, problem_of

from warptour.engines.native import NativeEngine
from warptour.engines.reference import ReferenceEngine
from warptour.model.problem import TSP
from warptour.neighborhoods import TwoOpt

ENGINES = {"reference": ReferenceEngine, "native": NativeEngine}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest):
    return ENGINES[request.param]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "grid"), [(4, 50), (5, 50), (12, 3), (41, 500)])
def test_best_moves_agree_move_for_move(engine, name: str, n: int, grid: int) -> None:
    problem = problem_of(name, n, grid=grid)
    assert engine.supports(problem.metric, "2-opt", n)
    tours = [np.random.default_rng(seed).permutation(n).astype(np.int32) for seed in range(3)]
    answers = engine(problem).best_moves(tours), ReferenceEngine(problem).best_moves(tours)
    for found, expected in zip(*answers, strict=True):
        if name == "GREAT_CIRCLE":
            assert found[1] == pytest.approx(expected[1], abs=1e-6)
        else:
            assert found == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_tour_is_certified_exactly_when_no_move_improves_it(engine, name: str) -> None:
    problem = problem_of(name, 25, grid=60)
    tour = np.arange(25, dtype=np.int32)
    assert engine(problem).certify(tour) == ReferenceEngine(problem).certify(tour)
    top = ReferenceEngine(problem).descend(tour)
    assert engine(problem).certify(top) is None


@pytest.mark.parametrize("name", NAMES)
def test_descents_end_where_no_two_opt_move_improves(name: str) -> None:
    problem = problem_of(name, 40)
    top = NativeEngine(problem).descend(np.arange(40, dtype=np.int32), certified=True)
    assert problem.check(top).feasible
    assert ReferenceEngine(problem).certify(top) is None


@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN", "CEIL_2D", "ATT"])
@pytest.mark.parametrize("n", [4, 7, 8, 9, 10, 11, 200, 1003])
@pytest.mark.sanitize_quick
def test_what_the_fast_scan_finds_is_about_the_best(name: str, n: int) -> None:
    problem = problem_of(name, n, grid=10_000)
    tour = np.random.default_rng(n).permutation(n).astype(np.int32)
    engine = NativeEngine(problem)
    best, found = engine.best_move(tour), engine.improving_move(tour)
    if best[1] >= 0:
        assert found is None
    else:
        assert TwoOpt().delta(problem, tour, found[0]) == found[1]
        assert found[1] <= best[1] + (4 if name in ("CEIL_2D", "ATT") else 0.1)


@pytest.mark.threads
def test_threads_do_not_change_what_a_scan_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    import warptour.engines.scan as scan

    monkeypatch.setattr(scan, "FAST_CALL", 2000)
    monkeypatch.setattr(scan, "EXACT_CALL", 2000)
    problem = problem_of("EUC_2D", 301)
    tour = np.random.default_rng(0).permutation(301).astype(np.int32)
    moves = [NativeEngine(problem, threads=threads).improving_move(tour) for threads in (1, 2, 3)]
    exact = [NativeEngine(problem, threads=threads).best_move(tour) for threads in (1, 2, 3)]
    assert moves[0] == moves[1] == moves[2]
    assert exact[0] == exact[1] == exact[2]


@pytest.mark.parametrize("offset", [0.0, 1e7, -3e8])
def test_a_far_origin_does_not_blind_the_fast_scan(offset: float) -> None:
    points = np.random.default_rng(1).random((300, 2)) * 1000
    tour = np.random.default_rng(2).permutation(300).astype(np.int32)
    near = TSP("near", problem_of("EUCLIDEAN", 5).metric, points)
    far = TSP("far", near.metric, points + offset)
    assert NativeEngine(far).improving_move(tour)[0] == NativeEngine(near).improving_move(tour)[0]
