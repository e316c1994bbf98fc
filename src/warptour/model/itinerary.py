"""A solution stop by stop: the order, the distance, the time and the load at every visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import MINUTE, format_duration, format_time
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.schedule import Day
from warptour.model.traffic import Traffic
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class Times:
    """Times of visits, in seconds; without a clock, in the unit of the distances.

    Attributes
    ----------
    travel : array of float64
        Travel time from the stop before; 0 at the start.
    arrivals, departures : array of float64
        After midnight, or from the start where there are neither windows nor a departure.
    waits : array of float64
        Time between arrival and start of service.
    slack : array of float64
        How much later the service may begin without another stop becoming late or later than it is; infinite where
        nothing ends it.
    late : array of float64
        How far the start of service is behind the last closing.
    """

    travel: Floats
    arrivals: Floats
    departures: Floats
    waits: Floats
    slack: Floats
    late: Floats

    @property
    def starts(self) -> Floats:
        """Starts of service."""
        return self.arrivals + self.waits


@dataclass(frozen=True)
class Trip:
    """The visits of one vehicle, from its start until it is back; of an open path, to its last city.

    Attributes
    ----------
    number : int
        Number of the route, from 1.
    nodes : array of int
        Nodes in the order of their visits: from the depot to the depot, or from a tour's first city to that city; an
        open route ends at its last customer.
    orders : array of int
        Number of each visit: from 0 at the depot, from 1 in a tour.
    legs : array
        Distance from the stop before; 0 at the start.
    distances : array
        Distance from the start.
    loads : array or None
        Demand of all visits so far, for vehicles.
    times : Times or None
        None for a problem without travel times and windows.
    """

    number: int
    nodes: NDArray[np.int64]
    orders: NDArray[np.int64]
    legs: NDArray[Any]
    distances: NDArray[Any]
    loads: NDArray[Any] | None
    times: Times | None = None

    @property
    def length(self) -> int | float:
        """Distance from the start to the end."""
        return self.distances[-1].item()  # type: ignore[no-any-return]

    @property
    def duration(self) -> float | None:
        """Time from the start to the end, services included."""
        return None if self.times is None else float(self.times.departures[-1] - self.times.arrivals[0])

    @property
    def end(self) -> float | None:
        """When a vehicle is back or leaves its last stop, and when a path reaches its last city."""
        if self.times is None:
            return None
        return float((self.times.arrivals if self.loads is None else self.times.departures)[-1])

    @property
    def wait(self) -> float:
        """How long the vehicle waits on its way."""
        return 0.0 if self.times is None else float(self.times.waits.sum())

    @property
    def stops(self) -> slice:
        """Which visits are stops, without the depot and the return of a tour."""
        return slice(0 if self.loads is None else 1, len(self.nodes) - (1 if self.returns else 0))

    @property
    def returns(self) -> bool:
        """Whether the last visit is the first place again."""
        return len(self.nodes) > 1 and bool(self.nodes[0] == self.nodes[-1])


def itinerary(problem: TSP | VRP, solution: Nodes | Sequence[Nodes]) -> list[Trip]:
    """Return the trips of a tour or of routes; empty routes are left out."""
    if not isinstance(problem, VRP):
        tour: list[int] = np.asarray(solution).tolist()
        if not problem.open and len(tour) > 1:
            tour.append(tour[0])
        return _trips(problem, np.array(tour, np.int64), [0, len(tour) - 1])
    used: list[Nodes] = [np.asarray(route, np.int32) for route in solution if len(route)]
    ends = np.cumsum([0, *(len(route) + 1 for route in used)]).tolist()
    trips = _trips(problem, problem.giant_tour(used).astype(np.int64), ends)
    if problem.schedule is None or not trips:
        return trips
    return [replace(trip, times=_day(problem, trip, day)) for trip, day in zip(trips, problem.days(used), strict=True)]


def _trips(problem: TSP | VRP, nodes: NDArray[np.int64], ends: list[int]) -> list[Trip]:
    """Return the trips between consecutive ``ends``, which are places in ``nodes``."""
    legs = problem.road_lengths(nodes[:-1], nodes[1:])
    travel = None if problem.clock is None else problem.durations(nodes[:-1], nodes[1:])
    unreturned = 1 if isinstance(problem, VRP) and problem.open else 0
    trips = []
    for number, (begin, end) in enumerate(pairwise(ends), 1):
        end -= unreturned
        visits, own = nodes[begin : end + 1], _after_zero(legs[begin:end])
        loads = problem.demands[visits].cumsum() if isinstance(problem, VRP) else None
        orders = np.arange(len(visits)) + (loads is None)
        trip = Trip(number, visits, orders, own, own.cumsum(), loads)
        if travel is not None:
            trip = replace(trip, times=_times(problem, trip, _after_zero(travel[begin:end])))
        trips.append(trip)
    return trips


def _times(problem: TSP | VRP, trip: Trip, travel: NDArray[np.float64]) -> Times:
    """Return the times of a trip that begins when vehicles depart, and never waits."""
    clock = problem.clock
    assert clock is not None
    services = clock.services[trip.nodes].copy()
    if isinstance(problem, VRP):
        services[trip.nodes == problem.depot] = 0.0
    elif trip.returns:
        services[-1] = 0.0
    if clock.traffic is not None:
        travel = _in_traffic(clock.traffic, trip.nodes.tolist(), services.tolist(), clock.depart or 0.0)
    departures = (clock.depart or 0.0) + np.cumsum(travel) + np.cumsum(services)
    nothing = np.zeros(len(travel))
    return Times(travel, departures - services, departures, nothing, np.full(len(travel), np.inf), nothing)


def _in_traffic(traffic: Traffic, nodes: list[int], services: list[float], depart: float) -> Floats:
    """Return the travel time from the stop before, 0 at the start, of a trip that never waits."""
    travel, leaves = [0.0], depart + services[0]
    for (a, b), service in zip(pairwise(nodes), services[1:], strict=True):
        arrives = traffic.arrival(a, b, leaves)
        travel.append(arrives - leaves)
        leaves = arrives + service
    return np.array(travel)


def _day(problem: VRP, trip: Trip, day: Day) -> Times:
    """Return the times of a trip by the schedule of its problem."""
    schedule = problem.schedule
    assert schedule is not None
    travel = _after_zero(np.diff(day.arrivals) - (day.departures - day.arrivals)[:-1])
    of = (travel, day.arrivals, day.departures, day.waits, day.slack, day.late)
    return Times(*(values * schedule.pace for values in of))


def _after_zero(values: NDArray[Any]) -> NDArray[Any]:
    """Return ``values`` behind a 0; np.insert takes ten times as long."""
    longer = np.zeros(len(values) + 1, values.dtype)
    longer[1:] = values
    return longer


def by_the_clock(problem: TSP | VRP) -> bool:
    """Return whether arrivals are times of day, and not counted from the start."""
    return problem.clock is not None and (problem.clock.depart is not None or has_windows(problem))


def has_windows(problem: TSP | VRP) -> bool:
    """Return whether vehicles may have to wait, and how late a stop may be served matters."""
    return isinstance(problem, VRP) and problem.windows is not None


def time_text(problem: TSP | VRP, time: float) -> str:
    """Return an arrival or departure for people: a time of day, or hours and minutes from the start.

    Without a clock, it is a number.
    """
    if problem.clock is None:
        return f"{round(time, 6):.6g}"
    return format_time(time) if by_the_clock(problem) else format_duration(time)


def amount_text(problem: TSP | VRP, amount: float) -> str:
    """Return an amount of time for people: hours and minutes, or without a clock a number."""
    return f"{round(amount, 6):.6g}" if problem.clock is None else format_duration(amount)


def is_told(problem: TSP | VRP, amount: float) -> bool:
    """Return whether an amount of time is more than nothing as people are told it: half a minute by the clock."""
    return amount >= (MINUTE / 2 if problem.clock is not None else 1e-6)
