"""Up to nine cities the answer is the optimum, by comparison with every permutation."""

from itertools import product

import numpy as np
import pytest

from small_problems import shortest_tour
from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.fallback import first_solution
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies.exact import HeldKarp, is_tiny, shortest

LARGEST = 6
"""Cities of a random problem."""


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, LARGEST + 1))
    options = {"open": bool(rng.integers(2))}
    if options["open"] and n > 1:
        first, last = rng.permutation(n)[:2].tolist()
        options |= {"first": first} if rng.integers(2) else {}
        options |= {"last": last} if rng.integers(2) else {}
    edges = [rng.permutation(n)[:2] for _ in range(int(rng.integers(0, 4)))] if n > 2 else []
    return TSP("r", METRICS["EUC_2D"], rng.integers(0, 20, (n, 2)), fixed_edges=edges or np.empty((0, 2)), **options)


def is_accepted(seed):
    """Whether the random fixed edges fit together, so that there is a problem with this seed."""
    try:
        random_problem(seed)
    except InputError:
        return False
    return True


SEEDS = [seed for seed in range(200) if is_accepted(seed)]


def test_the_seeds_bring_up_every_kind_of_problem():
    problems = [random_problem(seed) for seed in SEEDS]
    kinds = {(p.open, p.first is not None, p.last is not None, len(p.fixed_edges) > 0) for p in problems}
    assert len(SEEDS) >= 150
    closed, paths = product([False], [False], [False], [False, True]), product([True], *[[False, True]] * 3)
    assert kinds == {*closed, *paths}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_permutation_is_shorter(seed):
    problem = random_problem(seed)
    report = problem.check(shortest(problem))
    assert report.feasible and report.cost == problem.cost(shortest_tour(problem))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fallback_is_feasible(seed):
    problem = random_problem(seed)
    assert problem.check(first_solution(problem)).feasible


def test_nine_cities_are_tiny_and_ten_are_not():
    points = np.random.default_rng(0).random((10, 2))
    assert is_tiny(TSP("p", METRICS["EUCLIDEAN"], points[:9]))
    ten = TSP("p", METRICS["EUCLIDEAN"], points)
    assert not is_tiny(ten) and "not for 10" in HeldKarp().refuses(ten)


@pytest.mark.parametrize("n", [1, 2])
def test_vehicles_with_at_most_one_customer(n):
    problem = VRP("v", METRICS["EUC_2D"], np.array([[0, 0], [3, 4]])[:n], demands=np.array([0, 1])[:n], capacity=1)
    search = Search(problem, Iterations(1))
    HeldKarp().run(search)
    assert search.cost == (0, 10)[n - 1]
