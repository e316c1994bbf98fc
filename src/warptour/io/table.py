"""Problems from tables of stops: spreadsheets and NumPy arrays.

A spreadsheet has a header with ``x,y`` or ``lat,lon`` and optionally ``name``, ``demand`` and ``service_time``, in any
order and case and in several languages; a note lists the unused columns. Two columns of numbers without a header are
``x,y``. Units in brackets must be consistent.
"""

from __future__ import annotations

import tokenize
import warnings
from collections.abc import Collection, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Final

import numpy as np

from warptour.io.degrees import ADVICE, look_like_degrees
from warptour.io.headers import STOP_COLUMNS
from warptour.io.sheet import Sheet
from warptour.io.source import STANDARD_INPUT, load, quote
from warptour.io.tsplib import whole
from warptour.io.units import is_unit, unit_of
from warptour.io.vehicle_options import VehicleOptions
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import METRICS, Floats, Metric, check_points
from warptour.model.problem import TSP
from warptour.model.quantities import whole_number
from warptour.model.vehicles import VRP

NAMED: Final = 10
"""Maximum number of unused columns listed in the note; the rest are counted."""

EXAMPLE: Final = "a header has x,y or lat,lon, and may have name, demand, service_time"


ALIASES: Final = {"service": "service_time", "label": "name", "latitude": "lat", "longitude": "lon"}
"""Other names of columns for users who choose or ignore them."""

FALLBACK_NAME: Final = "stops"
"""Name of a problem from standard input."""


def column_name(word: str, option: str) -> str:
    """Return a column's name as tables have it, or raise :class:`UsageError`."""
    name = word.strip().lower().replace("-", "_")
    name = ALIASES.get(name, name)
    if name not in STOP_COLUMNS:
        raise UsageError(f"{option}: {quote(word)} is no column of stops; there are {', '.join(STOP_COLUMNS)}")
    return name


def read_sheet(
    path: str | PathLike[str],
    options: VehicleOptions,
    latlon: bool | None,
    notes: list[str],
    columns: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
) -> TSP | VRP:
    """Read stops from a spreadsheet: a VRP if there is a demand column, otherwise a TSP.

    Latitude and longitude give great-circle distances in metres, x and y unrounded Euclidean distances. The depot is
    the first row unless ``options`` say otherwise.

    Parameters
    ----------
    path : path-like
        A CSV or a workbook, or ``-`` for standard input.
    options : VehicleOptions
    latlon : bool or None
        Whether x is a longitude and y a latitude; two columns without a header are then latitude and longitude. None
        means no, with a note if they look like degrees.
    notes : list of str
        Receives one line per input that may be a mistake.
    columns : mapping, optional
        Headers of columns whose words are not recognised, by the names in ``STOP_COLUMNS``.
    ignore : collection of str
        Columns not to use although their headers are recognised.
    """
    chosen = {column_name(name, "columns"): header for name, header in (columns or {}).items()}
    ignored = {column_name(name, "ignore") for name in ignore}
    if both := ignored & chosen.keys():
        raise UsageError(f"the column {min(both)} is both given and ignored")
    for pair, other in ((("lat", "lon"), ("x", "y", "z")), (("x", "y"), ("lat", "lon"))):
        if set(pair) & chosen.keys():
            ignored |= {*other} - chosen.keys()
    headless = ("lat", "lon") if latlon else ("x", "y")
    sheet = Sheet.open(path, STOP_COLUMNS, EXAMPLE, headless, chosen=chosen, ignored=ignored)
    axes, metric = _axes(sheet, latlon)
    vehicles = "demand" in sheet.columns
    extra = [name for name in ("demand", "service_time") if name in sheet.columns and vehicles]
    named = [name for name in ("name",) if name in sheet.columns]
    unit = _unit(sheet, axes, metric)
    if "service_time" in extra:
        _check_service_unit(sheet, "m" if metric.norm == "great_circle" else unit)
    values = sheet.numbers([*axes, *extra], optional=extra)
    labels = sheet.labels("name") if named else None
    points = _checked(sheet, np.ascontiguousarray(values[:, : len(axes)]), metric, labels)
    unused = sheet.unused([*axes, *extra, *named])
    if unused:
        more = f" and {len(unused) - NAMED} more" if len(unused) > NAMED else ""
        notes.append(f"{sheet.path}: columns not used: {', '.join(map(quote, unused[:NAMED]))}{more}")
    if latlon is None and metric.planar and unit is None and look_like_degrees(points):
        notes.append(f"{sheet.path}: the coordinates {ADVICE}")
    name = FALLBACK_NAME if fspath(path) == STANDARD_INPUT else Path(path).stem
    stops = TSP(name, metric, points, labels=labels, table=sheet)
    if not vehicles:
        return stops
    services = values[:, len(axes) + 1] if len(extra) > 1 else None
    return _read_vehicles(sheet, stops, values[:, len(axes)], services, options)


