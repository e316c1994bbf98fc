"""Tables of distances and durations between places, by streets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from os import PathLike
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.errors import InputError, UsageError
from warptour.model.metric import EARTH_RADIUS_M, Floats, Nodes
from warptour.model.traffic import Traffic
from warptour.roads.ends import direct, ends_of, times_by_column
from warptour.roads.extract import Report
from warptour.roads.factors import read_factors
from warptour.roads.graph import Note, Roads, open_roads
from warptour.roads.hierarchy import UNREACHED, table
from warptour.roads.legs import Legs
from warptour.roads.network import Int64s, parted
from warptour.roads.snap import Spots
from warptour.roads.told import LISTENER

LIMIT: Final = 1000.0
"""How far a stop may be from its street by default, in metres."""
SHORTCUT: Final = 50.0
"""A street that cannot be left is told of if it is nearer than the one taken by so many metres."""
LISTED: Final = 5
"""Maximum number of stops named in one message."""

Called = Callable[[int], str]
"""Names a place for messages, by its number from 0."""


@dataclass(frozen=True, eq=False)
class RoadTable:
    """Distances and durations between places by streets, from row to column."""

    distances: Int64s  # (n, n): metres
    durations: Int64s  # (n, n): seconds
    latlon: Floats  # (n, 2): the places
    spots: Spots | None = None  # the places on streets; None for a table of a server
    roads: Roads | None = None
    traffic: Traffic | None = None  # how the durations depend on the time of day

    def save(self, path: str | PathLike[str]) -> None:
        """Write ``distances``, ``durations`` and ``points`` as an ``.npz``."""
        np.savez(path, distances=self.distances, durations=self.durations, points=self.latlon)

    def line(self, nodes: Nodes | Sequence[int]) -> Floats | None:
        """Return latitudes and longitudes along the streets through places in order; None for a server's table."""
        if self._lines is None:
            return None
        stops = np.asarray(nodes).tolist()
        parts = [self.latlon[stops[:1]]]
        for a, b in pairwise(stops):
            parts += [self._lines.leg(a, b), self.latlon[[b]]]
        return np.concatenate(parts)

    def __getstate__(self) -> dict[str, Any]:
        """Return all but what is computed again."""
        return {name: value for name, value in vars(self).items() if name != "_lines"}

    @cached_property
    def _lines(self) -> Legs | None:
        return None if self.roads is None or self.spots is None else Legs(self.roads, self.spots)


