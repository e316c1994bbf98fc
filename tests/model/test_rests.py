"""Breaks of drivers: where a route has them, judged by trying all legs and all departures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rested_routes import random_problem, ruled, shortest
from warptour.model.fleet import VehicleType
from warptour.model.rests import Break, DrivingRule
from warptour.model.scaling import scaled
from warptour.model.vehicles import VRP


@pytest.mark.parametrize("breaks", [1, 2])
@pytest.mark.parametrize("seed", range(25))
def test_a_route_has_its_breaks_where_it_is_shortest(seed: int, breaks: int) -> None:
    problem = random_problem(seed, breaks)
    own = problem.fleet.types[0]
    for route in ([1, 2, 3], [4, 5], [3, 1, 5, 2, 4]):
        expected = shortest(problem, own, route)
        day = problem.day_of(0, np.array(route, np.int32))
        kept = problem.schedule_of(0).is_kept_by(day)
        assert kept == np.isfinite(expected)
        if kept and breaks == 1:
            assert day.duration == pytest.approx(expected)
        elif kept:
            assert day.duration >= expected - 1e-6
        assert kept == (not problem.day_faults(0, np.array(route, np.int32), day))
        for rest, taken in zip(own.breaks, day.breaks, strict=True):
            assert taken.end - taken.start == rest.length and (
                not kept or rest.opens <= taken.start <= rest.closes + 1e-6
            )


@pytest.mark.parametrize("seed", range(15))
def test_a_driver_rests_after_so_much_driving(seed: int) -> None:
    problem = random_problem(seed, 0)
    rule = DrivingRule(most=11 + seed % 4, length=4)
    own = replace(problem.fleet.types[0], driving=rule)
    problem = problem.with_types([own])
    for route in ([1, 2], [4, 5, 3], [2, 5, 1]):
        expected = ruled(problem, own, route)
        day = problem.day_of(0, np.array(route, np.int32))
        kept = problem.schedule_of(0).is_kept_by(day)
        assert kept == np.isfinite(expected)
        assert not kept or expected - 1e-6 <= day.duration <= expected + rule.length
        assert {rest.end - rest.start for rest in day.breaks} <= {4.0}


def test_breaks_are_scaled_with_their_problem() -> None:
    points = VRP.from_points([(0, 0), (3, 4)], demands=[0, 1], capacity=1, windows=[None, (0, 9)])
    rested = VehicleType(capacities=(1.0,), breaks=(Break(2, 4.5, 1),))
    for own in (rested, VehicleType(capacities=(1.0,), driving=DrivingRule(8, 1))):
        (whole,) = scaled(points.with_types([own]), "dimacs").fleet.types
        assert whole.breaks == tuple(Break(20, 45, 10) for _ in own.breaks)
        assert whole.driving == (own.driving and DrivingRule(80, 10))
