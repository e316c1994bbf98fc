"""One huge distance hides no gain: tolerances follow the edges that a move compares."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import warptour as wt
from reference_engine import ReferenceEngine
from warptour.devices import Device
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS
from warptour.neighborhoods.tolerance import removed_length, tolerance, typical_extent
from warptour.papers.scans.full import FullScan, full_scans
from warptour.papers.scans.three_opt import ThreeOptEngine
from warptour.papers.scans.two_opt import TwoOptEngine

FORBIDDEN = 1e12


def points(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((n, 2))


def plain(n: int, seed: int = 1) -> TSP:
    return TSP("plain", METRICS["EUCLIDEAN"], points(n, seed))


def forbidden(n: int, seed: int = 1, pairs: int = 1) -> TSP:
    """Distances in the unit square, some pairs of which are forbidden by a large number."""
    rng = np.random.default_rng(seed)
    xy = points(n, seed)
    matrix = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    for _ in range(pairs):
        a, b = rng.choice(n, 2, replace=False)
        matrix[a, b] = matrix[b, a] = FORBIDDEN
    return TSP.from_matrix(matrix)


def outlier(n: int, seed: int = 1, metric: str = "EUCLIDEAN") -> TSP:
    """Cities of a small square, and one far away."""
    xy = points(n, seed) * (1000 if METRICS[metric].integral else 1)
    xy[n // 2] = 1e9, 3e8
    return TSP("outlier", METRICS[metric], xy)


PROBLEMS = {
    "forbidden": lambda n, seed: forbidden(n, seed),
    "several forbidden": lambda n, seed: forbidden(n, seed, pairs=n),
    "outlier": lambda n, seed: outlier(n, seed),
    "rounded outlier": lambda n, seed: outlier(n, seed, "EUC_2D"),
}


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("name", ["2-opt", "or-opt", "swap", "relocate", "3-opt"])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_certified_has_no_move_that_improves(kind: str, name: str, seed: int, device: Device) -> None:
    problem = PROBLEMS[kind](14 if name == "3-opt" else 30, seed)
    engine: TwoOptEngine | ThreeOptEngine | FullScan
    if name == "2-opt":
        engine = TwoOptEngine(problem, device=device)
    elif name == "3-opt":
        engine = ThreeOptEngine(problem, device=device)
    else:
        (engine,) = full_scans(problem, device, [name])
    tour = np.random.default_rng(seed).permutation(problem.n).astype(np.int32)
    while (
        found := (engine.best_improvement if isinstance(engine, FullScan) else engine.improving_move)(tour)
    ) is not None:
        longer = problem.cost(tour)
        tour = engine.apply(tour, found[0])
        assert problem.cost(tour) <= longer
    assert engine.best_improvement(tour) is None
    assert ReferenceEngine(problem, name).certify(tour) is None


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_gain_among_short_edges_is_found_beside_an_imaginary_one(kind: str) -> None:
    """Rounding may leave a delta of a huge edge below zero; the scan must look past it."""
    problem = PROBLEMS[kind](40, 5)
    engine = TwoOptEngine(problem)
    tour = np.random.default_rng(3).permutation(40).astype(np.int32)
    least = tolerance(problem)
    while (found := engine.best_improvement(tour)) is not None:
        removed = removed_length(problem, tour, engine.apply(tour, found[0]))
        assert -found[1] > least.of(removed)
        tour = engine.apply(tour, found[0])
    deltas = [(ReferenceEngine(problem).neighborhood.delta(problem, tour, m), m) for m in engine.neighborhood.moves(40)]
    assert all(not least.improves(problem, tour, engine.apply(tour, move)) for delta, move in deltas if delta < 0)


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_improves_a_tour_shortens_it(name: str, seed: int) -> None:
    """Moves that restore a long edge have it in their delta twice, and its rounding error."""
    xy = np.random.default_rng(seed).integers(0, 3, (9, 2)) * 0.1
    xy[4] = 1e6, 3e5
    problem, tour = TSP("grid", METRICS["EUCLIDEAN"], xy), np.random.default_rng(seed).permutation(9).astype(np.int32)
    reference = ReferenceEngine(problem, name)
    for move in reference.neighborhood.moves(9):
        if reference.improves(tour, move, reference.neighborhood.delta(problem, tour, move)):
            assert exact_length(problem, reference.apply(tour, move)) < exact_length(problem, tour)


def exact_length(problem: TSP, tour: np.ndarray) -> Fraction:
    return sum(map(Fraction, problem.distances(tour, np.roll(tour, -1)).tolist()), Fraction(0))


@pytest.mark.parametrize(
    "strategy",
    [wt.Windows(), wt.Descent(), wt.VariableNeighborhoodSearch(), wt.IteratedLocalSearch()],
    ids=lambda strategy: strategy.name,
)
def test_a_forbidden_pair_costs_a_search_nothing(strategy: wt.Windows) -> None:
    with_it, without = forbidden(60), plain(60)
    stop = wt.Iterations(2000)
    found = wt.solve(with_it, strategy, stop=stop, seed=1, threads=1)
    best = wt.solve(without, strategy, stop=stop, seed=1, threads=1)
    assert found.cost <= 1.02 * best.cost


def test_an_outlier_costs_a_search_nothing_but_the_way_there() -> None:
    problem = outlier(60)
    result = wt.solve(problem, stop=wt.Iterations(2000), seed=1, threads=1)
    others = result.tour[result.tour != 30]
    rest = TSP("rest", METRICS["EUCLIDEAN"], problem.points[np.sort(others)])
    best = wt.solve(rest, stop=wt.Iterations(2000), seed=1, threads=1)
    near = np.searchsorted(np.sort(others), np.roll(result.tour, -int(np.flatnonzero(result.tour == 30)[0]))[1:])
    assert rest.length(near) <= 1.05 * best.cost


def test_the_typical_extent_leaves_outliers_out() -> None:
    assert typical_extent(plain(1000)) == pytest.approx(2.0, rel=0.1)
    assert typical_extent(outlier(1000)) == pytest.approx(2.0, rel=0.1)
    assert typical_extent(TSP("one place", METRICS["EUCLIDEAN"], np.ones((9, 2)))) == 0
