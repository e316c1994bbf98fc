"""The child of a partition crossover has the cheaper routes of each part, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from warptour.construct import savings
from warptour.engines.routes.fleet import Fleet, Ruin
from warptour.engines.routes.instance import Ints, RouteInstance
from warptour.engines.routes.partition_crossover import cheaper_parts
from warptour.io.read import read
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP

PROBLEM = read("vrp:150:3")
assert isinstance(PROBLEM, VRP)
INSTANCE = RouteInstance.of(PROBLEM, 20)
FIRST = INSTANCE.enter(savings(PROBLEM))


def giant(*routes: list[int]) -> Ints:
    return np.array([entry for route in routes for entry in [*route, 0]], np.int32)


def on_a_line(*at: float, fixed_cost: float = 0.0) -> RouteInstance:
    """Return customers on a line, the depot at 0."""
    points: NDArray[np.float64] = np.array([[0.0, 0.0], *([x, 0.0] for x in at)])
    demands = np.r_[0, np.ones(len(at), int)]
    line = VRP("line", METRICS["EUC_2D"], points, demands=demands, capacity=100, fixed_cost=fixed_cost)
    return RouteInstance.of(line, 5)


def routes(instance: RouteInstance, found: Ints) -> set[tuple[int, ...]]:
    return {tuple(route.tolist()) for route in instance.routes(found)}


def annealed(seed: int, heat: float) -> Ints:
    fleet = Fleet(INSTANCE, FIRST, PROBLEM.n)
    fleet.search(300, (heat, heat / 10), seed=seed, stream=0, ruin=Ruin())
    return fleet.giant_tour()


def test_each_part_comes_from_where_it_is_cheaper() -> None:
    instance = on_a_line(10, 20, -10, -20)
    one, other = giant([1], [2], [3, 4]), giant([1, 2], [3], [4])
    assert routes(instance, cheaper_parts(instance, one, other, 9)) == {(1, 2), (3, 4)}
    assert routes(instance, cheaper_parts(instance, other, one, 9)) == {(1, 2), (3, 4)}


def test_routes_that_share_a_customer_are_one_part() -> None:
    instance = on_a_line(10, 20, -10, -20)
    one, other = giant([1, 2, 3], [4]), giant([1, 2], [3, 4])
    assert routes(instance, cheaper_parts(instance, one, other, 9)) == {(1, 2), (3, 4)}


def test_fixed_costs_count() -> None:
    instance = on_a_line(10, -10, fixed_cost=50)
    one, other = giant([1], [2]), giant([1, 2])
    assert routes(instance, cheaper_parts(instance, one, other, 9)) == {(1, 2)}


def test_equal_parts_are_not_exchanged() -> None:
    instance = on_a_line(10, 20, -10)
    one = giant([1, 2], [3])
    assert cheaper_parts(instance, one, giant([2, 1], [3]), 9).tolist() == one.tolist()


def test_there_are_never_more_routes_than_allowed() -> None:
    instance = on_a_line(10, 11, 100, 101)
    one, other = giant([1, 3, 2, 4]), giant([1, 2], [3, 4])
    assert cheaper_parts(instance, one, other, 2).tolist() == other.tolist()
    assert cheaper_parts(instance, one, other, 1).tolist() == one.tolist()


@pytest.mark.parametrize("seed", range(15))
def test_a_child_serves_everyone_and_costs_no_more_than_its_parents(seed: int) -> None:
    one, other = annealed(seed, 5.0), annealed(seed + 100, 40.0)
    child = cheaper_parts(INSTANCE, one, other, PROBLEM.n)
    assert sorted(child[child != 0].tolist()) == list(range(1, PROBLEM.n))
    assert INSTANCE.cost(child) <= min(INSTANCE.cost(one), INSTANCE.cost(other)) + 1e-6
    assert routes(INSTANCE, child) <= routes(INSTANCE, one) | routes(INSTANCE, other)
    assert all(INSTANCE.demands[route].sum() <= INSTANCE.capacity for route in INSTANCE.routes(child))
