"""Random instances for the tests of files, as hypothesis draws them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

NAMES = st.text("abcXYZ019-_.", min_size=1, max_size=12)
WHOLE = st.integers(-(10**6), 10**6).map(float)
BROKEN = st.floats(-1e6, 1e6, allow_nan=False, width=64).map(lambda x: x if abs(x) >= 1e-9 else 0.0)  # no tiny extents
ANGLES = st.floats(-89.0, 89.0, allow_nan=False)
COORDINATE_METRICS = [metric for metric in METRICS.values() if metric.norm != "matrix"]


@st.composite
def places(draw: st.DrawFn, n: int, metric_name: str) -> np.ndarray:
    """Coordinates that a metric can measure."""
    metric = METRICS[metric_name]
    value = draw(st.sampled_from([WHOLE, BROKEN])) if metric.planar else ANGLES
    return np.array(draw(st.lists(value, min_size=n * metric.dimensions, max_size=n * metric.dimensions))).reshape(
        n, -1
    )


@st.composite
def matrices(draw: st.DrawFn, n: int) -> np.ndarray:
    """Symmetric distances, integers or not, with any diagonal."""
    value = draw(st.sampled_from([st.integers(0, 10**9), st.floats(0, 1e9, allow_nan=False)]))
    matrix = np.array(draw(st.lists(value, min_size=n * n, max_size=n * n)), dtype=float).reshape(n, n)
    return np.triu(matrix) + np.triu(matrix, 1).T


@st.composite
def tsps(draw: st.DrawFn, max_n: int = 12) -> TSP:
    """TSPs of every metric, some with fixed edges."""
    n = draw(st.integers(1, max_n))
    metric = draw(st.sampled_from(list(METRICS.values())))
    points = draw(matrices(n) if metric.norm == "matrix" else places(n, metric.name))
    display = draw(places(n, "EUC_2D")) if metric.norm == "matrix" and draw(st.booleans()) else None
    walk = draw(st.permutations(range(n)))
    edges = [(a, b) for a, b in pairwise(walk) if draw(st.booleans())]
    return TSP(draw(NAMES), metric, points, display, fixed_edges=np.array(edges, np.int32).reshape(-1, 2))


@st.composite
def vrps(draw: st.DrawFn, max_n: int = 12) -> VRP:
    """VRPs with any of the options set."""
    n = draw(st.integers(2, max_n))
    metric = draw(st.sampled_from(list(METRICS.values())))
    points = draw(matrices(n) if metric.norm == "matrix" else places(n, metric.name))
    depot = draw(st.integers(0, n - 1))
    demand = draw(st.sampled_from([st.integers(0, 100), st.floats(0, 100)]))
    demands = np.array(draw(st.lists(demand, min_size=n, max_size=n)))
    services = np.full(n, float(draw(st.integers(0, 9)))) if draw(st.booleans()) else np.array(
        draw(st.lists(st.floats(0, 50), min_size=n, max_size=n))
    )  # fmt: skip
    demands[depot] = 0
    if draw(st.booleans()):
        services[depot] = 0
    return VRP(
        draw(NAMES), metric, points, demands=demands, depot=depot, service_times=services,
        capacity=draw(st.integers(1, 1000) | st.floats(0.5, 1e6)), max_distance=draw(st.none() | st.floats(1, 1e9)),
        vehicles=draw(st.none() | st.integers(1, 99)), fixed_cost=draw(st.just(0) | st.floats(0, 1e6)),
    )  # fmt: skip


@st.composite
def timed_vrps(draw: st.DrawFn, max_n: int = 8) -> VRP:
    """VRPs with time windows, several at some nodes and none at others, and limits and prices of durations."""
    problem = draw(vrps(max_n))
    times = st.integers(0, 1000) | st.floats(0, 1e6)
    spans = st.tuples(times, times | st.just(math.inf)).map(lambda pair: (min(pair), max(pair)))
    several = st.lists(spans, min_size=1, max_size=4)
    windows = draw(st.lists(st.none() | several, min_size=problem.n, max_size=problem.n))
    return replace(
        problem, windows=TimeWindows.of(windows, problem.n), max_duration=draw(st.none() | st.floats(1, 1e6)),
        hour_cost=draw(st.just(0) | st.floats(0, 100)),
    )  # fmt: skip
