"""Small problems of every kind, solved by every strategy that takes them, beside the best of all solutions.

``--examples N`` draws so many problems a test; a failure names the seed of its problem.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

import warptour as wt
from small_problems import cheapest_routes, described, shortest_tour, small_road_vrp, small_tsp, small_vrp
from warptour.model.errors import InfeasibleError
from warptour.model.vehicles import VRP
from warptour.papers.mavroidis.strategy.partition.strategy import Partition
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies.fallback import run_in_time
from warptour.strategies.registry import STRATEGIES

TOURS = sorted(set(STRATEGIES) - {"dcvrp", "routes"})

KEEPING = ("ils", "vns", "windows", "partition")
"""Strategies for open paths and fixed edges."""

SEARCHES = (
    RouteImprovement(),
    RouteImprovement(max_genetic_customers=0, min_ruin_customers=0),
    RouteImprovement(
        max_genetic_customers=0, min_ruin_customers=0, max_common_customers=0, group_size=8, group_routes=2
    ),
)


def close(cost: float) -> object:
    """What equals ``cost`` up to the order in which float64 sums are taken; integers equal themselves alone."""
    return cost if isinstance(cost, int) else pytest.approx(cost, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_brute_force_finds_the_best_of_all_that_is_feasible(seed: int) -> None:
    """Else the tests below would prove nothing."""
    tsp, vrp = small_tsp(seed, 1, 5), small_vrp(seed, 1, 3) if seed % 2 else small_road_vrp(seed, 1, 3)
    tours = [tsp.check(np.array(order)) for order in permutations(range(tsp.n))]
    assert tsp.cost(shortest_tour(tsp)) == close(min(report.cost for report in tours if report.feasible))
    # Every list of routes is an order of the customers and as many depots, which separate them.
    walks = permutations([*vrp.customers.tolist(), *[vrp.depot] * (vrp.n - 1)])
    lists = [vrp.check(vrp.split_giant_tour(np.array(walk))) for walk in set(walks)]
    costs = [report.cost for report in lists if report.feasible]
    best = cheapest_routes(vrp)
    assert costs == [] if best is None else vrp.cost(best) == close(min(costs))


@pytest.mark.threads
@pytest.mark.parametrize("name", TOURS)
def test_tours_are_tours_and_none_is_shorter_than_the_shortest(name: str, examples: int) -> None:
    strategy = STRATEGIES[name]()
    for seed in range(examples):
        problem = small_tsp(seed, 1, 9)
        if strategy.refuses(problem) is not None:
            problem = small_tsp(seed, 1, 9, closed=True)
        best = shortest_tour(problem)
        assert best is not None, described(problem)
        search = Search(problem, Iterations(50), seed=seed, threads=1 + seed % 3)
        run_in_time(strategy, search)
        assert search.best is not None, described(problem)
        assert problem.check(search.best).violations == (), described(problem)
        assert search.cost == problem.cost(search.best), described(problem)
        assert search.cost == close(problem.cost(best)) or search.cost > problem.cost(best), described(problem)


@pytest.mark.parametrize("strategy", [*KEEPING, *(Partition(cities=12, inner=inner) for inner in KEEPING[:3])], ids=str)
def test_every_strategy_that_keeps_fixed_edges_keeps_all_of_them(strategy: str | Partition, examples: int) -> None:
    for seed in range(examples):
        problem = small_tsp(seed, 10, 40)
        result = wt.solve(problem, strategy, iterations=5, seed=seed, threads=1)
        assert problem.check(result.tour).violations == (), described(problem)
        assert result.cost == problem.cost(result.tour), described(problem)


def test_up_to_nine_cities_the_answer_is_the_shortest(examples: int) -> None:
    for seed in range(10 * examples):
        problem = small_tsp(seed, 1, 7)
        best = shortest_tour(problem)
        assert best is not None
        names = [name for name in STRATEGIES if STRATEGIES[name]().refuses(problem) is None]
        result = wt.solve(problem, str(np.random.default_rng(seed).choice(names)), iterations=1, threads=1)
        assert problem.check(result.tour).violations == (), described(problem)
        assert result.cost == problem.cost(result.tour) == close(problem.cost(best)), described(problem)


@pytest.mark.threads
@pytest.mark.parametrize("small", [small_vrp, small_road_vrp], ids=["any metric", "roads"])
def test_routes_keep_their_limits_and_none_are_cheaper_than_the_cheapest(
    small: Callable[[int, int, int], VRP], examples: int
) -> None:
    for seed in range(5 * examples):
        problem = small(seed, 1, 5)
        best = cheapest_routes(problem)
        try:
            result = wt.solve(problem, iterations=500, seed=seed, threads=1 + seed % 3)
        except (InfeasibleError, wt.NothingFound):
            assert best is None, described(problem)
            continue
        report = problem.check(result.routes)
        assert result.cost == report.cost and report.feasible, described(problem)
        assert best is not None, described(problem)
        assert result.cost == close(problem.cost(best)) or result.cost > problem.cost(best), described(problem)


def test_routes_of_up_to_six_customers_are_the_cheapest_over_roads(examples: int) -> None:
    for seed in range(examples):
        problem = small_road_vrp(seed, 1, 6)
        best = cheapest_routes(problem)
        if best is None:
            continue
        result = wt.solve(problem, SEARCHES[seed % 3], iterations=6000, seed=seed, threads=1 + seed % 2)
        assert problem.check(result.routes).violations == (), described(problem)
        assert result.cost == close(problem.cost(best)), described(problem)
