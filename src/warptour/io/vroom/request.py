"""What a file in VROOM's JSON asks for: its jobs, its vehicles, and the travel between their places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.io.json_fields import Fields, remark
from warptour.model.errors import InputError
from warptour.model.windows import LATEST

PROFILE: Final = "car"
"""Profile of vehicles that name none."""
HIGHEST: Final = 100
"""Highest priority."""
FASTEST: Final = 5.0
"""Highest factor on the speed."""
HOURLY: Final = 3600.0
"""Cost of an hour of travel where a vehicle does not say it: a second costs 1."""

TOP: Final = ("jobs", "shipments", "vehicles", "matrices", "options")
JOB: Final = (
    "id", "description", "location", "location_index", "setup", "service", "delivery", "amount", "pickup", "skills",
    "priority", "time_windows",
)  # fmt: skip
END: Final = ("id", "description", "location", "location_index", "setup", "service", "time_windows")
SHIPMENT: Final = ("amount", "skills", "priority", "pickup", "delivery")
VEHICLE: Final = (
    "id", "profile", "description", "start", "start_index", "end", "end_index", "capacity", "costs", "skills", "type",
    "time_window", "speed_factor", "max_tasks", "max_travel_time", "max_distance", "breaks",
)  # fmt: skip
COSTS: Final = ("fixed", "per_hour", "per_km")

NOT_YET: Final = {
    "job": {
        "setup_per_type": "setups that differ by vehicle are not planned yet",
        "service_per_type": "services that differ by vehicle are not planned yet",
    },
    "costs": {"per_task_hour": "a cost of hours of service is not planned yet"},
}
"""What VROOM plans and this program does not."""

Kind: TypeAlias = Literal["job", "pickup", "delivery"]
"""What a task is: a job, or an end of a shipment."""
Travel: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64] | None, NDArray[np.int64] | None]
"""Durations between places, and their distances and costs where those are known."""
Asked: TypeAlias = Callable[[list[tuple[float, float]]], Travel]
"""Returns the travel between longitudes and latitudes."""


@dataclass(frozen=True)
class Place:
    """Where something is: its row in the travel, and what the file says of it."""

    row: int
    coordinates: tuple[float, float] | None
    numbered: bool

    def members(self) -> dict[str, Any]:
        """Return what an answer says of it."""
        said: dict[str, Any] = {} if self.coordinates is None else {"location": list(self.coordinates)}
        return said | ({"location_index": self.row} if self.numbered else {})


@dataclass(frozen=True)
class RequestedJob:
    """A task at one place, which ``where`` names in the file; times are in seconds."""

    where: str
    kind: Kind
    id: int
    description: str
    place: Place
    setup: int
    service: int
    delivery: tuple[int, ...]
    pickup: tuple[int, ...]
    skills: frozenset[int]
    priority: int
    windows: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class RequestedBreak:
    """A break of a driver, which begins within a window; times are in seconds."""

    id: int
    description: str
    window: tuple[float, float]
    service: int


@dataclass(frozen=True)
class Vehicle:
    """A vehicle; times are in seconds, distances in metres, and costs per hour and kilometre."""

    id: int
    description: str
    profile: str
    start: Place | None
    end: Place | None
    capacity: tuple[int, ...]
    skills: frozenset[int]
    window: tuple[float, float]
    fixed: float
    per_hour: float
    per_km: float
    speed: float
    max_tasks: int | None
    max_travel_time: float
    max_distance: float
    breaks: tuple[RequestedBreak, ...] = ()


@dataclass(frozen=True, eq=False)
class Request:
    """A file in VROOM's JSON."""

    path: str  # for messages
    # jobs, vehicles: in the order of the file; behind jobs of one place the pickup and the delivery of each shipment
    jobs: tuple[RequestedJob, ...]
    singles: int  # number of the former
    vehicles: tuple[Vehicle, ...]
    durations: NDArray[np.int64]  # (places, places): of the first vehicle's profile
    # distances, costs: likewise; other profiles have them where this one has
    distances: NDArray[np.int64] | None
    costs: NDArray[np.int64] | None
    profiles: Mapping[str, Travel]  # all three of each profile
    loads: int  # dimensions of loads
    notes: tuple[str, ...] = field(default=())  # what may be a mistake

    def travel_of(self, vehicle: Vehicle) -> Travel:
        """Return durations, distances and costs of a vehicle."""
        return self.profiles[vehicle.profile]

    def fail(self, place: str, fault: str) -> InputError:
        """Return the error of a member that cannot be planned."""
        return InputError(f"{place}: {fault}", self.path)


