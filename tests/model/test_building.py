"""Problems from arrays, with travel times, and the times of their visits."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from warptour.model.itinerary import itinerary, time_text

PLACES = [[52.5, 13.25], [52.5, 13.5], [52.25, 13.5]]
ROADS = [[0, 20, 50], [20, 0, 30], [50, 30, 0]]
SECONDS = [[0, 1800, 3000], [1500, 0, 2000], [2900, 2100, 0]]


def test_vehicles_from_points() -> None:
    problem = wt.VRP.from_points(
        PLACES, latlon=True, demands=[0, 2, 3], capacity=5, labels=["Lager", "Müller", "Weiß"],
        speed=36, service_minutes=[0, 5, 10], max_hours=8, depart="08:30", vehicles=2,
    )  # fmt: skip
    assert problem.unit == "m" and problem.labels == ("Lager", "Müller", "Weiß") and problem.vehicles == 2
    assert problem.max_duration == 8 * 3600 and problem.clock is not None
    assert problem.clock.services.tolist() == [0, 300, 600] and problem.clock.depart == 8.5 * 3600
    (trip,) = itinerary(problem, [np.array([1, 2])])
    assert trip.times is not None and trip.duration == pytest.approx(trip.length / 10 + 900)
    assert trip.times.arrivals[0] == 8.5 * 3600 == trip.times.departures[0]
    np.testing.assert_allclose(trip.times.departures - trip.times.arrivals, [0, 300, 600, 0])
    np.testing.assert_allclose(np.diff(trip.times.arrivals)[1], 300 + trip.times.travel[2])
    assert problem.used(problem.limits[0], np.array([1, 2])) * problem.clock.pace == pytest.approx(trip.duration)


def test_vehicles_from_a_matrix() -> None:
    problem = wt.VRP.from_matrix(
        ROADS, durations=SECONDS, demands=[0, 2, 3], capacity=5,
        unit="km", service_minutes=10, display=PLACES, latlon=True,
    )  # fmt: skip
    assert problem.matrix is not None and problem.matrix.dtype == np.int64 and problem.on_earth
    (trip,) = itinerary(problem, [np.array([2, 1])])
    assert trip.length == 100 and trip.times is not None
    assert trip.times.travel.tolist() == [0, 3000, 2100, 1500]
    assert trip.times.arrivals.tolist() == [0, 3000, 5700, 7800] and trip.duration == 7800
    assert time_text(problem, 5700) == "1:35 h"


def test_tours_with_times() -> None:
    tour = wt.TSP.from_matrix(ROADS, durations=SECONDS, minimize="duration", service_minutes=1, depart="23:00")
    assert tour.minimizes == "duration" and tour.cost(np.array([0, 1, 2])) == 1800 + 2000 + 2900
    (trip,) = itinerary(tour, np.array([0, 1, 2]))
    assert trip.length == 100 and trip.duration == 6700 + 120
    assert time_text(tour, float(trip.times.arrivals[-1])) == "00:54 +1"  # type: ignore[union-attr]
    path = wt.TSP.from_points(PLACES, latlon=True, open=True, speed=50, service_minutes=[1, 2, 3])
    (trip,) = itinerary(path, np.array([0, 1, 2]))
    assert trip.duration == pytest.approx(trip.length / 50_000 * 3600 + 360), "the first and the last stop count"
    space = wt.TSP.from_points(np.arange(12).reshape(4, 3))
    assert space.metric.name == "EUCLIDEAN_3D" and space.clock is None


def test_durations_are_minimised_in_the_plane() -> None:
    problem = wt.VRP.from_points(
        [[0, 0], [3, 4], [3, 0]], unit="km", durations=np.array(SECONDS) + np.transpose(SECONDS),
        minimize="duration", demands=[0, 1, 1], capacity=2, max_distance=12,
    )  # fmt: skip
    assert problem.display is not None and problem.display.tolist()[1] == [3, 4] and not problem.on_earth
    assert problem.road_lengths(np.array([0]), np.array([1])).tolist() == [5]
    assert problem.check([np.array([1, 2])]).feasible and problem.cost([np.array([1, 2])]) == 3300 + 4100 + 5900


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"speed": 50, "durations": SECONDS}, "contradict"),
        ({"speed": 50}, "they have none"),
        ({"speed": 50, "unit": "hours"}, "they are in hours"),
        ({"durations": [[0, 1], [1, 0]]}, r"durations of 3 nodes are numbers of shape \(3, 3\)"),
        ({"durations": SECONDS, "service_minutes": [1, 2]}, "2 service times for 3 nodes"),
        ({"durations": SECONDS, "service_minutes": "5"}, "service times are numbers"),
        ({"durations": SECONDS, "service_minutes": 5, "depot": 7}, "depot is 7"),
        ({"durations": SECONDS, "service_minutes": -1}, "at least 0"),
        ({"durations": SECONDS, "minimize": "both"}, "distance, duration"),
        ({"durations": SECONDS, "max_hours": 0}, "above 0"),
        ({"max_hours": 3}, "needs travel times"),
        ({"durations": SECONDS, "depart": "noon"}, "no time of day"),
        ({"labels": ["a"]}, "1 labels for 3 nodes"),
    ],
)
def test_what_does_not_fit(options: dict[str, object], fault: str) -> None:
    with pytest.raises(wt.WarptourError, match=fault):
        wt.VRP.from_matrix(ROADS, demands=[0, 1, 1], capacity=2, **options)  # type: ignore[arg-type]


def test_points_that_do_not_fit() -> None:
    with pytest.raises(wt.WarptourError, match="give one of latlon and metric"):
        wt.TSP.from_points(PLACES, latlon=True, metric="EUC_2D")
    with pytest.raises(wt.WarptourError, match="unknown metric 'EXPLICIT' for points"):
        wt.TSP.from_points(PLACES, metric="EXPLICIT")
    with pytest.raises(wt.WarptourError, match="GREAT_CIRCLE measures in m, not in km"):
        wt.TSP("t", wt.METRICS["GREAT_CIRCLE"], np.array(PLACES), unit="km")
    with pytest.raises(wt.WarptourError, match="GREAT_CIRCLE measures in m, not in km"):
        wt.TSP.from_points(PLACES, latlon=True, unit="km")
    with pytest.raises(wt.WarptourError, match="square"):
        wt.TSP.from_matrix(5)
    with pytest.warns(wt.InputWarning, match="at one speed"):
        wt.TSP.from_points(PLACES, latlon=True, speed=50, minimize="duration")


LINE = [[0, 0], [1, 0], [2, 0]]
FLEET = {"demands": [0, 1, 1], "capacity": 5}


def test_windows_are_texts_or_numbers() -> None:
    problem = wt.VRP.from_points(
        LINE, **FLEET, unit="km", speed=30, depart="07:30", shift="07:00-17:00", open=True, hour_cost=3, late_cost=2,
        max_wait_minutes=30, windows=[None, "08:00-12:00, 14:00-18:00", (32400, "10:00")],
    )  # fmt: skip
    assert problem.windows is not None and problem.open and (problem.hour_cost, problem.late_cost) == (3, 2)
    texts = [problem.windows.text(node, True) for node in range(3)]
    assert texts == ["07:00-17:00", "08:00-12:00, 14:00-18:00", "09:00-10:00"] and problem.max_wait == 1800
    (day,) = problem.days([np.array([1, 2])])
    assert (problem.clock.pace * day.starts / 3600).tolist() == pytest.approx([8 + 14 / 15, 8 + 29 / 30, 9])


def test_windows_without_travel_times_have_the_unit_of_the_distances() -> None:
    problem = wt.VRP.from_matrix(
        [[0, 1, 2], [1, 0, 1], [2, 1, 0]], **FLEET, windows=np.array([[0, 9], [1, 2], [3, 4]]), shift="0-6",
        max_wait_minutes=1,
    )  # fmt: skip
    assert problem.windows.of_node(0) == [(0, 6)] and problem.max_wait == 1
    assert problem.check([np.array([1, 2])]).feasible and not problem.check([np.array([2, 1])]).feasible


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"windows": ["x", None, None]}, "the window of node 1: 'x' is no window; write it as"),
        ({"windows": [None, None]}, "one entry for each of the 3 nodes"),
        ({"windows": [None, "9-5", None]}, "the window of node 2 ends at 05:00, before it begins at 09:00; is"),
        ({"windows": [3, 4, 5]}, "an opening and a closing, not 3"),
        ({"windows": [None, [], None]}, "node 2 has no window"),
        ({"shift": "8-12, 14-15"}, "has 2 windows; it is one"),
        (
            {"windows": ["9-10", None, None], "shift": "11-12"},
            "the shift 11:00-12:00 is outside the depot's hours, 09:00-10:00",
        ),
        ({"late_cost": 3}, "a cost of lateness and a limit on waits need time windows"),
        ({"shift": "8-12", "max_wait_minutes": "x"}, "the longest wait is x"),
        ({"hour_cost": -1}, "the cost of an hour is -1"),
    ],
)
def test_windows_that_make_no_sense_are_named(options: dict[str, object], fault: str) -> None:
    with pytest.raises((wt.InputError, wt.UsageError), match=fault):
        wt.VRP.from_points(LINE, **FLEET, unit="km", speed=30, **options)
