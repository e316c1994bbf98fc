"""Distances are raised until none is negative, and every tour's cost by the same amount."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.searched import lowest_distance, nonnegative


def table(n: int, low: float, high: float, *, whole: bool) -> np.ndarray:
    upper = np.triu(np.random.default_rng(n).uniform(low, high, (n, n)), 1)
    upper = np.floor(upper) if whole else upper
    return upper + upper.T


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("opened", [True, False])
def test_differences_of_costs_stay(whole: bool, opened: bool) -> None:
    problem = TSP.from_matrix(table(12, -100, 50, whole=whole), open=opened)
    raised = nonnegative(problem)
    assert raised.matrix is not None and raised.matrix.min() >= 0
    assert raised.matrix.dtype == problem.points.dtype and raised.n == 12 and raised.open == opened
    rng = np.random.default_rng(1)
    shifts = [raised.cost(tour) - problem.cost(tour) for tour in (rng.permutation(12) for _ in range(20))]
    assert np.ptp(shifts) <= (0 if whole else 1e-9)


def test_a_problem_without_negative_distances_is_left_alone() -> None:
    cities = TSP("plane", METRICS["EUC_2D"], np.random.default_rng(1).random((5, 2)))
    assert nonnegative(cities) is cities
    given = TSP.from_matrix(table(6, 0, 9, whole=True))
    assert nonnegative(given) is given


def test_the_diagonal_has_no_say() -> None:
    matrix = table(6, 1, 9, whole=True)
    np.fill_diagonal(matrix, -1e9)
    assert lowest_distance(matrix) == 0
    matrix[1, 2] = matrix[2, 1] = -3
    assert lowest_distance(matrix) == -3


def test_rounding_is_of_the_given_distances() -> None:
    """A shift by a whole number leaves every distance's fraction as it was."""
    problem = TSP.from_matrix(table(9, -2, 2, whole=False)).rounded("ceil")
    raised = nonnegative(problem)
    i, j = np.triu_indices(9, 1)
    assert np.ptp(raised.distances(i, j) - problem.distances(i, j)) == 0
