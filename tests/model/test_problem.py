"""TSPs: exact costs, open paths, fixed edges, matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances import tsps
from warptour.model import problem as module
from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP, permutation_faults
from warptour.observe.result import Result

EUC = METRICS["EUC_2D"]
LINE = np.array([[0, 0], [10, 0], [20, 0], [30, 0]])


def line(**options: object) -> TSP:
    return TSP("line", EUC, LINE, **options)  # type: ignore[arg-type]


@given(tsps(), st.randoms(use_true_random=False))
def test_cost_is_the_sum_of_the_distances(problem: TSP, random: object) -> None:
    tour = np.arange(problem.n)
    np.random.default_rng(problem.n).shuffle(tour)
    edges = zip(tour, np.roll(tour, -1), strict=True)
    expected = sum(problem.distance(int(a), int(b)) for a, b in edges) if problem.n > 1 else 0
    cost = problem.cost(tour)
    assert cost == (expected if problem.metric.integral else pytest.approx(expected))
    assert isinstance(cost, int if problem.metric.integral else float)


def test_long_sequences_are_measured_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(1).integers(0, 1000, (100, 2))
    problem, tour = TSP("p", EUC, points), np.random.default_rng(2).permutation(100)
    whole = problem.cost(tour)
    for chunk in (1, 7, 98, 99, 100):
        monkeypatch.setattr(module, "CHUNK", chunk)
        assert problem.cost(tour) == whole


def test_closed_and_open() -> None:
    tour = np.arange(4)
    assert line().cost(tour) == 60
    assert line(open=True).cost(tour) == 30
    assert line(open=True, first=0, last=3).check(tour).feasible
    report = line(open=True, first=1, last=2).check(tour)
    assert report.violations == ("the path starts at city 1, not at 2", "the path ends at city 4, not at 3")
    assert report.cost == 30


@pytest.mark.parametrize("n", [1, 2])
def test_tiny_tours(n: int) -> None:
    assert TSP("t", EUC, LINE[:n]).cost(np.arange(n)) == (0, 20)[n - 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first": 0}, "is for an open path"),
        ({"open": True, "first": 4}, "first is 4; here cities are counted from 0 to 3"),
        ({"open": True, "first": -1}, "first is -1; here cities are counted from 0 to 3"),
        ({"open": True, "last": 0.5}, "last is 0.5; here cities are counted from 0 to 3"),
        ({"open": True, "last": "a"}, "last is 'a'"),
        ({"open": True, "first": 2, "last": 2}, "cannot start and end in the same city"),
        ({"fixed_edges": [[0, 4]]}, r"the fixed edge \(0, 4\) is none; here cities are counted from 0 to 3"),
        ({"fixed_edges": [[0, -1]]}, r"the fixed edge \(0, -1\) is none"),
        ({"fixed_edges": [[1, 2], [0, 2**32 + 1]]}, r"the fixed edge \(0, 4294967297\) is none"),
        ({"fixed_edges": [[0, 2**70]]}, "fixed edges are pairs of cities"),
        ({"fixed_edges": [[0, 0.5]]}, "fixed edges are pairs of cities"),
        ({"fixed_edges": [[0, np.nan]]}, "fixed edges are pairs of cities"),
        ({"fixed_edges": [[0, 1, 2]]}, "fixed edges are pairs of cities"),
        ({"fixed_edges": [["a", "b"]]}, "fixed edges are pairs of cities"),
        ({"fixed_edges": [[1, 1]]}, "joins city 2 to itself"),
        ({"fixed_edges": [[0, 1], [1, 0]]}, "given twice"),
        ({"fixed_edges": [[0, 1], [0, 2], [0, 3]]}, "city 1 has 3 fixed edges"),
        ({"fixed_edges": [[0, 1], [1, 2], [2, 0]]}, "close a cycle"),
        ({"fixed_edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "open": True}, "close a cycle"),
        ({"fixed_edges": [[0, 1], [1, 2]], "open": True, "first": 1}, "city 2 ends the path"),
        ({"fixed_edges": [[0, 3]], "open": True, "first": 3, "last": 0}, "from city 4 to city 1, the ends of the path"),
        ({"fixed_edges": [[0, 1], [1, 3]], "open": True, "first": 0, "last": 3}, "past other cities"),
        ({"labels": ("a",)}, "1 labels for 4 nodes"),
        ({"labels": (1, 2, 3, 4)}, "a label is a string"),
    ],
)
def test_what_no_tour_can_satisfy(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        line(**{key: np.array(value) if key == "fixed_edges" else value for key, value in options.items()})


def test_ragged_fixed_edges_are_refused() -> None:
    with pytest.raises(InputError, match="fixed edges are pairs"):
        line(fixed_edges=[[0, 1], [2]])


def test_fixed_edges_may_be_the_whole_path() -> None:
    problem = line(fixed_edges=np.array([[0, 1], [2, 3], [1, 2]]), open=True, first=0, last=3)
    assert problem.check(np.arange(4)).feasible


def test_fixed_edges_are_checked_in_tours() -> None:
    problem = line(fixed_edges=np.array([[0, 3], [1, 2]]))
    assert problem.check(np.array([0, 1, 2, 3])).feasible, "around the end"
    report = problem.check(np.array([0, 1, 3, 2]))
    assert report.violations == ("the fixed edge 1-4 is not in the tour", "the fixed edge 2-3 is not in the tour")
    assert not line(fixed_edges=np.array([[0, 3]]), open=True).check(np.arange(4)).feasible
    assert line(fixed_edges=np.array([[0, 1], [1, 2], [2, 3], [3, 0]])).check(np.arange(4)).feasible


def test_reports_of_what_is_no_tour() -> None:
    report = line().check(np.array([0, 1, 1, 7]))
    assert report.violations == (
        "8 is not a city (1..4)",
        "2 cities are not visited, the first is 3",
        "1 cities are visited more than once, the first is 2",
    )
    assert report.cost == 20, "the cost of what is there"
    assert not report.feasible
    assert permutation_faults(np.array([2, 0, 1]), 3) == []
    assert not line().check(np.arange(3)).feasible


def test_matrices() -> None:
    whole = TSP.from_matrix([[0, 2, 3], [2, 0, 4], [3, 4, 0]])
    assert whole.cost(np.arange(3)) == 9 and isinstance(whole.cost(np.arange(3)), int)
    assert whole.matrix is not None and whole.map is None
    broken = TSP.from_matrix(np.array([[0, 2.5], [2.5, 0]]))
    assert broken.cost(np.arange(2)) == 5.0 and isinstance(broken.cost(np.arange(2)), float)
    assert TSP.from_matrix(np.array([[0, 2.0], [2.0, 0]])).points.dtype == np.int64, "integers in disguise"


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1, 2], [1, 0, 3]], "square, not of shape"),
        ([1, 2], "square"),
        (np.empty((0, 0)), "square"),
        ([["a"]], "holds numbers"),
        ([[True]], "holds numbers"),
        ([[0, np.nan], [np.nan, 0]], "from node 1 to node 2 is not a finite number"),
        ([[0, 2.0**53], [2.0**53, 0]], "beyond"),
    ],
)
def test_matrices_that_are_none(matrix: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        TSP.from_matrix(matrix)  # type: ignore[arg-type]


def test_halves_of_a_matrix_may_differ_by_rounding() -> None:
    """What scikit-learn's pairwise distances and sums in another order give."""
    points = np.random.default_rng(3).random((50, 2))
    matrix = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    nearly = np.triu(matrix) + np.tril(np.nextafter(matrix, np.inf), -1)
    problem = TSP.from_matrix(nearly)
    np.testing.assert_array_equal(problem.points, problem.points.T)
    np.testing.assert_allclose(problem.points, matrix, rtol=1e-15)
    assert not problem.asymmetric
    assert TSP.from_matrix(np.triu(matrix) + np.tril(matrix * (1 + 1e-8), -1)).asymmetric
    assert TSP.from_matrix([[0, 10**12], [10**12 + 1, 0]]).asymmetric


