"""A solution stop by stop: the order, the distance, the time and the load at every visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import MINUTE, format_duration, format_time
from warptour.model.frozen import ComparedByValue
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.rests import Taken
from warptour.model.schedule import Day
from warptour.model.traffic import Traffic
from warptour.model.vehicles import VRP


@dataclass(frozen=True, eq=False)
class Times(ComparedByValue):
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
    breaks : tuple of Taken
        The driver's breaks.
    rides : array of float64 or None
        Time from the end of the pickup of what each visit receives to the start of its service; nan where it is not
        the delivery of a shipment, None where there are no shipments.
    """

    travel: Floats
    arrivals: Floats
    departures: Floats
    waits: Floats
    slack: Floats
    late: Floats
    breaks: tuple[Taken, ...] = ()
    rides: Floats | None = None

    @property
    def starts(self) -> Floats:
        """Starts of service."""
        return self.arrivals + self.waits


@dataclass(frozen=True, eq=False)
class Trip(ComparedByValue):
    """The visits of one vehicle, from its start until it is back; of an open path, to its last city.

    Attributes
    ----------
    number : int
        Number of the route, or of a fleet's vehicle, from 1.
    nodes : array of int
        Nodes in the order of their visits: from the depot to the depot, or from a tour's first city to that city; an
        open route ends at its last customer, and that of a vehicle begins and ends where its type does.
    orders : array of int
        Number of each visit: from 0 at the depot, from 1 in a tour.
    legs : array
        Distance from the stop before; 0 at the start.
    distances : array
        Distance from the start.
    loads : array or None
        For vehicles, the demand of all visits so far; where there are shipments or pickups, the load on leaving each.
    leaves, returns : bool
        Whether the first visit is a depot, and whether the last is one, or the first city again.
    times : Times or None
        None for a problem without travel times and windows.
    vehicle : str or None
        Name of the type of a fleet's vehicle, or its number; with its day, if it has one.
    day : str
        The day of the vehicle, of several.
    """

    number: int
    nodes: NDArray[np.int64]
    orders: NDArray[np.int64]
    legs: NDArray[Any]
    distances: NDArray[Any]
    loads: NDArray[Any] | None
    leaves: bool
    returns: bool
    times: Times | None = None
    vehicle: str | None = None
    day: str = ""

    @property
    def length(self) -> int | float:
        """Distance from the start to the end."""
        return self.distances[-1].item()  # type: ignore[no-any-return]

    @property
    def load(self) -> int | float:
        """The largest load on the way."""
        return 0 if self.loads is None else self.loads.max().item()

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
        return slice(1 if self.leaves else 0, len(self.nodes) - (1 if self.returns else 0))


def itinerary(problem: TSP | VRP, solution: Nodes | Sequence[Nodes]) -> list[Trip]:
    """Return the trips of a tour or of routes; empty routes are left out."""
    if not isinstance(problem, VRP):
        tour: list[int] = np.asarray(solution).tolist()
        closed = not problem.open and len(tour) > 1
        return _trips(problem, [np.array([*tour, tour[0]] if closed else tour, np.int64)])
    routes: list[Nodes] = [np.asarray(route, np.int32) for route in solution]
    if problem.fleet is None:
        routes = [route for route in routes if len(route)]
    numbers = [number for number, route in enumerate(routes) if len(route)]
    paths = [problem.path(number, routes[number]) for number in numbers]
    trips = _trips(problem, paths)
    if problem.fleet is not None:
        trips = [_of_vehicle(problem, trip, number) for trip, number in zip(trips, numbers, strict=True)]
    if problem.schedule is not None and trips:
        days = problem.days(routes)
        trips = [replace(trip, times=_day(problem, trip, day)) for trip, day in zip(trips, days, strict=True)]
    return _with_rides(problem, trips) if problem.shipments else trips


def _with_rides(problem: VRP, trips: Sequence[Trip]) -> list[Trip]:
    """Return trips with the rides of their shipments, if they have times."""
    pickup_of, ridden = {each.delivery: each.pickup for each in problem.shipments}, []
    for trip in trips:
        times, nodes = trip.times, trip.nodes.tolist()
        if times is not None:
            left = dict(zip(nodes, times.departures.tolist(), strict=True))
            gone = np.array([left.get(pickup_of.get(node, -1), np.nan) for node in nodes])
            trip = replace(trip, times=replace(times, rides=times.starts - gone))
        ridden.append(trip)
    return ridden


