"""Maps as HTML pages: routes in colours, a layer per vehicle, and what is known of a stop in its pop-up.

Places on the Earth are shown on a street map, which loads tiles and Leaflet from the network; without one, the page
shows what it is for coordinates of a plane, where it is complete in itself. Of Leaflet the browser takes the files
whose hashes the page has, and no others.
"""

from __future__ import annotations

import html
import json
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from warptour.io.files import write_atomic
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.picture import NODE_LIMIT
from warptour.observe.sketch import Sketch, Visit, sketch_of

SUFFIXES: Final = (".html", ".htm")
STREET_MAP: Final = Path(__file__).with_name("street_map.html")
PAGE: Final = Path(__file__).with_name("page.html")
SIZE: Final = 1000.0
"""Longer side of the drawing."""
LISTED: Final = 2000
"""Maximum number of stops that are listed beside the map."""


def write_map(path: str | PathLike[str], problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Write a map of a solution. Raises :class:`UnsupportedError` if the problem has no coordinates."""
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
            "line": layer.line[:, ::-1].tolist(),
            "stops": [_marker(stop, latlon) for stop in layer.stops if numbered],
        }
        for layer in sketch.layers
    ]
    data = {"layers": layers, "depot": None if sketch.depot is None else _marker(sketch.depot, latlon)}
    parts = {"TITLE": html.escape(sketch.title), "DATA": script_json(data), "OFFLINE": script_json(offline)}
    return filled(STREET_MAP, parts)


def _marker(stop: Visit, latlon: Floats) -> dict[str, Any]:
    return {"at": latlon[stop.node].tolist(), "order": stop.order, "lines": stop.lines}


def page(sketch: Sketch) -> str:
    """Return the page of a map."""
    stretch = [1.0, sketch.stretch]
    corners = np.concatenate([sketch.places, *(layer.line for layer in sketch.layers)]) * stretch
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = SIZE / (float((high - low).max()) or 1.0)

    def drawn(spots: Floats) -> Floats:
        """Return x and y on the page, downward."""
        return np.column_stack(((spots[:, 0] - low[0]) * scale, (high[1] - spots[:, 1] * sketch.stretch) * scale))

    places = drawn(sketch.places)
    width, height = ((high - low) * scale).tolist()
    count = sum(len(layer.stops) for layer in sketch.layers)
    drawing: list[str] = []
    panel: list[str] = []
    notes: list[tuple[str, ...]] = []
    for number, layer in enumerate(sketch.layers):
        way = " ".join(f"{x:.2f},{y:.2f}" for x, y in drawn(layer.line).tolist())
        drawing.append(f'<g class="layer" data-layer="{number}" stroke="{layer.ink}"><polyline points="{way}"/>')
        for stop in layer.stops if count <= NODE_LIMIT else ():
            x, y = places[stop.node].tolist()
            drawing.append(f'<path class="dot" data-stop="{len(notes)}" d="M{x:.2f},{y:.2f}h0"/>')
            drawing.append(f'<text x="{x:.2f}" y="{y:.2f}" fill="{layer.ink}">{stop.order}</text>')
            notes.append(stop.lines)
        drawing.append("</g>")
        rows = "".join(f"<li>{_listed(stop)}</li>" for stop in layer.stops if count <= LISTED)
        box = f'<input type="checkbox" checked data-layer="{number}" aria-label="show">'
        swatch = f'<i style="background:{layer.ink}"></i>'
        summary = f"<summary>{box}{swatch}{html.escape(layer.label)}</summary>"
        panel.append(f"<details>{summary}<ol>{rows}</ol></details>")
    if sketch.depot is not None:
        x, y = places[sketch.depot.node].tolist()
        drawing.append(f'<path class="dot depot" data-stop="{len(notes)}" d="M{x:.2f},{y:.2f}h0"/>')
        notes.append(sketch.depot.lines)
    parts = {
        "TITLE": html.escape(sketch.title),
        "BOX": f"{-SIZE / 25:g} {-SIZE / 25:g} {width + SIZE / 12.5:.1f} {height + SIZE / 12.5:.1f}",
        "DRAWING": "\n".join(drawing),
        "PANEL": "\n".join(panel),
        "NOTES": script_json(notes),
    }
    return filled(PAGE, parts)


def filled(template: Path, parts: dict[str, str]) -> str:
    """Return a template with its parts, each of which is named between two @@."""
    pieces = template.read_text(encoding="utf-8").split("@@")
    return "".join(parts.get(piece, piece) for piece in pieces)


def script_json(value: Any) -> str:
    """Return a value as JSON that can stand in a script of a page."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _listed(stop: Visit) -> str:
    """Return a stop for the list beside the map: its name, after the time of arrival."""
    when = f"<time>{html.escape(stop.when)}</time> " if stop.when else ""
    return when + html.escape(stop.name)
