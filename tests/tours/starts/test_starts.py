"""Every start gives a tour of all cities that holds the fixed edges and has the ends of an open path."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.candidates import neighbours
from warptour.kernels.groups import Unfinished
from warptour.kernels.points import Points
from warptour.model.errors import InputError, UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.starts.fragments import Fragments
from warptour.tours.starts.start import installed_starts, start

PLANE = METRICS["EUC_2D"]
UNIFORM = 0.7124
"""The shortest tour of n uniform cities in a square of area A is about this times sqrt(n * A)."""


def assert_solves(problem: TSP, tour: np.ndarray) -> None:
    assert tour.dtype == np.int32 and tour.shape == (problem.n,)
    assert problem.check(tour).violations == ()


def uniform(n: int, seed: int = 0, **options: Any) -> TSP:
    points = np.random.default_rng(seed).uniform(0, 1e6, (n, 2))
    return TSP("uniform", METRICS["EUCLIDEAN"], points, **options)


@st.composite
def constrained(draw: st.DrawFn) -> TSP:
    """A small problem with fixed edges cut from a hidden tour, closed or open, its ends free or given."""
    n = draw(st.integers(1, 40))
    side = draw(st.sampled_from([1, 3, 1000]))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    points = rng.integers(0, side, (n, 2)).astype(float)
    hidden = rng.permutation(n)
    closed = draw(st.booleans())
    edges = np.column_stack([hidden, np.roll(hidden, -1)])
    edges = edges[:-1] if not closed or n < 3 else edges
    share = draw(st.sampled_from([0.0, 0.2, 0.7, 1.0]))
    edges = edges[rng.random(len(edges)) < share] if n > 1 else edges[:0]
    flip = rng.random(len(edges)) < 0.5
    edges[flip] = edges[flip][:, ::-1]
    ends: dict[str, Any] = {}
    if not closed:
        ends["open"] = True
        if draw(st.booleans()):
            ends["first"] = int(hidden[0])
        if draw(st.booleans()) and (n > 1 or "first" not in ends):
            ends["last"] = int(hidden[-1])
    if draw(st.booleans()):
        return TSP("hidden", PLANE, points, fixed_edges=rng.permutation(edges), **ends)
    table = np.abs(points[:, None] - points[None, :]).sum(axis=2)
    return TSP.from_matrix(table, display=points, fixed_edges=rng.permutation(edges), **ends)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", installed_starts())
@given(problem=constrained(), seed=st.integers(0, 3))
def test_fixed_edges_and_ends_are_honoured(name: str, problem: TSP, seed: int) -> None:
    assert_solves(problem, start(problem, name, seed))


@pytest.mark.parametrize("name", installed_starts())
@pytest.mark.parametrize("metric", [name for name in METRICS if name != "EXPLICIT"])
def test_every_metric_works(name: str, metric: str) -> None:
    dimensions = METRICS[metric].dimensions
    points = np.random.default_rng(0).uniform(-80, 80, (200, dimensions))
    problem = TSP("any", METRICS[metric], points)
    tour = start(problem, name)
    assert_solves(problem, tour)
    if name not in ("random", "file"):
        assert problem.cost(tour) < 0.7 * problem.cost(np.arange(200))


@pytest.mark.parametrize("name", installed_starts())
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("is_open", [False, True])
def test_few_cities(name: str, n: int, is_open: bool) -> None:
    problem = uniform(n, open=is_open)
    assert_solves(problem, start(problem, name))


@pytest.mark.parametrize("name", installed_starts())
def test_all_cities_in_one_place(name: str) -> None:
    problem = TSP("point", PLANE, np.ones((5000, 2)))
    assert_solves(problem, start(problem, name))


@pytest.mark.parametrize("name", ["nearest", "greedy", "curve"])
def test_cities_on_a_line_are_visited_there_and_back(name: str) -> None:
    x = np.random.default_rng(0).permutation(3000).astype(float)
    problem = TSP("line", PLANE, np.column_stack([x, 2 * x]))
    tour = start(problem, name)
    assert_solves(problem, tour)
    assert problem.cost(tour) <= 6 * np.hypot(3000, 6000)


@pytest.mark.parametrize("name", ["nearest", "greedy", "curve"])
def test_a_heap_in_one_place_costs_one_visit(name: str) -> None:
    rng = np.random.default_rng(0)
    points = rng.permutation(np.concatenate([np.full((2000, 2), 500.0), rng.uniform(0, 1000, (500, 2))]))
    problem = TSP("heap", METRICS["EUCLIDEAN"], points)
    tour = start(problem, name)
    assert_solves(problem, tour)
    apart = np.count_nonzero(np.diff((points[tour] == 500.0).all(axis=1).astype(int)))
    assert apart <= 2


@pytest.mark.parametrize(("name", "worst"), [("greedy", 1.22), ("nearest", 1.36), ("curve", 1.50)])
def test_tours_of_uniform_cities_are_as_short_as_expected(name: str, worst: float) -> None:
    problem = uniform(20_000)
    tour = start(problem, name)
    assert_solves(problem, tour)
    assert problem.cost(tour) < worst * UNIFORM * np.sqrt(20_000) * 1e6


@pytest.mark.parametrize("name", installed_starts())
@pytest.mark.threads
def test_the_same_seed_gives_the_same_tour_whatever_the_threads(name: str) -> None:
    problem = uniform(30_000)
    tours = [start(problem, name, np.random.SeedSequence(7), threads=threads) for threads in (1, 3)]
    np.testing.assert_array_equal(*tours)


@pytest.mark.parametrize("name", ["random", "nearest"])
def test_another_seed_gives_another_tour(name: str) -> None:
    problem = uniform(1000)
    assert (start(problem, name, 1) != start(problem, name, 2)).any()


def test_file_order_is_the_cities_in_order() -> None:
    assert start(uniform(50), "file").tolist() == list(range(50))


def test_nearest_goes_to_the_nearest_city_that_is_left() -> None:
    problem = uniform(300, first=17, open=True)
    tour = start(problem, "nearest")
    left = set(range(300))
    for here, there in pairwise(tour.tolist()):
        left.discard(here)
        rest = np.array(sorted(left))
        assert problem.distance(here, there) == problem.distances(np.full(len(rest), here), rest).min()


def test_greedy_takes_any_neighbour_list() -> None:
    problem = uniform(3000)
    for width in (1, 3, 12):
        assert_solves(problem, start(problem, "greedy", candidates=neighbours(problem, width)))


def test_greedy_is_greedy() -> None:
    problem = uniform(60, seed=4)
    pairs = [(problem.distance(i, j), i, j) for i in range(60) for j in range(i)]
    degree, incumbent, edges = [0] * 60, list(range(60)), set()
    for _, i, j in sorted(pairs):
        if degree[i] < 2 and degree[j] < 2 and incumbent[i] != incumbent[j]:
            incumbent = [incumbent[i] if c == incumbent[j] else c for c in incumbent]
            degree[i], degree[j] = degree[i] + 1, degree[j] + 1
            edges.add(frozenset((i, j)))
    tour = start(problem, "greedy", candidates=neighbours(problem, 59)).tolist()
    assert edges == {frozenset(pair) for pair in pairwise(tour)}


def test_a_tour_is_taken_as_it_is() -> None:
    problem = uniform(10)
    tour = np.random.default_rng(0).permutation(10)
    np.testing.assert_array_equal(start(problem, tour), tour)
    np.testing.assert_array_equal(start(problem, tour.tolist()), tour)


@pytest.mark.parametrize("tour", [[0, 1, 2], [0, 1, 2, 3, 3], [0.5, 1, 2, 3, 4], [[0, 1, 2, 3, 4]], [1, 2, 3, 4, 5]])
def test_what_is_no_tour_is_refused(tour: list[Any]) -> None:
    with pytest.raises(InputError, match="start from"):
        start(uniform(5), tour)


def test_an_unknown_start_is_refused() -> None:
    with pytest.raises(UsageError, match="there are random, file"):
        start(uniform(5), "wonder")


def test_a_curve_through_a_matrix_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="needs coordinates"):
        start(TSP.from_matrix(np.ones((4, 4)) - np.eye(4)), "curve")


def symmetric(upper: np.ndarray) -> np.ndarray:
    upper = np.triu(upper, 1)
    return upper + upper.T


def test_greedy_takes_negative_edges_first() -> None:
    table = symmetric(np.random.default_rng(3).permutation(900).reshape(30, 30) - 700)
    below, above = (TSP.from_matrix(matrix) for matrix in (table, table + 700))
    assert (start(below, "greedy") == start(above, "greedy")).all()
    assert_solves(below, start(below, "greedy"))


WEIGHTS = np.random.default_rng(4).integers(0, 1000, 600)
STUBBORN = {
    "equal": np.ones((600, 600), int),
    "negative": -np.ones((600, 600), int),
    "zero": np.zeros((600, 600), int),
    "hubs": WEIGHTS[:, None] + WEIGHTS,
    "prizes": -(WEIGHTS[:, None] + WEIGHTS),
    "two values": symmetric(np.random.default_rng(5).integers(1, 3, (600, 600))),
    "clusters": (WEIGHTS[:, None] // 30 != WEIGHTS // 30).astype(int),
}


@pytest.mark.parametrize("name", STUBBORN)
def test_greedy_ends_after_few_rounds(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rounds = []
    join = Fragments.join_shortest
    monkeypatch.setattr(Fragments, "join_shortest", lambda *a, **k: rounds.append(join(*a, **k)))
    problem = TSP.from_matrix(STUBBORN[name])
    assert_solves(problem, start(problem, "greedy"))
    assert len(rounds) <= 8


@pytest.mark.parametrize("name", ["greedy", "nearest"])
def test_a_start_gives_up_when_there_is_no_time(name: str) -> None:
    for problem in (uniform(50), TSP.from_matrix(STUBBORN["hubs"])):
        with pytest.raises(Unfinished):
            start(problem, name, over=lambda: True)


def test_more_edges_than_32_bits_count_are_refused() -> None:
    problem = TSP("pair", PLANE, np.array([[0, 0], [1, 1.0]]))
    rows = np.broadcast_to(np.zeros(1, np.int32), (700_000_000, 7))  # one number in memory
    with pytest.raises(UnsupportedError, match="room for 613,566,756 cities with 7 neighbours each, not 700,000,000"):
        Fragments(2).join_shortest(Points.of(problem), rows)
