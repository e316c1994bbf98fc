"""Longest rides: searches find the best of all plans of few customers, and only plans that a plain judge accepts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from fleet_problems import walked
from shipment_problems import cheapest_plan, shipment_problem
from warptour.model.vehicles import VRP


def ridden_problem(seed: int, *, others: int = 0) -> VRP:
    rng = np.random.default_rng([seed, 7])
    given = shipment_problem(seed, pairs=2, others=others)
    limits = rng.integers(3, 40, 2).tolist()
    limits[1] = None if seed % 4 == 1 else limits[1]
    rides = [replace(each, max_ride=longest) for each, longest in zip(given.shipments, limits, strict=True)]
    return replace(given, shipments=tuple(rides))


@pytest.mark.parametrize("seed", range(70))
def test_few_shipments_with_longest_rides_are_planned_best(seed: int) -> None:
    problem = ridden_problem(seed, others=seed % 2)
    best = cheapest_plan(problem)
    for strategy in (None, wt.RouteImprovement()):  # by default they are solved exactly
        if math.isinf(best):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=2000, threads=1)
            continue
        result = wt.solve(problem, strategy, iterations=10_000, threads=1)
        cost = walked(problem, [route.tolist() for route in result.routes])
        assert cost is not None, "the plan keeps all rules"
        assert result.cost == pytest.approx(cost, abs=1e-6)
        assert result.cost == pytest.approx(best, rel=1e-9, abs=1e-9)
