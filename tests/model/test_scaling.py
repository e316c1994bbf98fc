"""The units of benchmarks: what is scaled, how it is rounded, and where there is no scale."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances import timed_vrps
from warptour.io import generate
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.scaling import FACTORS, scaled
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

WHOLE = {"dimacs": lambda value: math.floor(10 * value), "exact": lambda value: math.floor(1000 * value + 0.5)}

PLAN = VRP(
    "plan", METRICS["EUCLIDEAN"], np.array([[0, 0], [1.5, 0.25], [-3, 7]]), demands=np.array([0, 2, 3.5]), capacity=5.5,
    max_distance=20.25, service_times=np.array([0, 1.0004, 2.375]), vehicles=2, fixed_cost=3.17,
    windows=TimeWindows.of([(0, 30.57), [(1, 2.04), (5.555, 8)], None], 3), max_duration=25.98, hour_cost=1.25,
    late_cost=0.5, max_wait=4.29, best_known=17,
)  # fmt: skip


@pytest.mark.parametrize("scaling", ["dimacs", "exact"])
def test_every_distance_time_limit_and_cost_is_scaled(scaling: str) -> None:
    whole, other = WHOLE[scaling], scaled(PLAN, scaling)  # type: ignore[arg-type]
    for i in range(3):
        for j in range(3):
            length = math.dist(PLAN.points[i], PLAN.points[j])
            assert other.distance(i, j) == whole(length) and isinstance(other.distance(i, j), int)
    for name in ("max_distance", "max_duration", "max_wait", "fixed_cost"):
        assert getattr(other, name) == whole(getattr(PLAN, name)), name
    assert other.service_times.tolist() == [whole(time) for time in PLAN.service_times]
    assert other.windows is not None and PLAN.windows is not None
    expected = [[tuple(end if math.isinf(end) else whole(end) for end in span) for span in of] for of in PLAN.windows]
    assert [*other.windows] == expected
    kept = "name", "capacity", "vehicles", "depot", "hour_cost", "late_cost"
    assert [getattr(other, name) for name in kept] == [getattr(PLAN, name) for name in kept]
    assert other.demands.tolist() == PLAN.demands.tolist() and other.best_known is None


@given(problem=timed_vrps(), scaling=st.sampled_from(["dimacs", "exact"]))
def test_costs_are_sums_of_scaled_distances(problem: VRP, scaling: str) -> None:
    if problem.metric.norm not in ("euclidean", "manhattan", "maximum"):
        return
    problem = replace(problem, metric=problem.metric.rounded("none"), hour_cost=0)
    factor, _ = FACTORS[scaling]  # type: ignore[index]
    other = scaled(problem, scaling)  # type: ignore[type-var]
    route = [problem.customers]
    legs = problem.n
    assert abs(other.cost(route) - factor * problem.cost(route)) <= legs + 1 + 1e-9 * factor * problem.cost(route)


def test_a_matrix_and_a_tour() -> None:
    matrix = np.array([[0, 1.25, 2], [1.25, 0, 3.999], [2, 3.999, 0]])
    tour = TSP.from_matrix(matrix)
    assert scaled(tour, "dimacs").cost(np.arange(3)) == 12 + 39 + 20
    assert scaled(tour, "exact").cost(np.arange(3)) == 1250 + 3999 + 2000
    whole = TSP.from_matrix((1000 * matrix).astype(np.int64))
    assert scaled(whole, "dimacs").cost(np.arange(3)) == 72490
    square = generate("uniform", 5, 1)
    assert scaled(square, "exact").metric.name == f"{square.metric.name.split('/')[0]}/exact"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"fixed_cost": 1e308}, "the fixed cost is inf"),
        ({"max_distance": 1e308}, "the route limit is inf"),
        ({"max_distance": 0.0001}, "the route limit is 0"),
        ({"service_times": np.array([0, 1e308, 0])}, "service time"),
        ({"windows": TimeWindows.of([None, (0, 2.0**50), None], 3)}, "time windows reach"),
        ({"points": np.array([[0, 0], [1e15, 0], [0, 0]])}, "a coordinate beyond"),
    ],
)
def test_what_is_too_large_or_too_small_to_be_scaled(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        scaled(replace(PLAN, **fields), "exact")


@pytest.mark.parametrize(
    "problem",
    [
        TSP.from_points([(52, 13), (53, 14)], latlon=True),
        TSP("geo", METRICS["GEO"], np.array([(52.0, 13.0), (53.0, 14.0)])),
        TSP.from_points([(0, 0), (3, 4)], unit="km"),
        TSP.from_points([(0, 0), (3, 4)], unit="km", speed=50),
    ],
    ids=["earth", "geo", "unit", "clock"],
)
def test_units_are_not_scaled(problem: TSP) -> None:
    with pytest.raises(UsageError, match="--rounding dimacs is for distances without a unit"):
        scaled(problem, "dimacs")
