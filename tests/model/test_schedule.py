"""Times of routes are those that a judge finds who looks at all departures and all starts."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from timed_problems import judged, judged_cost, timed_problem
from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows


@pytest.mark.parametrize("seed", range(60))
def test_routes_are_kept_late_and_long_as_the_judge_says(seed: int) -> None:
    problem = timed_problem(seed, 3)
    schedule = problem.schedule
    assert schedule is not None
    for size in (1, 2, 3):
        for route in permutations((1, 2, 3), size):
            (day,) = problem.days([np.array(route)])
            truth = judged(problem, route)
            careful = problem.max_wait is not None and schedule.windows.several
            if truth is None or not careful:  # where both are given, some feasible routes are not found
                assert schedule.is_kept_by(day) == (truth is not None)
            if truth is not None and schedule.is_kept_by(day):
                assert day.late.sum() == pytest.approx(truth[0])
                assert day.duration >= truth[1] - 1e-9
                assert careful or day.duration == pytest.approx(truth[1])


def line(**options: object) -> VRP:
    """Return three customers on a line, 10 apart, each served in 1."""
    points = np.array([[0.0, 0], [10, 0], [20, 0], [30, 0]])
    demands, services = np.array([0, 1, 1, 1]), np.array([0.0, 1, 1, 1])
    return VRP("line", METRICS["EUCLIDEAN"], points, demands=demands, capacity=3, service_times=services, **options)


def test_a_vehicle_leaves_as_late_as_it_can_and_waits_where_it_must() -> None:
    problem = line(windows=TimeWindows.of([None, (15, 20), [(5, 10), (40, 50)], None], 4))
    (day,) = problem.days([np.array([1, 2, 3])])
    assert day.starts.tolist() == [10, 20, 40, 51, 82]
    assert day.waits.tolist() == [0, 0, 9, 0, 0]
    assert day.duration == 72
    assert day.slack.tolist() == [0, 0, 10, np.inf, np.inf]


def test_the_check_names_who_is_late_who_waits_and_who_is_out_too_long() -> None:
    problem = line(windows=TimeWindows.of([(0, 60), (15, 20), (40, 50), None], 4), max_duration=70.0, max_wait=5.0)
    assert problem.check([np.array([1, 2, 3])]).violations == (
        "route 1 waits 9 at customer 3, above 5",
        "route 1 is back at the depot 22 late; its hours are 0-60",
        "route 1 takes 72, waits and services included, above 70",
    )


def test_an_open_route_costs_nothing_behind_its_last_customer() -> None:
    route = [np.array([1, 2, 3])]
    assert line(open=True).cost(route) == 30
    assert line(open=True, hour_cost=2.0, windows=TimeWindows.always(4)).cost(route) == 30 + 2 * 33
    assert line().cost(route) == 60
    assert not line(open=True, max_distance=30 + 3.0).check(route).violations
    assert line(open=True, max_distance=30 + 2.9).check(route).violations


def test_a_part_keeps_the_times_of_its_nodes() -> None:
    problem = line(windows=TimeWindows.of([None, (15, 20), [(5, 10), (40, 50)], None], 4), late_cost=3.0, hour_cost=1.0)
    part = problem.part(np.array([0, 2, 1]))
    for route in ([1], [2], [1, 2], [2, 1]):
        same = [{1: 2, 2: 1}[node] for node in route]
        assert part.cost([np.array(route)]) == problem.cost([np.array(same)]) == judged_cost(problem, same)


@pytest.mark.parametrize(
    ("windows", "message"),
    [
        ([None, (8, 3), None], "node 2 has a window that ends at 3, before it begins at 8"),
        ([None, None], "windows of 2 nodes for 3: each has an opening and a closing, or None"),
        ([None, "ab", None], "node 2 has the window 'a'; a window is an opening and a closing"),
        ([None, (1, 2, 3), None], "node 2 has the window 1; a window is an opening and a closing"),
        ([None, (-1, 2), None], "node 2 has the window (-1, 2); its ends are numbers of at least 0"),
        ([None, (float("nan"), 2), None], "node 2 has the window (nan, 2); its ends are numbers of at least 0"),
        ([None, [], None], "node 2 has no window; None says that service may begin at any time"),
        (7, "windows of 0 nodes for 3: each has an opening and a closing, or None"),
    ],
)
def test_windows_that_are_none_are_refused(windows: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        TimeWindows.of(windows, 3)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_windows_that_touch_are_one_and_keep_their_order() -> None:
    windows = TimeWindows.of([[(9, 12), (1, 2), (2, 4)], np.array([3.0, 5.0]), (2, None)], 3)
    assert list(windows) == [[(1, 4), (9, 12)], [(3, 5)], [(2, np.inf)]]
    assert windows.next_start(0, 5) == 9
    assert windows.last_start(0, 8) == 4
    assert list(windows.on(np.array([2, 0]))) == [[(2, np.inf)], [(1, 4), (9, 12)]]
    assert windows.text(0, clock=False) == "1-4, 9-12"
    assert TimeWindows.of([(8 * 3600, None)], 1).text(0, clock=True) == "08:00-"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"late_cost": 1.0}, "a cost of lateness and a limit on waits need time windows"),
        ({"hour_cost": 1.0}, "a cost of hours needs travel times: a speed, or a matrix of durations"),
        (
            {"windows": TimeWindows.always(4), "late_cost": -1.0},
            "the cost of an hour late is -1.0; it must be a number of",
        ),
        ({"windows": TimeWindows.always(3)}, "windows of 3 nodes for 4"),
    ],
)
def test_times_that_make_no_sense_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        line(**options)


def test_a_shift_outside_the_hours_of_the_depot_is_refused() -> None:
    with pytest.raises(InputError, match="the shift 18:00-20:00 is outside the depot's hours, "):
        TimeWindows.of([(28800, 61200), None], 2).within(0, 64800, 72000)


def test_fewer_routes_can_come_first() -> None:
    assert replace(line(), fewest=True).fewest
