"""Every descent ends by itself, at a local optimum: no rounding error counts as a gain."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import warptour as wt
from clocks import Looks
from giant_reference import ReferenceGiant
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.neighborhoods import NEIGHBORHOODS, ThreeOpt
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.mavroidis.strategy.symmetric import SymmetricTwoOpt
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.strategy.dcvrp import GiantTourDescent
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time

EVERY = tuple(NEIGHBORHOODS)
LOOKS = 3000
"""Looks at the clock within which a search of these sizes ends by itself; each scan takes one or two."""

DESCENTS: dict[str, tuple[Strategy, tuple[str, ...]]] = {
    "descent": (Descent(), ("2-opt", "3-opt")),
    "exact": (Descent(quick=False, start="random", exact=True), ("2-opt", "3-opt")),
    "parts": (Descent(quick=False, parts=3), ("2-opt", "3-opt")),
    "all moves": (Descent(neighborhoods=EVERY, quick=False, start="random"), EVERY),
    "hill": (HillClimbing(start="random"), ("2-opt",)),
    "symmetric": (SymmetricTwoOpt(start="random"), ("2-opt",)),
    "symmetric 3-opt": (SymmetricTwoOpt(start="random", segment=3), ("2-opt",)),
}
SHAKEN = {
    "vns": VariableNeighborhoodSearch(neighborhoods=EVERY),
    "vns, full scans": VariableNeighborhoodSearch(neighborhoods=EVERY, scans="full"),
    "vns, full scans of 3-opt": VariableNeighborhoodSearch(neighborhoods=("3-opt",), scans="full"),
    "ils": IteratedLocalSearch(),
}


def awkward_points(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return points anywhere, in few places, beside an outlier, on a grid, or far from the origin."""
    at = rng.random((n, 2))
    kind = rng.integers(5)
    if kind == 1:
        at = at[rng.integers(0, max(2, n // 3), n)]
    elif kind == 2:
        at[0] = 1e9, 3e8
    elif kind == 3:
        at = rng.integers(0, 4, (n, 2)) * 0.1
    return at + (1e6 if kind == 4 else 0)


def awkward(seed: int, fewest: int, most: int) -> TSP:
    """Return such points, or a matrix, some entries of which may be large numbers for "forbidden"."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(fewest, most + 1))
    if rng.integers(3):
        return TSP("awkward", METRICS["EUCLIDEAN"], awkward_points(rng, n))
    half = np.triu(rng.random((n, n)), 1)
    if rng.integers(2):
        half *= np.where(rng.random((n, n)) < 1 / n, 10.0 ** rng.integers(6, 16, (n, n)), 1)
    return TSP.from_matrix(half + half.T)


def ended(strategy: Strategy, problem: TSP, seed: int, shakes: int | None = None) -> Search:
    """Return the search after a run that ends by itself, or after its ``shakes``."""
    looks = Looks(LOOKS)
    stop = looks if shakes is None else looks | Iterations(shakes)
    search = searched(strategy, problem, stop, seed=seed, threads=1)
    assert looks.evaluations > 0, f"seed {seed}, {problem.n} cities: it goes on"
    return search


def is_optimal(problem: TSP, tour: np.ndarray, name: str) -> bool:
    """Return whether no move of a neighbourhood improves a tour."""
    if name != "3-opt" or problem.n < 4:
        return ReferenceEngine(problem, name).certify(tour) is None
    cuts = np.array(list(combinations(range(problem.n), 3)))
    deltas = ThreeOpt().deltas(problem, tour, *cuts.T)
    moves = [(*cuts[at].tolist(), int(way)) for at, way in np.argwhere(deltas < 0)]
    return not any(tolerance(problem).improves(problem, tour, ThreeOpt().apply(tour, move)) for move in moves)


@pytest.mark.parametrize("name", DESCENTS)
def test_a_descent_ends_at_a_local_optimum(name: str, examples: int) -> None:
    strategy, neighborhoods = DESCENTS[name]
    for seed in range(2 * examples):
        problem = awkward(seed, 3, 12)
        tour = ended(strategy, problem, seed).best
        assert all(is_optimal(problem, tour, each) for each in neighborhoods), seed


@pytest.mark.parametrize("name", SHAKEN)
def test_every_repair_of_a_shaken_tour_ends(name: str, examples: int) -> None:
    for seed in range(examples):
        ended(SHAKEN[name], awkward(seed, 8, 30), seed, shakes=3)


def test_a_move_that_reverses_the_whole_tour_is_none() -> None:
    problem = wt.TSP.from_points(np.random.default_rng(427).random((30, 2)) * 1000)
    assert ended(Descent(), problem, 0).iterations < 30
    problem = wt.TSP.from_points(np.random.default_rng(36).random((30, 2)) * 1000)
    assert ended(SHAKEN["vns, full scans of 3-opt"], problem, 0, shakes=20).iterations == 20


def test_routes_end_at_a_local_optimum(examples: int) -> None:
    for seed in range(examples):
        rng = np.random.default_rng(seed)
        points = awkward_points(rng, int(rng.integers(3, 9)))
        demands = rng.integers(0, 4, len(points)) * (np.arange(len(points)) > 0)
        fixed = float(rng.choice([0.0, 0.3, 1e6 / 3]))
        problem = VRP("awkward", METRICS["EUCLIDEAN"], points, demands=demands, capacity=6, fixed_cost=fixed)
        looks, routes = Looks(LOOKS), len(points) - 1
        search = Search(problem, looks, seed=seed, threads=1)
        run_in_time(GiantTourDescent(removed=0, start="singles", routes=routes), search)
        assert looks.evaluations > 0, seed
        instance = GiantInstance.of(problem, routes)
        assert ReferenceGiant(instance).best_move(instance.enter(search.best)) is None, seed  # type: ignore[arg-type]
