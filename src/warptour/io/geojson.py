"""GeoJSON of a solution: a line for the tour or each route, and a point for each node.

Great-circle and GEO instances give longitude and latitude in degrees, as GeoJSON requires; others plain x and y,
which most viewers display too. The property ``nodes`` of each line lists its nodes, for reading it
back; they are numbered from 1, or from the member ``first`` of the whole.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from warptour.model.building import decimal_degrees
from warptour.model.itinerary import Trip, has_windows, itinerary, time_text
from warptour.model.metric import Floats
from warptour.model.problem import TSP
from warptour.model.unserved import unserved
from warptour.model.vehicles import VRP, Routes


def text(problem: TSP | VRP, sequences: Routes, cost: float) -> str:
    """Return a FeatureCollection, one feature per line of text."""
    facts = collection(problem, sequences, cost)
    features = facts.pop("features")
    head = json.dumps(facts)[:-1]
    return f'{head}, "features": [\n' + ",\n".join(json.dumps(feature) for feature in features) + "\n]}\n"


def collection(problem: TSP | VRP, sequences: Routes, cost: float, first: int = 1) -> dict[str, Any]:
    """Return a FeatureCollection of a tour, as the only sequence, or of routes; nodes are numbered from ``first``."""
    places = places_of(problem)
    features: list[dict[str, Any]] = []
    trips = itinerary(problem, sequences if isinstance(problem, VRP) else sequences[0])
    routes, sequences = sequences, [sequence for sequence in sequences if len(sequence)]
    for sequence, trip in zip(sequences, trips, strict=True):
        properties: dict[str, Any] = {"nodes": [node + first for node in sequence.tolist()]}
        if isinstance(problem, VRP):
            cost_of_route = problem.route_cost(sequence, trip.number - 1)
            properties = {"route": trip.number, "cost": cost_of_route, "load": trip.load, **properties}
            properties |= {} if trip.vehicle is None else {"vehicle": trip.vehicle}
            properties |= {"day": trip.day} if trip.day else {}
        properties |= _trip_facts(problem, trip)
        line = trip_line(problem, trip, places).tolist()
        line = line if len(line) > 1 else line * 2  # a LineString needs two positions
        features.append(_feature("LineString", line, properties))
    for sequence, trip in zip(sequences, trips, strict=True):
        for order, node in enumerate(sequence.tolist(), 1):
            properties = {"node": node + first, "order": order}
            if isinstance(problem, VRP):
                properties["route"] = trip.number
            properties |= _visit_facts(problem, trip, order - 1 + trip.stops.start)
            features.append(_point(problem, places, node, properties))
    if isinstance(problem, VRP):
        features += [_point(problem, places, depot, {"node": depot + first, "depot": True}) for depot in problem.depots]
    if isinstance(problem, VRP):
        for each in unserved(problem, routes):
            features.append(_point(problem, places, each.node, {"node": each.node + first, "unserved": each.text}))
    facts: dict[str, Any] = {"type": "FeatureCollection", "name": problem.name, "cost": cost}
    facts |= {} if first == 1 else {"first": first}
    if problem.unit is not None:
        facts["unit"] = problem.unit
    if isinstance(problem, TSP) and problem.open:
        facts["open"] = True
    return facts | {"features": features}


def lines(content: Any) -> list[tuple[int, list[int]]] | None:
    """Return the route's number and the nodes of each line of a parsed file; None if :func:`text` did not write it."""
    features = content.get("features") if isinstance(content, dict) else None
    found: list[tuple[int, list[int]]] = []
    for feature in features if isinstance(features, list) else []:
        properties = feature.get("properties") if isinstance(feature, dict) else None
        nodes = properties.get("nodes") if isinstance(properties, dict) else None
        if isinstance(properties, dict) and isinstance(nodes, list):
            if not all(type(node) is int and abs(node) < 2**31 for node in nodes):
                return None
            number = properties.get("route")
            found.append((number if type(number) is int else len(found) + 1, nodes))
    return found or None


def positions(places: Floats, norm: str) -> Floats:
    """Return places in GeoJSON order: longitude before latitude, in degrees, where ``norm`` is on Earth."""
    if norm == "geo":
        return decimal_degrees(places)[:, ::-1]
    return places[:, ::-1] if norm == "great_circle" else places


def trip_line(problem: TSP | VRP, trip: Trip, places: Floats) -> Floats:
    """Return x and y along a trip: those of its nodes in ``places``, or longitudes and latitudes along its streets."""
    line = None if problem.streets is None else problem.streets.line(trip.nodes)
    return places[trip.nodes] if line is None else line[:, ::-1]


def places_of(problem: TSP | VRP) -> Floats:
    """Return x and y of all nodes for drawing; longitude and latitude where they are on the Earth."""
    assert problem.map is not None
    degrees = problem.latlon and problem.metric.norm != "geo"
    return positions(problem.map, "great_circle" if degrees else problem.metric.norm)


def _trip_facts(problem: TSP | VRP, trip: Trip) -> dict[str, Any]:
    """Return the length of a trip and, by the clock, its duration in seconds and its end; with windows, its start."""
    if trip.times is None:
        return {}
    begin, end = (time_text(problem, time) for time in (float(trip.times.arrivals[0]), trip.end or 0.0))
    facts = {"distance": trip.length, "duration": trip.duration, "end": end}
    return facts | ({"start": begin, "wait": trip.wait} if has_windows(problem) else {})


def _visit_facts(problem: TSP | VRP, trip: Trip, at: int) -> dict[str, Any]:
    """Return when a stop is visited, by the clock; waits and slack are in seconds."""
    times = trip.times
    if times is None:
        return {}
    moments = {"arrival": times.arrivals, "start": times.starts, "departure": times.departures}
    facts: dict[str, Any] = {name: time_text(problem, float(values[at])) for name, values in moments.items()}
    if not has_windows(problem):
        return {name: facts[name] for name in ("arrival", "departure")}
    slack = float(times.slack[at])
    return facts | {
        "wait": float(times.waits[at]),
        "slack": slack if isfinite(slack) else None,
        "late": float(times.late[at]),
    }


def _feature(kind: str, coordinates: list[Any], properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def _point(problem: TSP | VRP, places: Floats, node: int, properties: dict[str, Any]) -> dict[str, Any]:
    if problem.labels:
        properties["name"] = problem.labels[node]
    return _feature("Point", places[node].tolist(), properties)
