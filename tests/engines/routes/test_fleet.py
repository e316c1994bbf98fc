"""Fleets keep every limit, know what they cost, and number customers as the problem does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from warptour.construct import savings
from warptour.engines.routes.fleet import DONE, Fleet, Ruin
from warptour.engines.routes.instance import RouteInstance
from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.strategies.routes.division import divide

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


def improved(problem: VRP, attempts: int = 3000, heat: float = 20.0, width: int = 12) -> Fleet:
    instance = RouteInstance.of(problem, width)
    fleet = Fleet(instance, instance.enter(savings(problem)), problem.vehicles or problem.n)
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
        fleet = Fleet(instance, mine, problem.n, (group, division.home, division.number))
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
    fleet = Fleet(instance, giant, 6, left_out=np.concatenate(routes[-2:]))
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
