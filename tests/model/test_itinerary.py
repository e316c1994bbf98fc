"""Solutions stop by stop with time windows and without return."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from warptour.model.itinerary import amount_text, itinerary, time_text

LINE = wt.VRP.from_points(
    [[0, 0], [10, 0], [20, 0]], demands=[0, 1, 1], capacity=5, unit="km", speed=30, service_minutes=10,
    shift="07:00-17:00", windows=[None, "08:00-12:00", "11:00-11:30"],
)  # fmt: skip
ROUTE = [np.array([1, 2])]


def minutes(values: np.ndarray) -> list[float]:
    return np.round(values / 60, 6).tolist()


def test_a_vehicle_leaves_as_late_as_it_may() -> None:
    (trip,) = itinerary(LINE, ROUTE)
    assert trip.times is not None and trip.nodes.tolist() == [0, 1, 2, 0]
    assert minutes(trip.times.arrivals) == [610, 630, 660, 710] and minutes(trip.times.departures) == [
        610,
        640,
        670,
        710,
    ]
    assert minutes(trip.times.travel) == [0, 20, 20, 40] and not trip.times.waits.any() and not trip.times.late.any()
    assert minutes(trip.times.slack) == [30, 30, 30, 310] and (trip.duration, trip.wait) == pytest.approx((6000, 0))
    assert time_text(LINE, trip.end or 0) == "11:50"


def test_waits_and_starts() -> None:
    early = replace(LINE, windows=LINE.windows.on(np.arange(3)).within(1, 0, 9 * 3600))
    (trip,) = itinerary(early, ROUTE)
    assert trip.times is not None and minutes(trip.times.waits) == [0, 0, 90, 0] and trip.wait == pytest.approx(5400)
    assert minutes(trip.times.arrivals) == [520, 540, 570, 710] and minutes(trip.times.starts)[2] == 660


def test_lateness_is_told() -> None:
    late = replace(LINE, late_cost=60.0)
    (trip,) = itinerary(late, [np.array([2, 1])])
    assert trip.times is not None and minutes(trip.times.late) == [0, 0, 0, 0]
    (trip,) = itinerary(replace(late, windows=LINE.windows.within(1, 0, 9 * 3600)), [np.array([2, 1])])
    assert trip.times is not None and minutes(trip.times.late) == [0, 0, 150, 0]
    assert minutes(trip.times.starts)[:3] == [620, 660, 690]


def test_open_routes_end_at_their_last_customer() -> None:
    first, second = itinerary(replace(LINE, open=True), [np.array([2]), np.array([1])])
    assert first.nodes.tolist() == [0, 2] and first.legs.tolist() == [0, 20] and not first.returns
    assert first.nodes[first.stops].tolist() == [2] and second.length == 10
    assert first.end == pytest.approx(11 * 3600 + 600)
    plain = wt.VRP.from_points([[0, 0], [10, 0]], demands=[0, 1], capacity=5, unit="km", speed=30, open=True)
    (trip,) = itinerary(plain, [np.array([1])])
    assert trip.nodes.tolist() == [0, 1] and (trip.duration, trip.end) == pytest.approx((1200, 1200))


def test_times_without_a_clock_are_numbers() -> None:
    problem = wt.VRP.from_matrix(
        [[0, 2, 9], [2, 0, 3], [9, 3, 0]], demands=[0, 1, 1], capacity=2, windows=[(0, 50), (4, 9), (10, 20)],
        service_times=[0, 1, 1],
    )  # fmt: skip
    (trip,) = itinerary(problem, ROUTE)
    assert trip.times is not None and trip.times.arrivals.tolist() == [4, 6, 10, 20] and trip.duration == 16
    assert trip.times.slack.tolist() == [3, 3, 10, 30]
    assert (time_text(problem, 12.5), amount_text(problem, 3.0)) == ("12.5", "3")


def test_a_cost_of_hours_alone_leaves_times_as_they_were() -> None:
    priced = wt.VRP.from_points([[0, 0], [10, 0]], demands=[0, 1], capacity=5, unit="km", speed=30, hour_cost=30)
    (trip,) = itinerary(priced, [np.array([1])])
    assert trip.times is not None and trip.times.arrivals.tolist() == pytest.approx([0, 1200, 2400])
    assert time_text(priced, 1200.0) == "0:20 h" and priced.cost([np.array([1])]) == pytest.approx(20 + 20)


def test_of_days_that_are_as_short_the_earliest_is_taken() -> None:
    """Several windows are tried in turn, whose durations differ by rounding."""
    problem = wt.VRP.from_points(
        [[52.5, 13.4], [52.51, 13.41], [52.5, 13.42]], latlon=True, demands=[0, 1, 2], capacity=5, speed=30,
        windows=[None, "13:00-18:00", "8-12, 14-18"],
    )  # fmt: skip
    (trip,) = itinerary(problem, ROUTE)
    assert trip.times is not None and time_text(problem, float(trip.times.starts[2])) == "14:00"
