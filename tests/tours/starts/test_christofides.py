"""Christofides: spanning tree, matching, Euler circuit and shortcuts."""

from __future__ import annotations

import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from subtour_lp import held_karp
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.strategies.exact import shortest
from warptour.tours.starts import christofides as module
from warptour.tours.starts import match_edges as matching
from warptour.tours.starts.euler import euler_circuit, shortcut
from warptour.tours.starts.growing import Rule, grow
from warptour.tours.starts.start import start

needs_pymatching = pytest.mark.skipif(not matching.installed(), reason="PyMatching is not installed")


def uniform(n: int, seed: int = 0, metric: str = "EUCLIDEAN") -> TSP:
    points = np.random.default_rng(seed).uniform(-80, 80, (n, METRICS[metric].dimensions))
    return TSP("uniform", METRICS[metric], points)


def lightest(problem: TSP, left: frozenset[int]) -> float:
    """Weight of the minimum perfect matching, by trying all."""
    if not left:
        return 0.0
    one = min(left)
    return min(problem.distance(one, two) + lightest(problem, left - {one, two}) for two in left - {one})


@needs_pymatching
@pytest.mark.parametrize("seed", range(5))
def test_the_matching_is_minimal(seed: int) -> None:
    problem = uniform(8, seed)
    edges = np.array([(i, j, problem.distance(i, j)) for i, j in combinations(range(8), 2)])
    pairs = matching.match_edges(edges)
    assert sorted(pairs.ravel()) == list(range(8))
    assert problem.distances(*pairs.T).sum() == pytest.approx(lightest(problem, frozenset(range(8))), rel=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_a_circuit_walks_every_edge_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    walk = np.concatenate([[0], rng.integers(0, 20, 60), rng.permutation(20)])
    edges = np.column_stack([walk, np.roll(walk, -1)]).astype(np.int32)
    edges = edges[edges[:, 0] != edges[:, 1]]
    circuit = euler_circuit(20, rng.permutation(edges)).tolist()
    walked = sorted(tuple(sorted(pair)) for pair in pairwise([*circuit, circuit[0]]))
    assert walked == sorted(tuple(sorted(edge)) for edge in edges.tolist())


def test_shortcuts_visit_every_city_once_and_never_lengthen() -> None:
    problem = uniform(100)
    parents = grow(problem, Rule.SPAN, np.zeros(1, np.int32))
    tree = np.column_stack([np.arange(1, 100), parents[1:]]).astype(np.int32)
    circuit = euler_circuit(100, np.concatenate([tree, tree]))
    assert len(circuit) == 198
    tour = shortcut(problem, circuit)
    assert problem.check(tour).violations == ()
    assert problem.cost(tour) < problem.cost(circuit)


@needs_pymatching
@pytest.mark.parametrize("metric", ["EUCLIDEAN", "EUCLIDEAN_3D", "GREAT_CIRCLE"])
def test_a_tour_is_at_most_half_longer_than_the_shortest(metric: str) -> None:
    for seed in range(5):
        problem = uniform(9, seed, metric)
        assert problem.cost(start(problem, "christofides")) <= 1.5 * problem.cost(shortest(problem))


@st.composite
def metric_tsp(draw: st.DrawFn) -> TSP:
    """Cities with unrounded distances that satisfy the triangle inequality; some lie in the same place or on a line."""
    n, name = draw(st.integers(4, 60)), draw(st.sampled_from(["EUCLIDEAN", "EUCLIDEAN_3D", "GREAT_CIRCLE", "paths"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if name == "paths":
        table = np.triu(rng.uniform(1, 100, (n, n)), 1)
        return TSP.from_matrix(shortest_path(table + table.T, directed=False))
    points = rng.uniform(-80, 80, (n, METRICS[name].dimensions))
    step = draw(st.sampled_from([0.0, 40.0]))
    points = np.round(points / step) * step if step else points
    points[:, 0] *= draw(st.sampled_from([1.0, 0.0]))
    return TSP("drawn", METRICS[name], points)


@needs_pymatching
@settings(max_examples=15, deadline=None)
@given(metric_tsp())
def test_a_tour_is_at_most_half_longer_than_held_and_karps_bound(problem: TSP) -> None:
    tour = start(problem, "christofides")
    assert problem.cost(tour) <= 1.5 * held_karp(problem) * (1 + 1e-6) + 1e-6


@needs_pymatching
def test_tours_of_uniform_cities_are_within_a_percent_of_the_literature() -> None:
    problem = uniform(20_000)
    above = 100 * (problem.cost(start(problem, "christofides")) / (0.7080 * np.sqrt(20_000) * 160) - 1)
    assert abs(above - 10) < 1


@needs_pymatching
def test_sparse_and_complete_graphs_give_the_same_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = uniform(600)
    complete = start(problem, "christofides")
    monkeypatch.setattr(module, "EXACT", 10)
    assert problem.cost(start(problem, "christofides")) == pytest.approx(problem.cost(complete), rel=0.02)
    table = TSP.from_matrix(problem.distances(np.arange(600)[:, None], np.arange(600)))
    assert table.cost(start(table, "christofides")) == pytest.approx(problem.cost(complete), rel=0.02)


@needs_pymatching
@pytest.mark.parametrize("metric", ["EUCLIDEAN", "EUCLIDEAN_3D", "GREAT_CIRCLE"])
def test_parts_that_are_matched_one_by_one_cost_little(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = uniform(3000, metric=metric)
    monkeypatch.setattr(module, "EXACT", 10)
    whole = start(problem, "christofides")
    monkeypatch.setattr(module, "TOGETHER", 1000)
    monkeypatch.setattr(module, "APART", 300)
    assert problem.cost(start(problem, "christofides")) == pytest.approx(problem.cost(whole), rel=0.02)


@needs_pymatching
def test_another_process_gives_the_same_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = uniform(300)
    here = start(problem, "christofides")
    monkeypatch.setattr(module, "QUICK", 0)
    np.testing.assert_array_equal(start(problem, "christofides"), here)


@needs_pymatching
def test_a_matching_ends_when_there_is_no_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUICK", 0)
    asked = iter([False] * 3)
    with pytest.raises(Unfinished):
        module._match(np.array([[0, 1, 1.0]]), lambda: next(asked, True))


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "find_spec", lambda name: None)
    assert "pymatching" not in sys.modules or not matching.installed()
    with pytest.raises(UnsupportedError, match=r"pip install 'warptour\[christofides\]'"):
        start(uniform(10), "christofides")
