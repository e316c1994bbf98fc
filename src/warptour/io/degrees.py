"""Longitude and latitude that nobody said they are."""

from __future__ import annotations

import numpy as np

from warptour.model.metric import Floats

ADVICE = (
    "look like longitude and latitude in degrees, but are measured as coordinates of a plane: "
    "--latlon (in Python latlon=True) measures metres on the Earth, --no-latlon (latlon=False) means the plane"
)


def look_like_degrees(points: Floats) -> bool:
    """Whether points of shape (n, 2) are probably places on Earth, one coordinate within 90 and the other within 180.

    At least half of the numbers must have two decimals or more, which grids and pixels have not. One coordinate must
    lie away from 0 by half of its spread, as in a city or a country, or reach beyond 90 to one side of 0 and across
    it, as on a map of the world. Points drawn at random from 0 on or around it do neither.
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
