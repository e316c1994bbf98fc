"""Places of GeoPandas' frames and series, by what these say of themselves: no library is imported for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.model.errors import InputError


def places_in(points: Any, latlon: bool | None) -> tuple[Any, bool | None]:
    """Return points as they are, or those of geometries, and whether they are latitudes and longitudes.

    Geometries in degrees are longitude and latitude; with another reference system they are in its unit, in the plane.
    ``latlon`` stays as it is where nothing is known.

    Raises
    ------
    InputError
        For geometries that are no points.
    """
    geometry = getattr(points, "geometry", None)
    if geometry is None or not hasattr(geometry, "geom_type"):
        return points, latlon
    kinds = geometry.geom_type
    wrong = [(at, kind) for at, kind in enumerate(kinds) if kind != "Point"]
    if wrong:
        at, kind = wrong[0]
        raise InputError(f"row {at} is {kind or 'empty'}; a tour goes through points, such as those of .centroid")
    xy = np.column_stack((np.asarray(geometry.x, np.float64), np.asarray(geometry.y, np.float64)))
    crs = geometry.crs
    if crs is None:
        return (xy[:, ::-1] if latlon else xy), latlon
    return (xy[:, ::-1], True) if crs.is_geographic else (xy, False)
