"""The kernels of routes on the smallest and oddest inputs: what the sanitizers should see."""

from __future__ import annotations

import numpy as np
import pytest

from small_problems import roads
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.fleet import Fleet, Ruin
from warptour.routes.engine.instance import RouteInstance
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
    fleet = Fleet(instance, instance.enter(routes), max(len(routes), problem.vehicles or problem.n))
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
    fleet = Fleet(instance, instance.enter(routes[:vehicles]), vehicles, left_out=np.concatenate(routes[vehicles:]))
    fleet.search(500, (1.0, 1.0), seed=1, stream=0, ruin=Ruin())
    assert np.count_nonzero(fleet.giant_tour() == 0) <= vehicles


@pytest.mark.threads
def test_fleets_are_searched_side_by_side() -> None:
    from concurrent.futures import ThreadPoolExecutor

    problem = stops(80)
    instance = RouteInstance.of(problem, 8)
    giant = instance.enter(savings(problem))
    fleets = [Fleet(instance, giant, problem.n) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda fleet: fleet.search(500, (5.0, 1.0), seed=1, stream=3, ruin=Ruin()), fleets))
    assert len({float(fleet.costs[0]) for fleet in fleets}) == 1
