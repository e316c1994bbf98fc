"""The temperatures of ruin and recreate."""

from __future__ import annotations

import math

import pytest

from clocks import Never, SetSearch
from warptour.io.generate import generate
from warptour.routes.strategy.cooling import (
    CYCLE,
    HOT_ITERATIONS,
    LONG_ROUTE,
    MANY_CUSTOMERS,
    MILDEST,
    SHORT_ROUTE,
    WARM,
    Cooling,
    warmth,
)
from warptour.search.stop import Iterations, Seconds, Stop


@pytest.mark.parametrize(
    ("customers", "routes", "expected"),
    [
        (1000, 100, MILDEST),
        (9, 9, MILDEST),
        (1000, 1000 // LONG_ROUTE, WARM),
        (MANY_CUSTOMERS, MANY_CUSTOMERS, 1.0),
        (10 * MANY_CUSTOMERS, 5000, 1.0),
        (10 * MANY_CUSTOMERS, 10 * MANY_CUSTOMERS // SHORT_ROUTE, math.sqrt(10)),
        (MANY_CUSTOMERS, MANY_CUSTOMERS // (2 * SHORT_ROUTE), 2.0),
        (MANY_CUSTOMERS // 2, 500, 0.25),
        (LONG_ROUTE * 10, 20, WARM / 2),
    ],
)
def test_annealing_begins_warmer_with_many_customers_or_long_routes(
    customers: int, routes: int, expected: float
) -> None:
    assert warmth(customers, routes, HOT_ITERATIONS * customers) == pytest.approx(expected)


def test_annealing_begins_less_hot_where_it_has_no_time_to_cool() -> None:
    assert warmth(MANY_CUSTOMERS, 200, HOT_ITERATIONS * MANY_CUSTOMERS * 0.7) == pytest.approx(0.49)
    assert warmth(MANY_CUSTOMERS, 200, 1) == WARM


def cooling(stop: Stop, share: float = 1.0) -> tuple[SetSearch, Cooling]:
    problem = generate("vrp", 20, 1)
    search = SetSearch(problem, stop)
    return search, Cooling(search, 16.0, 1.0, share)


def test_the_temperature_falls_geometrically_with_the_iterations() -> None:
    search, heat = cooling(Iterations(400))
    for done, expected in (0, 16.0), (100, 8.0), (200, 4.0), (300, 2.0), (400, 1.0):
        assert heat.temperature(done - search.iterations) == pytest.approx(expected)
        search.count(done - search.iterations)
        assert heat.temperature() == pytest.approx(expected)


def test_the_temperature_falls_geometrically_with_the_time() -> None:
    search, heat = cooling(Seconds(8.0))
    for search.now, expected in (0.0, 16.0), (2.0, 8.0), (4.0, 4.0), (6.0, 2.0), (8.0, 1.0):
        assert heat.temperature() == pytest.approx(expected)


def test_of_two_limits_the_nearer_cools() -> None:
    search, heat = cooling(Seconds(8.0) | Iterations(400))
    search.now = 2.0
    assert heat.temperature() == pytest.approx(8.0)
    search.count(200)
    assert heat.temperature() == pytest.approx(4.0)


def test_a_share_of_the_budget_is_cooled_in_and_then_finished() -> None:
    search, heat = cooling(Seconds(8.0), 0.5)
    for search.now, expected in (0.0, 16.0), (1.0, 8.0), (2.0, 4.0), (3.9, 1.0718):
        assert heat.temperature() == pytest.approx(expected, rel=1e-3)
        assert not heat.is_finished()
    search.now = 4.0
    assert heat.is_finished()


def test_without_limits_each_cooling_takes_twice_as_long_as_the_last() -> None:
    _, heat = cooling(Never())
    first = CYCLE * 20
    assert heat.temperature() == 16.0
    assert heat.temperature(round(first * (math.sqrt(2) - 1))) == pytest.approx(4.0, rel=1e-3)
    assert heat.temperature(first - 1) == pytest.approx(1.0, rel=1e-3)
    assert heat.temperature(first) == 16.0
    assert heat.temperature(3 * first - 1) == pytest.approx(1.0, rel=1e-3)
    assert heat.temperature(3 * first) == pytest.approx(16.0)
