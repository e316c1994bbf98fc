"""Detection of undeclared longitude and latitude."""

from __future__ import annotations

import numpy as np

from warptour.model.bounds import bounds
from warptour.model.metric import Floats

SAMPLE = 1_000_000
"""Points whose decimals are looked at; there may be up to twice as many."""

ADVICE = (
    "look like longitude and latitude in degrees, but are measured as coordinates of a plane: "
    "--latlon (in Python latlon=True) measures metres on the Earth, --no-latlon (latlon=False) means the plane"
)


def look_like_degrees(points: Floats) -> bool:
    """Return whether points of shape (n, 2) are probably degrees: one coordinate within 90, the other within 180.

    At least half of the numbers must have two or more decimals, unlike grids and pixels. One coordinate must be farther
    from 0 than half of its range, as in a city or a country, or exceed 90 on one side of 0 and cross it, as on a world
    map. Random points in a range that starts at 0 or is centred on it do neither.
    """
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        return False
    low, high = bounds(points)
    reach = np.maximum(-low, high)
    if not (reach.min() <= 90 and reach.max() <= 180):  # nor is NaN
        return False
    region = np.maximum(low, -high) > np.maximum((high - low) / 2, 1)
    world = (reach > 90) & (low < 0) & (high > 0)
    if not (region | world).any():
        return False
    some = points[:: max(1, len(points) // SAMPLE)]
    return bool((np.abs(10 * some - np.rint(10 * some)) < 1e-6).mean() <= 0.5)
