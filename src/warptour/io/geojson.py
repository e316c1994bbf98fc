"""GeoJSON of a solution: a line for the tour or each route, and a point for each node.

Great-circle and GEO instances give longitude and latitude in degrees, as GeoJSON requires; others plain x and y,
which most viewers display too. The property ``nodes`` of each line lists its nodes, numbered from 1, for reading it
back.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from warptour.model.metric import Floats
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes


def text(problem: TSP | VRP, sequences: Routes, cost: float) -> str:
    """Return a FeatureCollection, one feature per line of text."""
    facts = collection(problem, sequences, cost)
    features = facts.pop("features")
    head = json.dumps(facts)[:-1]
    return f'{head}, "features": [\n' + ",\n".join(json.dumps(feature) for feature in features) + "\n]}\n"


def collection(problem: TSP | VRP, sequences: Routes, cost: float) -> dict[str, Any]:
    """Return a FeatureCollection of a tour, as the only sequence, or of routes."""
    assert problem.map is not None
    places = positions(problem.map, problem.metric.norm)
    features: list[dict[str, Any]] = []
    for number, sequence in enumerate(sequences, 1):
        closed: list[int] = sequence.tolist()
        properties: dict[str, Any] = {"nodes": [node + 1 for node in closed]}
        if isinstance(problem, VRP):
            load = problem.demands[sequence].sum().item()
            properties = {"route": number, "cost": problem.route_cost(sequence), "load": load, **properties}
            closed = [problem.depot, *closed, problem.depot]
        elif not problem.open:
            closed = [*closed, *closed[:1]]
        line = places[closed].tolist()
        line = line if len(line) > 1 else line * 2  # a LineString needs two positions
        features.append(_feature("LineString", line, properties))
    for number, sequence in enumerate(sequences, 1):
        for order, node in enumerate(sequence.tolist(), 1):
            properties = {"node": node + 1, "order": order}
            if isinstance(problem, VRP):
                properties["route"] = number
            features.append(_point(problem, places, node, properties))
    if isinstance(problem, VRP):
        features.append(_point(problem, places, problem.depot, {"node": problem.depot + 1, "depot": True}))
    facts: dict[str, Any] = {"type": "FeatureCollection", "name": problem.name, "cost": cost}
    if isinstance(problem, TSP) and problem.open:
        facts["open"] = True
    return facts | {"features": features}


def sequences(content: Any) -> list[list[int]] | None:
    """Return the nodes of each line of a parsed file, or None if it was not written by :func:`text`."""
    features = content.get("features") if isinstance(content, dict) else None
    found = []
    for feature in features if isinstance(features, list) else []:
        properties = feature.get("properties") if isinstance(feature, dict) else None
        nodes = properties.get("nodes") if isinstance(properties, dict) else None
        if isinstance(nodes, list):
            if not all(type(node) is int and abs(node) < 2**31 for node in nodes):
                return None
            found.append(nodes)
    return found or None


def positions(places: Floats, norm: str) -> Floats:
    """Return places in GeoJSON order: longitude before latitude, in degrees, where ``norm`` is on Earth."""
    if norm == "great_circle":
        return places[:, ::-1]
    if norm == "geo":  # DDD.MM: degrees and minutes
        degrees = np.trunc(places)
        return np.round(degrees + (places - degrees) / 0.6, 6)[:, ::-1]
    return places


def _feature(kind: str, coordinates: list[Any], properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def _point(problem: TSP | VRP, places: Floats, node: int, properties: dict[str, Any]) -> dict[str, Any]:
    if problem.labels:
        properties["name"] = problem.labels[node]
    return _feature("Point", places[node].tolist(), properties)
