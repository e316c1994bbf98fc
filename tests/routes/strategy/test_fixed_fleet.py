"""As few vehicles as possible, and then short routes: how long vehicles are saved, and annealing with absences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from clocks import SetSearch
from warptour.io.generate import generate
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.strategy.absences import AbsenceAnnealing
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.fixed_fleet import FEWEST_SHARE, PERSISTENCE, Attempts
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

CAPACITY, ROUTES, EACH = 100, 8, 6


def full_routes() -> tuple[RouteInstance, Ints]:
    """Return routes that leave no room at all, of customers anywhere, as a giant tour."""
    rng = np.random.default_rng(3)
    cuts = np.sort([rng.choice(np.arange(1, CAPACITY), EACH - 1, replace=False) for _ in range(ROUTES)])
    demands = np.diff(np.c_[np.zeros(ROUTES, int), cuts, np.full(ROUTES, CAPACITY)])
    points = rng.integers(0, 1000, (1 + ROUTES * EACH, 2)).astype(float)
    problem = VRP(
        "full", METRICS["EUC_2D"], points, demands=np.r_[0, demands.reshape(-1)], capacity=CAPACITY, vehicles=ROUTES
    )
    instance = RouteInstance.of(problem, 40)
    return instance, instance.giant_tour(np.split(1 + np.arange(ROUTES * EACH, dtype=np.int32), ROUTES))


@pytest.mark.parametrize("threads", [1, 2])
def test_absences_at_a_price_lead_out_of_full_routes_and_the_best_has_none(threads: int) -> None:
    instance, giant = full_routes()
    search = SetSearch(instance.problem, Iterations(20_000))
    with ThreadPool(threads) as pool:
        plan = Plan(instance, pool, Cooling(search, 100.0, 3.0), Ruin(), 1, 20_000, 0, 0, 0)
        worker = AbsenceAnnealing(plan, giant, threads)
        while search.iterations_left() > 0:
            worker.step(Budget(search.iterations_left()))
            search.count(worker.iterations - search.iterations)
    best = worker.best()
    assert worker.lowest == instance.cost(best) < 0.6 * instance.cost(giant)
    assert sorted(best[best != 0].tolist()) == list(range(1, instance.problem.n))
    loads = [instance.demands[route].sum() for route in instance.routes(best)]
    assert max(loads) <= instance.capacity
    assert len(loads) <= ROUTES


@pytest.mark.sanitize_quick
def test_unserved_customers_are_counted_while_they_have_a_price() -> None:
    instance, giant = full_routes()
    fleet = RouteState(instance, giant, ROUTES)
    fleet.search(500, (10.0, 10.0), seed=1, stream=0, ruin=Ruin(), absence=1e-9)
    assert 0 < fleet.missing == ROUTES * EACH - np.count_nonzero(fleet.giant_tour())
    assert fleet.lowest == instance.cost(fleet.best())


def attempts(share: float) -> tuple[SetSearch, Attempts]:
    search = SetSearch(generate("vrp", 20, 1), Iterations(1000))
    return search, Attempts(Cooling(search, 1.0, 1.0), share)


def test_one_vehicle_is_tried_for_a_share_of_the_budget() -> None:
    search, tries = attempts(0.2)
    search.count(199)
    assert not tries.over()
    search.count(1)
    assert tries.over()


def test_where_the_last_took_long_the_next_gets_longer_up_to_a_limit() -> None:
    search, tries = attempts(0.1)
    search.count(60)
    tries.succeed()
    search.count(int(60 * (PERSISTENCE - 1)) - 1)
    assert not tries.over()
    search.count(1)
    assert tries.over()
    tries.succeed()
    search.count(int(1000 * FEWEST_SHARE) - search.iterations)
    assert tries.over()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", [{}, {"fixed_cost": 10}, {"max_distance": 4000}])
def test_fewer_vehicles_come_first_also_without_times(threads: int, options: dict[str, int]) -> None:
    instance, _ = full_routes()
    problem = replace(instance.problem, vehicles=None, fewest=True, **options)
    result = wt.solve(problem, device="cpu", threads=threads, seed=1, iterations=20_000)
    assert len(result.routes) <= ROUTES + 1
    assert result.cost == problem.cost(result.routes)
    assert sorted(np.concatenate(result.routes).tolist()) == problem.customers.tolist()
