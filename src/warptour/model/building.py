"""Problems from arrays: fields of :class:`TSP` and :class:`VRP` from points or matrices, and from travel times."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.clock import HOUR, MINUTE, Clock, amounts, pace_of, time_of_day
from warptour.model.errors import InputError, InputWarning, UsageError
from warptour.model.geometries import places_in
from warptour.model.hours import span_of
from warptour.model.metric import METRICS, Floats, Metric, check_points
from warptour.model.quantities import as_float64, finite_number
from warptour.model.shipments import Shipment, with_longest_ride
from warptour.model.traffic import Traffic
from warptour.model.windows import TimeWindows

MINIMIZED: Final = ("distance", "duration", "vehicles", "vehicles,duration")
"""What may be minimised; with ``vehicles``, their number, then the travel."""

EARTH_UNITS: Final = {"great_circle": "m", "geo": "km"}
"""Units of distances on the Earth, by norm."""

ONE_SPEED: Final = "at one speed the quickest way is the shortest: distances are minimised"

TRAVEL_TIMES: Final = ("speed", "durations")
TIMES: Final = (*TRAVEL_TIMES, "service_minutes", "max_hours", "minimize", "depart")
"""Words about time among the options of a constructor."""
WINDOWS: Final = ("windows", "shift", "hour_cost", "late_cost", "max_wait_minutes", "releases")
"""Words about time windows, and about costs of time, among the options of vehicles."""


class TimeOptions(TypedDict, total=False):
    """What a user may say of time, and of the unit of the distances."""

    unit: str | None
    speed: float | None
    durations: ArrayLike | None
    service_minutes: ArrayLike | None
    minimize: str
    depart: str | None


class TourOptions(TimeOptions, total=False):
    """Keyword arguments of :meth:`TSP.from_points` and :meth:`TSP.from_matrix`."""

    labels: Sequence[str] | None
    open: bool
    first: int | None
    last: int | None
    fixed_edges: ArrayLike


class FleetOptions(TimeOptions, total=False):
    """Keyword arguments of :meth:`VRP.from_points` and :meth:`VRP.from_matrix`."""

    labels: Sequence[str] | None
    depot: int
    vehicles: int | None
    fixed_cost: float
    max_distance: float | None
    service_times: ArrayLike
    max_hours: float | None
    windows: Sequence[Any] | NDArray[Any] | TimeWindows | None
    shift: str | Sequence[Any] | None
    open: bool
    hour_cost: float
    late_cost: float | None
    max_wait_minutes: float | None
    releases: Sequence[Any] | NDArray[Any] | None
    shipments: Sequence[Shipment | Sequence[int]]
    max_ride_minutes: float | None
    pickups: ArrayLike
    backhauls: str | None
    lifo: bool
    max_trips: int | None
    together: Sequence[Sequence[int]]
    apart: Sequence[Sequence[int]]
    balance: str | None


def point_fields(
    points: Any, latlon: bool | None, metric: str | None, name: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a problem over points; ``options`` are fields and words about time."""
    points, latlon = places_in(points, latlon)
    try:
        places = as_float64(points)
    except (TypeError, ValueError):
        raise InputError("points are numbers in rows of the same length") from None
    if latlon and metric is not None:
        raise UsageError("latlon is a metric of its own; give one of latlon and metric")
    spatial = places.ndim == 2 and places.shape[1] == 3
    word = metric or ("GREAT_CIRCLE" if latlon else "EUCLIDEAN_3D" if spatial else "EUCLIDEAN")
    if word not in METRICS or METRICS[word].norm == "matrix":
        known = [key for key, value in METRICS.items() if value.norm != "matrix"]
        raise UsageError(f"unknown metric {word!r} for points; there are {', '.join(known)}")
    kind = METRICS[word]
    places = check_points(places, kind)
    fields = {**options, "name": name, "metric": kind, "points": places}
    unit = EARTH_UNITS.get(kind.norm, options.get("unit"))
    return _with_times(fields, unit, lambda: all_distances(kind, places))


