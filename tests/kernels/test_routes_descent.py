"""Descents and cuts on the smallest and oddest inputs: what the sanitizers should see."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.local_search import LocalSearch, Penalties


def stops(n: int, **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(0, 7, n)
    demands[0] = 0
    points = rng.integers(0, 30, (n, 2)).astype(float)
    return VRP("few", METRICS["EUC_2D"], points, demands=demands, capacity=12, **options)


def roads(n: int) -> VRP:
    """Return asymmetric distances, and a limit on durations that are asymmetric too."""
    matrix, durations = np.random.default_rng(n).integers(1, 50, (2, n, n))
    clock = Clock(np.ones(n), durations=durations)
    return VRP(
        "roads", METRICS["EXPLICIT"], matrix, demands=np.arange(n) > 0, capacity=12, clock=clock, max_duration=150.0
    )  # fmt: skip


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("width", [1, 8])
@pytest.mark.parametrize("slots", [1, 2, 1000])
@pytest.mark.parametrize(
    "problem",
    [
        *(stops(n) for n in (2, 3, 4, 7)),
        stops(60),
        stops(60, vehicles=20),
        stops(60, max_distance=90.0, service_times=np.ones(60)),
        VRP("one place", METRICS["EUC_2D"], np.zeros((9, 2)), demands=np.r_[0, np.ones(8, int)], capacity=3),
        *(roads(n) for n in (2, 3, 40)),
    ],
    ids=lambda problem: f"{problem.name} {problem.n}",
)
def test_descents_stay_inside_their_arrays(problem: VRP, slots: int, width: int) -> None:
    instance = RouteInstance.of(problem, 8)
    local_search = LocalSearch(instance, width, min(slots, problem.n - 1))
    tour = 1 + np.random.default_rng(1).permutation(problem.n - 1).astype(np.int32)
    for stream, much in enumerate((0.1, 10.0, 1e5)):
        penalties = Penalties(much, much, much)
        child = local_search.cross(tour, tour[::-1].copy(), seed=1, stream=stream)
        penalized = local_search.descend(local_search.split(child, penalties), penalties, seed=1, born=stream)
        routes = instance.leave(penalized.giant(0))
        report = problem.check(routes)
        assert report.cost == penalized.costs[0, 0]
        assert len(routes) <= local_search.slots
        assert penalized.feasible[0] == (not [fault for fault in report.violations if "vehicles" not in fault])


@pytest.mark.threads
def test_local_searches_descend_in_parallel() -> None:
    from concurrent.futures import ThreadPoolExecutor

    problem = stops(80)
    instance = RouteInstance.of(problem, 8)
    tour = np.arange(1, 80, dtype=np.int32)

    def descended(local_search: LocalSearch) -> float:
        giant = local_search.split(tour, Penalties(5, 5))
        return float(local_search.descend(giant, Penalties(5, 5), seed=1, born=3).costs[0, 0])

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(descended, [LocalSearch(instance, 8, 40) for _ in range(4)]))) == 1
