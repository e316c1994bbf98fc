"""Customers whose direct trip exceeds a limit, where the triangle inequality does not hold."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from warptour.routes.starts.detour_routes import detoured
from warptour.routes.starts.insertion import insertion, singles
from warptour.routes.starts.savings import savings

TIMES = np.array([[0, 9, 2, 2, 9], [9, 0, 2, 2, 9], [2, 2, 0, 1, 9], [2, 2, 1, 0, 9], [9, 9, 9, 9, 0]]) * 100.0
"""Between customer 1 and the depot the way by 2 and 3 is short; customer 4 is far from all."""


def problem_of(limit: float, capacity: int = 9, times: np.ndarray = TIMES) -> wt.VRP:
    demands = [0] + [1] * (len(times) - 1)
    distances = np.ones_like(times)
    return wt.VRP.from_matrix(distances, demands=demands, capacity=capacity, durations=times, max_hours=limit / 3600)


@pytest.mark.parametrize("construct", [savings, insertion, lambda problem: detoured(problem, singles(problem))])
@pytest.mark.parametrize("capacity", [3, 9])
def test_customers_are_served_by_way_of_others(construct, capacity: int) -> None:
    problem = problem_of(1000, capacity, TIMES[:4, :4])
    assert not problem.check(singles(problem)).feasible
    assert problem.check(construct(problem)).feasible


def test_others_are_taken_from_routes_that_keep_their_limits() -> None:
    """Customer 2 is on the way to 3, and alone on the way to 1: only one of the two can have it."""
    times = np.array([[0, 9, 2, 9], [9, 0, 2, 9], [2, 2, 0, 2], [9, 9, 2, 0]]) * 100.0
    routes = detoured(problem_of(1300, 2, times), [np.array([1]), np.array([2, 3])])
    assert sorted(sorted(route.tolist()) for route in routes) == [[1], [2, 3]]


def test_who_fits_nowhere_stays_alone() -> None:
    routes = detoured(problem_of(1000), singles(problem_of(1000)))
    assert [4] in [route.tolist() for route in routes]
    assert sorted(np.concatenate(routes).tolist()) == [1, 2, 3, 4]


@pytest.mark.parametrize("customers", [20, 200])
def test_searches_find_routes_where_direct_trips_take_too_long(customers: int) -> None:
    """Half of the customers can be reached, or left, by way of others only."""
    rng = np.random.default_rng(customers)
    points = 1000 * rng.random((customers + 1, 2))
    times = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    closed = rng.permutation(np.arange(1, customers + 1))[: customers // 2]
    times[0, closed] += 9999
    demands = [0] + [1] * customers
    problem = wt.VRP.from_points(points, demands=demands, capacity=8, durations=times, max_hours=1.5)
    assert not problem.check(singles(problem)).feasible
    result = wt.solve(problem, iterations=40_000, threads=1)
    assert problem.check(result.routes).feasible
