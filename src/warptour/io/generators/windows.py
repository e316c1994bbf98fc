"""Customers with time windows, after Solomon (1987) and Gehring and Homberger (1999)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from warptour.io.generators.points import SIDE, Floats, Points, bell, fill, lengths, scattered
from warptour.model.frozen import immutable
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

UNIT: Final = 100
"""What a unit of distance and time is in those of the other kinds: the square has 10,000 of them along a side."""

CLUSTER: Final = 40
"""Customers of a cluster."""

SPREAD: Final = 0.1
"""Standard deviation of a cluster's places, relative to the side of the square divided by the root of their number."""

DEMAND: Final = 40
"""Largest demand; they have a mean of about half of that."""

SERVICES: Final = (200, 600)
"""Shortest and longest service."""

TRIP: Final = 20
"""Customers that about fill a vehicle, and whose legs and services last as long as a day without the farthest way
there and back."""

OPEN: Final = 5
"""One of so many customers has no window."""

NARROW, WIDE = 40, 8
"""Parts of the day that the narrowest and the widest halves of windows are."""

DRAWN: Final = 1 << 20
"""Places of a window's centre."""


def windows(name: str, n: int, random: np.random.Generator) -> VRP:
    """Return customers, half of them in clusters, four fifths with windows that a vehicle of their own can keep.

    A window's centre lies anywhere between the earliest arrival from the depot and the latest start that allows to be
    back in time, as in Solomon (1987); the number of customers may be large, as in Gehring and Homberger (1999).
    Windows are a twentieth to a quarter of the day long. The depot is in the middle.
    """
    customers = n - 1
    points = np.full((n, 2), SIDE / 2)
    blocks: Iterator[Points] = chain(_clusters(customers // 2, random), scattered(customers - customers // 2, random))
    fill(points[1:], blocks, random)
    np.floor(points / UNIT, out=points)
    demands, services = np.zeros(n, np.int64), np.zeros(n)
    demands[1:] = random.integers(1, DEMAND + 1, customers)
    services[1:] = random.integers(SERVICES[0], SERVICES[1] + 1, customers)
    metric = METRICS["EUC_2D"]
    reach = metric.distances(points, slice(0, 1), slice(None)).astype(np.float64)
    leg = SIDE // UNIT // math.isqrt(n)
    day = int(2 * reach.max()) + TRIP * (sum(SERVICES) // 2 + leg)
    return VRP(
        name, metric, points, demands=demands, capacity=TRIP * DEMAND // 2, service_times=services,
        windows=_windows(reach, services, day, random),
    )  # fmt: skip


def _clusters(count: int, random: np.random.Generator) -> Iterator[Floats]:
    """Yield ``count`` places in clusters, within the square."""
    clusters = max(1, count // CLUSTER)
    centres = random.integers(0, SIDE + 1, (clusters, 2))
    spread = SPREAD * SIDE / math.isqrt(clusters)
    choice, place = random.spawn(2)
    for length in lengths(count):
        around = centres[choice.integers(0, clusters, length)] + spread * bell(length, place)
        yield np.clip(np.rint(around), 0, SIDE - 1) + 0.0  # no -0.0


def _windows(reach: Floats, services: Floats, day: int, random: np.random.Generator) -> TimeWindows:
    """Return windows of customers that are ``reach`` away from the depot, the first node, which is open for a day."""
    n = len(reach)
    latest = day - services - reach
    centre = reach + np.floor((latest - reach) * random.integers(0, DRAWN, n) / DRAWN)
    half = random.integers(day // NARROW, day // WIDE + 1, n)
    always = random.integers(0, OPEN, n) == 0
    opens = np.where(always, 0.0, np.maximum(centre - half, 0.0))
    closes = np.where(always, np.inf, np.minimum(centre + half, latest))
    opens[0], closes[0] = 0.0, day
    gaps, ends = np.zeros((0, 2)), np.zeros(n, np.int64)
    return TimeWindows(immutable(opens), immutable(closes), immutable(gaps), immutable(ends))
