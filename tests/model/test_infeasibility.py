"""Proofs that customers cannot be reached: in every limit's own travel, there and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from small_problems import cheapest_routes, described, small_road_vrp
from warptour.model.clock import Clock
from warptour.model.errors import InfeasibleError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

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


HOURS = [None, "08:00-09:00", "10:00-16:50"]
DAY = {"demands": [0, 1, 1], "capacity": 5, "unit": "km", "speed": 30, "shift": "07:00-17:00", "service_minutes": 30}


LATE = {"windows": [None, "16:50-17:00", None]}


@pytest.mark.parametrize(
    ("kilometres", "options", "fault"),
    [
        (40, {}, None),
        (65, {}, "2 cannot be reached before 09:10, after its hours 08:00-09:00; vehicles leave at 07:00"),
        (65, {"late_cost": 5}, None),
        (40, {"depart": "08:30"}, "2 cannot be reached before 09:50, .* vehicles leave at 08:30 at the earliest"),
        (
            10,
            LATE,
            "2 cannot be served before 16:50, so its vehicle would be back at 17:40, after the depot closes at 17:00",
        ),
        (10, {**LATE, "open": True}, None),
        (40, {"max_hours": 3}, "customer 2 alone needs a route of at least 3:10 h, above the limit 3:00 h"),
        (40, {"max_hours": 2, "open": True}, None),
    ],
)
def test_hours_that_cannot_be_kept_are_proved(kilometres: float, options: dict[str, Any], fault: str | None) -> None:
    problem = VRP.from_points([[0, 0], [kilometres, 0], [1, 0]], **{**DAY, "windows": HOURS, **options})
    if fault is None:
        prove_infeasible(problem)
        return
    with pytest.raises(InfeasibleError, match=fault):
        prove_infeasible(problem)


def test_a_detour_may_keep_the_hours() -> None:
    """To node 2 by node 1 in 4, where straight on it takes 9; node 1 opens at 3, so node 2 is reached at 5."""
    windows = [(0, 9), (3, 9), (0, 5)]
    prove_infeasible(problem_of(windows=TimeWindows.of(windows, 3)))
    with pytest.raises(InfeasibleError, match="customer 3 cannot be reached before 5, after its hours 0-4"):
        prove_infeasible(problem_of(windows=TimeWindows.of([(0, 9), (3, 9), (0, 4)], 3)))


def test_proofs_of_hours_agree_with_all_routes(examples: int) -> None:
    proofs = 0
    for seed in range(10 * examples):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 5))
        opens = rng.integers(0, 30, n)
        windows = np.stack((opens, opens + rng.integers(0, 25, n)), 1)
        windows[0] = rng.integers(0, 5), rng.integers(25, 90)
        problem = VRP.from_matrix(
            rng.integers(1, 20, (n, n)).astype(float), demands=[0] + [1] * (n - 1), capacity=9, windows=windows,
            service_times=rng.integers(0, 5, n), open=bool(rng.integers(2)), late_cost=[None, 1.0][rng.integers(2)],
        )  # fmt: skip
        problem = replace(problem, max_duration=[None, float(rng.integers(10, 60))][rng.integers(2)])
        feasible = any(problem.check(routes).feasible for routes in divisions(range(1, n)))
        try:
            prove_infeasible(problem)
        except InfeasibleError:
            proofs += 1
            if feasible:
                pytest.fail(f"seed {seed} has a solution")
    assert proofs > examples


def divisions(customers: Iterable[int]) -> Iterator[list[np.ndarray]]:
    """All routes of all divisions of a few customers."""
    left = list(customers)
    if not left:
        yield []
    for count in range(1, len(left) + 1):
        for head in permutations(left, count):
            for rest in divisions(customer for customer in left if customer not in head):
                yield [np.array(head), *rest]
