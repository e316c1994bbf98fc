"""Neighbour lists hold what brute force finds, in order, whatever the metric and however the points lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptour.candidates import neighbours
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS, Metric
from warptour.model.problem import TSP

SPATIAL = [name for name in METRICS if name != "EXPLICIT"]


def make(name: str, n: int, seed: int = 0) -> TSP:
    metric = METRICS[name]
    rng = np.random.default_rng(seed)
    if metric.planar:
        return TSP(name, metric, rng.uniform(0, 1000, (n, metric.dimensions)))
    return TSP(name, metric, np.column_stack([rng.uniform(-89, 89, n), rng.uniform(-179, 179, n)]))


def brute_distances(problem: TSP) -> np.ndarray:
    every = np.arange(problem.n)
    metric = problem.metric
    unrounded = Metric(metric.name, metric.norm, "none", metric.dimensions, metric.divisor)
    table = np.asarray(unrounded.distances(problem.points, every[:, None], every[None, :]), float).copy()
    np.fill_diagonal(table, np.inf)
    return table


def assert_proper(problem: TSP, rows: np.ndarray, width: int) -> None:
    n = problem.n
    assert rows.shape == (n, width) and rows.dtype == np.int32
    assert ((rows >= 0) & (rows < n)).all()
    assert (rows != np.arange(n)[:, None]).all()
    ordered = np.sort(rows, axis=1)
    assert (ordered[:, 1:] != ordered[:, :-1]).all()
    far = problem.distances(np.arange(n)[:, None], rows)
    rising = (far[:, 1:] > far[:, :-1]) | ((far[:, 1:] == far[:, :-1]) & (rows[:, 1:] > rows[:, :-1]))
    assert rising.all()


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", SPATIAL)
def test_the_nearest_are_those_of_brute_force(name: str) -> None:
    problem = make(name, 300)
    rows = neighbours(problem, 7)
    assert_proper(problem, rows, 7)
    table = brute_distances(problem)
    found = np.sort(np.take_along_axis(table, rows.astype(np.int64), axis=1), axis=1)
    np.testing.assert_allclose(found, np.sort(table, axis=1)[:, :7], rtol=1e-9)


@pytest.mark.parametrize("whole", [True, False])
def test_the_nearest_of_a_matrix_are_those_of_brute_force(whole: bool) -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 50, (90, 90)).astype(float) if whole else rng.uniform(0, 50, (90, 90))
    table = np.triu(table, 1) + np.triu(table, 1).T
    problem = TSP.from_matrix(table)
    rows = neighbours(problem, 6, quadrant=2)
    assert_proper(problem, rows, 6)
    np.fill_diagonal(table, np.inf)
    found = np.take_along_axis(table, rows.astype(np.int64), axis=1)
    np.testing.assert_array_equal(found, np.sort(table, axis=1)[:, :6])


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", ["EUC_2D", "MAN_2D", "MAX_2D", "EUCLIDEAN_3D"])
@pytest.mark.parametrize("quadrant", [1, 2, 3])
def test_each_quadrant_gives_its_nearest_and_the_nearest_fill_the_row(name: str, quadrant: int) -> None:
    problem = make(name, 200, seed=quadrant)
    width = max(10, 4 * quadrant)
    rows = neighbours(problem, 10, quadrant)
    assert_proper(problem, rows, width)
    table = brute_distances(problem)
    for i in range(problem.n):
        dx, dy = (problem.points - problem.points[i])[:, :2].T
        sectors = [(dx > 0) & (dy >= 0), (dx <= 0) & (dy > 0), (dx < 0) & (dy <= 0), (dx >= 0) & (dy < 0)]
        wanted: list[int] = []
        for inside in sectors:
            members = np.flatnonzero(inside)
            wanted += members[np.argsort(table[i, members])][:quadrant].tolist()
        rest = [j for j in np.argsort(table[i]).tolist() if j not in wanted and j != i]
        assert set(rows[i].tolist()) == set((wanted + rest)[:width])


def test_quadrants_of_latitude_and_longitude_reach_across_the_date_line() -> None:
    west, east = [[0.0, -179.0 - 0.001 * k] for k in range(8)], [[0.0, 179.0 + 0.001 * k] for k in range(8)]
    problem = TSP("date line", METRICS["GREAT_CIRCLE"], np.array(west + east))
    assert not (neighbours(problem, 4)[:8] >= 8).any()
    assert 15 in neighbours(problem, 4, quadrant=1)[7]


def test_quadrants_connect_clusters() -> None:
    rng = np.random.default_rng(5)
    left, right = rng.uniform(0, 1, (40, 2)), rng.uniform(1000, 1001, (40, 2))
    problem = TSP("clusters", METRICS["EUCLIDEAN"], np.concatenate([left, right]))
    assert not (neighbours(problem, 8)[:40] >= 40).any()
    assert (neighbours(problem, 8, quadrant=1)[:40] >= 40).any()


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("quadrant", [0, 2])
@pytest.mark.parametrize("name", ["EUC_2D", "EUC_3D", "GEO"])
def test_few_cities_get_all_the_others(n: int, quadrant: int, name: str) -> None:
    problem = make(name, n)
    rows = neighbours(problem, 10, quadrant)
    assert_proper(problem, rows, n - 1)


@pytest.mark.sanitize_quick
@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 60), st.integers(1, 4), st.integers(0, 12), st.integers(0, 3), st.sampled_from(["EUC_2D", "EUC_3D"])
)
def test_rows_are_full_and_sorted_with_many_duplicates(
    n: int, side: int, nearest: int, quadrant: int, name: str
) -> None:
    metric = METRICS[name]
    points = np.random.default_rng(n).integers(0, side, (n, metric.dimensions)).astype(float)
    problem = TSP("lattice", metric, points)
    assert_proper(problem, neighbours(problem, nearest, quadrant), min(n - 1, max(nearest, 4 * quadrant)))


def components(rows: np.ndarray) -> int:
    incumbent = list(range(len(rows)))

    def find(a: int) -> int:
        while incumbent[a] != a:
            incumbent[a] = incumbent[incumbent[a]]
            a = incumbent[a]
        return a

    for i, row in enumerate(rows.tolist()):
        for j in row:
            incumbent[find(i)] = find(j)
    return len({find(a) for a in range(len(rows))})


@pytest.mark.parametrize("equal", [500, 1000])
def test_a_heap_of_cities_in_one_place_is_connected_to_the_others(equal: int) -> None:
    rng = np.random.default_rng(1)
    points = rng.permutation(np.concatenate([np.full((equal, 2), 50.0), rng.uniform(0, 100, (500, 2))]))
    problem = TSP("heap", METRICS["EUC_2D"], points)
    rows = neighbours(problem, 8)
    assert_proper(problem, rows, 8)
    assert components(rows) == 1
    assert (np.ptp(problem.points[rows], axis=1) > 0).any(axis=1).all(), "every row leads away from its own place"


def test_all_cities_in_one_place_are_connected() -> None:
    problem = TSP("point", METRICS["EUC_2D"], np.zeros((3000, 2)))
    rows = neighbours(problem, 5)
    assert_proper(problem, rows, 5)
    assert components(rows) == 1


def test_both_zeros_are_one_place() -> None:
    problem = TSP(
        "zeros", METRICS["EUCLIDEAN"], np.array([[0.0, 1], [-0.0, 1], [3, 1], [4, 1], [5, 1], [6, 1], [7, 1]])
    )
    assert neighbours(problem, 2)[0].tolist() == [1, 2]


def test_collinear_cities_know_both_sides() -> None:
    x = np.random.default_rng(2).permutation(500).astype(float)
    problem = TSP("line", METRICS["EUC_2D"], np.column_stack([x, np.zeros(500)]))
    rows = neighbours(problem, 4)
    assert_proper(problem, rows, 4)
    inner = (x >= 2) & (x < 498)
    assert (np.sort(x[rows[inner]] - x[inner, None], axis=1) == [-2, -1, 1, 2]).all()


@pytest.mark.threads
def test_the_number_of_threads_changes_nothing() -> None:
    problem = make("EUC_2D", 40_000)
    np.testing.assert_array_equal(neighbours(problem, 6, 1, threads=1), neighbours(problem, 6, 1, threads=4))


def test_counts_below_zero_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 0"):
        neighbours(make("EUC_2D", 5), -1)


def test_of_equally_near_nodes_those_that_follow_are_listed() -> None:
    equal = TSP.from_matrix(np.ones((7, 7), int))
    assert neighbours(equal, 3).tolist() == [sorted((i + k) % 7 for k in (1, 2, 3)) for i in range(7)]
    table = np.full((6, 6), 5)
    table[0, 4] = table[4, 0] = 1
    rows = neighbours(TSP.from_matrix(table), 2)
    assert rows[0].tolist() == [4, 1] and rows[5].tolist() == [0, 1] and rows[4].tolist() == [0, 5]


def test_lists_are_given_up_when_there_is_no_time() -> None:
    for problem in (make("EUC_2D", 50), make("GEO", 50), TSP.from_matrix(np.ones((50, 50), int))):
        with pytest.raises(Unfinished):
            neighbours(problem, 5, over=lambda: True)
