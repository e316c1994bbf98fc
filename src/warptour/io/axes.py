"""Which columns of a table of stops are coordinates, their metric and unit."""

from __future__ import annotations

from typing import Final

from warptour.io.doubts import stop_name
from warptour.io.headers import fold, listed, unit_of, words
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.io.stop_sheet import EXAMPLE
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import METRICS, Floats, Metric, check_points

NAMED: Final = 10
"""Maximum number of headers that a message lists."""
GEOCODING: Final = (
    "none is looked up; to get coordinates, right-click each place in a map in the browser, which copies its latitude "
    "and longitude, and paste them into a column 'lat, lng', or let a geocoder add columns lat and lon"
)


def axes_of(sheet: Sheet, latlon: bool | None, *, alone: bool) -> tuple[tuple[str, ...], Metric]:
    """Return the names of the coordinate columns and their metric; none beside a matrix, if stops are not ``alone``."""
    plane, globe = [[name for name in pair if name in sheet.columns] for pair in (("x", "y"), ("lat", "lon"))]
    if plane and globe:
        raise sheet.header_error("has both x,y and lat,lon; keep one pair, or ignore one: --ignore x,y")
    if not alone and not plane and not globe:
        return (), METRICS["EXPLICIT"]
    if len(plane) + len(globe) < 2:
        missing = {"x": "y", "y": "x", "lat": "lon", "lon": "lat"}.get("".join(plane + globe), "x,y or lat,lon")
        addresses = [
            cell.strip() for cell in sheet.header if {*fold(cell).split("_")} & words()["workbook"]["addresses"]
        ]
        if addresses and not plane and not globe:
            raise sheet.header_error(f"{quote(addresses[0])} has addresses, and {GEOCODING}")
        have = listed(sheet.header[:NAMED])
        fault = f"there is no column {missing} among {have}; {EXAMPLE}"
        raise sheet.header_error(f"{fault}; or say which is which: --columns")
    if globe:
        if latlon is False:
            raise UsageError(f"{sheet.path} has lat,lon, which are no coordinates of a plane (--no-latlon)")
        return ("lat", "lon"), METRICS["GREAT_CIRCLE"]
    if latlon:
        if "z" in sheet.columns:
            raise UsageError(f"{sheet.path} has x,y,z, which are no longitude and latitude (--latlon)")
        return ("y", "x"), METRICS["GREAT_CIRCLE"]
    return (("x", "y", "z"), METRICS["EUCLIDEAN_3D"]) if "z" in sheet.columns else (("x", "y"), METRICS["EUCLIDEAN"])


def unit_of_axes(sheet: Sheet, axes: tuple[str, ...], metric: Metric) -> str | None:
    """Return the unit of the coordinates, None if the header has none; reject inconsistent or impossible units."""
    units = {}
    for name in axes if sheet.header else ():
        unit = unit_of(sheet.header[sheet.columns[name]])
        if unit is not None and unit in words()["units"]:
            units[name] = unit
    for name, unit in units.items():
        if not metric.planar and unit != "degrees":
            raise sheet.header_error(f"{name} is in {unit}; it must be in degrees")
        if metric.planar and unit in ("degrees", "radians", "gon"):
            raise sheet.header_error(
                f"{name} is in {unit}, but x,y are coordinates of a plane: call the columns lat,lon, in degrees"
            )
        first, other = next(iter(units.items()))
        if unit != other:
            message = f"{first} is in {other} and {name} in {unit}; they must be in the same unit"
            raise InputError(message, sheet.path, 1)
    return next(iter(units.values()), None)


def checked_points(sheet: Sheet, points: Floats, metric: Metric, labels: tuple[str, ...] | None) -> Floats:
    """Return coordinates; raise :class:`InputError` with the row of those that are none."""
    try:
        return check_points(points, metric)
    except InputError as error:
        for row in range(len(points)):
            try:
                check_points(points[row : row + 1], metric)
            except InputError:
                message = error.message.replace(f"node {row + 1}", stop_name(row, labels), 1)
                raise InputError(message, sheet.path, sheet.line(row)) from None
        raise
