"""Savings serve every customer within capacity and route limit, and with the vehicles there are where possible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.starts import pairs
from warptour.routes.starts.savings import savings


def make(m: int, seed: int = 0, metric: str = "EUC_2D", **options: Any) -> VRP:
    rng = np.random.default_rng(seed)
    depot = int(rng.integers(m + 1))
    demands = rng.integers(1, 50, m + 1)
    demands[depot] = 0
    points = rng.uniform(0, 1000, (m + 1, 2))
    return VRP("made", METRICS[metric], points, demands=demands, depot=depot, **({"capacity": 200} | options))


def alone_at_worst(problem: VRP) -> float:
    customers = problem.customers
    legs = problem.distances(np.full(len(customers), problem.depot, np.int32), customers)
    return float((2 * legs + problem.service_times[customers]).max(initial=1.0))


@pytest.mark.sanitize_quick
@given(
    st.integers(0, 60),
    st.integers(0, 1000),
    st.sampled_from(["EUC_2D", "EUCLIDEAN", "CEIL_2D"]),
    st.sampled_from([None, 1.0, 1.3, 4.0]),
    st.sampled_from([0.0, 7.25]),
)
def test_routes_are_feasible(m: int, seed: int, metric: str, slack: float | None, service: float) -> None:
    problem = make(m, seed, metric, service_times=np.full(m + 1, service))
    if slack is not None:
        limit = slack * alone_at_worst(problem)
        problem = make(m, seed, metric, service_times=np.full(m + 1, service), max_distance=limit)
    assert problem.check(savings(problem)).violations == ()


def test_a_matrix_serves_as_well_as_points() -> None:
    problem = make(80)
    every = np.arange(81)
    table = problem.distances(every[:, None], every[None, :])
    same = VRP("matrix", METRICS["EXPLICIT"], table, demands=problem.demands, depot=problem.depot, capacity=200)
    routes = savings(same)
    assert same.check(routes).violations == ()
    assert same.cost(routes) == pytest.approx(problem.cost(savings(problem)), rel=0.05)


def test_two_customers_side_by_side_share_a_route() -> None:
    points = np.array([[0.0, 0], [10, 0], [10, 1], [-10, 0]])
    problem = VRP("pair", METRICS["EUCLIDEAN"], points, demands=np.array([0, 1, 1, 1]), capacity=2)
    assert sorted(sorted(route.tolist()) for route in savings(problem)) == [[1, 2], [3]]


def test_savings_are_well_below_one_route_for_each() -> None:
    problem = make(2000, capacity=500)
    routes = savings(problem)
    assert problem.check(routes).violations == ()
    assert len(routes) <= 1.1 * problem.demands.sum() / 500
    assert problem.cost(routes) < 0.25 * problem.cost([np.array([c]) for c in problem.customers])


@given(st.integers(2, 60), st.integers(0, 200))
def test_the_vehicles_suffice_where_the_demands_leave_room(m: int, seed: int) -> None:
    loose = make(m, seed)
    vehicles = int(np.ceil(loose.demands.sum() / 170)) + 1
    problem = make(m, seed, vehicles=vehicles)
    assert problem.check(savings(problem)).violations == ()


def test_a_tight_packing_is_found() -> None:
    rng = np.random.default_rng(1)
    demands = np.array([0] + [60, 40] * 20)
    problem = VRP("tight", METRICS["EUC_2D"], rng.uniform(0, 100, (41, 2)), demands=demands, capacity=100, vehicles=20)
    assert problem.check(savings(problem)).violations == ()


def test_too_few_vehicles_leave_all_customers_served() -> None:
    problem = make(30, vehicles=1)
    violations = problem.check(savings(problem)).violations
    assert len(violations) == 1 and "more than the vehicles" in violations[0]


def test_customers_in_one_place_share_routes() -> None:
    points = np.concatenate([[[0.0, 0.0]], np.full((300, 2), 9.0)])
    problem = VRP("heap", METRICS["EUC_2D"], points, demands=np.r_[0, np.ones(300, int)], capacity=10)
    routes = savings(problem)
    assert problem.check(routes).violations == ()
    assert len(routes) == 30


def test_a_customer_too_large_for_any_vehicle_goes_alone() -> None:
    points = np.array([[0.0, 0], [1, 0], [2, 0]])
    problem = VRP("large", METRICS["EUC_2D"], points, demands=np.array([0, 50, 1]), capacity=10)
    assert sorted(route.tolist() for route in savings(problem)) == [[1], [2]]


@pytest.mark.threads
def test_the_routes_do_not_depend_on_threads() -> None:
    problem = make(3000)
    one, three = savings(problem, threads=1), savings(problem, threads=3)
    assert [route.tolist() for route in one] == [route.tolist() for route in three]


@given(st.integers(20, 60), st.integers(0, 200), st.sampled_from([0.0, 500.5]))
def test_bands_of_savings_join_what_sorting_all_of_them_joins(m: int, seed: int, fixed_cost: float) -> None:
    problem = make(m, seed, fixed_cost=fixed_cost)
    whole = savings(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BAND", 100)
        parts = savings(problem)
    assert [route.tolist() for route in parts] == [route.tolist() for route in whole]