def _trips(problem: TSP | VRP, paths: Sequence[Nodes]) -> list[Trip]:
    """Return the trips along paths, each from its first to its last visit."""
    nodes = np.concatenate([*paths, np.empty(0, np.int64)]).astype(np.int64)
    ends = np.cumsum([0, *map(len, paths)]).tolist()
    legs = problem.road_lengths(nodes[:-1], nodes[1:])
    travel = None if problem.clock is None else problem.durations(nodes[:-1], nodes[1:])
    routed = isinstance(problem, VRP)
    trips = []
    for number, (begin, end) in enumerate(pairwise(ends), 1):
        visits, own = nodes[begin:end], _after_zero(legs[begin : end - 1])
        loads = _loads(problem, visits) if isinstance(problem, VRP) else None
        orders = np.arange(len(visits)) + (not routed)
        returns = not problem.open and (routed or len(visits) > 1)
        trip = Trip(number, visits, orders, own, own.cumsum(), loads, routed, returns)
        if travel is not None:
            trip = replace(trip, times=_times(problem, trip, _after_zero(travel[begin : end - 1])))
        trips.append(trip)
    return trips


def _loads(problem: VRP, visits: NDArray[np.int64]) -> NDArray[Any]:
    """Return the demand of all visits so far; where there are shipments or pickups, the load on leaving each."""
    if problem.trips:
        ends = np.isin(visits[[0, -1]], problem.depots)
        route = visits[int(ends[0]) : len(visits) - int(ends[1])]
        along = problem.amounts_along(route)[:, 0] if problem.two_way else _since_loading(problem, route)
        return np.concatenate((along[int(not ends[0]) :], along[-1:] if ends[1] else along[:0]))
    if not problem.two_way:
        return problem.demands[visits].cumsum()
    stops = ~np.isin(visits, problem.depots)
    loads: NDArray[Any] = problem.amounts_along(visits[stops])[stops.cumsum(), 0]
    return loads


def _since_loading(problem: VRP, route: Nodes) -> NDArray[Any]:
    """Return the demand of all stops of a trip so far: at its beginning and behind each visit of its route."""
    return np.concatenate([np.append([0], problem.demands[trip].cumsum()) for trip in problem.trips_of(route)])


def _of_vehicle(problem: VRP, trip: Trip, vehicle: int) -> Trip:
    """Return a trip of a vehicle of a fleet, with the times of its speed."""
    fleet, own = problem.fleet, problem.type_of(vehicle)
    assert fleet is not None
    leaves, returns = own.start is not None, own.end is not None
    trip = replace(
        trip, number=vehicle + 1, orders=trip.orders + (not leaves), leaves=leaves, returns=returns,
        vehicle=fleet.type_name(int(fleet.kinds[vehicle])), day=own.day,
    )  # fmt: skip
    kind, clock, path = int(fleet.kinds[vehicle]), problem.clock, trip.nodes
    if own.matrix is not None:
        legs = problem.ways(kind, path[:-1], path[1:])
        trip = replace(trip, legs=_after_zero(legs), distances=_after_zero(legs).cumsum())
    if trip.times is None or clock is None:
        return trip
    travel = trip.times.travel
    if own.durations is not None:
        travel = _after_zero(own.durations[path[:-1], path[1:]])
    elif own.matrix is not None and clock.pace is not None:
        travel = trip.legs * clock.pace
    return replace(trip, times=_times(problem, trip, travel / own.speed))


def _times(problem: TSP | VRP, trip: Trip, travel: NDArray[np.float64]) -> Times:
    """Return the times of a trip that begins when vehicles depart, and never waits."""
    clock = problem.clock
    assert clock is not None
    services = clock.services[trip.nodes].copy()
    if isinstance(problem, VRP):
        services[[0, -1] if problem.trips else np.isin(trip.nodes, problem.depots)] = 0.0
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
    for rest in day.breaks:
        if 0 <= rest.after < len(travel) - 1:
            travel[rest.after + 1] -= rest.pause
    of = (travel, day.arrivals, day.departures, day.waits, day.slack, day.late)
    visits = slice(0, None)
    if problem.fleet is not None:  # whose days have a start and an end, whether or not they are places
        visits = slice(0 if trip.leaves else 1, None if trip.returns else -1)
    breaks = tuple(rest.over(schedule.pace) for rest in day.breaks)
    travel, arrivals, departures, waits, slack, late = (values[visits] * schedule.pace for values in of)
    return Times(travel, arrivals, departures, waits, slack, late, breaks)


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
    if not isinstance(problem, VRP):
        return False
    types = () if problem.fleet is None else problem.fleet.types
    return problem.windows is not None or any(each.opens > 0 or isfinite(each.closes) for each in types)


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
