"""Giant tours: what they hold, and the way from routes and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giant_moves import route_count
from giant_problems import KINDS, random_giant, random_instance, random_vrp
from giant_reference import ReferenceGiant
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.resources import length_of, resources_of
from warptour.routes.starts.savings import savings


@given(st.integers(0, 999), st.integers(1, 9), st.integers(0, 4), st.sampled_from(KINDS))
def test_routes_enter_and_leave_unchanged(seed: int, customers: int, spare: int, kind: str) -> None:
    problem = random_vrp(seed, customers, kind)
    routes = savings(replace(problem, vehicles=None))
    instance = GiantInstance.of(problem, len(routes) + spare)
    giant = instance.enter([*routes, np.empty(0, np.int32)])
    assert giant.dtype == np.int32 and len(giant) == instance.nodes
    assert sorted(giant) == list(range(1, instance.nodes + 1))
    assert [route.tolist() for route in instance.leave(giant)] == [route.tolist() for route in routes]
    assert route_count(instance, giant) == len(routes)


@given(st.integers(0, 999), st.integers(0, 8), st.integers(1, 5), st.sampled_from(KINDS))
def test_the_objective_is_the_cost_of_the_routes(seed: int, customers: int, routes: int, kind: str) -> None:
    problem = random_vrp(seed, customers, kind, vehicles=None)
    instance = GiantInstance.of(problem, routes)
    giant = random_giant(seed, instance)
    assert ReferenceGiant(instance).objective(giant) == pytest.approx(problem.cost(instance.leave(giant)), rel=1e-12)


@given(st.integers(0, 999), st.integers(1, 8), st.integers(1, 5), st.sampled_from(KINDS))
def test_a_giant_tour_is_feasible_if_its_routes_are(seed: int, customers: int, routes: int, kind: str) -> None:
    problem = random_vrp(seed, customers, kind, vehicles=None)
    instance = GiantInstance.of(problem, routes)
    giant = random_giant(seed, instance)
    assert ReferenceGiant(instance).feasible(giant) == problem.check(instance.leave(giant)).feasible


def test_more_routes_than_a_giant_tour_has_are_refused() -> None:
    instance = random_instance(1, 3, 2)
    with pytest.raises(ValueError, match="3 routes do not fit into a giant tour of 2"):
        instance.enter([np.array([node], np.int32) for node in instance.order[1:]])


def test_vehicles_are_at_most_the_routes() -> None:
    assert random_instance(1, 5, 3, vehicles=None).vehicles == 3
    assert random_instance(1, 5, 3, vehicles=2).vehicles == 2
    assert random_instance(1, 5, 3, vehicles=9).vehicles == 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_route_too_many_outweighs_all_that_a_move_can_gain(kind: str) -> None:
    instance = random_instance(4, 8, 3, kind)
    nodes = np.arange(instance.problem.n)
    longest = float(instance.problem.distances(nodes[:, None], nodes).max())
    assert instance.weight > 3 * longest + 3 * instance.problem.fixed_cost
    assert instance.weight == 2.0 ** round(np.log2(instance.weight))


def test_service_at_the_depot_does_not_count() -> None:
    problem = random_vrp(2, 4, max_distance=900, depot=0, demands=[0, 1, 1, 1, 1], service_times=[500, 1, 2, 3, 4])
    assert length_of(problem, problem.limits[0]).enter.tolist() == [0, 1, 2, 3, 4]


def test_a_problem_without_a_limit_has_one_resource() -> None:
    assert [each.name for each in resources_of(random_vrp(1, 3, max_distance=None))] == ["capacity"]
    assert [each.name for each in resources_of(random_vrp(1, 3, max_distance=100))] == ["capacity", "length"]
