"""Fleets keep every limit, know what they cost, and number customers as the problem does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import DONE, RouteState, Ruin
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.division import divide

RUIN = Ruin()


def stops(n: int = 40, metric: str = "EUC_2D", **options: object) -> VRP:
    rng = np.random.default_rng(n)
    metric_ = METRICS[metric]
    if metric_.norm == "matrix":
        points = rng.integers(1, 1000, (n, n))
        points = points + points.T
    else:
        points = rng.uniform(-80, 80, (n, max(metric_.dimensions, 2)))
    depot = int(options.pop("depot", 0))  # type: ignore[call-overload]
    demands = np.asarray(options.pop("demands", rng.integers(1, 10, n)))
    demands[depot] = 0
    return VRP("stops", metric_, points, demands=demands, capacity=40, depot=depot, **options)


def improved(problem: VRP, attempts: int = 3000, heat: float = 20.0, width: int = 12) -> RouteState:
    instance = RouteInstance.of(problem, width)
    fleet = RouteState(instance, instance.enter(savings(problem)), problem.vehicles or problem.n)
    for stream in range(3):
        fleet.search(attempts // 3, (heat, heat / 10), seed=1, stream=stream, ruin=RUIN)
    return fleet


@pytest.mark.parametrize("depot", [0, 7, 39])
@pytest.mark.parametrize("metric", list(METRICS))
def test_costs_are_those_of_the_problem(metric: str, depot: int) -> None:
    problem = stops(metric=metric, depot=depot)
    fleet = improved(problem)
    for giant, cost in ((fleet.best(), fleet.lowest), (fleet.giant_tour(), fleet.cost)):
        report = problem.check(fleet.instance.leave(giant))
        assert report.feasible, report.violations
        assert cost == pytest.approx(report.cost, rel=1e-9)
    assert fleet.lowest <= problem.cost(savings(problem)) * (1 + 1e-9)


@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "EXPLICIT", "CEIL_2D"])
@pytest.mark.parametrize("service", [0.0, 7.5])
def test_a_route_limit_holds_with_service_times(metric: str, service: float) -> None:
    problem = stops(60, metric, service_times=np.full(60, service))
    trips = 2 * problem.distances(np.zeros(59, np.int32), problem.customers).max() + service
    problem = replace(problem, max_distance=float(trips) * 1.05)
    fleet = improved(problem, 6000)
    for giant in (fleet.best(), fleet.giant_tour()):
        report = problem.check(fleet.instance.leave(giant))
        assert report.feasible, report.violations


def test_a_limit_holds_where_a_detour_is_shorter() -> None:
    """In a matrix, taking a customer out may make the route longer."""
    rng = np.random.default_rng(3)
    matrix = np.triu(rng.integers(1, 100, (30, 30)), 1)
    problem = VRP(
        "odd", METRICS["EXPLICIT"], matrix + matrix.T, demands=np.r_[0, [1] * 29], capacity=6, max_distance=230.0
    )  # fmt: skip
    fleet = improved(problem, 30_000, heat=50.0)
    assert problem.check(fleet.instance.leave(fleet.giant_tour())).feasible
    assert problem.check(fleet.instance.leave(fleet.best())).feasible


@pytest.mark.parametrize("kind", ["pace", "durations", "distances"])
@pytest.mark.parametrize("depot", [0, 7])
def test_two_limits_hold_in_both_directions(kind: str, depot: int) -> None:
    rng = np.random.default_rng(4)
    matrix, other = rng.integers(10, 100, (2, 40, 40))
    clock = Clock(np.full(40, 6.0), **{kind: 1.5 if kind == "pace" else other})
    problem = VRP(
        "roads", METRICS["EXPLICIT"], matrix, demands=np.arange(40) != depot, capacity=8, depot=depot, clock=clock,
        max_distance=330.0, max_duration=420.0, service_times=np.full(40, 2.0),
    )  # fmt: skip
    assert problem.directed
    fleet = improved(problem, 9000)
    for giant, cost in ((fleet.best(), fleet.lowest), (fleet.giant_tour(), fleet.cost)):
        report = problem.check(fleet.instance.leave(giant))
        assert report.feasible, report.violations
        assert cost == report.cost
    assert fleet.lowest < problem.cost(savings(problem))


def test_two_limits_need_no_table() -> None:
    problem = stops(400, max_distance=900.0, max_duration=1300.0, clock=Clock(np.full(400, 9.0), pace=1.2))
    fleet = improved(problem, 3000)
    assert fleet.instance.second is not None
    report = problem.check(fleet.instance.leave(fleet.best()))
    assert report.feasible, report.violations
    assert report.cost == fleet.lowest < problem.cost(savings(problem))


def test_a_fixed_cost_is_counted_and_lowers_the_number_of_routes() -> None:
    free, dear = stops(), stops(fixed_cost=5000.0)
    one, other = improved(free, 9000), improved(dear, 9000)
    routes = other.instance.leave(other.best())
    assert other.lowest == pytest.approx(dear.cost(routes))
    assert len(routes) <= len(one.instance.leave(one.best()))


def test_a_group_leaves_all_others_alone() -> None:
    problem = stops(120)
    instance = RouteInstance.of(problem, 20)
    giant = instance.enter(savings(problem))
    division = divide(problem, problem.points, giant, 3, np.random.default_rng(1))
    assert division.routes.sum() == np.count_nonzero(giant == 0)
    parts = []
    for group in range(3):
        mine = giant[division.group == group]
        fleet = RouteState(instance, mine, problem.n, (group, division.home, division.number))
        fleet.search(1000, (10.0, 1.0), seed=1, stream=group, ruin=RUIN)
        assert set(fleet.giant_tour().tolist()) == set(mine.tolist())
        parts.append(fleet.best())
    routes = instance.leave(np.concatenate(parts))
    assert problem.check(routes).feasible
    assert problem.cost(routes) < problem.cost(instance.leave(giant))


def test_who_is_left_out_comes_in() -> None:
    problem = stops(30, vehicles=6)
    instance = RouteInstance.of(problem, 10)
    routes = savings(replace(problem, vehicles=None))
    giant = instance.enter(routes[:-2])
    fleet = RouteState(instance, giant, 6, left_out=np.concatenate(routes[-2:]))
    assert not fleet.complete
    for stream in range(40):
        fleet.search(500, (1.0, 1.0), seed=1, stream=stream, ruin=RUIN)
    assert fleet.complete
    report = problem.check(instance.leave(fleet.best()))
    assert report.feasible, report.violations
    assert report.cost == fleet.lowest


def test_the_same_seed_and_stream_give_the_same_routes() -> None:
    first, second = improved(stops()), improved(stops())
    assert (first.best() == second.best()).all()
    assert first.counts[DONE] == second.counts[DONE] == 3000


def zigzag(far: float = 40.0) -> tuple[VRP, Routes]:
    """Return two rows of customers, and routes that change rows in the middle."""
    rows = [[(far + 10 * k, 10.0 * side) for k in range(8)] for side in (0, 3)]
    points = np.array([(0.0, 15.0), *rows[0], *rows[1]])
    problem = VRP("rows", METRICS["EUCLIDEAN"], points, demands=np.arange(17) > 0, capacity=8)
    upper, lower = np.arange(1, 9), np.arange(9, 17)
    return problem, [np.r_[upper[:4], lower[4:]], np.r_[lower[:4], upper[4:]]]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("limits", [0, 2])
def test_local_search_exchanges_the_ends_of_routes(turned: bool, limits: int) -> None:
    """One customer at a time, at no temperature, ruin and recreate alone cannot."""
    problem, routes = zigzag()
    if limits:
        clock = Clock(np.full(17, 1.0), pace=2.0)
        problem = replace(problem, max_distance=1000.0, max_duration=1000.0, clock=clock)
    instance = RouteInstance.of(problem, 6)
    giant = instance.enter([routes[0], routes[1][::-1] if turned else routes[1]])
    costs = []
    for sought in (0, 6):
        fleet = RouteState(instance, giant, 2)
        fleet.search(2000, (1e-9, 1e-9), seed=1, stream=0, ruin=Ruin(1, 1, sought=sought))
        costs.append(fleet.lowest)
    straight = problem.cost([np.arange(1, 9), np.arange(9, 17)])
    assert costs[0] > straight * 1.02
    assert costs[1] == pytest.approx(straight)


@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "EXPLICIT"])
@pytest.mark.parametrize("heat", [1e-6, 30.0])
def test_undone_iterations_leave_no_trace(metric: str, heat: float) -> None:
    """Sums kept along the way are those of the routes, after moves of every kind, kept or undone."""
    problem = stops(80, metric, fixed_cost=3.0)
    instance = RouteInstance.of(problem, 15)
    fleet = RouteState(instance, instance.enter([np.array([c]) for c in range(1, 80)]), problem.n)
    for stream in range(60):
        fleet.search(25, (heat, heat), seed=2, stream=stream, ruin=Ruin(4, 4, slack=1e6))
        routes = instance.leave(fleet.giant_tour())
        assert problem.check(routes).feasible
        assert fleet.cost == pytest.approx(problem.cost(routes), rel=1e-12)


@pytest.mark.parametrize("heat", [1e-6, 30.0])
@pytest.mark.parametrize("kind", ["one", "pace", "durations", "directed"])
def test_local_search_keeps_limits_and_the_fleet(kind: str, heat: float) -> None:
    """Short calls at a high slack, so that most iterations make moves, and the last ones of a call show."""
    rng = np.random.default_rng(5)
    plane = stops(70, "EUC_2D")
    table = plane.distances(np.arange(70)[:, None], np.arange(70)[None])
    other = np.rint(table * rng.uniform(0.8, 1.2, (70, 70)))
    other = other if kind == "directed" else np.minimum(other, other.T)
    clock = Clock(np.full(70, 6.0), **({"durations": other} if kind in ("durations", "directed") else {"pace": 1.5}))
    second = {} if kind == "one" else {"clock": clock, "max_duration": 620.0}
    problem = stops(70, "EUC_2D", service_times=np.full(70, 4.0), max_distance=460.0, fixed_cost=3.0, **second)
    assert problem.directed == (kind == "directed")
    routes = savings(problem)
    problem = replace(problem, vehicles=len(routes))
    instance = RouteInstance.of(problem, 15)
    fleet = RouteState(instance, instance.enter(routes), len(routes))
    for stream in range(80):
        fleet.search(20, (heat, heat), seed=2, stream=stream, ruin=Ruin(4, 4, slack=1e6))
        report = problem.check(instance.leave(fleet.giant_tour()))
        assert report.feasible, report.violations
        assert fleet.cost == report.cost


def test_a_division_lists_the_routes_of_each_group_in_order() -> None:
    problem = stops(90)
    giant = RouteInstance.of(problem, 8).enter(savings(problem))
    division = divide(problem, problem.points, giant, 5, np.random.default_rng(2))
    for group in range(5):
        part = division.part(group)
        assert part.tolist() == giant[division.group == group].tolist()
        customers = part[part != 0]
        assert (division.home[customers] == group).all()
        assert division.number[customers].tolist() == list(range(1, len(customers) + 1))
