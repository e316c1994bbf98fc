"""Tables of servers that the user runs: OSRM's table service and Valhalla's matrix."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from warptour.model.errors import UsageError
from warptour.model.metric import Floats
from warptour.roads.blocks import Block, Fetch, table_in_blocks, whole
from warptour.roads.extract import Report
from warptour.roads.profile import PROFILES
from warptour.roads.requests import Server
from warptour.roads.tables import Called, RoadTable, check_reachable, checked_places
from warptour.roads.told import LISTENER

OSRM_PROFILES: Final = {"car": "driving", "van": "driving", "truck": "driving", "bicycle": "cycling", "foot": "walking"}
COSTINGS: Final = {"car": "auto", "van": "auto", "truck": "truck", "bicycle": "bicycle", "foot": "pedestrian"}
TOO_MANY: Final = (150, 151, 152, 153)
"""Valhalla's error codes of too many places."""


def osrm(
    points: ArrayLike, url: str, *, profile: str = "car", called: Called | None = None, report: Report | None = None
) -> RoadTable:
    """Return distances and durations between places, as an OSRM server at ``url`` says.

    Parameters and errors are those of :func:`warptour.roads.matrix`; the streets themselves stay unknown.
    """
    service = _of(OSRM_PROFILES, profile)
    server = Server("OSRM", url, lambda said: isinstance(said, dict) and said.get("code") == "TooBig")

    def fetch(sources: Floats, targets: Floats) -> Block:
        places = ";".join(f"{lon:.7f},{lat:.7f}" for lat, lon in np.concatenate((sources, targets)).tolist())
        count = len(sources) + len(targets)
        begins, ends = ";".join(map(str, range(len(sources)))), ";".join(map(str, range(len(sources), count)))
        asked = f"sources={begins}&destinations={ends}&annotations=duration,distance"
        said = server.ask(f"/table/v1/{service}/{places}?{asked}")
        if not isinstance(said, dict) or said.get("code") != "Ok":
            raise server.fault(f"answers with {said.get('code') if isinstance(said, dict) else 'something else'}")
        shape = len(sources), len(targets)
        return _array(server, said.get("distances"), shape), _array(server, said.get("durations"), shape)

    return _table(server, service, points, fetch, called, report)


def valhalla(
    points: ArrayLike, url: str, *, profile: str = "car", called: Called | None = None, report: Report | None = None
) -> RoadTable:
    """Return distances and durations between places, as a Valhalla server at ``url`` says.

    Parameters and errors are those of :func:`warptour.roads.matrix`; the streets themselves stay unknown.
    """
    costing = _of(COSTINGS, profile)
    server = Server("Valhalla", url, lambda said: isinstance(said, dict) and said.get("error_code") in TOO_MANY)

    def fetch(sources: Floats, targets: Floats) -> Block:
        ends = {
            name: [{"lat": lat, "lon": lon} for lat, lon in places.tolist()]
            for name, places in (("sources", sources), ("targets", targets))
        }
        said = server.ask("/sources_to_targets", {**ends, "costing": costing, "units": "kilometers"})
        found = said.get("sources_to_targets") if isinstance(said, dict) else None
        shape = len(sources), len(targets)
        if isinstance(found, dict):  # verbose is false
            lengths, times = found.get("distances"), found.get("durations")
        else:
            lengths, times = (_member(found, name) for name in ("distance", "time"))
        return 1000 * _array(server, lengths, shape), _array(server, times, shape)

    return _table(server, costing, points, fetch, called, report)


def _table(
    server: Server, service: str, points: ArrayLike, fetch: Fetch, called: Called | None, report: Report | None
) -> RoadTable:
    places = checked_places(points)
    block = table_in_blocks(server, service, places, fetch, report or LISTENER.get())
    for values in block:
        np.fill_diagonal(values, 0.0)
    lost = ~(np.isfinite(block[0]) & np.isfinite(block[1]))
    check_reachable(lost, called or (lambda place: f"place {place + 1}"), f"{server.name} knows no way", server.url)
    return RoadTable(*whole(block), places)


def _of(words: dict[str, str], profile: str) -> str:
    if profile not in words:
        raise UsageError(f"a server knows the profiles {', '.join(PROFILES)}, and not {profile!r}")
    return words[profile]


def _member(rows: Any, name: str) -> Any:
    """Return one member of each object in rows of objects; None if they are something else."""
    try:
        return [[each[name] for each in row] for row in rows]
    except (TypeError, KeyError):
        return None


def _array(server: Server, values: Any, shape: tuple[int, int]) -> Floats:
    """Return rows of numbers, null as not a number; raise if they are something else."""
    try:
        found = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != shape or not (np.isnan(found) | ((found >= 0) & (found < 2**32))).all():
        size = " x ".join(map(str, found.shape))
        raise server.fault(f"answers with something that is no table of {shape[0]} x {shape[1]} numbers ({size})")
    return found
