"""The kernels of routes on the smallest and oddest inputs: what the sanitizers should see."""

from __future__ import annotations

import numpy as np
import pytest

from small_problems import roads
from timed_problems import timed_problem, trouble
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.local_search import LocalSearch, Penalties
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.engine.subsets import cheapest_routes
from warptour.routes.starts.route_limits import are_within_limits
from warptour.routes.starts.savings import savings


def stops(n: int, metric: str = "EUC_2D", capacity: float = 12, **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(0, 7, n)
    demands[0] = 0
    points = rng.integers(0, 30, (n, 2)).astype(float)
    return VRP("few", METRICS[metric], points, demands=demands, capacity=capacity, **options)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize(
    "ruin",
    [Ruin(), Ruin(40, 30, split=1, deeper=0.9, blink=0.5), Ruin(1, 1, blink=0), Ruin(blink=1e-9), Ruin(blink=5e-324)],
)
@pytest.mark.parametrize(
    "problem",
    [
        *(stops(n) for n in (2, 3, 4, 5, 6, 11)),
        stops(40),
        stops(300),
        stops(40, capacity=1e9),
        stops(40, "EUCLIDEAN", max_distance=90.0, service_times=np.ones(40)),
        stops(40, "CEIL_2D", vehicles=11),
        VRP("one place", METRICS["EUC_2D"], np.zeros((9, 2)), demands=np.r_[0, np.ones(8, int)], capacity=3),
        *(roads(n) for n in (2, 3, 40)),
    ],
    ids=lambda problem: f"{problem.name} {problem.n} {problem.metric.name}" if isinstance(problem, VRP) else None,
)
def test_searches_stay_inside_their_arrays(problem: VRP, ruin: Ruin) -> None:
    instance = RouteInstance.of(problem, 8)
    routes = savings(problem)
    fleet = RouteState(instance, instance.enter(routes), max(len(routes), problem.vehicles or problem.n))
    for stream, heat in enumerate((100.0, 1.0, 1e-9)):
        fleet.search(400, (heat, heat / 2), seed=1, stream=stream, ruin=ruin)
    for giant in (fleet.best(), fleet.giant_tour()):
        assert not [fault for fault in problem.check(instance.leave(giant)).violations if "vehicles" not in fault]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("vehicles", [1, 2, 6])
def test_many_who_are_left_out_stay_inside_their_arrays(vehicles: int) -> None:
    problem = stops(40, vehicles=None)
    instance = RouteInstance.of(problem, 8)
    routes = savings(problem)
    fleet = RouteState(
        instance, instance.enter(routes[:vehicles]), vehicles, left_out=np.concatenate(routes[vehicles:])
    )
    fleet.search(500, (1.0, 1.0), seed=1, stream=0, ruin=Ruin())
    assert np.count_nonzero(fleet.giant_tour() == 0) <= vehicles


@pytest.mark.threads
def test_fleets_are_searched_side_by_side() -> None:
    from concurrent.futures import ThreadPoolExecutor

    problem = stops(80)
    instance = RouteInstance.of(problem, 8)
    giant = instance.enter(savings(problem))
    fleets = [RouteState(instance, giant, problem.n) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda fleet: fleet.search(500, (5.0, 1.0), seed=1, stream=3, ruin=Ruin()), fleets))
    assert len({float(fleet.costs[0]) for fleet in fleets}) == 1


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("seed", range(12))
def test_searches_with_times_stay_inside_their_arrays(seed: int) -> None:
    problem = timed_problem(seed, (1, 2, 5, 14, 15, 40)[seed % 6])
    instance = RouteInstance.of(problem, 8)
    fleet = RouteState(instance, np.zeros(0, np.int32), problem.n, left_out=instance.problem.customers)
    fleet.insert(instance.problem.customers)
    for stream, heat in enumerate((100.0, 1.0, 1e-9)):
        fleet.search(200, (heat, heat / 2), seed=1, stream=stream, ruin=Ruin())
    for giant in (fleet.best(), fleet.giant_tour()):
        routes = instance.leave(giant)
        assert all(kept for kept in are_within_limits(problem, routes))


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("seed", range(6))
def test_walks_along_all_orders_stay_inside_their_arrays(seed: int) -> None:
    problem = timed_problem(seed, 1 + seed)
    assert len(cheapest_routes(problem) or [[]]) <= seed + 1


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("customers", [1, 2, 3, 9, 40])
@pytest.mark.parametrize("limited", [False, True])
def test_descents_with_windows_stay_inside_their_arrays(customers: int, limited: bool) -> None:
    rng = np.random.default_rng(customers)
    opens = rng.integers(0, 60, customers + 1)
    windows = TimeWindows.of([(0, 200), *((t, t + 20) for t in opens[1:].tolist())], customers + 1)
    problem = stops(customers + 1, windows=windows, max_duration=60.0 if limited else None)
    instance = RouteInstance.of(problem, 8)
    local_search = LocalSearch(instance, 8, customers)
    for seed in range(3):
        tour = rng.permutation(instance.problem.customers)
        giant = local_search.split(tour, Penalties(3.0, 1.0, 2.0))
        found = local_search.descend(giant, Penalties(3.0, 1.0, 50.0), seed=seed, born=0)
        routes = instance.leave(found.giant(0))
        assert found.costs[0, 0] == pytest.approx(problem.cost(routes))
        assert found.costs[0, 3] == pytest.approx(sum(map(trouble, [problem] * len(routes), routes)))
        assert sorted(np.concatenate(routes).tolist()) == list(range(1, customers + 1))
        child = local_search.exchange(found.giant(0), giant, seed=seed, stream=1)
        whole = local_search.descend(child, Penalties(3.0, 1.0, 2.0), seed=seed, born=2).giant(0)
        assert sorted(whole[whole > 0].tolist()) == list(range(1, customers + 1))
