"""Sums over all routes at once are those of each route."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP


@given(st.integers(1, 30), st.integers(0, 1000), st.sampled_from(["EUC_2D", "EUCLIDEAN"]))
def test_loads_and_limits_are_those_of_each_route(m: int, seed: int, metric: str) -> None:
    rng = np.random.default_rng(seed)
    problem = VRP(
        "some", METRICS[metric], rng.uniform(0, 100, (m + 1, 2)), demands=np.r_[0, rng.integers(0, 9, m)],
        capacity=9, service_times=np.r_[0, rng.uniform(0, 5, m)], max_distance=300.0,
    )  # fmt: skip
    cuts = np.unique(rng.integers(1, m + 1, 4))
    routes = [route for route in np.split(1 + rng.permutation(m).astype(np.int32), cuts) if len(route)]
    (limit,) = problem.limits
    assert problem.route_loads(routes).tolist() == [problem.loads[0][route].sum() for route in routes]
    assert problem.route_uses(limit, routes) == pytest.approx([problem.used(limit, route) for route in routes])


def test_no_routes_have_no_sums() -> None:
    problem = VRP("none", METRICS["EUC_2D"], np.zeros((1, 2)), demands=np.zeros(1, int), capacity=1, max_distance=1.0)
    assert len(problem.route_loads([])) == len(problem.route_uses(problem.limits[0], [])) == 0