def matrix(
    points: ArrayLike,
    extract: str | PathLike[str],
    *,
    profile: str = "car",
    limit: float = LIMIT,
    traffic: str | PathLike[str] | None = None,
    report: Report | None = None,
    note: Note | None = None,
    called: Called | None = None,
) -> RoadTable:
    """Return distances and durations between places along the streets of an OpenStreetMap extract.

    ``points``: (n, 2): latitudes and longitudes in degrees
    ``extract``: an ``.osm.pbf``; what is built from it is kept beside it
    ``profile``: ``car``, ``van``, ``truck``, ``bicycle`` or ``foot``, or the path of a ``.toml`` like theirs
    ``limit``: how far a place may be from its street, in metres
    ``traffic``: a ``.csv`` of factors on the speed by hour and class of street
    ``report``, ``note``, ``called``: are told of progress and of what may surprise; names a place for messages, by its
        number from 0

    Raises
    ------
    InputError
        If a place is too far from a street, if no way leads from one to another, or if the file is no extract.
    """
    places, report = checked_places(points), report or LISTENER.get()
    roads = open_roads(extract, profile, report=report, note=note)
    factors = None if traffic is None else read_factors(traffic, roads.profile)
    naming = called or (lambda place: f"place {place + 1}")
    spots = snapped(roads, places, limit, naming, note)
    costs, shares = costs_between(roads, spots, None if factors is None else factors.columns, report)
    check_reachable(costs == UNREACHED, naming, f"no way for a {roads.profile.name} leads", roads.path)
    milliseconds, centimetres = parted(costs)
    durations = (milliseconds + 500) // 1000
    by_hour = None if factors is None else Traffic(durations, shares, factors.factors)
    return RoadTable((centimetres + 50) // 100, durations, places, spots, roads, by_hour)


def checked_places(points: ArrayLike) -> Floats:
    """Return latitudes and longitudes, or raise :class:`InputError`."""
    try:
        places = np.array(points, np.float64)
    except (TypeError, ValueError):
        raise InputError("places are pairs of numbers, latitude and longitude") from None
    if places.ndim != 2 or places.shape[1] != 2 or not len(places):
        raise InputError(f"places are latitudes and longitudes, of shape (n, 2), not {places.shape}")
    wrong = ~(np.abs(places) <= [90.0, 180.0]).all(axis=1)
    if wrong.any():
        at = int(wrong.argmax())
        raise InputError(f"place {at + 1} is at {places[at, 0]:g}, {places[at, 1]:g}: no latitude and longitude")
    return places


def snapped(roads: Roads, places: Floats, limit: float, called: Called, note: Note | None) -> Spots:
    """Return the spots of places on streets; raise InputError for those that are too far away."""
    if not limit >= 0:
        raise UsageError(f"the limit on the way to a street is {limit} m; it must be at least 0")
    spots = roads.index.nearest(places)
    far = np.flatnonzero(~(spots.distances <= limit))
    if len(far):
        faults = "; ".join(f"{called(at)} {_fault(roads, places[at], spots, at)}" for at in far[:LISTED].tolist())
        more = f"; and {len(far) - LISTED} more" if len(far) > LISTED else ""
        raise InputError(f"{faults}{more}; a street may be {limit:g} m away (--snap)", roads.path)
    if note is not None:
        for at in np.flatnonzero(spots.cut_off + SHORTCUT < spots.distances).tolist():
            note(
                f"{called(at)} is {spots.cut_off[at]:.0f} m from a street that cannot be left; "
                f"another one, {spots.distances[at]:.0f} m away, is taken"
            )
    return spots


def _fault(roads: Roads, place: Floats, spots: Spots, at: int) -> str:
    """Return how a place fails to be at a street."""
    low, high = roads.index.large[:2].min(axis=1)[::-1], roads.index.large[2:].max(axis=1)[::-1]
    outside = great_circle(place, np.clip(place, low, high))
    if outside > 0:
        swapped = (
            " (are latitude and longitude swapped?)" if (np.clip(place[::-1], low, high) == place[::-1]).all() else ""
        )
        covers = f"{low[0]:.3f} to {high[0]:.3f} north and {low[1]:.3f} to {high[1]:.3f} east"
        return f"is {_length(outside)} outside the extract, which covers {covers}{swapped}"
    nearest = f"is {_length(spots.distances[at])} from the nearest street for a {roads.profile.name}"
    if np.isfinite(spots.cut_off[at]):
        return f"is {_length(spots.cut_off[at])} from a street that cannot be left, and {nearest[3:]} that can"
    return nearest


def _length(metres: float) -> str:
    return f"{metres / 1000:,.1f} km" if metres >= 10_000 else f"{metres:,.0f} m"


def great_circle(a: Floats, b: Floats) -> float:
    """Return the metres between two latitudes and longitudes."""
    (lat, lon), (lat2, lon2) = np.radians(a), np.radians(b)
    half = np.sin((lat2 - lat) / 2) ** 2 + np.cos(lat) * np.cos(lat2) * np.sin((lon2 - lon) / 2) ** 2
    return float(2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(min(half, 1.0))))


def check_reachable(lost: NDArray[np.bool_], called: Called, fault: str, path: str) -> None:
    """Raise :class:`InputError` if there is no way between two places, naming the first pair."""
    pairs = np.argwhere(lost)
    if len(pairs):
        a, b = pairs[0].tolist()
        more = f", and between {len(pairs) - 1:,} further pairs" if len(pairs) > 1 else ""
        raise InputError(f"{fault} from {called(a)} to {called(b)}{more}", path)


def costs_between(
    roads: Roads, spots: Spots, columns: Int64s | None = None, report: Report | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Return the costs between spots, and their milliseconds by class of street.

    Costs are milliseconds and centimetres in one number; ``UNREACHED`` where no way leads. ``columns`` has a column of
    times for each class of street; without them there are no columns.
    """
    network, own = roads.network, roads.network.ways[roads.arcs]
    sources, targets = ends_of(roads, spots, columns)
    arc_times = roads.hierarchy.times(times_by_column(network.kinds[own >> 1], network.costs[own], columns))
    costs, shares = table(roads.hierarchy, sources.seeds, targets.seeds, arc_times, report)
    for a, b, cost, _ in direct(roads, spots):
        if cost < costs[a, b]:
            costs[a, b] = cost
            shares[a, b] = times_by_column(network.kinds[spots.streets[[a]]], costs[a, [b]], columns)[0]
    np.fill_diagonal(costs, 0)
    shares[np.arange(len(costs)), np.arange(len(costs))] = 0
    return costs, shares
