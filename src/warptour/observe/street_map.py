"""Street maps by folium: the one place that imports it."""

from __future__ import annotations

import html
import json
from typing import Any, Final

from warptour.model.errors import MissingLibrary
from warptour.observe.picture import NODE_LIMIT
from warptour.observe.sketch import Sketch, Stop

ADVICE: Final = "the map has no streets; with folium it has: pip install 'warptour[map]'"
LITERAL: Final = str.maketrans({"`": "&#96;", "$": "&#36;", "\\": "&#92;", "{": "&#123;", "}": "&#125;"})
"""Letters that mean something in the templates that folium puts text into."""

FALLBACK: Final = """<script>
addEventListener("load", () => {
  if (typeof L === "undefined") { document.open(); document.write(@@PAGE@@); document.close(); }
});
</script>
"""
"""Shows another page if Leaflet cannot be loaded."""


def is_installed() -> bool:
    """Return whether folium is there."""
    try:
        _library()
    except MissingLibrary:
        return False
    return True


def page(sketch: Sketch, offline: str) -> str:
    """Return a map with a layer per route as an HTML page, which becomes the page ``offline`` without a network."""
    folium = _library()
    latlon = sketch.places[:, ::-1]
    low, high = latlon.min(axis=0).tolist(), latlon.max(axis=0).tolist()
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    chart = folium.Map(location=middle, prefer_canvas=True, control_scale=True)
    chart.get_root().title = safe(sketch.title)
    numbered = len(sketch.places) <= NODE_LIMIT
    for layer in sketch.layers:
        group = folium.FeatureGroup(name=f'<span style="color:{layer.ink}">&#9644;</span> {safe(layer.label)}')
        corners = latlon[layer.nodes].tolist()
        folium.PolyLine(corners, color=layer.ink, weight=3, opacity=0.8).add_to(group)
        for stop in layer.stops if numbered else ():
            _marker(folium, stop, latlon[stop.node].tolist(), layer.ink).add_to(group)
        group.add_to(chart)
    if sketch.depot is not None:
        _marker(folium, sketch.depot, latlon[sketch.depot.node].tolist(), "#222").add_to(chart)
    folium.LayerControl(collapsed=len(sketch.layers) > 30).add_to(chart)
    chart.fit_bounds([low, high])
    other = json.dumps(offline).replace("<", "\\u003c")
    return str(chart.get_root().render()).replace("</head>", FALLBACK.replace("@@PAGE@@", other) + "</head>", 1)


def safe(text: str) -> str:
    """Return text as HTML that can stand in a template literal of JavaScript."""
    return html.escape(" ".join(text.split())).translate(LITERAL)


def _marker(folium: Any, stop: Stop, place: list[float], ink: str) -> Any:
    """Return a round marker with the order of a stop, or a square one of the depot."""
    order, corners = (str(stop.order), 9) if stop.order else ("", 2)
    style = (
        f"background:{ink};color:white;border-radius:{corners}px;min-width:18px;height:18px;"
        "font:bold 11px/18px sans-serif;text-align:center;"
    )
    icon = folium.DivIcon(html=f'<div style="{style}">{order}</div>', icon_size=(18, 18), icon_anchor=(9, 9))
    return folium.Marker(place, popup=_popup(folium, stop), tooltip=safe(stop.name), icon=icon)


def _popup(folium: Any, stop: Stop) -> Any:
    name, *rest = map(safe, stop.lines)
    return folium.Popup("<br>".join([f"<b>{name}</b>", *rest]), max_width=300)


def _library() -> Any:
    try:
        import folium
    except ImportError:
        raise MissingLibrary("street maps are drawn by folium: pip install 'warptour[map]'") from None
    return folium
