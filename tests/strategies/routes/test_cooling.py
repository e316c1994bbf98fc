"""The temperatures of ruin and recreate."""

from __future__ import annotations

import math

import pytest

from warptour.strategies.routes.cooling import (
    HOT_ITERATIONS,
    LONG_ROUTE,
    MANY_CUSTOMERS,
    MILDEST,
    SHORT_ROUTE,
    WARM,
    warmth,
)


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