def is_request(content: Any) -> bool:
    """Return whether JSON asks for a plan in VROOM's words."""
    return isinstance(content, dict) and "vehicles" in content and not {"jobs", "shipments"}.isdisjoint(content)


def read_request(content: Any, path: str, asked: Asked) -> Request:
    """Read what a file asks for.

    ``asked``: returns the travel between longitudes and latitudes where the file has no matrices

    Raises :class:`InputError` with the place of a member that is wrong, or that cannot be planned yet.
    """
    if "matrix" in content and "matrices" not in content:  # as VROOM had it before profiles, and still reads it
        content = dict(content)
        content["matrices"] = {"car": {"durations": content.pop("matrix")}}
    whole = Fields.of(content, path)
    places = _Places(numbered=whole.has("matrices"))
    singles = [_job(each, places, each, "job", each.wholes("delivery") or each.wholes("amount"), each.wholes("pickup"))
               for each in whole.objects("jobs")]  # fmt: skip
    jobs = singles + [end for each in whole.objects("shipments") for end in _shipment(each, places)]
    vehicles = [_vehicle(each, places) for each in whole.objects("vehicles")]
    for name, given in (("jobs", jobs), ("vehicles", vehicles)):
        if not given:
            whole.fail(name, "there are none")
    _check_distinct(path, [(f"vehicles[{at}].id", each.id) for at, each in enumerate(vehicles)])
    for kind in ("job", "pickup", "delivery"):
        _check_distinct(path, [(f"{each.where}.id", each.id) for each in jobs if each.kind == kind])
    if places.numbered:
        profiles = _profiles(whole, vehicles)
    else:
        travel = asked([at for at in places.known if at is not None])
        profiles = {each.profile: travel for each in vehicles}
    durations, distances, costs = profiles[vehicles[0].profile]
    for at, name in places.rows:
        if at >= len(durations):
            raise InputError(f"{name}: it is {at}; the matrices have rows 0 to {len(durations) - 1}", path)
    parts = [(whole, TOP), *((each, JOB) for each in whole.objects("jobs"))]
    parts += [(each, SHIPMENT) for each in whole.objects("shipments")]
    parts += [(each.object(end), END) for each in whole.objects("shipments") for end in ("pickup", "delivery")]
    parts += [(each, VEHICLE) for each in whole.objects("vehicles")]
    parts += [(each.object("costs"), COSTS) for each in whole.objects("vehicles")]
    unused = [each.at(name) for each, known in parts for name in each.unknown(known)]
    return Request(
        path, tuple(jobs), len(singles), tuple(vehicles), durations, distances, costs, profiles,
        _loads(path, jobs, vehicles), (remark(path, unused),) if unused else (),
    )  # fmt: skip


