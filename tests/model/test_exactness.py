"""What is accepted is added up exactly; what cannot be is refused in one line."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.tour_cost import TourCost


def exact(problem: TSP, tour: np.ndarray) -> int:
    """The cost in Python's own integers."""
    after = np.roll(tour, -1)
    return sum(int(gap) for gap in problem.distances(tour, after))


def test_a_large_matrix_of_large_distances_is_refused() -> None:
    with pytest.raises(InputError, match=r"2100 nodes up to 4.5e\+15 apart.*use a larger unit"):
        TSP.from_matrix(np.full((2100, 2100), 2**52) - np.diag(np.full(2100, 2**52)))


def test_a_few_forbidden_pairs_are_not_refused() -> None:
    matrix = np.full((2100, 2100), 10)
    matrix[3, 4] = matrix[4, 3] = 2**52
    problem = TSP.from_matrix(matrix)
    assert problem.cost(np.arange(2100)) == exact(problem, np.arange(2100)) == 2**52 + 20_990


LARGE_METRICS = ["EUC_2D", "CEIL_2D", "MAN_2D", "MAN_3D", "MAX_3D", "ATT"]


def large(metric: str, n: int, size: float) -> TSP:
    kind = METRICS[metric]
    return TSP("large", kind, np.random.default_rng(n).uniform(-size, size, (n, kind.dimensions)))


@pytest.mark.parametrize("metric", LARGE_METRICS)
@pytest.mark.parametrize("n", [5, 2100])
def test_costs_of_large_coordinates_are_exact(metric: str, n: int) -> None:
    problem = large(metric, n, 7e14)
    tour = np.random.default_rng(1).permutation(n)
    assert problem.cost(tour) == exact(problem, tour) >= 0


@pytest.mark.parametrize("metric", LARGE_METRICS)
def test_more_cities_than_can_be_added_up_are_refused(metric: str) -> None:
    with pytest.raises(InputError, match="use a larger unit"):
        large(metric, 20_000, 7e14)


def test_costs_on_all_threads_are_exact_where_float64_is_not() -> None:
    points = np.random.default_rng(5).uniform(0, 1e12, (100_000, 2))
    problem = TSP("wide", METRICS["EUC_2D"], points)
    tour = np.random.default_rng(1).permutation(100_000).astype(np.int32)
    assert TourCost(problem, 2)(tour) == problem.cost(tour) == exact(problem, tour)
    assert exact(problem, tour) > 2**53


def test_unrounded_distances_may_be_as_large_as_they_like() -> None:
    TSP("large", METRICS["EUCLIDEAN"], np.random.default_rng(1).uniform(-1e15, 1e15, (2100, 2)))


def vrp(n: int, **options: object) -> VRP:
    points = np.random.default_rng(1).integers(0, 1000, (n, 2)).astype(float)
    return VRP("fleet", METRICS["EUC_2D"], points, **options)


def test_demands_that_cannot_be_added_up_are_refused() -> None:
    demands = np.full(1200, 2**53)
    demands[0] = 0
    with pytest.raises(InputError, match=r"the demands sum to .*2\*\*53"):
        vrp(1200, demands=demands, capacity=2**53)
    with pytest.raises(InputError, match="more than a number holds"):
        vrp(4, demands=np.array([0, 1e308, 1e308, 1e308]), capacity=1e308)
    vrp(4, demands=np.array([0, 2**50, 2**50, 2**50]), capacity=2**53)


def test_routes_that_may_cost_too_much_are_refused() -> None:
    points = np.random.default_rng(1).uniform(-5e14, 5e14, (20_000, 2))
    with pytest.raises(InputError, match="20000 nodes up to"):
        VRP("fleet", METRICS["EUC_2D"], points, demands=np.r_[0, np.ones(19_999, int)], capacity=100)
