"""Detection of undeclared longitude and latitude."""

from __future__ import annotations

import numpy as np

from warptour.model.metric import Floats

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
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.isfinite(points).all():
        return False
    low, high = points.min(axis=0), points.max(axis=0)
    reach = np.maximum(-low, high)
    if reach.min() > 90 or reach.max() > 180:
        return False
    coarse = np.abs(10 * points - np.rint(10 * points)) < 1e-6
    region = np.maximum(low, -high) > np.maximum((high - low) / 2, 1)
    world = (reach > 90) & (low < 0) & (high > 0)
    return bool(coarse.mean() <= 0.5 and (region | world).any())