class _Places:
    """The places of a file: rows of its matrices, or else its coordinates in the order in which they are met."""

    def __init__(self, numbered: bool) -> None:
        self.numbered = numbered
        self.known: dict[tuple[float, float] | None, int] = {}
        self.rows: list[tuple[int, str]] = []
        """Rows of matrices that the file names, and where."""

    def of(self, fields: Fields, name: str) -> Place | None:
        """Return the place ``name`` of an object; None if it says nothing of it."""
        index, coordinates = f"{name}_index", None
        if fields.has(name):
            lon, lat = fields.pair(name, "a list of longitude and latitude: [15.44, 47.07]")
            if not self.numbered and not (-180 <= lon <= 180 and -90 <= lat <= 90):
                fields.fail(name, f"[{lon:g}, {lat:g}] is no longitude and latitude, in this order")
            coordinates = lon, lat
        if self.numbered:
            if not fields.has(index):
                if coordinates is not None:
                    fields.fail(name, f"the file has matrices; say in {index} which of their rows it is")
                return None
            row = fields.whole(index, most=2**31 - 1)
            self.rows.append((row, fields.at(index)))
            return Place(row, coordinates, True)
        if coordinates is None:
            if fields.has(index):
                fields.fail(index, "the file has no matrices; add them, or the coordinates of all places")
            return None
        return Place(self.known.setdefault(coordinates, len(self.known)), coordinates, False)


def _job(
    fields: Fields, places: _Places, whole: Fields, kind: Kind, delivery: tuple[int, ...], pickup: tuple[int, ...]
) -> RequestedJob:
    """Return a job, or an end of a shipment; ``whole`` has its skills and priority."""
    fields.refuse(NOT_YET["job"])
    place = places.of(fields, "location")
    if place is None:
        fields.fail("location", "it is missing: [longitude, latitude], or with matrices location_index")
    return RequestedJob(
        fields.place, kind, fields.whole("id"), fields.text("description"), place, fields.whole("setup", 0),
        fields.whole("service", 0), delivery, pickup, frozenset(whole.wholes("skills")),
        whole.whole("priority", 0, most=HIGHEST),
        tuple(_window(fields, f"time_windows[{at}]", each) for at, each in enumerate(fields.items("time_windows"))),
    )  # fmt: skip


def _shipment(fields: Fields, places: _Places) -> tuple[RequestedJob, RequestedJob]:
    """Return both ends of a shipment."""
    goods = fields.wholes("amount")
    for end in ("pickup", "delivery"):
        if not fields.has(end):
            fields.fail(end, "it is missing; a shipment has a pickup and a delivery")
    return (
        _job(fields.object("pickup"), places, fields, "pickup", (), goods),
        _job(fields.object("delivery"), places, fields, "delivery", goods, ()),
    )


def _vehicle(fields: Fields, places: _Places) -> Vehicle:
    """Return a vehicle."""
    costs = fields.object("costs")
    costs.refuse(NOT_YET["costs"])
    start, end = places.of(fields, "start"), places.of(fields, "end")
    if start is None and end is None:
        fields.fail("start", "it is missing; a vehicle has a start, an end or both")
    speed = fields.number("speed_factor", 1.0)
    if not 0 < speed <= FASTEST:
        fields.fail("speed_factor", f"it is {speed:g}; it must be above 0 and at most {FASTEST:g}")
    window = fields.content.get("time_window")
    return Vehicle(
        fields.whole("id"), fields.text("description"), fields.text("profile", PROFILE), start, end,
        fields.wholes("capacity"), frozenset(fields.wholes("skills")),
        (0.0, math.inf) if window is None else _window(fields, "time_window", window),
        costs.number("fixed", 0), costs.number("per_hour", HOURLY), costs.number("per_km", 0), speed,
        fields.whole("max_tasks") if fields.has("max_tasks") else None,
        fields.number("max_travel_time") if fields.has("max_travel_time") else math.inf,
        fields.number("max_distance") if fields.has("max_distance") else math.inf,
        _breaks(fields),
    )  # fmt: skip