@pytest.mark.parametrize("diagonal", [np.nan, np.inf, -np.inf, 1e300, 7.0])
def test_a_diagonal_means_nothing(diagonal: float) -> None:
    matrix = np.array([[diagonal, 2, 3], [2, diagonal, 4], [3, 4, diagonal]])
    problem = TSP.from_matrix(matrix)
    assert problem.cost(np.arange(3)) == 9 and problem.points.dtype == np.int64
    assert np.isfinite(problem.points).all()
    np.testing.assert_array_equal(np.diag(matrix), [diagonal] * 3, "the caller's array is the caller's")


def test_points_that_are_no_numbers() -> None:
    for points in ([["a", "b"]], [[1, 2], [3]], None):
        with pytest.raises(InputError):
            TSP("p", EUC, points)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rows of the same length"):
        TSP("p", METRICS["EXPLICIT"], [[0, 1], [1]])  # type: ignore[arg-type]


def test_problems_do_not_change() -> None:
    points = LINE.astype(float)
    problem = TSP("p", EUC, points)
    for array in (problem.points, problem.fixed_edges):
        assert not array.flags.writeable
    points[0, 0] = 1.0  # the caller's own array stays the caller's
    with pytest.raises(AttributeError):
        problem.name = "q"  # type: ignore[misc]


def test_another_rounding_forgets_the_best_known() -> None:
    problem = line(best_known=60)
    assert problem.rounded("nearest") is problem
    assert problem.rounded("none").best_known is None
    assert problem.rounded("none").cost(np.arange(4)) == 60.0


def test_gaps_of_results() -> None:
    result = Result("p", "tsp", 4, 66, True, np.arange(4, dtype=np.int32), best_known=60, lower_bound=55)
    assert (result.gap, result.bound_gap) == (pytest.approx(10), pytest.approx(20))
    summary = result.summary()
    assert summary["routes"] is None and "tour" not in summary and summary["gap"] == pytest.approx(10)
    assert Result("p", "tsp", 4, 0, True, np.arange(4, dtype=np.int32), best_known=0).gap == 0


@given(st.integers(3, 40), st.data())
def test_short_cycles_of_fixed_edges_are_always_seen(n: int, data: st.DataObject) -> None:
    points = np.arange(2 * n).reshape(n, 2)
    walk = np.array(data.draw(st.permutations(range(n))))
    length = data.draw(st.integers(3, n))
    cycle = np.stack((walk[:length], np.roll(walk[:length], -1)), 1)[data.draw(st.permutations(range(length)))]
    TSP("p", EUC, points, fixed_edges=cycle[:-1])
    if length == n:
        assert TSP("p", EUC, points, fixed_edges=cycle).check(walk).feasible
    else:
        with pytest.raises(InputError, match="close a cycle"):
            TSP("p", EUC, points, fixed_edges=cycle)
