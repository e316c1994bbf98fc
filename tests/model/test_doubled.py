"""Asymmetric distances: their symmetric form, and searches that use it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import warptour as wt
from warptour.io.write import write_problem
from warptour.model.errors import InputError, UnsupportedError
from warptour.model.searched import doubled, enter, leave
from warptour.observe.events import Event, Improved

ATSP = """NAME: one way
TYPE: ATSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
9999 1 8 8
8 9999 1 8
8 8 9999 1
1 8 8 9999
"""


def ways(n: int, seed: int, *, low: int = 0) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(low, 100, (n, n))


def cheapest(problem: wt.TSP) -> float:
    """Return the cost of the cheapest tour or path, by enumeration."""
    rest = range(0 if problem.open else 1, problem.n)
    tours = (np.array(tour if problem.open else (0, *tour)) for tour in permutations(rest))
    return min(problem.cost(tour) for tour in tours)


@given(st.integers(2, 30), st.integers(0, 1000), st.booleans())
def test_tours_have_the_same_cost_in_both_forms(n: int, seed: int, is_open: bool) -> None:
    problem = wt.TSP.from_matrix(ways(n, seed), open=is_open)
    form = doubled(problem)
    tour = np.random.default_rng(seed).permutation(n).astype(np.int32)
    nodes = enter(tour)
    assert form.check(nodes).feasible
    assert form.cost(nodes) == problem.cost(tour)
    for same in (nodes, nodes[::-1]):
        back = leave(same)
        assert back is not None
        assert (back == tour).all()
    if not is_open:
        turned = leave(np.roll(nodes, 3))
        assert turned is not None
        assert problem.cost(turned) == problem.cost(tour)


def test_a_tour_that_goes_two_ways_is_none_of_the_cities() -> None:
    nodes = enter(np.arange(4, dtype=np.int32))
    nodes[2:4] = nodes[3:1:-1].copy()
    assert leave(nodes) is None
    form = doubled(wt.TSP.from_matrix(ways(4, 1)))
    assert form.cost(nodes) > form.cost(enter(np.arange(4, dtype=np.int32)))


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 7), st.integers(0, 1000), st.booleans(), st.sampled_from([0, -50]))
def test_tiny_problems_are_solved_exactly(n: int, seed: int, is_open: bool, low: int) -> None:
    problem = wt.TSP.from_matrix(ways(n, seed, low=low), open=is_open)
    found = wt.solve(problem, iterations=50)
    best = cheapest(problem)
    assert wt.check(problem, found).feasible
    assert found.cost == problem.cost(found.tour) == best
    assert wt.bound(problem, seconds=0.1).lower_bound <= best


@pytest.mark.parametrize("strategy", ["windows", "ils", "vns"])
def test_searches_go_one_way(strategy: str) -> None:
    n = 60
    matrix = ways(n, 3) + 100
    matrix[np.arange(n), (np.arange(n) + 1) % n] = 1  # cheap one way round, dear the other
    problem = wt.TSP.from_matrix(matrix)
    seen: list[float] = []

    def listen(event: Event) -> None:
        if isinstance(event, Improved):
            seen.append(problem.cost(event.solution))
            assert seen[-1] == event.state.cost

    result = wt.solve(problem, strategy, iterations=3000, listeners=[listen])
    assert result.cost == n
    assert result.tour.tolist() == list(range(n))
    assert seen[-1] == n


def test_a_search_goes_on_from_a_tour_and_a_checkpoint(tmp_path: Path) -> None:
    problem = wt.TSP.from_matrix(ways(40, 5))
    first = wt.solve(problem, iterations=200, checkpoint=tmp_path / "kept")
    again = wt.solve(problem, iterations=1, start=first.tour)
    resumed = wt.solve(problem, iterations=1, resume=tmp_path / "kept")
    assert max(again.cost, resumed.cost) <= first.cost


def test_ends_of_a_path_are_kept() -> None:
    problem = wt.TSP.from_matrix(ways(30, 2), open=True, first=4, last=11)
    tour = wt.solve(problem, iterations=500).tour
    assert (tour[0], tour[-1]) == (4, 11)


def test_what_needs_symmetry_says_so() -> None:
    problem = wt.TSP.from_matrix(ways(20, 1))
    with pytest.raises(UnsupportedError, match="hill needs the same distance there and back"):
        wt.solve(problem, "hill", iterations=1)
    with pytest.raises(InputError, match="fixed edges have no direction"):
        wt.TSP.from_matrix(ways(5, 1), fixed_edges=np.array([[0, 1]]))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "one.atsp"
    path.write_text(ATSP)
    problem = wt.read(path)
    assert isinstance(problem, wt.TSP)
    assert problem.asymmetric
    result = wt.solve(problem)
    assert (result.cost, result.tour.tolist()) == (4, [0, 1, 2, 3])
    write_problem(tmp_path / "again.atsp", problem)
    again = wt.read(tmp_path / "again.atsp")
    off = ~np.eye(4, dtype=bool)
    assert (again.points[off] == problem.points[off]).all()
    wt.write(tmp_path / "one.tour", problem, result)
    assert wt.check(problem, tmp_path / "one.tour").cost == 4


def test_a_tsp_file_with_asymmetric_distances_names_the_type(tmp_path: Path) -> None:
    path = tmp_path / "one.tsp"
    path.write_text(ATSP.replace("ATSP", "TSP"))
    with pytest.raises(InputError, match="that takes TYPE ATSP"):
        wt.read(path)
