"""Street maps: routes over the tiles of OpenStreetMap, drawn by Leaflet.

Both come from the network. Of Leaflet the browser takes the files whose hashes the page has, and no others.
"""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any, Final

from warptour.model.metric import Floats
from warptour.observe.page import filled, script_json
from warptour.observe.picture import NODE_LIMIT
from warptour.observe.sketch import Sketch, Visit

TEMPLATE: Final = Path(__file__).with_name("street_map.html")


def page(sketch: Sketch, offline: str) -> str:
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
