"""What a map shows: routes with their colours and legends, and what is known of each stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from warptour.io.geojson import trip_line
from warptour.model.itinerary import Trip, amount_text, is_told, itinerary, time_text
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.unserved import Unserved, unserved
from warptour.model.vehicles import VRP, Routes
from warptour.observe.picture import flat, ink
from warptour.observe.wording import capacity_of, format_length, route_label, title_of, trip_text

LOST: Final = "#777777"
"""Colour of stops that are not served."""
FLEET: Final = 20
"""Maximum number of vehicles with a line each in the depot's pop-up."""


@dataclass(frozen=True)
class Visit:
    """A visit on a map: its node, its order, its name, lines about it, and when it is.

    The first of the lines is the name; ``when`` is empty where there is no clock.
    """

    node: int
    order: int
    name: str
    lines: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True)
class Layer:
    """A tour or route on a map: its legend, its colour, x and y of its corners, and its stops without the depot."""

    label: str
    ink: str
    line: Floats
    stops: list[Visit]


@dataclass(frozen=True)
class Sketch:
    """What a map shows. ``places`` are x and y of each node, longitude and latitude on the Earth."""

    title: str
    places: Floats
    stretch: float
    layers: list[Layer]
    depot: Visit | None


def sketch_of(problem: TSP | VRP, solution: Nodes | Routes) -> Sketch:
    """Return what a map of a solution shows."""
    places, stretch = flat(problem)
    layers = []
    for trip in itinerary(problem, solution):
        stops = [_stop(problem, trip, at) for at in range(len(trip.nodes))[trip.stops]]
        label = route_label(problem, trip) if isinstance(problem, VRP) else title_of(problem, solution)
        layers.append(Layer(label, ink(trip.number - 1), trip_line(problem, trip, places), stops))
    depot = None
    if isinstance(problem, VRP):
        lost = [_missed(problem, each) for each in unserved(problem, cast(Routes, solution))]
        layers += [Layer(f"not served: {len(lost)} stops", LOST, np.empty(0, np.int64), lost)] if lost else []
    if isinstance(problem, VRP):
        name = _name(problem, problem.depot)
        depot = Visit(problem.depot, 0, name, (name, "depot", *_fleet(problem, solution)))
    return Sketch(title_of(problem, solution), places, stretch, layers, depot)


def _missed(problem: VRP, each: Unserved) -> Visit:
    name = _name(problem, each.node)
    return Visit(each.node, 0, name, (name, "not served", each.text))


def _stop(problem: TSP | VRP, trip: Trip, at: int) -> Visit:
    node, order = int(trip.nodes[at]), int(trip.orders[at])
    name = _name(problem, node)
    if isinstance(problem, VRP):
        vehicle = "" if trip.vehicle is None else f" ({trip.vehicle})"
        lines = [name, f"route {trip.number}{vehicle}, stop {order} of {len(trip.nodes[trip.stops])}"]
        demand = problem.demands[node].item()
        load = demand if trip.loads is None else trip.loads[at].item()
        lines.append(f"demand {demand:g}, load {load:g} of {capacity_of(problem, trip):g}")
    else:
        lines = [name, f"stop {order} of {problem.n}"]
    if at:
        lines.append(f"{format_length(problem, trip.legs[at].item())} from the stop before")
        lines.append(f"{format_length(problem, trip.distances[at].item())} from the start")
    times = trip.times
    if times is None:
        return Visit(node, order, name, tuple(lines))
    arrival, start, departure = (
        time_text(problem, float(which[at])) for which in (times.arrivals, times.starts, times.departures)
    )
    begins = f", service {start}" if start != arrival else ""
    lines.append(f"arrival {arrival}{begins}" + (f", departure {departure}" if departure != start else ""))
    if at:
        lines.append(f"{amount_text(problem, float(times.travel[at]))} of travel from the stop before")
    if isinstance(problem, VRP) and problem.windows is not None:
        lines.append(f"open {problem.windows.text(node, problem.clock is not None)}")
        for what, of in (("waits", times.waits), ("slack", times.slack), ("late by", times.late)):
            if math.isfinite(of[at]) and (what == "slack" or is_told(problem, float(of[at]))):
                lines.append(f"{what} {amount_text(problem, float(of[at]))}")
    return Visit(node, order, name, tuple(lines), arrival)


def _fleet(problem: VRP, solution: Nodes | Routes) -> list[str]:
    """Return a line per vehicle for the depot's pop-up, if they are few and there is a clock."""
    trips = itinerary(problem, solution) if problem.clock is not None or problem.windows is not None else []
    return [f"route {trip.number}: {trip_text(problem, trip)}" for trip in trips] if len(trips) <= FLEET else []


def _name(problem: TSP | VRP, node: int) -> str:
    named = problem.labels is not None and bool(problem.labels[node])
    return problem.labels[node] if named and problem.labels is not None else str(node + 1)
