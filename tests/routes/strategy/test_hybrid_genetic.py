"""The population of hybrid genetic search: when its answer may be final, and how it comes to feasible routes."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.hybrid_genetic import MEMORY, RISE, RoutePopulation
from warptour.routes.strategy.subpopulation import MIN_SIZE
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget


def population(problem: wt.VRP) -> RoutePopulation:
    instance = RouteInstance.of(problem, 20)
    return RoutePopulation(instance, ThreadPool(1), 1, instance.enter(savings(problem)))


def bins(demand: int) -> wt.VRP:
    """Return three customers and two vehicles for 6 in all, which the demands exceed in no sum but in any packing."""
    points = [[0, 0], [3, 4], [-3, 4], [0, -5]]
    return wt.VRP.from_points(points, demands=[0, demand, demand, demand], capacity=3, vehicles=2)


def test_nothing_is_settled_before_a_generation_of_feasible_routes_has_competed() -> None:
    problem = wt.generate("vrp", 31, 1)
    search, routes = Search(problem, Iterations(10**6)), population(problem)
    unsettled = []
    for _ in range(12):
        routes.advance(Budget())
        search.iterations = routes.iterations
        routes.tell(search)
        unsettled.append(search.state.unsettled_iterations == search.iterations)
        assert unsettled[-1] == (len(routes.feasible.individuals) < MIN_SIZE)
    assert unsettled[0] and not unsettled[-1]


def test_where_no_feasible_routes_are_found_nothing_is_settled() -> None:
    search, routes = Search(bins(2), Iterations(10**6)), population(bins(2))
    for _ in range(100):
        routes.advance(Budget())
        search.iterations = routes.iterations
        routes.tell(search)
        assert search.state.unsettled_iterations == search.iterations


@pytest.mark.parametrize(("demand", "factor"), [(2, RISE), (1, 0.85)])
def test_penalties_rise_fast_until_there_are_feasible_routes(demand: int, factor: float) -> None:
    routes = population(bins(demand))
    first = routes.penalties.load
    while routes.penalties.load == first:
        routes.advance(Budget())
        assert routes.iterations < 3 * 10 * MEMORY  # one in four of these few customers' offspring adapts them
    assert np.isclose(routes.penalties.load, factor * first)
