"""A solution stop by stop: the order, the distance, the time and the load at every visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import format_duration, format_time
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class Times:
    """Times of visits, in seconds.

    Attributes
    ----------
    travel : array of float64
        Travel time from the stop before; 0 at the start.
    arrivals, departures : array of float64
        After midnight, or from the start where no departure is given.
    """

    travel: Floats
    arrivals: Floats
    departures: Floats


@dataclass(frozen=True)
class Trip:
    """The visits of one vehicle, from its start until it is back; of an open path, to its last city.

    Attributes
    ----------
    number : int
        Number of the route, from 1.
    nodes : array of int
        Nodes in the order of their visits: from the depot to the depot, or from a tour's first city to that city.
    orders : array of int
        Number of each visit: from 0 at the depot, from 1 in a tour.
    legs : array
        Distance from the stop before; 0 at the start.
    distances : array
        Distance from the start.
    loads : array or None
        Demand of all visits so far, for vehicles.
    times : Times or None
        None for a problem without travel times.
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
        """Seconds from the start to the end, services included."""
        return None if self.times is None else float(self.times.departures[-1] - self.times.arrivals[0])

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
    if isinstance(problem, VRP):
        used: list[Nodes] = [np.asarray(route, np.int32) for route in solution if len(route)]
        return [_trip(problem, number, problem.giant_tour([route]), 0) for number, route in enumerate(used, 1)]
    tour: list[int] = np.asarray(solution).tolist()
    closed = not problem.open and len(tour) > 1
    return [_trip(problem, 1, np.array(tour + tour[:1] if closed else tour, np.int64), 1)]


def _trip(problem: TSP | VRP, number: int, nodes: Nodes, first: int) -> Trip:
    visits = np.asarray(nodes, np.int64)
    legs = np.insert(problem.road_lengths(visits[:-1], visits[1:]), 0, 0)
    loads = np.cumsum(problem.demands[visits]) if isinstance(problem, VRP) else None
    orders = first + np.arange(len(visits))
    trip = Trip(number, visits, orders, legs, np.cumsum(legs), loads)
    if problem.clock is None:
        return trip
    travel = np.insert(problem.durations(visits[:-1], visits[1:]), 0, 0.0)
    services = problem.clock.services[visits].copy()
    if isinstance(problem, VRP):
        services[visits == problem.depot] = 0.0
    elif trip.returns:
        services[-1] = 0.0
    departures = (problem.clock.depart or 0.0) + np.cumsum(travel) + np.cumsum(services)
    return replace(trip, times=Times(travel, departures - services, departures))


def time_text(problem: TSP | VRP, seconds: float) -> str:
    """Return an arrival or departure for people: a time of day, or hours and minutes from the start."""
    clock = problem.clock
    timed = clock is not None and clock.depart is not None
    return format_time(seconds) if timed else format_duration(seconds)
