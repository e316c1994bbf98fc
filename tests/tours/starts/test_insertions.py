"""Insertion heuristics choose by their rule, the same over a k-d tree as over all distances."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from warptour.kernels.groups import Unfinished
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.starts.growing import Rule, grow, grow_by_table, in_order
from warptour.tours.starts.insertions import SEEDS, convex_hull, shortest_edge, triangle
from warptour.tours.starts.start import start

INSERTIONS = ["nearest-insertion", "cheapest-insertion", "farthest-insertion"]
HELD_KARP = 0.7080
"""The Held-Karp bound of n uniform cities in a square of area A is about this times sqrt(n * A)."""


def uniform(n: int, seed: int = 0, metric: str = "EUCLIDEAN") -> TSP:
    points = np.random.default_rng(seed).uniform(-80, 80, (n, METRICS[metric].dimensions))
    return TSP("uniform", METRICS[metric], points)


def inserted(problem: TSP, rule: Rule, tour: list[int]) -> list[int]:
    """The rule in plain Python."""
    outside = [city for city in range(problem.n) if city not in tour]
    while outside:
        costs = {
            (problem.distance(a, c) + problem.distance(c, b) - problem.distance(a, b), c, at + 1)
            for c in outside
            for at, (a, b) in enumerate(pairwise([*tour, tour[0]]))
        }
        near = {c: min(problem.distance(c, a) for a in tour) for c in outside}
        chosen = {
            Rule.NEAREST: min(outside, key=lambda c: near[c]),
            Rule.FARTHEST: max(outside, key=lambda c: near[c]),
            Rule.CHEAPEST: min(costs)[1],
        }[rule]
        tour.insert(min(cost for cost in costs if cost[1] == chosen)[2], chosen)
        outside.remove(chosen)
    return tour


@pytest.mark.parametrize("rule", [Rule.NEAREST, Rule.FARTHEST, Rule.CHEAPEST])
def test_each_city_enters_by_the_rule_where_it_costs_least(rule: Rule) -> None:
    problem = uniform(40, seed=3)
    seed = np.array([4, 9, 30], np.int32)
    expected = inserted(problem, rule, seed.tolist())
    for after in (grow(problem, rule, seed), grow_by_table(problem, rule, seed)):
        assert (problem.as_written(in_order(after)) == problem.as_written(np.array(expected))).all()


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("metric", ["EUC_2D", "EUC_3D", "ATT", "GEO", "GREAT_CIRCLE"])
def test_the_tree_finds_what_all_distances_give(rule: Rule, metric: str) -> None:
    for n in (4, 5, 9, 10, 33, 150):
        problem = uniform(n, n, metric)
        first = np.random.default_rng(n).permutation(n)[: 1 if rule is Rule.SPAN else 3].astype(np.int32)
        np.testing.assert_array_equal(grow(problem, rule, first), grow_by_table(problem, rule, first))


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("metric", ["MAN_2D", "MAN_3D", "MAX_2D", "MAX_3D"])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
def test_with_many_ties_the_tree_gives_a_tour_too(rule: Rule, metric: str, n: int) -> None:
    points = np.random.default_rng(n).integers(0, 5, (n, METRICS[metric].dimensions)).astype(float)
    problem = TSP("ties", METRICS[metric], points)
    after = grow(problem, rule, np.zeros(1, np.int32))
    if rule is not Rule.SPAN:
        assert sorted(in_order(after)) == list(range(n))
        return
    weight, expected = (
        problem.distances(np.flatnonzero(parents >= 0), parents[parents >= 0]).sum()
        for parents in (after, grow_by_table(problem, rule, np.zeros(1, np.int32)))
    )
    assert weight == expected


@pytest.mark.parametrize("rule", [Rule.NEAREST, Rule.FARTHEST, Rule.CHEAPEST])
def test_a_matrix_without_triangle_inequality_is_searched_completely(rule: Rule) -> None:
    upper = np.triu(np.random.default_rng(1).permutation(1600).reshape(40, 40), 1)
    problem = TSP.from_matrix(upper + upper.T)
    seed = np.array([7, 3, 21], np.int32)
    expected = inserted(problem, rule, seed.tolist())
    tour = in_order(grow(problem, rule, seed))
    assert (problem.as_written(tour) == problem.as_written(np.array(expected))).all()


@pytest.mark.parametrize(("name", "percent"), [("nearest", 27), ("cheapest", 22), ("farthest", 13.5)])
def test_tours_of_uniform_cities_are_within_a_percent_of_the_literature(name: str, percent: float) -> None:
    problem = uniform(50_000)
    bound = HELD_KARP * np.sqrt(50_000) * 160
    above = 100 * (problem.cost(start(problem, f"{name}-insertion")) / bound - 1)
    assert abs(above - percent) < 1


@pytest.mark.parametrize("name", INSERTIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_first_subtour_works(name: str, seed: str) -> None:
    problem = uniform(500)
    tour = start(problem, f"{name}:{seed}")
    assert problem.check(tour).violations == ()
    assert (seed != "edge") == (tour != start(problem, name)).any()
    with pytest.raises(UsageError, match="unknown start"):
        start(problem, f"{name}:circle")


def test_the_first_subtours() -> None:
    square = TSP(
        "square", METRICS["EUC_2D"], np.array([[0, 0], [5, 5], [9, 0], [9, 9], [4, 5], [0, 9], [0, 0], [4, 0.0]])
    )
    assert shortest_edge(square).tolist() == [0, 6]
    assert triangle(square).tolist() == [3, 0, 2]
    assert square.points[convex_hull(square)].tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]


def test_the_hull_of_degenerate_cities() -> None:
    one_place = TSP("one", METRICS["EUC_2D"], np.ones((6, 2)))
    line = TSP("line", METRICS["EUC_2D"], np.array([[2, 2], [0, 0], [4, 4], [1, 1.0]]))
    assert len(convex_hull(one_place)) == 1
    assert sorted(convex_hull(line)) == [1, 2]
    assert sorted(start(one_place, "cheapest-insertion:hull")) == list(range(6))


def test_a_hull_needs_a_plane() -> None:
    for problem in (uniform(9, metric="EUC_3D"), uniform(9, metric="GEO"), TSP.from_matrix(np.ones((4, 4)))):
        with pytest.raises(UnsupportedError, match="needs cities in the plane"):
            start(problem, "farthest-insertion:hull")


def test_a_path_with_free_ends_loses_the_longest_edge() -> None:
    problem = uniform(200)
    tour = start(problem, "farthest-insertion")
    edges = problem.distances(tour, np.roll(tour, -1))
    path = TSP("path", problem.metric, problem.points, open=True)
    assert path.cost(start(path, "farthest-insertion")) == pytest.approx(edges.sum() - edges.max())


@pytest.mark.parametrize("name", INSERTIONS)
def test_an_insertion_gives_up_when_there_is_no_time(name: str) -> None:
    for problem in (uniform(50), TSP.from_matrix(np.ones((50, 50)))):
        with pytest.raises(Unfinished):
            start(problem, name, over=lambda: True)
