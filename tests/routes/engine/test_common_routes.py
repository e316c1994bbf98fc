"""Routes that several threads anneal together: copies stay alike, limits hold, costs are exact."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from small_problems import roads
from warptour.kernels.cores import usable_cores
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine import common_routes
from warptour.routes.engine.common_routes import CommonRoutes, along_a_curve
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import Ruin
from warptour.routes.starts.savings import savings
from warptour.search.threads import ThreadPool

RUIN = Ruin()


@pytest.fixture(params=[1, 2, 5])
def pool(request: pytest.FixtureRequest) -> Iterator[ThreadPool]:
    with ThreadPool(request.param) as threads:
        yield threads


@pytest.fixture
def two_threads() -> Iterator[ThreadPool]:
    with ThreadPool(2) as threads:
        yield threads


def stops(n: int, metric: str = "EUC_2D", capacity: float = 40, **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    points = rng.integers(0, 200, (n, 2)).astype(float)
    return VRP("stops", METRICS[metric], points, demands=demands, capacity=capacity, **options)


def common(problem: VRP, pool: ThreadPool) -> CommonRoutes:
    instance = RouteInstance.of(problem, 12)
    routes = savings(problem)
    slots = max(len(routes), problem.vehicles or problem.n)
    return CommonRoutes(instance, instance.enter(routes), slots, pool.threads, pool.map)


def routes_in(giant: Ints) -> set[tuple[int, ...]]:
    """Return the routes of a giant tour, each read from its smaller end."""
    parts = np.split(giant, np.flatnonzero(giant == 0))
    routes = [tuple(part[part != 0].tolist()) for part in parts]
    return {min(route, route[::-1]) for route in routes if route}


@pytest.mark.threads
@pytest.mark.sanitize_quick
@pytest.mark.parametrize(
    "problem",
    [
        *(stops(n) for n in (2, 3, 5, 60)),
        stops(400),
        stops(60, fixed_cost=1000.0),
        stops(60, vehicles=30),
        stops(60, "EUCLIDEAN", max_distance=900.0, service_times=np.ones(60)),
        VRP("one place", METRICS["EUC_2D"], np.zeros((9, 2)), demands=np.r_[0, np.ones(8, int)], capacity=3),
        *(roads(n) for n in (3, 50)),
    ],
    ids=lambda problem: f"{problem.name} {problem.n} {problem.metric.name}",
)
def test_copies_stay_alike_and_costs_are_those_of_the_problem(problem: VRP, pool: ThreadPool) -> None:
    ours = common(problem, pool)
    leave = ours.fleets[0].instance.leave
    for heat in (100.0, 10.0, 1e-6):
        assert ours.search(1505, (heat, heat / 2), seed=1, ruin=RUIN) == 1505
        current = ours.giant_tour()
        assert all(routes_in(fleet.giant_tour()) == routes_in(current) for fleet in ours.fleets)
        for giant, cost in ((current, ours.fleets[0].cost), (ours.best(), ours.lowest)):
            report = problem.check(leave(giant))
            assert report.feasible, report.violations
            assert cost == pytest.approx(report.cost, rel=1e-9)
        assert ours.lowest <= ours.fleets[0].cost * (1 + 1e-9)
    assert ours.lowest <= problem.cost(savings(problem)) * (1 + 1e-9)


@pytest.mark.threads
def test_a_full_board_ends_a_call_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch, two_threads: ThreadPool) -> None:
    problem = stops(100)
    monkeypatch.setattr(common_routes, "ROOM", 1)
    monkeypatch.setattr(common_routes, "ROOM_PER_NODE", 10)
    ours = common(problem, two_threads)
    done = [ours.search(100_000, (50.0, 50.0), seed=1, ruin=RUIN) for _ in range(5)]
    assert all(0 < count < 100_000 for count in done)
    current = ours.giant_tour()
    assert all(routes_in(fleet.giant_tour()) == routes_in(current) for fleet in ours.fleets)
    assert problem.check(ours.fleets[0].instance.leave(ours.best())).cost == pytest.approx(ours.lowest)


@pytest.mark.threads
@pytest.mark.skipif(usable_cores() < 2, reason="threads take turns on one core")
def test_changes_that_clash_are_given_up(two_threads: ThreadPool) -> None:
    """With two routes, simultaneous changes always touch the same one."""
    problem = stops(60, capacity=170)
    ours = common(problem, two_threads)
    for _ in range(200):
        ours.search(4000, (50.0, 50.0), seed=1, ruin=RUIN)
        if ours.clashes:
            break
    assert ours.clashes > 0
    assert problem.check(ours.fleets[0].instance.leave(ours.giant_tour())).feasible


def test_all_threads_together_find_what_one_finds(two_threads: ThreadPool) -> None:
    problem = stops(120)
    ours, alone = common(problem, two_threads), common(problem, ThreadPool(1))
    for heat in np.geomspace(20.0, 0.5, 20).tolist():
        for each in (ours, alone):
            each.search(4000, (heat, heat), seed=1, ruin=RUIN)
    assert ours.lowest < problem.cost(savings(problem))
    assert ours.lowest == pytest.approx(alone.lowest, rel=0.03)


def test_numbers_along_a_curve_are_those_of_neighbours() -> None:
    problem = stops(400)
    instance = RouteInstance.of(problem, 8)
    number = along_a_curve(instance, instance.enter(savings(problem)))
    assert sorted(number) == list(range(400))
    places = instance.problem.points[np.argsort(number)[1:]]
    steps = np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1)
    assert np.median(steps) < 20  # of 200 times 200
    assert number[0] == 0


def test_numbers_without_coordinates_follow_the_routes() -> None:
    problem = roads(30)
    instance = RouteInstance.of(problem, 8)
    giant = instance.enter(savings(problem))
    number = along_a_curve(instance, giant)
    assert instance.places is None
    assert (number[giant[giant != 0]] == np.arange(1, 30)).all()
    assert sorted(number) == list(range(30))
