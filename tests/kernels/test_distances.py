"""The metrics in C measure what the metrics in NumPy measure."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.metric import METRICS
from warptour.model.problem import TSP


def measured(problem: TSP, special: str | None = None) -> np.ndarray:
    n = problem.n
    points = Points.of(problem)
    call = kernel(
        f"distances_{special or points.special}",
        *POINTS_TYPES,
        ctypes.c_int64,
        ctypes.c_int32,
        array(np.int32),
        array(np.int32),
        array(np.float64, output=True),
    )
    out = np.empty(n * n)
    call(0, 1, *points.arguments, n, n, np.arange(n, dtype=np.int32), np.tile(np.arange(n, dtype=np.int32), n), out)
    return out.reshape(n, n)


def defined(problem: TSP) -> np.ndarray:
    nodes = np.arange(problem.n)
    return problem.distances(nodes[:, None], nodes[None])


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), scale=st.sampled_from([3, 1000, 30_000, 10**6]))
def test_c_and_numpy_agree(name: str, seed: int, scale: int) -> None:
    rng = np.random.default_rng(seed)
    metric = METRICS[name]
    if metric.norm == "matrix":
        half = np.triu(rng.integers(0, scale, (20, 20)), 1)
        problem = TSP.from_matrix(half + half.T)
    elif metric.planar:
        problem = TSP(name, metric, rng.integers(-scale, scale, (20, metric.dimensions)).astype(float))
    else:
        problem = TSP(name, metric, rng.uniform((-90, -180), (90, 180), (20, 2)).round(2))
    if name == "GREAT_CIRCLE":
        np.testing.assert_allclose(measured(problem), defined(problem), rtol=1e-12, atol=1e-6)
    else:
        np.testing.assert_array_equal(measured(problem), defined(problem))


@pytest.mark.parametrize("name", ["EUC_2D", "EUCLIDEAN"])
def test_the_builds_for_a_metric_and_for_any_agree(name: str) -> None:
    problem = TSP(name, METRICS[name], np.random.default_rng(0).random((30, 2)) * 1e5)
    np.testing.assert_array_equal(measured(problem), measured(problem, "any"))
