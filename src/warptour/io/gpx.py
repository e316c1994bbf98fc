"""GPX of a solution: a track along each route for a navigator, a way point for each stop, the order of the stops.

Way points and the points of a ``rte`` say their node in ``cmt``, by which a solution is read back; ``number`` is that of
a route, which for a fleet is its vehicle's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from warptour.io.geojson import places_of, trip_line
from warptour.model.errors import InputError
from warptour.model.itinerary import Trip, itinerary, time_text
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes

SPACE = "http://www.topografix.com/GPX/1/1"
OPEN_PATH = "open path"
"""Type of a ``rte`` that is an open path."""
NUMBER = re.compile(r"\d{1,10}")
NODE = re.compile(r"node (\d{1,10})")


def lines(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterator[str]:
    """Yield the lines of a GPX file of a tour, as the only sequence, or of routes."""
    places = places_of(problem)
    trips = itinerary(problem, sequences if isinstance(problem, VRP) else sequences[0])
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="warptour" xmlns="{SPACE}">\n'
    yield f"<metadata><name>{_text(problem.name)}</name><desc>cost {cost:.15g}</desc></metadata>\n"
    for trip in trips:
        for at in range(len(trip.nodes))[trip.stops]:
            yield _point("wpt", problem, places[trip.nodes[at]].tolist(), trip, at) + "\n"
    for trip in trips:
        told = f"<number>{trip.number}</number>" if isinstance(problem, VRP) else ""
        told += f"<type>{OPEN_PATH}</type>" if isinstance(problem, TSP) and problem.open else ""
        yield f"<rte><name>{_name(problem, trip)}</name>{told}\n"
        for at in range(len(trip.nodes))[trip.stops]:
            yield _point("rtept", problem, places[trip.nodes[at]].tolist(), trip, at) + "\n"
        yield "</rte>\n"
    for trip in trips:
        yield f"<trk><name>{_name(problem, trip)}</name><trkseg>\n"
        for lon, lat in trip_line(problem, trip, places).tolist():
            yield f'<trkpt lat="{lat:.7f}" lon="{lon:.7f}"/>\n'
        yield "</trkseg></trk>\n"
    yield "</gpx>\n"


def sequences(data: bytes, path: str) -> tuple[list[tuple[int, list[int]]], bool] | None:
    """Return the route's number and the nodes of each ``rte``, and whether they are an open path.

    None if the file was not written by :func:`lines`.
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError("is no GPX file: it has a document type of its own", path)
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise InputError(f"is no GPX file: {error}", path) from None
    found: list[tuple[int, list[int]]] = []
    is_open = False
    for route in root.iterfind(f"{{{SPACE}}}rte"):
        notes = [NODE.fullmatch(note.text or "") for note in route.iterfind(f"{{{SPACE}}}rtept/{{{SPACE}}}cmt")]
        if not notes or not all(notes):
            return None
        is_open |= route.findtext(f"{{{SPACE}}}type") == OPEN_PATH
        number = NUMBER.fullmatch(route.findtext(f"{{{SPACE}}}number") or "")
        nodes = [int(note[1]) for note in notes if note]
        found.append((len(found) + 1 if number is None else int(number[0]), nodes))
    return (found, is_open) if found else None


def _name(problem: TSP | VRP, trip: Trip) -> str:
    if not isinstance(problem, VRP):
        return _text(problem.name)
    return f"route {trip.number}" + ("" if trip.vehicle is None else f", {_text(trip.vehicle)}")


def _point(tag: str, problem: TSP | VRP, place: list[float], trip: Trip, at: int) -> str:
    node = int(trip.nodes[at])
    name = problem.labels[node] if problem.labels and problem.labels[node] else str(node + 1)
    when = ""
    if trip.times is not None:
        when = f"<desc>{_text('arrival ' + time_text(problem, float(trip.times.arrivals[at])))}</desc>"
    of = f"<name>{_text(name)}</name><cmt>node {node + 1}</cmt>{when}"
    return f'<{tag} lat="{place[1]:.7f}" lon="{place[0]:.7f}">{of}</{tag}>'


def _text(text: str) -> str:
    return escape("".join(letter for letter in " ".join(text.split()) if letter.isprintable()))
