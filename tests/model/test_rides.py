"""Longest rides of shipments: routes keep them if and only if a judge by shortest paths finds starts that do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest

import warptour as wt
from ride_judge import judged_rides
from timed_problems import timed_problem
from warptour.model.errors import InfeasibleError, InputError, UsageError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.scaling import scaled
from warptour.model.vehicles import VRP

PAIRS = ((1, 2), (3, 4))


def ridden(seed: int) -> VRP:
    """Return a problem with some of: several windows, soft ones, limits on waits and durations, prices, open routes."""
    rng = np.random.default_rng([seed, 4])
    problem = timed_problem(seed, 4)
    limits = rng.integers(5, 45, 2).tolist()
    demands = np.array([0, 1, 0, 1, 0])
    shipments = [wt.Shipment(*ends, longest) for ends, longest in zip(PAIRS, limits, strict=True)]
    return replace(problem, demands=demands, capacity=9, shipments=tuple(shipments))


def judged(problem: VRP, route: tuple[int, ...]) -> tuple[float, float] | None:
    clock, windows = problem.clock, problem.windows
    assert windows is not None
    services = (problem.service_times if clock is None else clock.services).tolist()
    visits = [0, *route] + ([] if problem.open else [0])
    travel = None if clock is None else clock.durations
    legs = [
        float(travel[a, b]) if travel is not None else float(problem.distance(a, b)) for a, b in pairwise(visits)
    ]
    rides = [
        (visits.index(each.pickup), visits.index(each.delivery), float(each.max_ride or 0))
        for each in problem.shipments if each.pickup in route
    ]  # fmt: skip
    found = judged_rides(
        [services[node] for node in visits], legs, [list(windows.of_node(node)) for node in visits], rides,
        max_wait=math.inf if problem.max_wait is None else problem.max_wait, soft=problem.late_cost is not None,
    )  # fmt: skip
    if found is None:
        return None
    late, duration = found
    duration += services[visits[-1]] if problem.open else 0.0
    return None if problem.max_duration is not None and duration > problem.max_duration else (late, duration)


@pytest.mark.parametrize("seed", range(150))
def test_routes_keep_longest_rides_as_the_judge_says(seed: int) -> None:
    problem = ridden(seed)
    schedule = problem.schedule
    assert schedule is not None
    orders = [order for order in permutations((1, 2, 3, 4)) if all(order.index(a) < order.index(b) for a, b in PAIRS)]
    for route in [*PAIRS, *orders]:
        (day,) = problem.days([np.array(route)])
        truth, kept = judged(problem, route), schedule.is_kept_by(day)
        assert kept == (truth is not None)
        assert kept == (not problem.day_faults(0, np.array(route), day))
        if truth is not None:
            assert day.late.sum() == pytest.approx(truth[0])
            assert day.duration == pytest.approx(truth[1])
