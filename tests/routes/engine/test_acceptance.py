"""Ruin and recreate accepts a rise with the probability that its temperature gives, which falls during a call."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.common_routes import CommonRoutes
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import TAKEN, RouteState, Ruin

PAIR = VRP(
    "pair",
    METRICS["EUCLIDEAN"],
    np.array([[0.0, 0.0], [100.0, 10.0], [100.0, -10.0]]),
    demands=np.array([0, 1, 1]),
    capacity=2,
)
INSTANCE = RouteInstance.of(PAIR, 2)
TOGETHER = INSTANCE.enter([np.array([1, 2])])
RISE = INSTANCE.cost(INSTANCE.enter([np.array([1]), np.array([2])])) - INSTANCE.cost(TOGETHER)
RUIN = Ruin(mean=1, longest=1, blink=0.5, sought=0)
"""An iteration removes one of the two customers and, every second time, does not see the route of the other."""

Cost = Callable[[int, tuple[float, float], int], float]


def of_a_fleet(iterations: int, temperature: tuple[float, float], seed: int) -> float:
    """Return the cost after some iterations."""
    fleet = RouteState(INSTANCE, TOGETHER, 2)
    fleet.search(iterations, temperature, seed=seed, stream=0, ruin=RUIN)
    return fleet.cost


def of_common_routes(iterations: int, temperature: tuple[float, float], seed: int) -> float:
    routes = CommonRoutes(INSTANCE, TOGETHER, 2, 1, lambda call, items: [call(item) for item in items])
    routes.search(iterations, temperature, seed=seed, ruin=RUIN)
    return routes.fleets[0].cost


@pytest.fixture(params=[of_a_fleet, of_common_routes], ids=["alone", "together"])
def cost(request: pytest.FixtureRequest) -> Cost:
    found: Cost = request.param
    return found


def test_a_rise_is_accepted_with_the_probability_of_its_temperature(cost: Cost) -> None:
    first, always = INSTANCE.cost(TOGETHER), 1e9
    risen = [seed for seed in range(1000) if cost(1, (always, always), seed) > first]
    assert 430 < len(risen) < 570
    for probability in (0.8, 0.5, 0.1):
        temperature = -RISE / math.log(probability)
        accepted = sum(cost(1, (temperature, temperature), seed) > first for seed in risen)
        assert accepted / len(risen) == pytest.approx(probability, abs=0.06)


def test_the_temperature_falls_during_a_call(cost: Cost) -> None:
    """Each ends with the customers together, or not, as its last temperature has it."""
    hot, cold, first = 10 * RISE, RISE / 50, INSTANCE.cost(TOGETHER)

    def risen(begin: float, end: float, iterations: int = 200) -> int:
        return sum(cost(iterations, (begin, end), seed) > first for seed in range(100))

    assert risen(hot, cold) == 0
    assert risen(hot, hot) > 20
    assert risen(cold, hot) > 20


def test_half_of_a_call_is_above_the_geometric_mean_of_its_temperatures() -> None:
    """Between two temperatures as far above the rise as below it, half of all iterations accept it."""
    iterations, seeds, far = 400, 50, 1e4

    def rejected(temperature: tuple[float, float]) -> float:
        """Return the share of the iterations that are rejected."""
        kept = 0
        for seed in range(seeds):
            fleet = RouteState(INSTANCE, TOGETHER, 2)
            fleet.search(iterations, temperature, seed=seed, stream=0, ruin=RUIN)
            kept += int(fleet.counts[TAKEN])
        return 1 - kept / (iterations * seeds)

    most = rejected((RISE / far, RISE / far))
    assert most > 0.4
    assert rejected((RISE * far, RISE * far)) < 0.01
    assert rejected((RISE * far, RISE / far)) == pytest.approx(most / 2, abs=0.05)
