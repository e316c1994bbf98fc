"""Longest rides of shipments: routes keep them if and only if a judge by shortest paths finds starts that do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest

import warptour as wt
from ride_judge import judged_rides
from timed_problems import timed_problem
from warptour.model.errors import InfeasibleError, InputError, UsageError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.scaling import scaled
from warptour.model.vehicles import VRP

PAIRS = ((1, 2), (3, 4))


def ridden(seed: int) -> VRP:
    """Return a problem with some of: several windows, soft ones, limits on waits and durations, prices, open routes."""
    rng = np.random.default_rng([seed, 4])
    problem = timed_problem(seed, 4)
    limits = rng.integers(5, 45, 2).tolist()
    demands = np.array([0, 1, 0, 1, 0])
    shipments = [wt.Shipment(*ends, longest) for ends, longest in zip(PAIRS, limits, strict=True)]
    return replace(problem, demands=demands, capacity=9, shipments=tuple(shipments))


def judged(problem: VRP, route: tuple[int, ...]) -> tuple[float, float] | None:
    clock, windows = problem.clock, problem.windows
    assert windows is not None
    services = (problem.service_times if clock is None else clock.services).tolist()
    visits = [0, *route] + ([] if problem.open else [0])
    travel = None if clock is None else clock.durations
    legs = [float(travel[a, b]) if travel is not None else float(problem.distance(a, b)) for a, b in pairwise(visits)]
    rides = [
        (visits.index(each.pickup), visits.index(each.delivery), float(each.max_ride or 0))
        for each in problem.shipments if each.pickup in route
    ]  # fmt: skip
    found = judged_rides(
        [services[node] for node in visits], legs, [list(windows.of_node(node)) for node in visits], rides,
        max_wait=math.inf if problem.max_wait is None else problem.max_wait, soft=problem.late_cost is not None,
    )  # fmt: skip
    if found is None:
        return None
    late, duration = found
    duration += services[visits[-1]] if problem.open else 0.0
    return None if problem.max_duration is not None and duration > problem.max_duration else (late, duration)


@pytest.mark.parametrize("seed", range(150))
def test_routes_keep_longest_rides_as_the_judge_says(seed: int) -> None:
    problem = ridden(seed)
    schedule = problem.schedule
    assert schedule is not None
    orders = [order for order in permutations((1, 2, 3, 4)) if all(order.index(a) < order.index(b) for a, b in PAIRS)]
    for route in [*PAIRS, *orders]:
        (day,) = problem.days([np.array(route)])
        truth, kept = judged(problem, route), schedule.is_kept_by(day)
        assert kept == (truth is not None)
        assert kept == (not problem.day_faults(0, np.array(route), day))
        if truth is not None:
            assert day.late.sum() == pytest.approx(truth[0])
            assert day.duration == pytest.approx(truth[1])


def line(*shipments: wt.Shipment, **options: object) -> VRP:
    """Return four customers on a line, 10 apart, each served in 1."""
    return VRP.from_points(
        [(0, 0), (10, 0), (20, 0), (30, 0), (40, 0)], demands=[0, 1, 0, 1, 0], capacity=3,
        service_times=[0, 1, 1, 1, 1], shipments=shipments, **options,
    )  # fmt: skip


def test_the_check_names_who_rides_how_much_too_long() -> None:
    problem = line(wt.Shipment(1, 2, 20), wt.Shipment(3, 4, 15), windows=[None, (0, 20), (40, 60), None, None])
    (day,) = problem.days([np.array([1, 2, 3, 4])])
    assert day.starts.tolist() == [10, 20, 40, 51, 62, 103], "the pickup is as late as it may be"
    assert problem.check([np.array([1, 2, 3, 4])]).feasible
    late = line(wt.Shipment(1, 2, 15), wt.Shipment(3, 4, 9), windows=[None, (0, 20), (40, 60), None, None])
    assert late.check([np.array([1, 2, 3, 4])]).violations == (
        "route 1 carries the shipment from customer 2 to customer 3 4 longer than its longest ride, 15",
        "route 1 carries the shipment from customer 4 to customer 5 1 longer than its longest ride, 9",
    )


def test_a_limit_on_waits_and_one_on_rides_contradict_each_other() -> None:
    windows = [None, (0, 15), (40, 60), None, None]
    assert line(wt.Shipment(1, 2, 24), windows=windows, max_wait_minutes=14).check([np.array([1, 2, 3, 4])]).feasible
    tight = line(wt.Shipment(1, 2, 24), windows=windows, max_wait_minutes=13)
    assert tight.check([np.array([1, 2, 3, 4])]).violations == ("route 1 waits 14 at customer 3, above 13",)
    long = line(wt.Shipment(1, 2, 23), windows=windows, max_wait_minutes=14).check([np.array([1, 2, 3, 4])])
    assert long.violations == (
        "route 1 carries the shipment from customer 2 to customer 3 1 longer than its longest ride, 23",
    )


def test_a_ride_shorter_than_the_way_is_proved_impossible() -> None:
    with pytest.raises(InfeasibleError, match="the ride to customer 5 takes 10 at least, above its longest ride, 9"):
        prove_infeasible(line(wt.Shipment(1, 2), wt.Shipment(3, 4, 9)))
    ways = [[0, 1, 1, 1], [1, 0, 9, 1], [1, 1, 0, 1], [1, 9, 1, 0]]
    problem = VRP.from_matrix(ways, demands=[0, 1, 0, 0], capacity=1, shipments=[wt.Shipment(1, 2, 2)])
    prove_infeasible(problem)  # by way of another customer, which takes no time
    assert problem.check([np.array([1, 3, 2])]).feasible and not problem.check([np.array([1, 2, 3])]).feasible


def test_rides_are_scaled_and_kept_in_parts() -> None:
    problem = line(wt.Shipment(1, 2, 12.25), wt.Shipment(3, 4))
    assert [each.max_ride for each in scaled(problem, "dimacs").shipments] == [122, None]
    assert problem.part(np.array([0, 2, 1])).shipments == (wt.Shipment(2, 1, 12.25),)


def test_one_limit_is_for_all_that_have_none() -> None:
    problem = line((1, 2), wt.Shipment(3, 4, 15), max_ride_minutes=20)
    assert [each.max_ride for each in problem.shipments] == [20, 15]
    by_clock = line((1, 2), unit="km", speed=60, max_ride_minutes=20)
    assert by_clock.shipments == (wt.Shipment(1, 2, 1200),)
    assert line(wt.Shipment(1, 2, math.inf)).shipments == (wt.Shipment(1, 2),)


@pytest.mark.parametrize("longest", [-1, "x", math.nan])
def test_a_longest_ride_that_is_none_is_refused(longest: object) -> None:
    with pytest.raises(InputError, match=f"the longest ride from customer 2 to customer 3 is {longest}; it must be"):
        line(wt.Shipment(1, 2, longest))  # type: ignore[arg-type]


def test_breaks_of_drivers_do_not_go_with_longest_rides() -> None:
    own = wt.VehicleType(capacities=(3,), breaks=(wt.Break(0, 10, 5),))
    with pytest.raises(UsageError, match="breaks of drivers do not go with a longest ride of shipments yet"):
        line(wt.Shipment(1, 2, 20)).with_types([own])


def test_results_say_how_long_goods_rode() -> None:
    problem = line(wt.Shipment(1, 3, 25), (2, 4))
    (trip,) = wt.solve(problem).trips
    assert trip.nodes.tolist() == [0, 1, 2, 3, 4, 0]
    assert trip.times.rides == pytest.approx([np.nan, np.nan, np.nan, 21, 21, np.nan], nan_ok=True)
