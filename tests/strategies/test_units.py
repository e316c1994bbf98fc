"""Units do not matter: metres or kilometres, kilograms or tonnes, a strategy finds the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from run_strategy import searched
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.routes.strategy.cooling import typical_edge
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies.registry import STRATEGIES

TOURS = sorted(set(STRATEGIES) - {"dcvrp", "routes"})
ITERATIONS = {"windows": 1000, "ils": 1000, "vns": 1000, "restarts": 4}
FEW = 60

ROUTES = {
    "crossed": RouteImprovement(max_genetic_customers=1000),
    "whole": RouteImprovement(max_genetic_customers=0, min_ruin_customers=0),
    "groups": RouteImprovement(
        max_genetic_customers=0, min_ruin_customers=0, max_common_customers=0, group_size=20, group_routes=2
    ),
    "one after the other": RouteImprovement(max_genetic_customers=0, min_ruin_customers=100, min_ruin_iterations=0),
}
ATTEMPTS = Iterations(2000)

POWERS_OF_TWO = [2.0**-20, 2.0**20]
POWERS_OF_TEN = [1e-6, 1e-3, 1e6]
NOISE = 0.04
"""Part of the cost by which runs of another seed differ at such budgets."""


def scaled_cities(factor: float, *, matrix: bool) -> TSP:
    points = 1000 * np.random.default_rng(5).random((150, 2))
    if not matrix:
        return TSP("cities", METRICS["EUCLIDEAN"], factor * points)
    return TSP.from_matrix(factor * np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)))


def stops(of_cost: float = 1.0, of_load: float = 1.0, *, matrix: bool = False, **options: object) -> VRP:
    """Seventy customers: one factor for what costs or is compared with costs, another for what is carried."""
    rng = np.random.default_rng(5)
    points = 1000 * rng.random((71, 2))
    demands = rng.integers(1, 30, 71)
    demands[0] = 0
    problem = VRP("stops", METRICS["EUCLIDEAN"], points, demands=demands, capacity=100, **options)
    limit = problem.max_distance
    scaled = replace(
        problem, points=of_cost * points, demands=of_load * demands, capacity=of_load * 100,
        max_distance=None if limit is None else of_cost * limit, service_times=of_cost * problem.service_times,
        fixed_cost=of_cost * problem.fixed_cost,
    )  # fmt: skip
    everyone = np.arange(71)
    table = scaled.distances(everyone[:, None], everyone[None, :])
    return replace(scaled, metric=METRICS["EXPLICIT"], points=table, display=points) if matrix else scaled


LIMITS = {
    "capacity": {},
    "limit": {"max_distance": 3300.0, "service_times": np.full(71, 60.0)},
    "fixed cost": {"fixed_cost": 250.0},
    "vehicles": {"vehicles": 12},
}


def tour_of(name: str, factor: float, *, matrix: bool = False) -> Search:
    stop = Iterations(ITERATIONS.get(name, FEW))
    return searched(STRATEGIES[name](), scaled_cities(factor, matrix=matrix), stop, seed=3)


def lists(search: Search) -> list[list[int]]:
    return [route.tolist() for route in search.best]  # type: ignore[union-attr]


@pytest.mark.parametrize("matrix", [False, True], ids=["points", "matrix"])
@pytest.mark.parametrize("name", TOURS)
def test_a_power_of_two_changes_no_tour(name: str, matrix: bool) -> None:
    plain = tour_of(name, 1.0, matrix=matrix)
    for factor in POWERS_OF_TWO:
        scaled = tour_of(name, factor, matrix=matrix)
        assert scaled.cost == pytest.approx(factor * plain.cost, rel=1e-14), "the same tour, summed from another city"
        assert (scaled.problem.as_written(scaled.best) == plain.problem.as_written(plain.best)).all()


@pytest.mark.parametrize("name", TOURS)
def test_a_power_of_ten_makes_no_tour_worse(name: str) -> None:
    plain = tour_of(name, 1.0)
    for factor in POWERS_OF_TEN:
        assert tour_of(name, factor).cost == pytest.approx(factor * plain.cost, rel=NOISE)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("way", ROUTES)
def test_a_power_of_two_changes_no_routes(way: str, limits: str) -> None:
    plain = searched(ROUTES[way], stops(**LIMITS[limits]), ATTEMPTS, seed=3)
    for of_cost, of_load in [(2.0**-20, 1.0), (1.0, 2.0**-30), (2.0**13, 2.0**-7)]:
        scaled = searched(ROUTES[way], stops(of_cost, of_load, **LIMITS[limits]), ATTEMPTS, seed=3)
        assert scaled.cost == of_cost * plain.cost
        assert lists(scaled) == lists(plain)


@pytest.mark.parametrize("way", ROUTES)
def test_a_power_of_two_changes_no_routes_of_a_matrix(way: str) -> None:
    plain, scaled = (searched(ROUTES[way], stops(factor, matrix=True), ATTEMPTS, seed=3) for factor in (1.0, 2.0**-20))
    assert lists(scaled) == lists(plain)


@pytest.mark.parametrize("way", ROUTES)
def test_kilograms_as_tonnes_change_no_routes(way: str) -> None:
    plain = searched(ROUTES[way], stops(), ATTEMPTS, seed=3)
    for of_load in (1e-6, 1e-3, 0.1, 1e3, 1e6):
        assert lists(searched(ROUTES[way], stops(1.0, of_load), ATTEMPTS, seed=3)) == lists(plain)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("way", ROUTES)
def test_a_power_of_ten_makes_no_routes_worse(way: str, limits: str) -> None:
    plain = searched(ROUTES[way], stops(**LIMITS[limits]), ATTEMPTS, seed=3)
    for factor in POWERS_OF_TEN:
        scaled = searched(ROUTES[way], stops(factor, factor, **LIMITS[limits]), ATTEMPTS, seed=3)
        assert scaled.cost == pytest.approx(factor * plain.cost, rel=NOISE)


@pytest.mark.parametrize("way", ROUTES)
def test_a_forbidden_drive_leaves_the_search_its_ears(way: str) -> None:
    """A pair at 1e12 once set what counts as a gain; now it is as if it were merely far.

    Distances are multiples of 1/64, so that no sum is rounded.
    """
    found = []
    for far in (1e5, 1e12):
        problem = stops(matrix=True)
        table = np.rint(problem.points * 64) / 64
        table[3, 40] = table[40, 3] = table[9, 10] = table[10, 9] = far
        found.append(searched(ROUTES[way], replace(problem, points=table), ATTEMPTS, seed=3))
    assert lists(found[0]) == lists(found[1])
    assert found[0].cost == pytest.approx(searched(ROUTES[way], stops(matrix=True), ATTEMPTS, seed=3).cost, rel=NOISE)


def test_a_start_over_a_forbidden_drive_is_no_hotter() -> None:
    problem = stops(matrix=True)
    walk = np.r_[np.arange(1, 71, dtype=np.int32), problem.depot]
    edge = typical_edge(problem, walk)
    table = problem.points.copy()
    table[3, 4] = table[4, 3] = 1e12
    assert typical_edge(replace(problem, points=table), walk) == pytest.approx(edge, rel=0.1)


@pytest.mark.parametrize("way", ROUTES)
def test_limits_that_never_bind_leave_the_search_its_ears(way: str) -> None:
    """A limit of 1e15 for "none": what counts as a gain was a part of it."""
    loose, looser = (
        searched(ROUTES[way], replace(stops(max_distance=limit), capacity=room), ATTEMPTS, seed=3)
        for limit, room in ((1e6, 1e6), (1e15, 1e15))
    )
    assert lists(loose) == lists(looser)
