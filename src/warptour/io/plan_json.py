"""Solutions as JSON: the answer to a request in VROOM's JSON, else what ``solve --json`` prints of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.source import load_json
from warptour.io.vroom import answer
from warptour.model.errors import InputError
from warptour.model.itinerary import Trip, has_windows, itinerary
from warptour.model.problem import TSP
from warptour.model.unserved import Unserved, unserved
from warptour.model.vehicles import VRP, Routes

FORM: Final = "a plan has a member solution: numbers of stops from 1, of vehicles a list for each"


def chunks(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    """Return a plan or tour as the contents of a file."""
    if problem.request is not None:
        return answer.chunks(problem, sequences, cost)
    nodes = [(sequence + 1).tolist() for sequence in sequences]
    labels = problem.labels
    names = None if labels is None else [[labels[node] for node in each.tolist()] for each in sequences]
    facts: dict[str, Any] = {"name": problem.name, "kind": problem.kind, "cost": cost, "unit": problem.unit}
    if isinstance(problem, VRP):
        facts |= {"solution": nodes, "names": names, "trips": trips_facts(problem, itinerary(problem, sequences))}
        facts["unserved"] = [unserved_facts(problem, each) for each in unserved(problem, sequences)]
    else:
        facts |= {"solution": nodes[0], "names": None if names is None else names[0]}
    return [(json.dumps(facts, ensure_ascii=False) + "\n").encode("utf-8", "replace")]


def sequences(path: str, problem: TSP | VRP) -> tuple[list[NDArray[Any]], Callable[[int], int | None], bool]:
    """Return the routes of such a file, or of what ``solve --json`` printed."""
    if problem.request is not None:
        return answer.sequences(path, problem)
    content = load_json(path)
    listed = content.get("solution") if isinstance(content, dict) else None
    routes = listed if isinstance(problem, VRP) else [listed]
    if not isinstance(routes, list) or not all(_are_numbers(route) for route in routes):
        raise InputError(f"is no plan: {FORM}", path)
    found = [np.array(route, np.int64) - 1 for route in routes]
    return found, lambda at: None, isinstance(problem, TSP) and problem.open


def _are_numbers(route: Any) -> bool:
    return isinstance(route, list) and all(type(node) is int and abs(node) < 2**31 for node in route)


def unserved_facts(problem: VRP, each: Unserved) -> dict[str, Any]:
    """Return a stop that is not served, and why."""
    name = None if problem.labels is None else problem.labels[each.node]
    return {"node": each.node + 1, "name": name, "reason": each.reason, "text": each.text}


def trips_facts(problem: TSP | VRP, trips: Iterable[Trip]) -> list[dict[str, Any]]:
    """Return the lengths, loads and times of trips."""
    return [_trip_facts(trip, windows=has_windows(problem)) for trip in trips]


def _trip_facts(trip: Trip, *, windows: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {"distance": trip.length}
    if trip.vehicle is not None:
        facts |= {"route": trip.number, "vehicle": trip.vehicle} | ({"day": trip.day} if trip.day else {})
    if trip.loads is not None:
        facts["load"] = trip.load
    if trip.times is not None:
        facts |= {
            "duration": trip.duration,
            "start": float(trip.times.arrivals[0]),
            "end": trip.end,
            "arrivals": trip.times.arrivals[trip.stops].tolist(),
            "departures": trip.times.departures[trip.stops].tolist(),
        }
    if trip.times is not None and trip.times.breaks:
        facts["breaks"] = [{"after": each.after, "start": each.start, "end": each.end} for each in trip.times.breaks]
    if trip.times is not None and trip.times.rides is not None:
        facts["rides"] = [time if isfinite(time) else None for time in trip.times.rides[trip.stops].tolist()]
    if trip.times is not None and windows:
        slack = trip.times.slack[trip.stops].tolist()
        facts |= {
            "waits": trip.times.waits[trip.stops].tolist(),
            "starts": trip.times.starts[trip.stops].tolist(),
            "slack": [time if isfinite(time) else None for time in slack],
            "late": trip.times.late[trip.stops].tolist(),
        }
    return facts
