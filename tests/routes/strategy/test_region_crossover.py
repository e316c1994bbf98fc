"""Children of a region crossover serve everyone, inherit whole routes, and replace their parents only if cheaper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from warptour.io.read import read
from warptour.model.vehicles import VRP
from warptour.routes.engine.fleet import Fleet, Ruin
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.region_crossover import PATIENCE, Child, RegionCrossover, crossed, with_border
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

PROBLEM = read("vrp:200:1")
assert isinstance(PROBLEM, VRP)
INSTANCE = RouteInstance.of(PROBLEM, 20)
FIRST = INSTANCE.enter(savings(PROBLEM))


def shaken(seed: int) -> Ints:
    """Return other routes: the first ones after some iterations at a high temperature."""
    fleet = Fleet(INSTANCE, FIRST, PROBLEM.n)
    fleet.search(2000, (100.0, 50.0), seed=seed, stream=0, ruin=Ruin())
    return fleet.giant_tour()


def customers(child: Child) -> list[int]:
    return sorted(np.concatenate([*child.kept, *child.region, child.left_out]).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_a_child_serves_everyone_once_and_inherits_whole_routes(seed: int) -> None:
    receiver, donor = shaken(1), shaken(2)
    child = crossed(INSTANCE, receiver, donor, np.random.default_rng(seed))
    assert child is not None
    assert customers(child) == list(range(1, PROBLEM.n))
    donors = {route.tobytes() for route in INSTANCE.routes(donor)}
    assert any(route.tobytes() in donors for route in child.region)
    own = {route.tobytes() for route in INSTANCE.routes(receiver)}
    assert all(route.tobytes() in own for route in child.kept)
    assert len(child.kept) + len(child.region) <= max(len(own), len(child.kept) + len(donors))


def test_equal_parents_have_no_child() -> None:
    backwards = np.concatenate([[*route[::-1], 0] for route in INSTANCE.routes(FIRST)]).astype(np.int32)
    assert crossed(INSTANCE, FIRST, FIRST, np.random.default_rng(1)) is None
    assert crossed(INSTANCE, FIRST, backwards, np.random.default_rng(1)) is None


def test_the_border_moves_routes_into_the_region() -> None:
    child = crossed(INSTANCE, shaken(1), shaken(2), np.random.default_rng(3))
    assert child is not None
    wider = with_border(INSTANCE, child)
    assert customers(wider) == customers(child)
    assert len(wider.region) > len(child.region)
    inside = set(np.concatenate([*child.region, child.left_out]).tolist())
    for route in wider.kept:
        assert not set(route.tolist()) & {int(v) for c in inside for v in INSTANCE.near[c, :5]}


def breeding(pool: ThreadPool, individuals: list[Ints], instance: RouteInstance = INSTANCE) -> RegionCrossover:
    strategy = RouteImprovement()
    search: Search[VRP] = Search(instance.problem, Iterations(10**9))
    cooling = Cooling(search, 10.0, 1.0)
    plan = Plan(instance, pool, cooling, strategy.ruin, 1, 1e9, 10.0, 1000, 50)
    return RegionCrossover(plan, individuals)


def test_individuals_only_become_cheaper() -> None:
    with ThreadPool(2) as pool:
        worker = breeding(pool, [shaken(seed) for seed in range(4)])
        before = list(worker._costs)
        for _ in range(6):
            worker.advance(Budget())
        assert all(now <= then for now, then in zip(worker._costs, before, strict=True))
        assert worker.gain > 0
        assert INSTANCE.cost(worker.best()) == worker.lowest
        assert PROBLEM.check(INSTANCE.leave(worker.best())).feasible


def test_a_single_individual_and_equal_ones_are_finished() -> None:
    with ThreadPool(1) as pool:
        assert breeding(pool, [FIRST]).is_finished()
        worker = breeding(pool, [FIRST, FIRST])
        for _ in range(2 * (PATIENCE + 1)):
            worker.advance(Budget())
        assert worker.is_finished()
        assert worker.iterations == 0


@pytest.mark.parametrize("few", [1, 2, 101])
def test_a_budget_of_few_iterations_is_kept_and_used(few: int) -> None:
    with ThreadPool(2) as pool:
        worker = breeding(pool, [shaken(1), shaken(2), shaken(3)])
        worker.advance(Budget(few))
        assert worker.iterations == few


def test_children_have_no_more_routes_than_vehicles() -> None:
    tight = replace(PROBLEM, vehicles=len(INSTANCE.routes(FIRST)))
    instance = RouteInstance.of(tight, 20)
    one_each = instance.enter([np.array([customer]) for customer in tight.customers])
    with ThreadPool(1) as pool:
        worker = breeding(pool, [instance.enter(savings(PROBLEM)), one_each], instance)
        for _ in range(8):
            worker.advance(Budget())
        assert len(instance.routes(worker.best())) <= tight.vehicles
