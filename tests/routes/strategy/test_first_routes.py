"""Where savings need many more routes than the loads, fewer are found, and never more than the search may use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from run_strategy import searched
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.first_routes import fewer_routes
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.stop import Iterations, Target
from warptour.search.threads import ThreadPool

RNG = np.random.default_rng(3)
LARGE = VRP(
    "large loads", METRICS["EUC_2D"], RNG.integers(0, 1000, (161, 2)).astype(float),
    demands=np.r_[0, RNG.integers(20, 60, 160)], capacity=100,
)  # fmt: skip
INSTANCE = RouteInstance.of(LARGE, 20)
GIANT = INSTANCE.enter(savings(LARGE))

SMALL = replace(LARGE, name="small loads", demands=np.r_[0, np.random.default_rng(8).integers(1, 20, 160)], capacity=87)
"""Loads for 17.8 vehicles, for which savings take 19."""

EIGHT = VRP("two each", METRICS["EUC_2D"], LARGE.points[:9], demands=np.r_[0, [34, 35] * 4], capacity=100)
"""Loads for 2.8 vehicles, which do not fit into three."""


def routes(giant: np.ndarray) -> int:
    return int(np.count_nonzero(giant == 0))


def plan_of(pool: ThreadPool, search: Search[VRP], iterations: float = 1e6) -> Plan:
    return Plan(INSTANCE, pool, Cooling(search, 100.0, 1.0), Ruin(), 1, iterations, 10.0, 1000, 50)


def test_fewer_routes_serve_everyone() -> None:
    search: Search[VRP] = Search(LARGE, Iterations(10**6), threads=2)
    with ThreadPool(2) as pool:
        giant, most = fewer_routes(search, plan_of(pool, search), GIANT)
    assert most is not None
    assert routes(giant) <= most < routes(GIANT)
    assert LARGE.check(INSTANCE.leave(giant)).feasible
    assert 0 < search.iterations <= 4 * 10**5


def test_fewer_routes_are_found_without_a_budget() -> None:
    search: Search[VRP] = Search(LARGE, Target(0.0), threads=2)
    with ThreadPool(2) as pool:
        giant, most = fewer_routes(search, plan_of(pool, search, iterations=np.inf), GIANT)
    assert most is not None
    assert LARGE.check(INSTANCE.leave(giant)).feasible


def test_without_time_the_routes_stay() -> None:
    search: Search[VRP] = Search(LARGE, Iterations(10**6))
    with ThreadPool(1) as pool:
        assert fewer_routes(search, plan_of(pool, search, iterations=0.0), GIANT) == (GIANT, None)


def packed(problem: VRP, iterations: int) -> tuple[int, Routes, int]:
    """Return how many routes savings have, what they are packed into, and the iterations that takes."""
    instance, first = RouteInstance.of(problem, 20), savings(problem)
    search: Search[VRP] = Search(problem, Iterations(iterations))
    with ThreadPool(1) as pool:
        plan = replace(plan_of(pool, search, iterations), instance=instance)
        giant, most = fewer_routes(search, plan, instance.enter(first))
    assert most is None
    return len(first), instance.leave(giant), search.iterations


def test_a_route_too_many_is_packed_into_the_others() -> None:
    before, after, _ = packed(SMALL, 10**6)
    assert (before, len(after)) == (19, 18)
    assert SMALL.check(after).feasible


def test_packing_leaves_most_of_the_iterations() -> None:
    before, after, iterations = packed(EIGHT, 10_000)
    assert before == len(after) == 4
    assert 0 < iterations <= 1500


def test_customers_without_demands_keep_a_route() -> None:
    before, after, iterations = packed(replace(EIGHT, demands=np.zeros(9)), 10_000)
    assert before == len(after) == 1
    assert iterations == 0


def test_the_search_goes_on_with_the_fewer_routes() -> None:
    strategy = RouteImprovement(max_genetic_customers=0, min_ruin_customers=0)
    found = searched(strategy, LARGE, Iterations(200_000), seed=1)
    assert LARGE.check(found.best).feasible
    assert len(found.best) < routes(GIANT)


def test_a_fleet_holds_all_routes_that_it_is_given() -> None:
    fleet = RouteState(INSTANCE, GIANT, 1)
    fleet.search(1000, (10.0, 10.0), seed=1, stream=0, ruin=Ruin())
    assert fleet.slots == routes(GIANT)
    assert LARGE.check(INSTANCE.leave(fleet.best())).feasible
