"""Numbers at the ends of their range are refused or searched, and NumPy has nothing to warn of: warnings are errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warptour as wt

ONES = np.ones((4, 4))
LONG = np.longdouble("1e4000")


def with_speed(**options: Any) -> wt.TSP:
    return wt.TSP.from_matrix(ONES, **({"unit": "km", "speed": 30} | options))


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "long matrix": (lambda: wt.TSP.from_matrix(ONES * LONG), "is not a finite number"),
    "long points": (lambda: wt.TSP.from_points(np.ones((4, 2)) * LONG), "is not a finite number"),
    "long demands": (lambda: wt.VRP.from_matrix(ONES, demands=np.ones(4) * LONG, capacity=1), "has the demand inf"),
    "long durations": (lambda: wt.TSP.from_matrix(ONES, durations=ONES * LONG), "it is inf, not a number"),
    "long services": (lambda: with_speed(service_minutes=np.ones(4) * LONG), "has the service time inf"),
    "long places": (lambda: wt.TSP.from_matrix(ONES, display=np.ones((4, 2)) * LONG), "finite numbers"),
    "huge integers as points": (lambda: wt.TSP.from_points([[10**400, 0], [1, 1]]), "points are numbers"),
    "huge integers as places": (lambda: wt.TSP.from_matrix(ONES, display=[[10**400, 0]] * 4), "draw are numbers"),
    "places in ragged rows": (lambda: wt.TSP.from_matrix(ONES, display=[[1], [1, 2]]), "places to draw are numbers"),
    "infinite places": (lambda: wt.TSP.from_matrix(ONES, display=np.full((4, 2), np.inf)), "finite numbers"),
    "durations that overflow": (lambda: wt.TSP.from_matrix(ONES, durations=ONES * 1e308), r"at most 2\*\*32"),
    "services that overflow": (lambda: with_speed(service_minutes=1e308), "has the service time inf"),
    "long services of a century": (lambda: with_speed(service_minutes=np.ones(4) * 1e9), r"takes 6e\+10 s"),
    "no speed": (lambda: with_speed(speed=5e-324), "it must be above 0"),
    "an empty matrix": (lambda: wt.TSP.from_matrix(np.ones((0, 0)), unit="km", speed=1, service_minutes=5), "square"),
    "no points": (lambda: wt.TSP.from_points(np.ones((0, 2)), unit="km", speed=1, service_minutes=5), "n at least 1"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_numbers_beyond_their_range_are_refused(what: str) -> None:
    build, fault = REFUSED[what]
    with pytest.raises(wt.InputError, match=fault):
        build()


@pytest.mark.parametrize("scale", [0.0, 5e-324, 1e-308, 1e-300, 2.0**51])
@pytest.mark.parametrize("strategy", ["descent", "ils", "hill", "vns"])
def test_distances_at_the_ends_of_their_range_are_searched(strategy: str, scale: float) -> None:
    table = np.random.default_rng(1).random((20, 20))
    problem = wt.TSP.from_matrix((table + table.T) * scale)
    result = wt.solve(problem, strategy, iterations=5, threads=2)
    assert result.feasible and np.isfinite(result.cost)


def test_long_durations_add_up() -> None:
    problem = wt.TSP.from_matrix(ONES, durations=ONES * 2.0**32, depart="08:00")
    assert wt.solve(problem).trips[0].duration == 2.0**34
