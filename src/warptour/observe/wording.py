"""Solutions in words: lengths and durations with their units, routes in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from warptour.model.balance import evenness
from warptour.model.clock import format_duration
from warptour.model.itinerary import Trip, amount_text, by_the_clock, has_windows, is_told, itinerary, time_text
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.progress import format_cost

METRES: Final = 1000
LONG_UNITS: Final = ("km", "miles")
"""Units of distance that are shown with two decimals."""


def format_length(problem: TSP | VRP, length: float) -> str:
    """Return a distance with its unit where that is known, metres beyond a thousand in kilometres."""
    unit = problem.unit
    if unit == "m" and abs(length) >= METRES:
        return f"{length / METRES:,.2f} km"
    if unit in LONG_UNITS and length != int(length):
        return f"{length:,.2f} {unit}"
    return f"{format_cost(length)} {unit}" if unit else format_cost(length)


def cost_text(problem: TSP | VRP, cost: float) -> str:
    """Return a cost for people: a length, or hours and minutes where durations are minimised."""
    return format_duration(cost) if problem.minimizes == "duration" else format_length(problem, cost)


def exact_cost(problem: TSP | VRP | None, cost: float) -> str:
    """Return a cost in full, with its unit where it has one."""
    if problem is None:
        return format_cost(cost)
    unit = "s" if problem.minimizes == "duration" else problem.unit
    mixed = isinstance(problem, VRP) and (
        problem.fixed_cost != 0
        or problem.fleet is not None
        or problem.prizes is not None
        or (problem.schedule is not None and problem.schedule.priced)
    )
    return format_cost(cost) if unit is None or mixed else f"{format_cost(cost)} {unit}"


def trip_text(problem: TSP | VRP, trip: Trip) -> str:
    """Return a trip's length and, by the clock, its duration and when it ends: ``24.30 km, 6:15 h, back at 14:15``."""
    words = [format_length(problem, trip.length)]
    if trip.times is not None and trip.duration is not None:
        words.append(_duration_text(problem, trip.duration))
        start, end = (time_text(problem, time) for time in (float(trip.times.arrivals[0]), trip.end or 0.0))
        if has_windows(problem):
            words += [f"waits {amount_text(problem, trip.wait)}"] if is_told(problem, trip.wait) else []
            words.append(f"leaves at {start}")
        on_route = [each for each in trip.times.breaks if 0 <= each.after <= len(trip.nodes[trip.stops])]
        words += [f"break at {time_text(problem, each.start)}" for each in on_route]
        if by_the_clock(problem) or has_windows(problem):
            words.append(f"{_arrival_word(problem, trip)} at {end}")
    return ", ".join(words)


def _arrival_word(problem: TSP | VRP, trip: Trip) -> str:
    return "back" if trip.returns else "done" if isinstance(problem, VRP) else "there"


def _duration_text(problem: TSP | VRP, duration: float) -> str:
    return f"{'time ' if problem.clock is None else ''}{amount_text(problem, duration)}"


def total_text(problem: TSP | VRP, trips: Sequence[Trip]) -> str:
    """Return the length and, by the clock, the duration of all trips together, and when the last of them ends."""
    if len(trips) == 1:
        return trip_text(problem, trips[0])
    words = [format_length(problem, sum(trip.length for trip in trips))]
    ends = [trip.end for trip in trips if trip.end is not None]
    if ends:
        words.append(_duration_text(problem, sum(trip.duration or 0.0 for trip in trips)))
        if by_the_clock(problem) or has_windows(problem):
            words.append(f"all {_arrival_word(problem, trips[0])} at {time_text(problem, max(ends))}")
    return ", ".join(words)


def route_text(problem: VRP, trip: Trip) -> str:
    """Return a route in a line: its stops, load, length and time."""
    load = trip.load
    reloads = int(problem.reloads[trip.nodes[trip.stops]].sum())
    count = len(trip.nodes[trip.stops]) - reloads
    stops = f"{count} stop{'s' if count != 1 else ''}{f' on {reloads + 1} trips' if reloads else ''}"
    vehicle = "" if trip.vehicle is None else f"{trip.vehicle}, "
    most = capacity_of(problem, trip)
    loaded = f"load {load:g}{f' of {most:g}' if isfinite(most) else ''}, " if problem.demands.any() else ""
    return f"{vehicle}{stops}, {loaded}{trip_text(problem, trip)}"


def evenness_text(problem: VRP, routes: Routes) -> str | None:
    """Return how even routes are: the largest, the smallest and the mean; None if that is not asked for."""
    even = evenness(problem, routes)
    if even is None:
        return None

    def amount(value: float) -> str:
        if even.of == "hours":
            return amount_text(problem, value)
        return format_length(problem, value) if even.of == "distance" else f"{value:g} {even.of}"

    return f"largest {amount(even.largest)}, smallest {amount(even.smallest)}, mean {amount(even.mean)}"


def capacity_of(problem: VRP, trip: Trip) -> float:
    """Return what the vehicle of a trip carries."""
    return problem.capacity if problem.fleet is None else problem.type_of(trip.number - 1).capacities[0]


def route_label(problem: VRP, trip: Trip) -> str:
    """Return a route for a legend."""
    return f"route {trip.number}: {route_text(problem, trip)}"


def title_of(problem: TSP | VRP, solution: Nodes | Routes) -> str:
    """Return a title: the name of the problem, its cost or, by the clock, its length and hours, and its size."""
    what = f"{problem.n:,} cities" if isinstance(problem, TSP) else f"{problem.n - len(problem.depots):,} customers"
    if problem.clock is not None:
        return f"{problem.name}: {total_text(problem, itinerary(problem, solution))}, {what}"
    cost = problem.cost(solution)  # type: ignore[arg-type]
    return f"{problem.name}: {cost_text(problem, cost)}, {what}"