def matrix_fields(
    distances: ArrayLike, display: ArrayLike | None, latlon: bool, name: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a problem over an (n, n) matrix; ``options`` are fields and words about time."""
    try:
        matrix = np.asarray(distances)
    except ValueError:
        raise InputError("a distance matrix has rows of the same length") from None
    fields = {**options, "name": name, "metric": METRICS["EXPLICIT"], "points": matrix}
    fields |= {"display": display, "latlon": latlon and display is not None}
    return _with_times(fields, options.get("unit"), lambda: matrix)


def _with_times(fields: dict[str, Any], unit: str | None, distances: Callable[[], NDArray[Any]]) -> dict[str, Any]:
    """Return fields with what ``fields`` says of time turned into a clock."""
    if fields.get("labels") is not None:
        fields["labels"] = tuple(fields["labels"])
    times = {word: fields.pop(word) for word in TIMES if word in fields}
    points, given = fields["points"], times.pop("service_minutes", None)
    n = len(points) if np.ndim(points) else 0
    services = None
    if given is not None:
        same = finite_number(given)
        with np.errstate(over="ignore"):
            services = amounts(given if same is None else np.full(n, same), "service time", n) * MINUTE
        if same is not None and n:
            services[fields["depot"] if fields.get("depot") in range(n) else 0] = 0.0
    hours = {word: fields.pop(word) for word in WINDOWS if word in fields}
    minimize = times.pop("minimize", "distance")
    aim, fewest = aims_of(minimize)
    changes, note = clock_fields(fields["metric"], points, unit, distances, services, minimize=aim, **times)
    if fewest:
        changes["fewest"] = True
    longest = fields.pop("max_ride_minutes", None)
    if longest is not None:
        fields["shipments"] = with_longest_ride(
            fields.get("shipments", ()), _seconds(longest, timed="clock" in changes)
        )
    if hours:
        changes |= window_fields(n, fields.get("depot", 0), timed="clock" in changes, **hours)
    if note is not None:
        warnings.warn(note, InputWarning, stacklevel=4)
        fields["warnings"] = (note,)
    return fields | changes


def aims_of(minimize: str) -> tuple[str, bool]:
    """Return whether distances or durations are minimised, and whether the number of vehicles comes first."""
    if minimize not in MINIMIZED:
        known = f"{', '.join(MINIMIZED[:-1])} or {MINIMIZED[-1]}"
        raise UsageError(f"what is minimised is {known}, not {minimize!r}")
    return "duration" if minimize.endswith("duration") else "distance", minimize.startswith("vehicles")


def clock_fields(
    metric: Metric,
    points: NDArray[Any],
    unit: str | None,
    distances: Callable[[], NDArray[Any]],
    services: Floats | None = None,
    *,
    speed: float | None = None,
    durations: ArrayLike | None = None,
    depart: str | None = None,
    minimize: str = "distance",
    max_hours: float | None = None,
    traffic: Traffic | None = None,
) -> tuple[dict[str, Any], str | None]:
    """Return the fields of a problem that times change, and a note for the user or None.

    ``metric``, ``points``: how distances are measured
    ``unit``: unit of the distances
    ``distances``: returns all distances, if durations are minimised
    ``services``: (n,): service times in seconds
    ``speed``, ``durations``, ``depart``, ``minimize``, ``max_hours``: as for :meth:`VRP.from_points`
    ``traffic``: how the durations depend on the time of day
    """
    if speed is not None and durations is not None:
        raise UsageError("a speed and a matrix of durations contradict each other; give one of them")
    if speed is None and durations is None:
        given = {
            "a limit in hours": max_hours, "a service in minutes": services, "a departure": depart,
            "to minimise durations": None if minimize == "distance" else minimize,
        }  # fmt: skip
        for what, value in given.items():
            if value is not None:
                raise UsageError(f"{what} needs travel times: a speed (--speed) or a matrix of durations (--durations)")
        return {}, None
    limit = finite_number(max_hours)
    if max_hours is not None and not (limit or 0) > 0:
        raise UsageError(f"the limit in hours is {max_hours}; it must be above 0")
    fields: dict[str, Any] = {} if limit is None else {"max_duration": limit * HOUR}
    departs = None if depart is None else time_of_day(depart)
    served = np.zeros(1) if services is None else services
    if speed is not None:
        fields["clock"] = Clock(served, pace=pace_of(speed, unit), depart=departs)
        return fields, ONE_SPEED if minimize == "duration" else None
    if traffic is not None and minimize == "duration":
        raise UsageError("travel times that depend on the time of day cannot be minimised yet; minimise distances")
    if minimize == "distance":
        fields["clock"] = Clock(served, durations=np.asarray(durations), depart=departs, traffic=traffic)
        return fields, None
    fields["clock"] = Clock(served, distances=distances(), depart=departs)
    fields |= {"metric": METRICS["EXPLICIT"], "points": np.asarray(durations), "unit": unit}
    if metric.norm != "matrix":
        places, latlon = drawn(metric, points)
        fields |= {"display": places, "latlon": latlon}
    return fields, None


def window_fields(
    n: int,
    depot: int,
    *,
    timed: bool,
    windows: Sequence[Any] | NDArray[Any] | TimeWindows | None = None,
    shift: str | Sequence[Any] | None = None,
    hour_cost: float | None = None,
    late_cost: float | None = None,
    max_wait_minutes: float | None = None,
    releases: Sequence[Any] | NDArray[Any] | None = None,
) -> dict[str, Any]:
    """Return the fields of a VRP with ``n`` nodes that windows, a shift, costs of time and releases give.

    ``windows``: (n, 2): of each node the text, pair or list of pairs that :func:`span_of` takes, or None for any time
    ``shift``: when vehicles may leave and must be back, within the windows of the depot
    ``timed``: whether there are travel times; times are in the unit of the distances otherwise
    """
    fields: dict[str, Any] = {}
    if windows is not None:
        fields["windows"] = windows if isinstance(windows, TimeWindows) else _windows_of(windows, n, timed=timed)
    if shift is not None:
        spans = span_of(shift, "the shift", timed=timed)
        if len(spans) != 1:
            raise UsageError(f"the shift {shift!r} has {len(spans)} windows; it is one, such as 08:00-17:00")
        known = fields.get("windows", TimeWindows.always(n))
        fields["windows"] = known.within(depot, *spans[0], clock=timed) if depot in range(n) else known
    if hour_cost is not None:
        fields["hour_cost"] = hour_cost
    if late_cost is not None:
        fields["late_cost"] = late_cost
    if max_wait_minutes is not None:
        fields["max_wait"] = _seconds(max_wait_minutes, timed=timed)
    if releases is not None:
        fields["releases"] = np.array([_moment_of(each, at, timed=timed) for at, each in enumerate(releases, 1)])
    return fields


def _seconds(minutes: float, *, timed: bool) -> float:
    """Return minutes as seconds; what is no number, or has the unit of the distances, as it is."""
    number = finite_number(minutes)
    return minutes if number is None or not timed else number * MINUTE


def _moment_of(value: Any, node: int, *, timed: bool) -> float:
    """Return when the goods of a node are there."""
    number = 0.0 if value is None else finite_number(value)
    if number is None and timed and isinstance(value, str):
        number = time_of_day(value)
    if number is None:
        right = "'09:30', or seconds after midnight" if timed else "a number in the unit of the distances"
        raise InputError(f"the release of node {node} is {value!r}; it is {right}, or None")
    return number


def _windows_of(windows: Sequence[Any] | NDArray[Any], n: int, *, timed: bool) -> TimeWindows:
    """Return the windows that a user gives for each node."""
    given = windows.tolist() if isinstance(windows, np.ndarray) else windows
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != n:
        raise InputError(f"windows have one entry for each of the {n} nodes: '08:00-12:00', a pair, or None")
    spans = [
        None if each is None else span_of(each, f"the window of node {at}", timed=timed)
        for at, each in enumerate(given, 1)
    ]
    return TimeWindows.of(spans, n)


def all_distances(metric: Metric, points: Floats) -> NDArray[Any]:
    """Return the (n, n) distances between points."""
    nodes = np.arange(len(points))
    matrix: NDArray[Any] = np.array([metric.distances(points, np.array([node]), nodes) for node in nodes.tolist()])
    return matrix


def drawn(metric: Metric, points: Floats) -> tuple[Floats, bool]:
    """Return places to draw for points that a matrix replaces, and whether they are latitudes and longitudes."""
    if metric.norm == "geo":
        return decimal_degrees(points), True
    return points[:, :2], metric.norm == "great_circle"


def decimal_degrees(points: Floats) -> Floats:
    """Convert TSPLIB's DDD.MM (degrees and minutes) to degrees."""
    degrees = np.trunc(points)
    return np.round(degrees + (points - degrees) / 0.6, 6)
