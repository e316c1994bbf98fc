"""Routes along a curve keep capacity and limits, and need no more than a customer's own trip each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.api import generate, solve
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.starts.curve_routes import curve_routes, simple_routes


def make(m: int, seed: int, slack: float | None) -> VRP:
    rng = np.random.default_rng(seed)
    points, service = rng.uniform(0, 100, (m + 1, 2)), rng.uniform(0, 3, m + 1)
    depot = int(rng.integers(m + 1))
    demands = rng.integers(1, 5, m + 1)
    alone = 2 * np.hypot(*(points - points[depot]).T) + service
    limit = None if slack is None else slack * float(alone.max())
    return VRP(
        "made", METRICS["EUCLIDEAN"], points, demands=np.where(np.arange(m + 1) == depot, 0, demands), depot=depot,
        capacity=20, service_times=service, max_distance=limit,
    )  # fmt: skip


@given(st.integers(0, 60), st.integers(0, 500), st.sampled_from([None, 1.0, 1.4]))
def test_routes_are_feasible(m: int, seed: int, slack: float | None) -> None:
    problem = make(m, seed, slack)
    assert problem.check(curve_routes(problem)).violations == ()


def test_routes_are_as_full_as_the_curve_allows() -> None:
    problem = make(300, 1, None)
    routes = curve_routes(problem)
    loads = [int(problem.demands[route].sum()) for route in routes]
    firsts = [int(problem.demands[route[0]]) for route in routes]
    assert all(load + then > 20 for load, then in zip(loads[:-1], firsts[1:], strict=True))


@pytest.mark.parametrize("demands", [[0, 50, 1, 1], [0, 0, 0, 0]])
def test_a_customer_too_large_goes_alone_and_none_need_no_room(demands: list[int]) -> None:
    matrix = np.ones((4, 4)) - np.eye(4)
    problem = VRP("few", METRICS["EXPLICIT"], matrix, demands=np.array(demands), capacity=10)
    expected = [[1], [2, 3]] if demands[1] else [[1, 2, 3]]
    assert [route.tolist() for route in curve_routes(problem)] == expected


def test_where_a_curve_breaks_windows_everyone_has_a_route() -> None:
    problem = generate("windows", 163, 1065714572)
    assert isinstance(problem, VRP) and not problem.check(curve_routes(problem)).feasible
    routes = simple_routes(problem)
    assert routes is not None and len(routes) == 162 and problem.check(routes).feasible
    assert simple_routes(replace(problem, vehicles=20)) is None


def test_a_search_without_any_time_has_an_answer_where_windows_are() -> None:
    result = solve(generate("windows", 163, 1065714572), seconds=1e-6, threads=1)
    assert result.feasible and result.ended == "time"


def test_a_shipment_travels_alone_where_the_curve_parts_its_ends() -> None:
    points = np.array([[0.0, 0], [9, 0], [1, 0], [9, 9], [1, 9]])
    ends = [(1, 4), (3, 2)]
    problem = VRP.from_points(points, demands=[0, 5, 0, 5, 0], capacity=5, shipments=ends)
    routes = simple_routes(problem)
    assert routes is not None and sorted(route.tolist() for route in routes) == [[1, 4], [3, 2]]
