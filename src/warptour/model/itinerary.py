"""A solution stop by stop: the order, the distance, the time and the load at every visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
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
    if not isinstance(problem, VRP):
        tour: list[int] = np.asarray(solution).tolist()
        if not problem.open and len(tour) > 1:
            tour.append(tour[0])
        return _trips(problem, np.array(tour, np.int64), [0, len(tour) - 1])
    used: list[Nodes] = [np.asarray(route, np.int32) for route in solution if len(route)]
    ends = np.cumsum([0, *(len(route) + 1 for route in used)]).tolist()
    return _trips(problem, problem.giant_tour(used).astype(np.int64), ends)


def _trips(problem: TSP | VRP, nodes: NDArray[np.int64], ends: list[int]) -> list[Trip]:
    """Return the trips between consecutive ``ends``, which are places in ``nodes``."""
    legs = problem.road_lengths(nodes[:-1], nodes[1:])
    travel = None if problem.clock is None else problem.durations(nodes[:-1], nodes[1:])
    trips = []
    for number, (begin, end) in enumerate(pairwise(ends), 1):
        visits, own = nodes[begin : end + 1], _after_zero(legs[begin:end])
        loads = problem.demands[visits].cumsum() if isinstance(problem, VRP) else None
        orders = np.arange(len(visits)) + (loads is None)
        trip = Trip(number, visits, orders, own, own.cumsum(), loads)
        if travel is not None:
            trip = replace(trip, times=_times(problem, trip, _after_zero(travel[begin:end])))
        trips.append(trip)
    return trips


def _times(problem: TSP | VRP, trip: Trip, travel: NDArray[np.float64]) -> Times:
    clock = problem.clock
    assert clock is not None
    services = clock.services[trip.nodes].copy()
    if isinstance(problem, VRP):
        services[trip.nodes == problem.depot] = 0.0
    elif trip.returns:
        services[-1] = 0.0
    departures = (clock.depart or 0.0) + np.cumsum(travel) + np.cumsum(services)
    return Times(travel, departures - services, departures)


def _after_zero(values: NDArray[Any]) -> NDArray[Any]:
    """Return ``values`` behind a 0; np.insert takes ten times as long."""
    longer = np.zeros(len(values) + 1, values.dtype)
    longer[1:] = values
    return longer


def time_text(problem: TSP | VRP, seconds: float) -> str:
    """Return an arrival or departure for people: a time of day, or hours and minutes from the start."""
    clock = problem.clock
    timed = clock is not None and clock.depart is not None
    return format_time(seconds) if timed else format_duration(seconds)
