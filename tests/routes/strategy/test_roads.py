"""Vehicles over road matrices: directions and second limits in every search, threads, interrupts, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from run_strategy import searched
from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Improved
from warptour.papers.schulz.strategy.dcvrp import GiantTourDescent
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.places import places_of
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies.fallback import run_in_time
from warptour.strategies.registry import default_strategy

SEARCHES = {
    "crossed": RouteImprovement(max_genetic_customers=1000),
    "whole": RouteImprovement(max_genetic_customers=0, min_ruin_customers=0),
    "groups": RouteImprovement(
        max_genetic_customers=0, min_ruin_customers=0, max_common_customers=0, group_size=20, group_routes=2
    ),
    "one after the other": RouteImprovement(max_genetic_customers=0, min_ruin_customers=100, min_ruin_iterations=0),
}


def roads(n: int, seed: int = 1, *, directed: bool = True, **options: Any) -> VRP:
    """Return customers in a plane whose ways there and back differ by up to a third."""
    rng = np.random.default_rng([n, seed])
    points = rng.uniform(0, 1000, (n, 2))
    lines = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    detours = rng.uniform(1.0, 1.3, (n, n)) if directed else np.ones((n, n))
    demands = rng.integers(1, 20, n)
    demands[0] = 0
    return VRP("roads", METRICS["EXPLICIT"], np.rint(lines * detours), demands=demands, capacity=80, **options)


def hours(n: int, **options: Any) -> dict[str, Any]:
    durations = np.random.default_rng(n).uniform(20, 120, (n, n))
    return {"clock": Clock(np.full(n, 5.0), durations=durations), "max_duration": 420.0, **options}


LIMITS = {
    "capacity": {},
    "distance": {"max_distance": 3300.0, "service_times": np.full(61, 9.0)},
    "duration": hours(61),
    "both": hours(61, max_distance=3300.0),
    "one pace": {"clock": Clock(np.full(61, 60.0), pace=0.2), "max_distance": 3300.0, "max_duration": 900.0},
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", SEARCHES)
def test_limits_hold_and_iterations_determine_the_routes(name: str, limit: str) -> None:
    problem = roads(61, **LIMITS[limit])
    start = searched(SEARCHES[name], problem, Iterations(0))
    runs = [searched(SEARCHES[name], problem, Iterations(1500), threads=threads) for threads in (1, 1, 2, 2)]
    for run in runs:
        assert run.cost < start.cost
    for first, second in (runs[:2], runs[2:]):
        assert [route.tolist() for route in first.best] == [route.tolist() for route in second.best]


@pytest.mark.parametrize("limit", ["capacity", "distance"])
@pytest.mark.parametrize("name", SEARCHES)
def test_the_general_kernels_find_the_same_without_a_direction(
    name: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = roads(61, directed=False, **LIMITS[limit])
    plain = searched(SEARCHES[name], problem, Iterations(6000))
    monkeypatch.setattr(RouteInstance, "general", True)
    assert searched(SEARCHES[name], problem, Iterations(6000)).cost == plain.cost


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 30), st.sampled_from(sorted(SEARCHES)), st.booleans())
def test_costs_are_exact_and_limits_hold_for_any_travel(seed: int, n: int, name: str, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    matrix, durations = rng.integers(0, 100, (2, n, n)) if whole else 100 * rng.random((2, n, n))
    demands = rng.integers(0, 5, n)
    demands[0] = 0
    clock = Clock(rng.integers(0, 9, n).astype(float), durations=durations)
    trips = (durations[0] + durations[:, 0])[1:].max() + 9
    problem = VRP(
        "any", METRICS["EXPLICIT"], matrix, demands=demands, capacity=9, clock=clock, max_duration=1.2 * trips + 1
    )  # fmt: skip
    search = searched(SEARCHES[name], problem, Iterations(500), seed=seed)
    assert search.cost == problem.cost(search.best)


@pytest.mark.parametrize("n", [50, 300])
def test_an_interrupt_gives_the_best_so_far(n: int) -> None:
    problem = roads(n, **hours(n))
    endless = Iterations(10**12)
    search = Search(problem, endless, threads=2, listeners=[lambda event: not isinstance(event, Improved)])
    run_in_time(RouteImprovement(), search)
    assert problem.check(search.best).feasible


def test_places_resemble_the_roads_and_nothing_else() -> None:
    places = places_of(roads(200))
    assert places is not None
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    assert np.corrcoef(gaps.ravel(), roads(200).points.ravel())[0, 1] > 0.95
    noise = np.random.default_rng(1).integers(1, 100, (200, 200))
    assert places_of(VRP("noise", METRICS["EXPLICIT"], noise, demands=np.arange(200) > 0, capacity=9)) is None


def test_dcvrp_refuses_in_one_line_and_the_default_does_not() -> None:
    for limit, options in LIMITS.items():
        problem = roads(61, **options)
        assert "routes does without" in (GiantTourDescent().refuses(problem) or "")
        assert default_strategy(problem).refuses(problem) is None
        if limit == "one pace":
            even = roads(61, directed=False, **options)
            assert (
                GiantTourDescent().refuses(even)
                == "dcvrp takes one limit on routes besides the capacity; routes takes two"
            )