def _axes(sheet: Sheet, latlon: bool | None) -> tuple[tuple[str, ...], Metric]:
    """Return the names of the coordinate columns and their metric."""
    plane, globe = [[name for name in pair if name in sheet.columns] for pair in (("x", "y"), ("lat", "lon"))]
    if plane and globe:
        message = "has both x,y and lat,lon; keep one pair, or ignore one: --ignore x,y"
        raise InputError(message, sheet.path, sheet.header_line)
    if len(plane) + len(globe) < 2:
        missing = {"x": "y", "y": "x", "lat": "lon", "lon": "lat"}.get("".join(plane + globe), "x,y or lat,lon")
        have = ", ".join(quote(cell.strip(), 20) for cell in sheet.header[:NAMED] if cell.strip())
        message = f"there is no column {missing} among {have}; {EXAMPLE}; or say which is which: --columns"
        raise InputError(message, sheet.path, sheet.header_line)
    if globe:
        if latlon is False:
            raise UsageError(f"{sheet.path} has lat,lon, which are no coordinates of a plane (--no-latlon)")
        return ("lat", "lon"), METRICS["GREAT_CIRCLE"]
    if latlon:
        if "z" in sheet.columns:
            raise UsageError(f"{sheet.path} has x,y,z, which are no longitude and latitude (--latlon)")
        return ("y", "x"), METRICS["GREAT_CIRCLE"]
    return (("x", "y", "z"), METRICS["EUCLIDEAN_3D"]) if "z" in sheet.columns else (("x", "y"), METRICS["EUCLIDEAN"])


def _unit(sheet: Sheet, axes: tuple[str, ...], metric: Metric) -> str | None:
    """Return the unit of the coordinates, None if the header has none; reject inconsistent or impossible units."""
    units = {}
    for name in axes if sheet.header else ():
        unit = unit_of(sheet.header[sheet.columns[name]])
        if unit is not None and is_unit(unit):
            units[name] = unit
    for name, unit in units.items():
        if not metric.planar and unit != "degrees":
            raise InputError(f"{name} is in {unit}; it must be in degrees", sheet.path, sheet.header_line)
        if metric.planar and unit in ("degrees", "radians", "gon"):
            message = f"{name} is in {unit}, but x,y are coordinates of a plane: call the columns lat,lon, in degrees"
            raise InputError(message, sheet.path, sheet.header_line)
        first, other = next(iter(units.items()))
        if unit != other:
            raise InputError(
                f"{first} is in {other} and {name} in {unit}; they must be in the same unit", sheet.path, 1
            )
    return next(iter(units.values()), None)


def _check_service_unit(sheet: Sheet, distance: str | None) -> None:
    """Reject service times in a unit other than that of the distances they are added to."""
    header = sheet.header[sheet.columns["service_time"]]
    unit = unit_of(header)
    if unit is not None and unit != distance:
        travel = f"in {distance}" if distance else "in the unit of x,y, which the header does not name"
        raise InputError(
            f"{quote(header.strip())} cannot be added to distances, which are {travel}; convert the times to that unit "
            "and call the column service_time, or --ignore service_time",
            sheet.path,
            sheet.header_line,
        )


def _checked(sheet: Sheet, points: Floats, metric: Metric, labels: tuple[str, ...] | None) -> Floats:
    try:
        return check_points(points, metric)
    except InputError as error:
        for row in range(len(points)):
            try:
                check_points(points[row : row + 1], metric)
            except InputError:
                message = error.message.replace(f"node {row + 1}", _stop(row, labels), 1)
                raise InputError(message, sheet.path, sheet.line(row)) from None
        raise


def _stop(row: int, labels: tuple[str, ...] | None) -> str:
    """Return a stop for messages that begin with its line: its name, or else its row of data from 1."""
    return quote(labels[row]) if labels and labels[row] else f"row {row + 1}"


