"""Several trips of a vehicle: searches find the best of all plans of few customers, as a plain walk judges them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import warptour as wt
from trip_problems import cheapest_trips, judged, lost, trip_problem
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP


@pytest.mark.parametrize("seed", range(60))
def test_few_customers_are_served_best(seed: int) -> None:
    problem = trip_problem(seed, 3 + seed % 2)
    best = cheapest_trips(problem)
    if math.isinf(best):
        with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
            wt.solve(problem, iterations=2000, threads=1)
        return
    result = wt.solve(problem, iterations=6000, threads=1)
    served = frozenset(node for route in result.routes for node in route.tolist() if node not in problem.depots)
    cost = judged(problem, [route.tolist() for route in result.routes])
    assert cost is not None, "the plan keeps all rules"
    assert result.cost == pytest.approx(cost + lost(problem, served), abs=1e-6)
    assert result.cost == pytest.approx(best, rel=1e-9, abs=1e-9)
