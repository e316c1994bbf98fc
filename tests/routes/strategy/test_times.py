"""Routes with windows, waits, prices of time and open ends: feasible by a judge, and nearly always optimal."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from timed_problems import cheapest, judged_cost, timed_problem
from warptour.kernels.groups import Unfinished
from warptour.model.errors import InfeasibleError, NothingFound
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine import route_state
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.strategy.first_routes import inserted_in_time
from warptour.routes.strategy.route_improvement import RouteImprovement, with_dear_routes

SEEDS = range(40)
LATE = np.where(np.arange(70) % 3 == 1, 100.0, 0.0)
"""Releases: the goods of one customer in three are late."""


def found(problem: VRP, **options: object) -> wt.Result | None:
    """Return what is found, or None."""
    try:
        return wt.solve(problem, device="cpu", threads=1, seed=1, **{"iterations": 2000} | options)
    except (InfeasibleError, NothingFound):
        return None


@pytest.fixture(scope="module")
def best() -> dict[int, float]:
    """Return the cost of the best routes of each problem."""
    return {seed: cheapest(timed_problem(seed, 4)) for seed in SEEDS}


def test_most_tiny_problems_are_solved_to_optimality_and_none_wrongly(best: dict[int, float]) -> None:
    optimal = solvable = 0
    for seed in SEEDS:
        problem = timed_problem(seed, 4)
        result = found(problem)
        if result is None:
            assert best[seed] == math.inf
            continue
        costs = [judged_cost(problem, route.tolist()) for route in result.routes]
        assert None not in costs
        assert sorted(node for route in result.routes for node in route.tolist()) == [1, 2, 3, 4]
        careful = problem.max_wait is not None and problem.windows is not None and problem.windows.several
        assert careful or sum(filter(None, costs)) == pytest.approx(result.cost)
        assert result.cost >= best[seed] - 1e-6
        solvable += 1
        optimal += result.cost <= best[seed] + 1e-6
    assert solvable >= len(SEEDS) // 2
    assert optimal >= solvable - 2


def test_routes_are_loaded_when_all_their_goods_are_there() -> None:
    optimal = solvable = 0
    for seed in range(20):
        problem = timed_problem(seed, 4, released=True)
        best, result = cheapest(problem), found(problem, strategy="routes")
        if result is None:
            continue
        costs = [judged_cost(problem, route.tolist()) for route in result.routes]
        assert None not in costs and result.cost >= best - 1e-6
        solvable += 1
        optimal += result.cost <= best + 1e-6
    assert solvable >= 10 and optimal >= solvable - 2


def spread(n: int, horizon: int = 2000, **options: object) -> VRP:
    """Return customers of a plane, two in three with a window of an eighth of the day."""
    rng = np.random.default_rng(n)
    points = rng.integers(0, 500, (n, 2)).astype(float)
    opens = rng.integers(0, horizon, n)
    windows = [(0, 2 * horizon)] + [(t, t + horizon // 8) if rng.integers(3) else None for t in opens[1:].tolist()]
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    given = {"windows": TimeWindows.of(windows, n), "service_times": np.r_[0.0, np.full(n - 1, 10.0)]}
    return VRP("spread", METRICS["EUC_2D"], points, demands=demands, capacity=60, **given | options)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"open": True},
        {"hour_cost": 0.5},
        {"late_cost": 2.0},
        {"max_wait": 60.0},
        {"max_duration": 900.0},
        {"releases": LATE},
    ],
    ids=lambda options: " ".join(options) or "windows",
)
def test_searches_keep_what_they_promise_and_lower_the_cost(options: dict[str, float], threads: int) -> None:
    problem = spread(70, **options)
    begun = inserted_in_time(problem, 1)
    assert not problem.check(begun).violations
    first = problem.cost(begun)
    result = wt.solve(
        problem, device="cpu", threads=threads, seed=3, seconds=1 if threads > 1 else None, iterations=8000
    )
    assert not problem.check(result.routes).violations
    assert result.cost == problem.cost(result.routes) < 0.95 * first


@pytest.mark.parametrize("options", [{}, {"late_cost": 2.0}])
def test_first_routes_are_inserted_in_short_calls(options: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    problem = spread(70, **options)
    whole = inserted_in_time(problem, 1)
    monkeypatch.setattr(route_state, "INSERTED", 60)
    assert [route.tolist() for route in inserted_in_time(problem, 1)] == [route.tolist() for route in whole]
    with pytest.raises(Unfinished):
        inserted_in_time(problem, 1, lambda: True)


def test_kernels_know_the_cost_of_times_to_the_last_digits() -> None:
    from warptour.routes.engine.route_state import RouteState, Ruin

    for options in ({"hour_cost": 0.5}, {"late_cost": 2.0, "hour_cost": 0.1}, {"open": True, "hour_cost": 1.0}):
        problem = spread(60, **options)
        instance = RouteInstance.of(problem, 30)
        fleet = RouteState(instance, instance.enter(inserted_in_time(problem, 1)), problem.n)
        for stream in range(3):
            fleet.search(3000, (50.0, 5.0), seed=2, stream=stream, ruin=Ruin())
            assert fleet.cost == pytest.approx(problem.cost(instance.leave(fleet.giant_tour())), abs=1e-4)
            assert fleet.lowest == pytest.approx(problem.cost(instance.leave(fleet.best())), abs=1e-4)


def test_open_routes_without_windows_are_searched_as_well() -> None:
    problem = replace(spread(70), windows=None, open=True)
    closed = wt.solve(replace(problem, open=False), device="cpu", threads=1, iterations=5000)
    result = wt.solve(problem, device="cpu", threads=1, iterations=5000)
    assert not problem.check(result.routes).violations
    assert result.cost < 0.9 * closed.cost


def test_equal_seeds_give_equal_routes() -> None:
    results = [wt.solve(spread(60), device="cpu", threads=2, seed=5, iterations=3000) for _ in range(2)]
    assert [route.tolist() for route in results[0].routes] == [route.tolist() for route in results[1].routes]


def test_fewer_vehicles_count_before_the_cost() -> None:
    problem = spread(60, windows=TimeWindows.always(60), fixed_cost=0.0)
    cheap = wt.solve(problem, device="cpu", threads=1, iterations=20_000)
    fewest = wt.solve(replace(problem, fewest=True), device="cpu", threads=1, iterations=20_000)
    least = math.ceil(problem.demands.sum() / problem.capacity)
    assert len(fewest.routes) == least <= len(cheap.routes)
    assert fewest.cost == problem.cost(fewest.routes) >= cheap.cost


def test_a_start_that_is_late_is_refused() -> None:
    late = [route for route in np.array_split(np.arange(1, 50, dtype=np.int32), 12) if len(route)]
    with pytest.raises(wt.InputError, match="late; its hours are"):
        wt.solve(spread(50), iterations=10, start=late)


def test_strategies_that_know_no_times_say_so() -> None:
    for problem in (spread(20), replace(spread(20), windows=None, open=True)):
        with pytest.raises(wt.UnsupportedError, match="does not support time windows, costs of time or open routes"):
            wt.solve(problem, strategy="dcvrp", iterations=1)


def test_waits_are_counted_between_the_windows_of_a_stop() -> None:
    """Whoever comes by before a break may not wait for what follows as if there were none."""
    points = np.array([[0.0, 0], [10, 0], [20, 0]])
    windows = TimeWindows.of([None, [(0, 20), (100, 120)], (60, 70)], 3)
    problem = VRP(
        "gaps", METRICS["EUC_2D"], points, demands=np.array([0, 1, 1]), capacity=2, windows=windows, max_wait=5.0
    )
    result = wt.solve(problem, device="cpu", threads=1, iterations=500)
    assert not problem.check(result.routes).violations
    assert result.cost == 20 + 40


def test_a_population_follows_where_it_knows_the_times() -> None:
    strategy = RouteImprovement()
    assert 0 < strategy.share_of_ruin(spread(70), 1e6) < 1
    for options in ({"hour_cost": 0.5}, {"late_cost": 2.0}, {"max_wait": 60.0}):
        assert strategy.share_of_ruin(spread(70, **options), 1e6) == 1
    assert strategy.share_of_ruin(spread(500), 1e7) == 1


def test_a_route_less_pays_whatever_the_distance_where_fewer_come_first() -> None:
    problem = spread(70)
    cost = problem.cost(inserted_in_time(problem, 1))
    assert with_dear_routes(problem, cost).fixed_cost >= cost


def test_neighbours_are_near_in_time_too() -> None:
    """Of customers as far away, one who opens late comes last."""
    points = np.array([[0.0, 0], [100, 0], [110, 0], [90, 0], [100, 10]])
    windows = TimeWindows.of([None, (100, 110), (400, 500), (100, 200), (0, 100)], 5)
    problem = VRP("near", METRICS["EUC_2D"], points, demands=np.array([0, 1, 1, 1, 1]), capacity=4, windows=windows)
    assert RouteInstance.of(problem, 4).near[1].tolist() == [3, 4, 2]
