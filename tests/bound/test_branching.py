"""Branch and bound proves what is optimal, and nothing else."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import warptour
from small_problems import described, shortest_tour, small_tsp
from warptour.bound import prove_bound
from warptour.io.read import read
from warptour.model.gaps import is_optimal
from warptour.model.metric import METRICS
from warptour.model.problem import TSP


@pytest.mark.parametrize("part", range(4))
def test_small_problems_are_proved_optimal(part: int) -> None:
    for seed in range(1000 + part, 1160, 4):
        problem = small_tsp(seed, 3, 7)
        tour = shortest_tour(problem)
        if tour is None:
            continue
        optimum = problem.cost(tour)
        found = prove_bound(problem, 5.0, 1, cost=lambda optimum=optimum: optimum)
        assert is_optimal(optimum, found.lower_bound) and found.lower_bound <= optimum, described(problem)


@pytest.mark.parametrize("seed", range(12))
def test_a_tour_that_is_not_optimal_is_never_proved_to_be(seed: int) -> None:
    problem = small_tsp(2000 + seed, 6, 7)
    tour = shortest_tour(problem)
    if tour is None:
        return
    optimum = problem.cost(tour)
    found = prove_bound(problem, 5.0, 1, cost=lambda: optimum + 10 * (1 + abs(optimum)))
    assert found.lower_bound <= optimum
    assert problem.metric.integral is False or found.lower_bound == optimum


@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "GEO", "MAN_2D"])
@pytest.mark.parametrize("is_open", [False, True])
def test_forty_cities_are_solved_and_proved(metric: str, is_open: bool) -> None:
    points = np.random.default_rng(7).uniform(-80, 80, (40, 2))
    problem = TSP("forty", METRICS[metric], points, open=is_open, fixed_edges=[[0, 1], [5, 30]])
    result = warptour.solve(problem, seconds=60, threads=2, bound=True, device="cpu")
    assert result.optimal and result.seconds < 50
    assert math.isclose(result.cost, result.lower_bound or 0, rel_tol=1e-9)


def test_att48_is_proved_optimal(data: Path) -> None:
    problem = read(data / "tsp" / "att48.tsp")
    assert prove_bound(problem, 60.0, 1, cost=lambda: 10_700).lower_bound == problem.best_known == 10_628


@pytest.mark.parametrize("name", ["kroA100", "gr120", "bier127"])
def test_a_hundred_cities_are_proved_optimal(name: str, data: Path) -> None:
    problem = read(data / "tsp" / f"{name}.tsp")
    found = warptour.bound(problem, seconds=120, threads=1)
    assert found.tight
    assert found.lower_bound == problem.best_known


def test_edges_are_eliminated_only_where_no_better_tour_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without an ascent the branch and bound begins with penalties of 0.
    monkeypatch.setattr(sys.modules["warptour.bound.bound"], "PASSES", ())
    for seed in range(30):
        problem = small_tsp(3000 + seed, 6, 8)
        tour = shortest_tour(problem)
        if tour is None:
            continue
        optimum = problem.cost(tour)
        for cost in (optimum, optimum + 3 * (1 + abs(optimum))):
            found = prove_bound(problem, 5.0, 1, cost=lambda cost=cost: cost)
            assert is_optimal(optimum, found.lower_bound) and found.lower_bound <= optimum, described(problem)


def test_an_unfinished_proof_proves_nothing(data: Path) -> None:
    problem = read(data / "tsp" / "pr76.tsp")
    assert 104_000 < prove_bound(problem, 1.0, 1, cost=lambda: 108_159).lower_bound < 108_159
