"""The form in which vehicles are searched: without customers who may be left out for nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from warptour.model.searched import SearchedForm
from warptour.model.vehicles import VRP


def with_an_impossible_stop(n: int) -> VRP:
    rng = np.random.default_rng(4)
    demands = np.concatenate(([0], rng.integers(1, 9, n - 1)))
    demands[3] = 99
    return VRP.from_points(rng.integers(0, 100, (n, 2)), demands=demands, capacity=30, depot=0)


def test_impossible_stops_leave_a_plain_problem() -> None:
    problem, lost = wt.servable(with_an_impossible_stop(20))
    form = SearchedForm(problem)
    assert [each.node for each in lost] == [3] and problem.mixed
    assert form.problem.n == 19 and not form.problem.mixed
    routes = [np.array([1, 2, 4], np.int32), np.array([19, 5], np.int32)]
    entered = form.enter(routes)
    assert [route.tolist() for route in entered] == [[1, 2, 3], [18, 4]]
    left = form.leave(entered)
    assert left is not None and [route.tolist() for route in left] == [[1, 2, 4], [19, 5]]
    assert form.problem.cost(entered) == problem.cost(routes)
    assert [route.tolist() for route in form.enter([np.array([3, 4], np.int32)])] == [[3]]


def test_what_counts_stays() -> None:
    problem = with_an_impossible_stop(8)
    for prizes in (np.array([0.0, 0, 5, 0, 0, 0, 0, 0]), np.zeros(8)):
        given = replace(problem, prizes=prizes)
        assert SearchedForm(given).problem is given
    assert SearchedForm(problem).problem is problem


def test_a_plan_without_an_impossible_stop_is_as_good_as_one_without_its_row() -> None:
    problem, _ = wt.servable(with_an_impossible_stop(10))
    kept = np.array([0, 1, 2, *range(4, 10)], np.int32)
    found = wt.solve(problem, seconds=1, threads=1)
    assert found.feasible and not problem.check(found.routes).violations
    assert found.cost == pytest.approx(wt.solve(problem.part(kept, prizes=None), seconds=1, threads=1).cost)
    assert [each.node for each in found.unserved] == [3]
