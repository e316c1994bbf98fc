"""Times beside distances: how long legs and services take, and when vehicles depart. All times are in seconds."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count
from warptour.model.errors import InputError
from warptour.model.frozen import immutable
from warptour.model.metric import Floats
from warptour.model.quantities import as_float64, finite_number
from warptour.model.traffic import HOUR as HOUR
from warptour.model.traffic import Traffic

MINUTE: Final = 60.0

METRES: Final = {
    "m": 1.0, "km": 1000.0, "cm": 0.01, "mm": 0.001, "miles": 1609.344, "feet": 0.3048, "yards": 0.9144,
}  # fmt: skip
"""Metres in each unit of distance."""

LONGEST: Final = 2.0**32
"""Maximum duration of a leg or service, in seconds: more than a century."""
EXACT: Final = 2.0**52
"""Maximum distance: beyond it, sums in float64 are no longer exact."""
SLOWEST: Final = 1e-6
"""Minimum speed in km/h: a millimetre an hour."""

TIME_OF_DAY: Final = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)(?::([0-5]\d))?")


@dataclass(frozen=True, eq=False)
class Clock:
    """Travel and service times of a problem.

    Legs take ``pace`` seconds per unit of distance, or what ``durations`` says. Where durations are minimised, they are
    the problem's own matrix, and ``distances`` are the lengths of its roads; both others are None then.

    Attributes
    ----------
    services : array of float64, shape (n,)
        Time spent at each node; 0 at a depot. A single number is for all nodes.
    pace : float or None
    durations : array of float64, shape (n, n), or None
    distances : array of int64 or float64, shape (n, n), or None
    depart : float
        Time of departure, after midnight.
    traffic : Traffic or None
        How the durations depend on the time of day.
    """

    services: Floats = field(default_factory=lambda: np.zeros(1))
    pace: float | None = None
    durations: NDArray[Any] | None = None
    distances: NDArray[Any] | None = None
    depart: float | None = None
    traffic: Traffic | None = None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.pace, self.durations, self.distances)) != 1:
            raise InputError("travel times come from a speed or from a matrix: give one of them")
        if self.pace is not None and not (finite_number(self.pace) or 0) > 0:
            raise InputError(f"the pace is {self.pace} seconds per unit of distance; it must be above 0")

    def of(self, n: int) -> Clock:
        """Return the clock of a problem with ``n`` nodes: checked, with arrays that cannot be written."""
        services = np.array(amounts(self.services, "service time", n) if np.size(self.services) > 1 else self.services)
        if services.max(initial=0) > LONGEST:
            raise InputError(f"a service takes {services.max():g} s; it may take 2**32 at most")
        return replace(
            self,
            services=immutable(np.array(np.broadcast_to(services, n), np.float64)),
            durations=None if self.durations is None else travel_matrix(self.durations, n, "durations"),
            distances=None if self.distances is None else travel_matrix(self.distances, n, "distances"),
        )

    def on(self, nodes: NDArray[Any]) -> Clock:
        """Return the clock of a selection of nodes, renumbered in its order."""
        pairs = np.ix_(nodes, nodes)
        durations = None if self.durations is None else self.durations[pairs]
        distances = None if self.distances is None else self.distances[pairs]
        traffic = None if self.traffic is None else self.traffic.on(nodes)
        return replace(self, services=self.services[nodes], durations=durations, distances=distances, traffic=traffic)


def pace_of(speed: float, unit: str | None) -> float:
    """Return the seconds per unit of distance at ``speed`` in km/h, or raise :class:`InputError`."""
    if unit not in METRES:
        known = ", ".join(METRES)
        have = f"they are in {unit}" if unit else "they have none (--unit)"
        raise InputError(f"a speed in km/h needs the unit of the distances, one of {known}; {have}")
    if not (finite_number(speed) or 0) >= SLOWEST:
        raise InputError(f"the speed is {speed} km/h; it must be above 0, at least {SLOWEST:g}")
    return METRES[unit] / (speed * METRES["km"] / HOUR)


def time_of_day(text: str) -> float:
    """Return a time such as ``08:00`` in seconds after midnight, or raise :class:`InputError`."""
    found = TIME_OF_DAY.fullmatch(str(text).strip())
    if found is None:
        raise InputError(f"{text!r} is no time of day; write it as 08:00")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * HOUR + minutes * MINUTE + seconds


def format_duration(seconds: float) -> str:
    """Return a duration for people, in hours and minutes: ``7:05 h``."""
    minutes = round(abs(seconds) / MINUTE)
    return f"{'-' if seconds < 0 and minutes else ''}{minutes // 60}:{minutes % 60:02d} h"


def format_seconds(seconds: float) -> str:
    """Return a duration to the second: ``7:05:32 h``."""
    whole = round(seconds)
    return f"{whole // 3600:,}:{whole // 60 % 60:02d}:{whole % 60:02d} h"


def format_time(seconds: float) -> str:
    """Return a time of day, ``08:05``; later days are counted: ``02:10 +1``."""
    minutes = round(seconds / MINUTE)
    days, rest = divmod(minutes, 24 * 60)
    return f"{rest // 60:02d}:{rest % 60:02d}" + (f" +{days}" if days else "")


def travel_matrix(values: ArrayLike, n: int, what: str, who: str = "") -> NDArray[Any]:
    """Return an (n, n) matrix of durations or distances, perhaps those of ``who``, or raise :class:`InputError`."""
    what = f"{who}: its {what}" if who else what
    try:
        matrix = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} are a matrix with rows of the same length") from None
    if matrix.shape != (n, n) or matrix.dtype.kind not in "biuf":
        raise InputError(f"{what} of {n} nodes are numbers of shape ({n}, {n}), not {matrix.dtype} of {matrix.shape}")
    with np.errstate(over="ignore"):  # what becomes infinite is refused
        copy = np.array(matrix, np.float64)
    np.fill_diagonal(copy, 0.0)
    wrong = ~np.isfinite(copy) | (copy < 0)
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise InputError(
            f"{what}: from node {count(i)} to node {count(j)} it is {copy[i, j]}, not a number of at least 0"
        )
    most = LONGEST if what.endswith("durations") else EXACT
    if copy.max(initial=0) > most:
        raise InputError(f"{what} are at most 2**{math.log2(most):.0f}, not {copy.max():g}")
    return immutable(copy)


def amounts(values: ArrayLike, what: str, n: int) -> NDArray[Any]:
    """Return one non-negative number per node, or raise :class:`InputError` naming the offending node."""
    try:
        given = np.asarray(values)
    except ValueError:
        raise InputError(f"{what}s are one number a node") from None
    if given.dtype.kind not in "biuf":
        raise InputError(f"{what}s are numbers, not {given.dtype}")
    given = as_float64(given) if given.dtype.kind == "f" else given
    if given.shape != (n,):
        raise InputError(f"{given.size} {what}s for {n} nodes")
    bad = ~np.isfinite(given) | (given < 0)
    if bad.any():
        node = int(bad.argmax())
        raise InputError(f"node {count(node)} has the {what} {given[node]}; it must be a number of at least 0")
    return given