def _read_vehicles(sheet: Sheet, stops: TSP, demands: Floats, services: Floats | None, options: VehicleOptions) -> VRP:
    """Return the stops as a VRP; only the depot may lack a demand or service time."""
    capacity, service_time = options.capacity, options.service_time
    if capacity is None:
        header = quote(sheet.header[sheet.columns["demand"]].strip())
        raise UsageError(
            f"{sheet.path} has demands, in the column {header}, so it needs the capacity of a vehicle (--capacity); "
            "--ignore demand makes one tour of all stops"
        )
    if services is not None and service_time is not None:
        raise UsageError(
            f"{sheet.path} has a service_time column; a service time for all contradicts it (--ignore service_time)"
        )
    depot = find_depot(options.depot, stops.labels, stops.n, sheet.path)
    demands = demands.copy()
    services = np.full(stops.n, float(service_time or 0)) if services is None else services.copy()
    for what, column in (("demand", demands), ("service time", services)):
        if np.isnan(column[depot]) or (what == "service time" and service_time is not None):
            column[depot] = 0
        wrong = np.isnan(column) | (column < 0)
        if wrong.any():
            row = int(wrong.argmax())
            have = f"no {what}" if np.isnan(column[row]) else f"the {what} {column[row]:g}"
            message = f"{_stop(row, stops.labels)} has {have}; it must be a number of at least 0"
            raise InputError(message, sheet.path, sheet.line(row))
    if demands[depot] != 0:
        message = (
            f"the depot, {_stop(depot, stops.labels)}, has the demand {demands[depot]:g}; it must be empty or 0; "
            "--depot names another row"
        )
        raise InputError(message, sheet.path, sheet.line(depot))
    return VRP(
        stops.name, stops.metric, stops.points, labels=stops.labels, table=sheet,
        demands=whole(demands), capacity=capacity, depot=depot, max_distance=options.max_distance,
        service_times=services, vehicles=options.vehicles, fixed_cost=options.fixed_cost or 0,
    )  # fmt: skip


def find_depot(depot: int | str | None, labels: tuple[str, ...] | None, n: int, path: str) -> int:
    """Return the index of a depot given by name or by row number from 1; None means the first row."""
    if depot is None:
        return 0
    if isinstance(depot, str):
        named = [at for at, label in enumerate(labels or ()) if label == depot]
        if len(named) == 1:
            return named[0]
        if named or not depot.isascii() or not depot.isdecimal() or len(depot) > 18:
            many = f"{len(named)} rows are" if named else "no row is"
            raise UsageError(f"{path}: {many} called {quote(depot)}; name the depot or give its row, 1..{n}")
        depot = int(depot)
    row = whole_number(depot)
    if row is None or not 1 <= row <= n:
        raise UsageError(f"{path}: the depot {depot} is not a row; they are 1..{n}")
    return row - 1


def read_npy(path: str | PathLike[str], latlon: bool | None, notes: list[str]) -> TSP:
    """Read points of shape (n, 2) or (n, 3), or an (n, n) distance matrix with n above 3.

    Points have unrounded Euclidean distances, or with ``latlon`` great-circle distances between latitudes and
    longitudes; otherwise ``notes`` receives a line if they look like degrees.
    """
    name = fspath(path)
    if not Path(name).is_file():
        load(path)  # raises a specific error
        raise InputError("is not a file", path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy warns about unusual but readable headers
            array = np.load(name, mmap_mode="r", allow_pickle=False)  # mapped, so that a false shape allocates nothing
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None
    except (ValueError, EOFError, SyntaxError, TypeError, KeyError, OverflowError, MemoryError, tokenize.TokenError):
        raise InputError("is not a NumPy file of numbers, or is cut off; numpy.save writes one", path) from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise InputError("holds no array of numbers; it should be of shape (n, 2) or (n, 3)", path)
    if array.ndim != 2 or len(array) == 0 or (array.shape[1] not in (2, 3) and array.shape[0] != array.shape[1]):
        raise InputError(f"has the shape {array.shape}; it should be (n, 2) or (n, 3), or (n, n) for distances", path)
    stem = Path(name).stem
    if latlon and array.shape[1] != 2:
        raise UsageError(f"{name} has the shape {array.shape}; latitude and longitude (--latlon) have (n, 2)")
    try:
        if array.shape[1] > 3:
            return TSP.from_matrix(np.array(array), name=stem)
        metric = METRICS["GREAT_CIRCLE" if latlon else "EUCLIDEAN" if array.shape[1] == 2 else "EUCLIDEAN_3D"]
        points = np.array(array, dtype=np.float64)
        if latlon is None and look_like_degrees(points):
            notes.append(f"{name}: the coordinates {ADVICE}")
        return TSP(stem, metric, points)
    except InputError as error:
        raise InputError(error.message, path) from None
