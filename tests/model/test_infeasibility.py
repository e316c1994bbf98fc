"""Proofs that customers cannot be reached: in every limit's own travel, there and back."""

from __future__ import annotations

import numpy as np
import pytest

from small_problems import cheapest_routes, described, small_road_vrp
from warptour.model.clock import Clock
from warptour.model.errors import InfeasibleError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP

THERE = np.array([[0, 2, 9], [7, 0, 2], [1, 9, 0]])
"""To node 2 by node 1, and straight back: 5, where the direct trip takes 10."""


def problem_of(**options: object) -> VRP:
    return VRP("one-way", METRICS["EXPLICIT"], THERE, demands=np.array([0, 1, 1]), capacity=2, **options)


def test_the_way_there_and_the_way_back_are_added() -> None:
    problem = problem_of(max_distance=5)
    prove_infeasible(problem)
    assert problem.check([np.array([1, 2])]).feasible
    with pytest.raises(InfeasibleError, match="customer 2 alone needs a route of at least 5, above the limit 4"):
        prove_infeasible(problem_of(max_distance=4))


def test_durations_are_proved_in_their_own_matrix_and_unit() -> None:
    clock = Clock(np.array([0.0, 600.0, 0.0]), durations=1800 * THERE)
    prove_infeasible(problem_of(clock=clock, max_duration=9600.0))
    with pytest.raises(InfeasibleError, match="customer 2 alone needs a route of at least 2:40 h, above"):
        prove_infeasible(problem_of(clock=clock, max_duration=9000.0))
    pace = Clock(np.zeros(3), pace=60.0)
    with pytest.raises(InfeasibleError, match="customer 2 alone needs a route of at least 0:05 h, above"):
        prove_infeasible(problem_of(clock=pace, max_duration=240.0, max_distance=9))


def test_services_on_the_way_count() -> None:
    """To node 2 by node 1 only, whose service takes 3."""
    services = np.array([0.0, 3.0, 0.0])
    prove_infeasible(problem_of(max_distance=8, service_times=services))
    assert problem_of(max_distance=8, service_times=services).check([np.array([1, 2])]).feasible
    with pytest.raises(InfeasibleError, match="needs a route of at least 8, above the limit 7"):
        prove_infeasible(problem_of(max_distance=7, service_times=services))


def test_nothing_feasible_is_proved_otherwise(examples: int) -> None:
    for seed in range(10 * examples):
        problem = small_road_vrp(seed, 1, 4)
        if cheapest_routes(problem) is None:
            continue
        try:
            prove_infeasible(problem)
        except InfeasibleError as error:
            raise AssertionError(described(problem)) from error
