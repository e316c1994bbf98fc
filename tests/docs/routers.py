"""A server that answers as OSRM and Valhalla do, with distances in the plane and a hill to climb eastwards."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Place = tuple[float, float]
"""Latitude and longitude."""


def metres(a: Place, b: Place) -> float:
    return 100_000 * (abs(a[0] - b[0]) + (2 if b[1] > a[1] else 1) * abs(a[1] - b[1]))


def osrm(path: str, query: dict[str, list[str]]) -> dict[str, Any]:
    assert query["annotations"] == ["distance,duration"]
    pairs = [pair.split(",") for pair in path.removeprefix("/table/v1/driving/").split(";")]
    places = [(float(lat), float(lon)) for lon, lat in pairs]
    lengths: list[list[float | None]] = [[metres(a, b) for b in places] for a in places]
    if any(place == (0, 0) for place in places):  # an island
        lengths[0][-1] = None
    times = [[None if cell is None else cell / 10 for cell in row] for row in lengths]
    return {"code": "Ok", "distances": lengths, "durations": times}


def valhalla(query: dict[str, list[str]]) -> dict[str, Any]:
    question = json.loads(query["json"][0])
    assert question["costing"] == "auto"
    sources, targets = ([(p["lat"], p["lon"]) for p in question[word]] for word in ("sources", "targets"))
    rows = [[{"distance": metres(a, b) / 1000, "time": metres(a, b) / 10} for b in targets] for a in sources]
    return {"sources_to_targets": rows, "units": "kilometers"}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        answer = valhalla(query) if parts.path == "/sources_to_targets" else osrm(parts.path, query)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def router() -> Iterator[str]:
    """Yield the address of a server that runs inside the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
