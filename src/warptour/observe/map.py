"""Maps as HTML pages: routes in colours, a layer per vehicle, and what is known of a stop in its pop-up.

Places on the Earth are shown on a street map, which loads tiles and Leaflet from the network; without one, the page
shows what it is for coordinates of a plane, where it is complete in itself. Of Leaflet the browser takes the files
whose hashes the page has, and no others.
"""

from __future__ import annotations

import html
from os import PathLike
from pathlib import Path
from typing import Any, Final

from warptour.io.files import write_atomic
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.page import filled, page, script_json
from warptour.observe.picture import NODE_LIMIT
from warptour.observe.sketch import Sketch, Visit, sketch_of

SUFFIXES: Final = (".html", ".htm")
TEMPLATE: Final = Path(__file__).with_name("street_map.html")


def write_map(path: str | PathLike[str], problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Write a map of a solution.

    Raises
    ------
    UnsupportedError
        If the problem has no coordinates.
    """
    sketch = sketch_of(problem, solution)
    text = page(sketch)
    if problem.on_earth:
        text = street_map(sketch, offline=text)
    write_atomic(path, [text.encode("utf-8", "replace")])


def street_map(sketch: Sketch, offline: str) -> str:
    """Return a map with a layer per route as an HTML page, which becomes the page ``offline`` without a network."""
    latlon = sketch.places[:, ::-1]
    numbered = len(latlon) <= NODE_LIMIT
    layers = [
        {
            "label": layer.label,
            "ink": layer.ink,
            "line": latlon[layer.nodes].tolist(),
            "stops": [_marker(stop, latlon) for stop in layer.stops if numbered],
        }
        for layer in sketch.layers
    ]
    data = {"layers": layers, "depot": None if sketch.depot is None else _marker(sketch.depot, latlon)}
    parts = {"TITLE": html.escape(sketch.title), "DATA": script_json(data), "OFFLINE": script_json(offline)}
    return filled(TEMPLATE, parts)


def _marker(stop: Visit, latlon: Floats) -> dict[str, Any]:
    return {"at": latlon[stop.node].tolist(), "order": stop.order, "lines": stop.lines}
