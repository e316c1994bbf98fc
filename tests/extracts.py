"""Small OpenStreetMap extracts, written as XML."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

Tags = dict[str, str]
STEP = 0.001
"""Degrees between the places of a sketch."""


def write_osm(
    path: Path,
    nodes: dict[int, tuple[float, float]],
    ways: list[tuple[list[int], Tags]],
    turns: list[tuple[int, int, int, Tags]] = (),  # type: ignore[assignment]
    node_tags: dict[int, Tags] | None = None,
) -> Path:
    """Write nodes at (lat, lon), ways numbered from 1, and turn restrictions from a way over a node to a way."""
    lines = ['<?xml version="1.0"?>', '<osm version="0.6" generator="test">']
    for name, (lat, lon) in nodes.items():
        lines.append(f'<node id="{name}" version="1" lat="{lat:.7f}" lon="{lon:.7f}">')
        lines += [*_tags((node_tags or {}).get(name, {})), "</node>"]
    for name, (places, tags) in enumerate(ways, 1):
        lines.append(f'<way id="{name}" version="1">')
        lines += [*(f'<nd ref="{place}"/>' for place in places), *_tags(tags), "</way>"]
    for name, (begin, via, end, tags) in enumerate(turns, 1):
        lines.append(f'<relation id="{name}" version="1">')
        members = (("way", begin, "from"), ("node", via, "via"), ("way", end, "to"))
        lines += [f'<member type="{kind}" ref="{ref}" role="{role}"/>' for kind, ref, role in members]
        lines += [*_tags({"type": "restriction", **tags}), "</relation>"]
    path.write_text("\n".join([*lines, "</osm>", ""]), encoding="utf-8")
    return path


def _tags(tags: Tags) -> list[str]:
    return [f"<tag k={quoteattr(key)} v={quoteattr(value)}/>" for key, value in tags.items()]


def grid(rows: int, columns: int) -> dict[int, tuple[float, float]]:
    """Return nodes from 1, row by row, northward and eastward from 50 north, 10 east."""
    return {1 + row * columns + column: (50 + STEP * row, 10 + STEP * column)
            for row in range(rows) for column in range(columns)}  # fmt: skip
