"""Latitude and longitude in one cell: ``52.52, 13.40``, degrees with hemispheres, and links of maps that have them."""

from __future__ import annotations

import re
from typing import Final, TypeAlias
from urllib.parse import unquote

Place: TypeAlias = tuple[float, float]
"""Latitude and longitude in degrees."""

LONGEST: Final = 2000
"""Maximum number of characters of a cell that is examined."""
POINT: Final = r"[-+]?\d{1,3}(?:\.\d+)?"
COMMA: Final = r"[-+]?\d{1,3},\d+"
PAIRS: Final = (
    re.compile(rf"[(\[]?\s*({POINT})(?:\s*[,;/]\s*|\s+)({POINT})\s*[)\]]?"),
    re.compile(rf"[(\[]?\s*({COMMA})(?:\s*[;/]\s*|,?\s+)({COMMA})\s*[)\]]?"),
)
WKT: Final = re.compile(rf"POINT\s*Z?\s*\(\s*({POINT})\s+({POINT})[^)]*\)", re.IGNORECASE)
"""A point as databases write it, longitude first."""
ANGLE: Final = re.compile(
    r"([NSEW])?\s*(\d{1,3}(?:[.,]\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*)?"
    r"(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:[\"″”]|'')\s*)?(?(1)|([NSEW]))\s*[,;]?\s*",
    re.IGNORECASE,
)
"""An angle with its hemisphere before or behind it."""
PRECISE: Final = re.compile(r"\d[.,]\d\d")
"""What numbers of degrees have and others often have not."""
LINK: Final = re.compile(r"(?:https?://|www\.)([^/\s?#]*)/?([a-z]*)", re.IGNORECASE)
MAPS: Final = {"map", "maps", "waze", "goo", "openstreetmap", "osm", "geo"}
"""Words of the hosts of maps, or of what follows them."""
NUMBER: Final = r"(-?\d{1,3}(?:\.\d+)?)"
IN_LINKS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^geo:{NUMBER},{NUMBER}",
        rf"!3d{NUMBER}!4d{NUMBER}",
        rf"[?&#]mlat={NUMBER}&mlon={NUMBER}",
        rf"[?&](?:q|query|ll|destination|daddr|sll|center|cp|pin)=(?:loc:|point\.)?{NUMBER}[,~_ +]+{NUMBER}",
        rf"/(?:place|search|dir)/(?:[^/@]{{0,100}}/)?{NUMBER},[ +]*{NUMBER}",
        rf"@{NUMBER},{NUMBER}",
        rf"#map=[\d.]+/{NUMBER}/{NUMBER}",
    )
)
"""Where links of Google's, Apple's, Bing's and OpenStreetMap's maps and of Waze have coordinates: those of a pin before
those of the middle of the map."""


def place_in(text: str, *, lon_first: bool = False) -> Place | None:
    """Return the place in a cell, None if there is none."""
    text = text[:LONGEST].strip().replace("\u2212", "-")
    if is_link(text):
        found = next((match for each in IN_LINKS if (match := each.search(unquote(text)))), None)
        return None if found is None else (float(found[1]), float(found[2]))
    known = WKT.fullmatch(text)
    if known is not None:
        return float(known[2]), float(known[1])
    for pair in PAIRS:
        match = pair.fullmatch(text)
        if match is not None:
            first, second = (float(number.replace(",", ".")) for number in match.groups())
            return (second, first) if lon_first else (first, second)
    return _angles(text)


def is_link(text: str) -> bool:
    """Return whether a cell is a link of a map."""
    text = text[:LONGEST].strip().lower()
    found = LINK.match(text)
    return text.startswith("geo:") or (found is not None and not MAPS.isdisjoint([*found[1].split("."), found[2]]))


def looks_like_place(text: str) -> bool:
    """Return whether a cell is a place, whatever its header says, or a link that may be one."""
    if is_link(text):
        return True
    place = place_in(text)
    precise = len(PRECISE.findall(text)) == 2 or any(letter in text for letter in "°NSEW")
    return place is not None and precise and abs(place[0]) <= 90 and abs(place[1]) <= 180


def why_no_place(text: str) -> str:
    """Return what to write instead of a cell that is no place."""
    if is_link(text):
        return "a link without coordinates; open it, and copy the address that the browser then shows"
    return "no place; write it as 52.52, 13.40"


def _angles(text: str) -> Place | None:
    """Return a latitude and a longitude with their hemispheres, in degrees, minutes and seconds or parts of degrees."""
    found: dict[str, float] = {}
    at = 0
    while at < len(text) and len(found) < 2:
        match = ANGLE.match(text, at)
        if match is None:
            return None
        side = (match[1] or match[5]).upper()
        degrees, minutes, seconds = (float((part or "0").replace(",", ".")) for part in match.group(2, 3, 4))
        value = degrees + minutes / 60 + seconds / 3600
        axis = "lat" if side in "NS" else "lon"
        if axis in found:
            return None
        found[axis] = -value if side in "SW" else value
        at = match.end()
    return (found["lat"], found["lon"]) if at >= len(text) and len(found) == 2 else None
