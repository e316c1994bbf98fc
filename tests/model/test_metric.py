"""Metrics against the formulas of TSPLIB, written out as its documentation has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Metric, check_points

PLACES = st.integers(-(10**6), 10**6).map(float) | st.floats(-1e5, 1e5)
ANGLES = st.tuples(st.integers(-89, 89), st.integers(0, 59)).map(lambda a: math.copysign(abs(a[0]) + a[1] / 100, a[0]))


def nint(x: float) -> int:
    return int(x + 0.5)


def att(xd: float, yd: float) -> int:
    r = math.sqrt((xd * xd + yd * yd) / 10.0)
    t = nint(r)
    return t + 1 if t < r else t


def geo_radians(x: float) -> float:
    degrees = int(x)
    return 3.141592 * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0


def geo(a: list[float], b: list[float]) -> int:
    q1 = math.cos(geo_radians(a[1]) - geo_radians(b[1]))
    q2 = math.cos(geo_radians(a[0]) - geo_radians(b[0]))
    q3 = math.cos(geo_radians(a[0]) + geo_radians(b[0]))
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    return int(6378.388 * math.acos(min(1.0, max(-1.0, cosine))) + 1.0)


FORMULAS = {
    "EUC_2D": lambda d: nint(math.sqrt(d[0] * d[0] + d[1] * d[1])),
    "EUC_3D": lambda d: nint(math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])),
    "CEIL_2D": lambda d: math.ceil(math.sqrt(d[0] * d[0] + d[1] * d[1])),
    "ATT": lambda d: att(d[0], d[1]),
    "MAN_2D": lambda d: nint(abs(d[0]) + abs(d[1])),
    "MAN_3D": lambda d: nint(abs(d[0]) + abs(d[1]) + abs(d[2])),
    "MAX_2D": lambda d: max(nint(abs(d[0])), nint(abs(d[1]))),
    "MAX_3D": lambda d: max(nint(abs(d[0])), nint(abs(d[1])), nint(abs(d[2]))),
    "EUCLIDEAN": lambda d: math.sqrt(d[0] * d[0] + d[1] * d[1]),
    "EUCLIDEAN_3D": lambda d: math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
}


def between(metric: Metric, a: list[float], b: list[float]) -> float:
    return metric.distances(np.array([a, b]), np.array([0]), np.array([1]))[0].item()


@given(st.sampled_from(sorted(FORMULAS)), st.data())
def test_plane_metrics(name: str, data: st.DataObject) -> None:
    metric = METRICS[name]
    a, b = (data.draw(st.lists(PLACES, min_size=metric.dimensions, max_size=metric.dimensions)) for _ in "ab")
    gap = [p - q for p, q in zip(a, b, strict=True)]
    assert between(metric, a, b) == FORMULAS[name](gap)
    assert between(metric, a, b) == between(metric, b, a)


@given(st.tuples(ANGLES, ANGLES), st.tuples(ANGLES, ANGLES))
def test_geo(a: tuple[float, float], b: tuple[float, float]) -> None:
    assert between(METRICS["GEO"], list(a), list(b)) == geo(list(a), list(b))


@given(st.lists(st.floats(-90, 90), min_size=4, max_size=4))
def test_great_circle(angles: list[float]) -> None:
    """Against the angle between the two directions in space."""

    def direction(lat: float, lon: float) -> np.ndarray:
        lat, lon = math.radians(lat), math.radians(lon)
        return np.array([math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)])

    a, b = direction(*angles[:2]), direction(*angles[2:])
    expected = 6_371_008.8 * math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    assert between(METRICS["GREAT_CIRCLE"], angles[:2], angles[2:]) == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_are_whole_unless_unrounded(name: str) -> None:
    metric = METRICS[name]
    points = (
        np.array([[0, 1.5], [1.5, 0]])
        if not metric.dimensions
        else np.array([[0.0] * metric.dimensions, [1.3] * metric.dimensions])
    )
    value = metric.distances(points, np.array([0]), np.array([1]))
    assert value.dtype == (np.int64 if metric.integral else np.float64)
    assert metric.integral == (metric.rounding != "none")


@pytest.mark.parametrize(("rounding", "expected"), [("none", 2**0.5), ("nearest", 1), ("ceil", 2), ("floor", 1)])
def test_another_rounding(rounding: str, expected: float) -> None:
    metric = METRICS["EUC_2D"].rounded(rounding)  # type: ignore[arg-type]
    assert between(metric, [0, 0], [1, 1]) == expected
    assert METRICS["EUC_2D"].rounded("nearest") is METRICS["EUC_2D"]


def test_arrays_broadcast() -> None:
    points = np.array([[0, 0], [3, 4], [6, 8]], float)
    nodes = np.arange(3)
    assert METRICS["EUC_2D"].distances(points, nodes[:, None], nodes[None, :]).tolist() == [
        [0, 5, 10],
        [5, 0, 5],
        [10, 5, 0],
    ]


@pytest.mark.parametrize(
    ("name", "points", "message"),
    [
        ("EUC_2D", [[0, 0], [1, math.nan]], "node 2 has a coordinate that is not a finite number"),
        ("EUC_2D", [[0, 0], [1, -math.inf]], "node 2"),
        ("EUC_2D", [[0, 0], [1, 2e15]], "node 2 has a coordinate beyond 1e15"),
        ("EUC_2D", [[0, 0, 0]], r"points of shape \(n, 2\)"),
        ("EUC_3D", [[0, 0]], r"points of shape \(n, 3\)"),
        ("EUC_2D", [1, 2], "shape"),
        ("EUC_2D", np.empty((0, 2)), "n at least 1"),
        ("GREAT_CIRCLE", [[0, 0], [90.5, 0]], "node 2 has a latitude beyond 90 degrees"),
        ("GEO", [[-91, 0]], "node 1 has a latitude"),
        ("EUCLIDEAN", [[1e-170, 0], [0, 3e-170]], "within 3e-170 of each other, where squares underflow"),
        ("EUCLIDEAN_3D", [[0, 0, 0], [0, 0, 1e-16]], "so that they differ by 1e-15 or more"),
        ("CEIL_2D", [[0, 0], [1e-200, 0]], "underflow"),
    ],
)
def test_points_that_no_metric_measures(name: str, points: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_points(np.asarray(points), METRICS[name])


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("EUCLIDEAN", [[5, 5], [5, 5]]),
        ("EUCLIDEAN", [[0, 0], [1e-14, 0]]),
        ("EUCLIDEAN", [[0, 0], [1e-170, 0], [1, 0]]),
        ("EUC_2D", [[0, 0], [1e-170, 0]]),
    ],
    ids=["one place", "small", "two places that are nearly one", "zero by rounding"],
)
def test_points_that_are_close_together(name: str, points: object) -> None:
    check_points(np.asarray(points), METRICS[name])
