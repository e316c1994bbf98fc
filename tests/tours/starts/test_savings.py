"""Savings for a tour joins, of all pairs of ends, the one that saves most."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from warptour.kernels.groups import Unfinished
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.starts.start import start


def edges_by_savings(problem: TSP) -> set[frozenset[int]]:
    """The rule in plain Python: all edges but those at the hub."""
    flat = problem.rounded("none")
    pairs = [
        (flat.distance(0, i) + flat.distance(0, j) - flat.distance(i, j), i, j)
        for i, j in combinations(range(1, problem.n), 2)
    ]
    degree, fragment, edges = [0] * problem.n, list(range(problem.n)), set()
    for _, i, j in sorted(pairs, reverse=True):
        if degree[i] < 2 and degree[j] < 2 and fragment[i] != fragment[j]:
            fragment = [fragment[i] if f == fragment[j] else f for f in fragment]
            degree[i], degree[j] = degree[i] + 1, degree[j] + 1
            edges.add(frozenset((i, j)))
    return edges


@pytest.mark.parametrize("metric", ["EUCLIDEAN", "EUC_2D", "EUC_3D", "ATT", "GEO", "GREAT_CIRCLE"])
def test_the_largest_saving_is_taken_first(metric: str) -> None:
    for n in (4, 7, 60):
        points = np.random.default_rng(n).uniform(-80, 80, (n, METRICS[metric].dimensions))
        problem = TSP("uniform", METRICS[metric], points)
        path = problem.as_written(start(problem, "savings"))[1:].tolist()
        assert {frozenset(pair) for pair in pairwise(path)} == edges_by_savings(problem)


def test_a_matrix_is_searched_completely() -> None:
    upper = np.triu(np.random.default_rng(1).permutation(1600).reshape(40, 40) - 300.5, 1)
    problem = TSP.from_matrix(upper + upper.T)
    path = problem.as_written(start(problem, "savings"))[1:].tolist()
    assert {frozenset(pair) for pair in pairwise(path)} == edges_by_savings(problem)


def test_a_tour_of_uniform_cities_is_within_a_percent_of_the_literature() -> None:
    problem = TSP("uniform", METRICS["EUCLIDEAN"], np.random.default_rng(0).uniform(0, 1, (50_000, 2)))
    above = 100 * (problem.cost(start(problem, "savings")) / (0.7080 * np.sqrt(50_000)) - 1)
    assert abs(above - 12.2) < 1


def test_it_gives_up_when_there_is_no_time() -> None:
    for problem in (TSP("line", METRICS["EUC_2D"], np.eye(50, 2)), TSP.from_matrix(np.ones((50, 50)))):
        with pytest.raises(Unfinished):
            start(problem, "savings", over=lambda: True)
