"""Times of visits as columns of a spreadsheet."""

from __future__ import annotations

from warptour.io.workbook import Value
from warptour.model.clock import MINUTE
from warptour.model.itinerary import Trip, time_text
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def time_headers(problem: TSP | VRP) -> list[str]:
    """Return the headers of the columns that :func:`time_columns` returns; none without a clock.

    Without a departure, times are hours and minutes from the start.
    """
    if problem.clock is None:
        return []
    suffix = " (h:min)" if problem.clock.depart is None else ""
    return ["duration (min)", f"arrival{suffix}", f"departure{suffix}"]


def time_columns(problem: TSP | VRP, trip: Trip) -> list[list[Value]]:
    """Return the minutes from the stop before, the arrivals, and the departures but at the end of a trip."""
    times = trip.times
    if times is None:
        return []
    minutes: list[Value] = [round(seconds / MINUTE, 1) for seconds in times.travel.tolist()]
    arrivals: list[Value] = [_cell(problem, seconds) for seconds in times.arrivals.tolist()]
    departures: list[Value] = [_cell(problem, seconds) for seconds in times.departures.tolist()]
    if trip.returns:
        departures[-1] = ""
    return [minutes, arrivals, departures]


def _cell(problem: TSP | VRP, seconds: float) -> str:
    return time_text(problem, seconds).removesuffix(" h")
