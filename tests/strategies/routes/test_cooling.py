"""The temperatures of ruin and recreate."""

from __future__ import annotations

import pytest

from warptour.strategies.routes.cooling import LONG_ROUTE, MANY_CUSTOMERS, MILDEST, warmth


@pytest.mark.parametrize(
    ("customers", "routes", "expected"),
    [
        (1000, 100, MILDEST),
        (9, 9, MILDEST),
        (1000, 1000 // LONG_ROUTE, 1.0),
        (MANY_CUSTOMERS, MANY_CUSTOMERS, 1.0),
        (10 * MANY_CUSTOMERS, 5000, 1.0),
        (LONG_ROUTE * 10, 20, 0.5),
    ],
)
def test_annealing_begins_warmer_with_many_customers_or_long_routes(
    customers: int, routes: int, expected: float
) -> None:
    assert warmth(customers, routes) == pytest.approx(expected)