def _breaks(vehicle: Fields) -> tuple[RequestedBreak, ...]:
    """Return the breaks of a vehicle that take time, in order."""
    breaks = []
    for fields in vehicle.objects("breaks"):
        fields.refuse({"max_load": "breaks that depend on the load are not planned yet"})
        windows = [_window(fields, f"time_windows[{at}]", each) for at, each in enumerate(fields.items("time_windows"))]
        if len(windows) > 1:
            fields.fail("time_windows", "breaks with several windows are not planned yet")
        window, service = (windows or [(0.0, math.inf)])[0], fields.whole("service", 0)
        breaks += [RequestedBreak(fields.whole("id"), fields.text("description"), window, service)] if service else []
    return tuple(sorted(breaks, key=lambda each: each.window))


def _window(fields: Fields, name: str, value: Any) -> tuple[float, float]:
    """Return a pair of seconds."""
    whole = isinstance(value, list) and all(isinstance(each, int) and not isinstance(each, bool) for each in value)
    if not whole or len(value) != 2 or not 0 <= value[0] <= value[1] <= LATEST:
        fields.fail(name, "it must be the seconds of a begin and an end that is not before it: [28800, 43200]")
    return float(value[0]), float(value[1])


def _check_distinct(path: str, ids: list[tuple[str, int]]) -> None:
    seen: dict[int, str] = {}
    for where, id in ids:
        if id in seen:
            raise InputError(f"{where}: {id} is {seen[id]}, too", path)
        seen[id] = where


def _profiles(whole: Fields, vehicles: list[Vehicle]) -> dict[str, Travel]:
    """Return the matrices of each profile that a vehicle has; those with the same contents are the same."""
    matrices = whole.object("matrices")
    profiles: dict[str, Travel] = {}
    for each in vehicles:
        if each.profile not in profiles:
            same = (name for name in profiles if matrices.content.get(name) == matrices.content.get(each.profile))
            known = next(same, None)
            first = profiles[vehicles[0].profile] if profiles else None
            profiles[each.profile] = _travel(matrices, each.profile, first) if known is None else profiles[known]
    _, distances, costs = profiles[vehicles[0].profile]
    for at, each in enumerate(vehicles):
        if costs is not None and (each.per_hour, each.per_km) != (HOURLY, 0):
            whole.fail(f"vehicles[{at}].costs", "the matrix of costs says what travel costs, so hours and km do not")
        if distances is None and (each.per_km or each.max_distance < math.inf):
            name = "costs.per_km" if each.per_km else "max_distance"
            whole.fail(f"vehicles[{at}].{name}", f"it needs matrices.{each.profile}.distances")
    return profiles


def _travel(matrices: Fields, profile: str, first: Travel | None) -> Travel:
    """Return the matrices of a profile, which has what the first one has."""
    own = matrices.object(profile)
    durations, *others = (own.square(name) for name in ("durations", "distances", "costs"))
    if durations is None:
        own.fail("durations", "there are none")
    for at, (name, matrix) in enumerate(zip(("distances", "costs"), others, strict=True), 1):
        if matrix is not None and len(matrix) != len(durations):
            own.fail(name, f"it has {len(matrix)} rows; the durations have {len(durations)}")
        if first is not None and (matrix is None) != (first[at] is None):
            own.fail(name, "either all profiles have them or none")
    if first is not None and len(durations) != len(first[0]):
        own.fail("durations", f"it has {len(durations)} rows; those of the first vehicle have {len(first[0])}")
    return durations, others[0], others[1]


def _loads(path: str, jobs: list[RequestedJob], vehicles: list[Vehicle]) -> int:
    """Return the dimensions of loads; all objects that have any have as many."""
    named = [(f"vehicles[{at}].capacity", each.capacity) for at, each in enumerate(vehicles)]
    named += [(f"{each.where}: its delivery", each.delivery) for each in jobs if each.delivery]
    named += [(f"{each.where}: its pickup", each.pickup) for each in jobs if each.pickup]
    wide = max(len(given) for _, given in named)
    for name, given in named:
        if len(given) != wide:
            raise InputError(f"{name} has {len(given)} numbers, and elsewhere there are {wide}", path)
    return wide
