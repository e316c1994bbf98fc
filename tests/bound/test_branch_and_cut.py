"""Branch and cut proves what is optimal, and nothing else; its bounds hold whatever the linear program says."""

from __future__ import annotations

import math
import sys
from importlib import import_module
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

import warptour
from small_problems import described, shortest_tour, small_tsp
from warptour.bound import prove_bound
from warptour.bound.cutting.cut import TourCut, comb_cut, shortest_walk, subtour, walk_cut
from warptour.bound.cutting.graph import CompleteGraph, complete_graph
from warptour.bound.cutting.program import Solved, TourProgram
from warptour.bound.cutting.safe import exact_bound
from warptour.bound.cutting.separation import Separation
from warptour.bound.cutting.subtours import subtours
from warptour.bound.cutting.support import Support
from warptour.bound.instance import BoundInstance
from warptour.io.read import read
from warptour.model.gaps import is_optimal
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.strategies.exact import shortest

pytest.importorskip("highspy")


@pytest.fixture
def without_ascent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds come from the linear program alone."""
    module = sys.modules["warptour.bound.bound"]
    monkeypatch.setattr(module, "PASSES", ())
    monkeypatch.setattr(module, "prove_optimal", lambda *_: False)


def a_graph(n: int, seed: int) -> CompleteGraph:
    points = np.random.default_rng(seed).integers(0, 1000, (n, 2)).astype(float)
    graph = complete_graph(BoundInstance(TSP("random", METRICS["EUC_2D"], points), 1))
    assert graph is not None
    return graph


@pytest.mark.usefixtures("without_ascent")
@pytest.mark.parametrize("part", range(4))
def test_small_problems_are_proved_optimal_and_their_bounds_hold(part: int) -> None:
    proved = 0
    for seed in range(5000 + part, 5080, 4):
        problem = small_tsp(seed, 7, 9)
        tour = shortest_tour(problem)
        if tour is None:
            continue
        optimum = problem.cost(tour)
        found = prove_bound(problem, 30.0, 1, tour=lambda tour=tour: np.asarray(tour, np.int32))
        assert found.lower_bound <= optimum, described(problem)
        assert not found.tight or is_optimal(optimum, found.lower_bound), described(problem)
        assert found.tight or not problem.metric.integral, described(problem)
        proved += found.tight
    assert proved > 0


@pytest.mark.usefixtures("without_ascent")
@pytest.mark.parametrize("seed", range(10))
def test_a_tour_that_is_not_optimal_is_never_proved_to_be(seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, 60, (9, 2))
    problem = TSP("nine", METRICS["EUC_2D"], points)
    known = np.random.default_rng(seed).permutation(9).astype(np.int32)
    found = prove_bound(problem, 30.0, 1, tour=lambda: known)
    assert found.tight and found.lower_bound == problem.cost(shortest(problem)) <= problem.cost(known)


@pytest.mark.usefixtures("without_ascent")
def test_a_solution_of_whole_edges_that_is_no_tour_is_cut_off_however_little_is_gained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = import_module("warptour.bound.cutting.proof")
    monkeypatch.setattr(module, "STALLED_ROUNDS", 0)
    monkeypatch.setattr(module, "STALLED_SHARE", math.inf)
    for seed in range(4):
        points = np.random.default_rng(seed).integers(0, 1000, (40, 2)).astype(float)
        problem = TSP("forty", METRICS["EUC_2D"], points)
        tour = warptour.solve(problem, iterations=2000, threads=1, device="cpu").tour
        found = prove_bound(problem, 300.0, 1, tour=lambda tour=tour: tour)
        assert found.tight and found.lower_bound <= problem.cost(tour)


@pytest.mark.long
@pytest.mark.usefixtures("without_ascent")
@pytest.mark.parametrize("part", range(8))
def test_thousands_of_small_problems_are_bounded_rightly(part: int) -> None:
    for seed in range(10_000 + part, 12_400, 8):
        problem = small_tsp(seed, 6, 9)
        tour = shortest_tour(problem)
        if tour is None:
            continue
        found = prove_bound(problem, 30.0, 1, tour=lambda tour=tour: np.asarray(tour, np.int32))
        assert found.lower_bound <= problem.cost(tour), described(problem)
        assert not found.tight or is_optimal(problem.cost(tour), found.lower_bound), described(problem)


@pytest.mark.parametrize("name", ["att48", "eil76", "kroB100", "gr96", pytest.param("si175", marks=pytest.mark.long)])
def test_public_instances_are_proved_optimal(name: str, data: Path) -> None:
    problem = read(data / "tsp" / f"{name}.tsp")
    found = warptour.bound(problem, seconds=300, threads=1, prove=True)
    assert found.tight and found.lower_bound == problem.best_known


def test_a_search_ends_once_its_tour_is_proved_optimal(data: Path) -> None:
    problem = read(data / "tsp" / "kroA100.tsp")
    result = warptour.solve(problem, seconds=300, threads=2, prove=True, device="cpu")
    assert result.optimal and result.cost == result.lower_bound == 21_282


def test_a_proof_waits_for_the_first_tour() -> None:
    problem = warptour.generate("uniform", 30, 3)
    assert isinstance(problem, warptour.TSP)
    best = warptour.solve(problem, iterations=2000, seed=1).tour
    tours = iter([None] * 5)
    bound = prove_bound(problem, 300, tour=lambda: next(tours, best))
    assert bound.tight and bound.lower_bound == problem.cost(best)


def test_any_duals_give_a_bound() -> None:
    rng = np.random.default_rng(4)
    for seed in range(200):
        n = int(rng.integers(6, 9))
        graph = a_graph(n, seed)
        length = graph.length
        optimum = min(sum(length[p[i - 1], p[i]] for i in range(n)) for p in permutations(range(n)) if p[0] == 0)
        sets = [rng.permutation(n)[: rng.integers(2, n - 1)] for _ in range(4)]
        cuts = [subtour(np.isin(np.arange(n), inside)) for inside in sets]
        mean = float(length.mean()) / graph.scale
        solved = Solved(0.0, np.empty(0), rng.normal(mean / 2, mean / 4, n), np.abs(rng.normal(0, mean / 4, 4)))
        found = exact_bound(graph, solved, cuts, None, set(), (), int(optimum))
        assert found is not None and found.bound <= optimum
        for a, b in combinations(range(n), 2):
            own = (
                solved.degrees[a]
                + solved.degrees[b]
                + sum(dual for cut, dual in zip(cuts, solved.duals, strict=True) if cut.atoms[a] != cut.atoms[b])
            )
            reduced = length[a, b] - own * graph.scale
            at = np.flatnonzero((found.edges.one == a) & (found.edges.two == b))
            assert len(at) == 1 or reduced > 0
            assert all(abs(found.edges.reduced[at] - reduced) < 10)


def test_decisions_and_forced_edges_count_in_full() -> None:
    graph = a_graph(7, 1)
    solved = Solved(0.0, np.empty(0), np.zeros(7), np.empty(0))
    without = exact_bound(graph, solved, [], None, set(), (), 0)
    forced = exact_bound(graph, solved, [], None, {(0, 1)}, ((2, 3, 1), (4, 5, 0)), 0)
    assert without is not None and forced is not None
    assert without.bound == 0 and forced.bound == graph.length[0, 1] + graph.length[2, 3]


def test_cuts_prove_themselves_and_wrong_ones_do_not() -> None:
    n = 12
    nodes = np.arange(n)
    handle, teeth = nodes < 3, [np.isin(nodes, (k, k + 3)) for k in range(3)]
    comb = comb_cut(handle, teeth)
    assert comb.least == 10 and comb.proved() and subtour(handle).proved()
    assert not TourCut(comb.atoms, comb.table, 11).proved()
    assert not TourCut(comb.atoms, comb.table + 1, 10).proved()
    large = comb_cut(nodes < 7, [np.isin(nodes, (k, k + 7)) for k in range(5)])
    assert large.proved()
    many = np.arange(40)
    teeth = [np.isin(many, (k, k + 20)) for k in range(9)]
    wide = comb_cut(many < 20, teeth)
    assert wide.proved() and wide.least == 28
    assert not TourCut(wide.atoms, wide.table, 29, wide.comb).proved()
    assert not TourCut(wide.atoms, wide.table, 28).proved()
    overlapping = comb_cut(many < 20, [*teeth[:8], teeth[0] | teeth[8]])
    assert not overlapping.proved()


def test_the_shortest_closed_walk_is_exact() -> None:
    rng = np.random.default_rng(2)
    for k in (2, 3, 4, 5, 6, 7):
        table = rng.integers(1, 50, (k, k))
        table = np.triu(table, 1) + np.triu(table, 1).T
        cut = walk_cut(np.arange(k), table.astype(float), range(1, 2))
        assert cut is not None and cut.proved()
        closed = cut.table
        lengths = (sum(closed[p[i - 1], p[i]] for i in range(k)) for p in permutations(range(k)))
        assert shortest_walk(closed) == min(lengths) == cut.least


@pytest.mark.parametrize("seed", range(3))
def test_every_cut_that_is_found_is_proved(seed: int) -> None:
    graph = a_graph(60, seed)
    one, two = (ends.astype(np.int32) for ends in np.triu_indices(60, 1))
    program = TourProgram(60)
    program.add_edges(one, two, graph.length[one, two] / graph.scale)
    separation = Separation(lambda: False)
    separation.begin(root=True)
    kinds = set()
    for _ in range(40):
        solved = program.solve(60.0)
        assert solved is not None
        cuts = separation.cuts(Support(60, one, two, solved.x), np.arange(60, dtype=np.int32))
        assert all(cut.proved() for cut in cuts)
        kinds |= {len(cut.table) for cut in cuts}
        if not program.add_cuts(cuts) and not separation.harder():
            break
    assert 2 in kinds


def test_a_minimum_cut_is_found_wherever_there_is_one() -> None:
    rng = np.random.default_rng(8)
    for _ in range(100):
        n = 8
        tours = [rng.permutation(n) for _ in range(2)]
        broken = [np.array([0, 1, 2, 3]), np.array([4, 5, 6, 7])]
        x = np.zeros((n, n))
        for cycles, share in (([tours[0]], 0.3), ([tours[1]], 0.3), (broken, 0.4)):
            for cycle in cycles:
                np.add.at(x, (cycle, np.roll(cycle, 1)), share)
        x += x.T
        one, two = (ends.astype(np.int32) for ends in np.triu_indices(n, 1))
        support = Support(n, one, two, x[one, two])
        sets = [np.isin(np.arange(n), inside) for k in range(2, 5) for inside in combinations(range(n), k)]
        least = min(x[np.ix_(inside, ~inside)].sum() for inside in sets)
        found = subtours(support, np.arange(n, dtype=np.int32))
        assert bool(found) == (least < 2 - 1e-4)
        assert all(float(cut.coefficients(support.one, support.two) @ support.x) < 2 for cut in found)


def test_without_highs_a_proof_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("warptour.bound.highs"), "find_spec", lambda _: None)
    problem = TSP("nine", METRICS["EUC_2D"], np.random.default_rng(0).uniform(0, 9, (9, 2)))
    for call in (warptour.bound, warptour.solve):
        with pytest.raises(warptour.MissingLibrary, match="HiGHS"):
            call(problem, seconds=1, prove=True)
