"""Set partitioning over routes, by comparison with all partitions; what the pool of routes keeps and offers."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.routes.engine import partition_routes as partition
from warptour.routes.engine import route_pool
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_pool import RoutePool

CUSTOMERS = 6

needs_highs = pytest.mark.skipif(not partition.installed(), reason="HiGHS is not installed")


def some_routes(seed: int) -> tuple[list[tuple[int, ...]], list[float]]:
    """Routes of up to three customers, those of single ones among them, and their costs."""
    rng = np.random.default_rng(seed)
    sets = [some for size in (1, 2, 3) for some in combinations(range(CUSTOMERS), size)]
    routes = [some for some in sets if len(some) == 1 or rng.random() < 0.7]
    return routes, [float(rng.integers(5, 15) + 5 * len(some)) for some in routes]


def cheapest(routes: list[tuple[int, ...]], costs: list[float], left: frozenset[int], most: int) -> float:
    """The cost of the cheapest partition into at most so many routes, by trying all."""
    if not left:
        return 0.0
    if not most:
        return np.inf
    first = min(left)
    tried = [
        cost + cheapest(routes, costs, left - set(route), most - 1)
        for route, cost in zip(routes, costs, strict=True)
        if first in route and left.issuperset(route)
    ]
    return min(tried, default=np.inf)


def arrays(routes: list[tuple[int, ...]], costs: list[float]) -> dict[str, np.ndarray]:
    return {
        "costs": np.array(costs),
        "ends": np.cumsum([len(route) for route in routes]).astype(np.int32),
        "customers": np.concatenate(routes).astype(np.int32),
        "known": np.arange(CUSTOMERS, dtype=np.int32),
    }


@needs_highs
@pytest.mark.parametrize("most", [CUSTOMERS, 3])
def test_no_partition_is_cheaper(most: int) -> None:
    improved = 0
    for seed in range(12):
        routes, costs = some_routes(seed)
        if most < CUSTOMERS:  # the known routes are no more than allowed
            routes[:CUSTOMERS] = [(0, 1), (2, 3), (4, 5)]
            costs = [40.0, 40.0, 40.0, *costs[CUSTOMERS:]]
        given = arrays(routes, costs)
        given["known"] = np.arange(most, dtype=np.int32)
        chosen = partition.partition_routes(*given.values(), most, 10.0)
        assert sorted(np.concatenate([routes[k] for k in chosen]).tolist()) == list(range(CUSTOMERS)), seed
        best = cheapest(routes, costs, frozenset(range(CUSTOMERS)), most)
        assert sum(costs[k] for k in chosen) == best and len(chosen) <= most, seed
        improved += best < sum(costs[: len(given["known"])])
    assert improved >= 6


@needs_highs
def test_the_program_answers_as_the_function(tmp_path: Path) -> None:
    routes, costs = some_routes(3)
    np.savez(tmp_path / "given.npz", limits=np.array([6, 10.0]), **arrays(routes, costs))
    with (tmp_path / "given.npz").open("rb") as given, (tmp_path / "answer.npy").open("wb") as answer:
        subprocess.run([sys.executable, partition.__file__], stdin=given, stdout=answer, check=True)
    chosen = np.load(tmp_path / "answer.npy")
    assert sum(costs[k] for k in chosen) == cheapest(routes, costs, frozenset(range(CUSTOMERS)), CUSTOMERS)


def pool_of(n: int = 8) -> tuple[RouteInstance, RoutePool]:
    instance = RouteInstance.of(wt.generate("vrp", n, 1), 5)
    return instance, RoutePool(instance, seed=1)


def test_of_routes_with_the_same_customers_the_cheapest_order_is_kept() -> None:
    instance, pool = pool_of()
    orders = [[1, 2, 3, 4, 5, 6, 7, 0], [3, 1, 4, 7, 6, 5, 2, 0], [5, 4, 3, 2, 1, 7, 6, 0]]
    for order in orders:
        pool.add(np.array(order, np.int32))
    assert len(pool) == 1
    columns = pool.columns(np.array(orders[1], np.int32))
    assert columns.known == 1 and columns.costs[0] == min(instance.cost(np.array(order, np.int32)) for order in orders)


def test_columns_begin_with_the_routes_of_the_solution_and_make_a_giant_tour() -> None:
    instance, pool = pool_of()
    for giant in ([1, 2, 0, 3, 4, 0, 5, 6, 7, 0], [1, 3, 0, 2, 4, 0, 5, 6, 0, 7, 0], [1, 0, 2, 3, 4, 0, 5, 6, 7, 0]):
        pool.add(np.array(giant, np.int32))
    giant = np.array([5, 6, 0, 7, 0, 1, 2, 0, 3, 4, 0], np.int32)
    columns = pool.columns(giant)
    assert columns.known == 4 and len(columns.routes) == len(pool) == 9
    assert columns.costs[:4].sum() == instance.cost(giant)
    again = columns.giant_tour(np.arange(4, dtype=np.int32))
    assert sorted(again.tolist()) == sorted(giant.tolist()) and instance.cost(again) == instance.cost(giant)
    numbers = {tuple(sorted(route.tolist())): k for k, route in enumerate(columns.routes)}
    other = np.array([numbers[key] for key in ((1, 2), (3, 4), (5, 6, 7))], np.int32)
    assert columns.gain(other) == instance.cost(giant) - instance.cost(columns.giant_tour(other))


def test_the_pool_forgets_the_routes_seen_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_pool, "MAX_ROUTES", 3)
    _, pool = pool_of()
    for giant in ([1, 2, 0, 3, 4, 5, 6, 7, 0], [1, 2, 0, 3, 4, 0, 5, 6, 7, 0]):
        pool.add(np.array(giant, np.int32))
    columns = pool.columns(np.array([1, 2, 0, 3, 4, 0, 5, 6, 7, 0], np.int32))
    assert len(pool) == 3 and sorted(len(route) for route in columns.routes) == [2, 2, 3]


def test_of_many_customers_those_near_one_are_divided_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_pool, "MAX_WHOLE", 10)
    instance, pool = pool_of(41)
    giant = np.concatenate([[*range(at, at + 4), 0] for at in range(1, 41, 4)]).astype(np.int32)
    other = np.concatenate([[*range(at, at + 2), 0] for at in range(1, 41, 2)]).astype(np.int32)
    pool.add(other)
    columns = pool.columns(giant)
    assert columns.known == 2 and len(columns.rest) == 8 and len(columns.routes) == 2 + 4
    assert instance.cost(columns.giant_tour(np.arange(2, dtype=np.int32))) == pytest.approx(instance.cost(giant))
