"""Up to nine cities the answer is the optimum, by comparison with every permutation."""

import numpy as np
import pytest

from small_problems import shortest_tour
from warptour.model.errors import InfeasibleError, InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.fallback import first_solution
from warptour.strategies.search import Search
from warptour.strategies.stop import Iterations
from warptour.strategies.tiny import Tiny, is_tiny, shortest


def random_problem(seed, largest):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, largest + 1))
    options = {"open": bool(rng.integers(2))}
    if options["open"] and n > 1:
        first, last = rng.permutation(n)[:2].tolist()
        options |= {"first": first} if rng.integers(2) else {}
        options |= {"last": last} if rng.integers(2) else {}
    edges = [rng.permutation(n)[:2] for _ in range(int(rng.integers(0, 4)))] if n > 2 else []
    return TSP("r", METRICS["EUC_2D"], rng.integers(0, 20, (n, 2)), fixed_edges=edges or np.empty((0, 2)), **options)


@pytest.mark.parametrize("seed", range(120))
def test_no_permutation_is_shorter(seed):
    try:
        problem = random_problem(seed, 6)
    except InputError:
        return
    best = shortest_tour(problem)
    if best is None:
        with pytest.raises(InfeasibleError):
            shortest(problem)
        return
    report = problem.check(shortest(problem))
    assert report.feasible and report.cost == problem.cost(best)


@pytest.mark.parametrize("seed", range(200))
def test_the_fallback_is_feasible_where_anything_is(seed):
    try:
        problem = random_problem(seed, 6)
    except InputError:
        return
    if shortest_tour(problem) is not None:
        assert problem.check(first_solution(problem)).feasible
    else:
        with pytest.raises(InfeasibleError):
            first_solution(problem)


def test_nine_cities_are_tiny_and_ten_are_not():
    points = np.random.default_rng(0).random((10, 2))
    assert is_tiny(TSP("p", METRICS["EUCLIDEAN"], points[:9]))
    ten = TSP("p", METRICS["EUCLIDEAN"], points)
    assert not is_tiny(ten) and "not for 10" in Tiny().refuses(ten)


@pytest.mark.parametrize("n", [1, 2])
def test_vehicles_with_at_most_one_customer(n):
    problem = VRP("v", METRICS["EUC_2D"], np.array([[0, 0], [3, 4]])[:n], demands=np.array([0, 1])[:n], capacity=1)
    search = Search(problem, Iterations(1))
    Tiny().run(search)
    assert search.cost == (0, 10)[n - 1]
