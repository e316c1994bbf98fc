"""What is written is what is read: problems and solutions of every metric and format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from instances import matrices, timed_vrps, tsps, vrps
from warptour.io import read, read_solution, write_problem, write_solution
from warptour.io.tsplib import FORMATS
from warptour.model.problem import TSP, Problem
from warptour.model.vehicles import VRP

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def assert_same(a: Problem, b: Problem) -> None:
    assert type(a) is type(b)
    assert a.name == b.name
    assert (a.metric.norm, a.metric.rounding, a.metric.divisor) == (b.metric.norm, b.metric.rounding, b.metric.divisor)
    np.testing.assert_array_equal(a.points, b.points)
    assert a.points.dtype == b.points.dtype
    assert (a.display is None) == (b.display is None)
    if a.display is not None and b.display is not None:
        np.testing.assert_array_equal(a.display, b.display)
    if isinstance(a, TSP) and isinstance(b, TSP):
        np.testing.assert_array_equal(a.fixed_edges, b.fixed_edges)
    if isinstance(a, VRP) and isinstance(b, VRP):
        np.testing.assert_array_equal(a.demands, b.demands)
        np.testing.assert_array_equal(a.service_times, b.service_times)
        for name in ("capacity", "depot", "max_distance", "vehicles", "fixed_cost", "max_duration", "hour_cost"):
            assert getattr(a, name) == getattr(b, name), name
        assert (a.windows is None) == (b.windows is None)
        if a.windows is not None and b.windows is not None:
            assert [*a.windows] == [*b.windows]


@in_one_folder
@given(problem=tsps())
def test_tsp(tmp_path: Path, problem: TSP) -> None:
    write_problem(tmp_path / "a.tsp", problem, comment="several\nlines")
    assert_same(problem, read(tmp_path / "a.tsp"))


@in_one_folder
@given(problem=vrps() | timed_vrps())
def test_vrp(tmp_path: Path, problem: VRP) -> None:
    write_problem(tmp_path / "a.vrp", problem)
    assert_same(problem, read(tmp_path / "a.vrp"))


@in_one_folder
@given(data=st.data(), layout=st.sampled_from(FORMATS), n=st.integers(1, 9))
def test_every_matrix_format_wrapped_anywhere(tmp_path: Path, data: st.DataObject, layout: str, n: int) -> None:
    matrix = data.draw(matrices(n))
    if layout == "FULL_MATRIX":
        weights = matrix.ravel()
    else:
        side, diagonal = layout.split("_")[0], 0 if "DIAG" in layout else 1
        by_rows = matrix if layout.endswith("ROW") else matrix.T  # by columns is by rows of the transpose
        upper = (side == "UPPER") == layout.endswith("ROW")
        keep = np.triu(np.ones((n, n), bool), diagonal) if upper else np.tril(np.ones((n, n), bool), -diagonal)
        weights = by_rows[keep]
        if diagonal:
            matrix = matrix - np.diag(np.diag(matrix))
    gaps = data.draw(
        st.lists(st.sampled_from([" ", "\n", "\r\n", "\t ", "\n\n  "]), min_size=len(weights), max_size=len(weights))
    )
    body = "".join(gap + repr(weight) for gap, weight in zip(gaps, weights.tolist(), strict=True))
    head = f"TYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {layout}\nEDGE_WEIGHT_SECTION"
    path = tmp_path / "m.tsp"
    path.write_bytes(f"{head}\n{body}\nEOF\n".encode())
    np.testing.assert_array_equal(read(path).points, matrix)


@in_one_folder
@given(problem=tsps(), data=st.data(), suffix=st.sampled_from([".tour", ".csv", ".geojson"]))
def test_tours(tmp_path: Path, problem: TSP, data: st.DataObject, suffix: str) -> None:
    assume(problem.map is not None or suffix != ".geojson")
    tour = np.array(data.draw(st.permutations(range(problem.n))))
    path = tmp_path / f"a{suffix}"
    write_solution(path, problem, tour)
    again = read_solution(path, problem)
    assert isinstance(again, np.ndarray) and again.dtype == np.int32
    np.testing.assert_array_equal(again, tour)


@in_one_folder
@given(problem=vrps(), data=st.data(), suffix=st.sampled_from([".sol", ".csv", ".geojson"]))
def test_routes(tmp_path: Path, problem: VRP, data: st.DataObject, suffix: str) -> None:
    assume(problem.map is not None or suffix != ".geojson")
    order = np.array(data.draw(st.permutations(problem.customers.tolist())))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(order)), max_size=4)))
    routes = [route for route in np.split(order, cuts) if len(route)]
    path = tmp_path / f"a{suffix}"
    write_solution(path, problem, routes)
    again = read_solution(path, problem)
    assert [route.tolist() for route in again] == [route.tolist() for route in routes]


@pytest.mark.parametrize("kind", ["uniform", "clustered", "grid", "drilling", "picture", "vlsi", "roads"])
@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_points_survive_tables(tmp_path: Path, kind: str, suffix: str) -> None:
    problem = read(f"{kind}:200:3")
    write_problem(tmp_path / f"a{suffix}", problem)
    np.testing.assert_array_equal(read(tmp_path / f"a{suffix}").points, problem.points)


def test_stops_survive_csv(tmp_path: Path) -> None:
    problem = read("vrp:50:3")
    assert isinstance(problem, VRP)
    write_problem(tmp_path / "a.csv", problem)
    again = read(tmp_path / "a.csv", capacity=problem.capacity)
    assert isinstance(again, VRP)
    np.testing.assert_array_equal(again.demands, problem.demands)
    np.testing.assert_array_equal(again.points, problem.points)


@pytest.mark.parametrize("suffix", [".tsp", ".csv"])
def test_blocks_join_without_a_seam(tmp_path: Path, suffix: str) -> None:
    """A file of several blocks, with lines of many lengths."""
    scale = 10.0 ** (np.arange(150_000) % 12)[:, None]
    points = np.round(np.random.default_rng(1).random((150_000, 2)) * scale, 3)
    write_problem(tmp_path / f"a{suffix}", TSP("a", read("uniform:9:1").metric.rounded("none"), points))
    np.testing.assert_array_equal(read(tmp_path / f"a{suffix}").points, points)
