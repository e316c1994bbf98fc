"""Temperatures follow what edges cost the vehicles that drive them."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from warptour.routes.strategy.cooling import typical_edge

N = 201
LINE = np.column_stack((np.arange(N), np.zeros(N)))
"""Customers of a unit's distance: two routes of a hundred have as many edges."""
HALVES = np.array([*range(1, 101), 0, *range(101, N), 0], np.int32)


def line(**options: object) -> wt.VRP:
    return wt.VRP.from_points(LINE, demands=np.arange(N) > 0, capacity=N, **options)  # type: ignore[arg-type]


def van(**given: float) -> wt.VehicleType:
    return wt.VehicleType(count=1, capacities=(N,), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("vans", "edge"),
    [
        ([van(distance_cost=5), van(distance_cost=5)], 1),
        ([van(distance_cost=2), van(distance_cost=6)], (1 + 3) / 2),
        ([van(fixed_cost=100), van()], 1),
    ],
)
def test_vehicles_ask_their_own_prices(vans: list[wt.VehicleType], edge: float) -> None:
    """In units of the cheapest distance, as costs of searches are."""
    assert typical_edge(line().with_types(vans), HALVES) == pytest.approx(edge)


def test_time_with_a_price_is_part_of_an_edge() -> None:
    problem = line(durations=5 * np.abs(np.subtract.outer(np.arange(N), np.arange(N))), hour_cost=720)
    assert typical_edge(problem, HALVES) == pytest.approx(1 + 5 * 720 / 3600)
    fast = problem.with_types([van(hour_cost=720), van(hour_cost=2160, speed=2)])
    assert typical_edge(fast, HALVES) == pytest.approx(1 + (5 * 720 + 2.5 * 2160) / 2 / 3600)
