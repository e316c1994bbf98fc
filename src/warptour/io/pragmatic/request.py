"""What a file in vrp-cli's pragmatic JSON asks for: its jobs, its vehicles, and their shifts in seconds.

A time counts from midnight of the first day that the file names. What cannot be planned is refused by its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from warptour.io.json_fields import Fields
from warptour.model.hours import Window

TASKS: Final = ("pickups", "deliveries", "services")
"""Kinds of tasks that are planned, at most one of each in a job."""
PACE: Final = 10.0
"""Metres per second of a profile that does not say its speed, as vrp-cli has it."""
LONE: Final = "only jobs of one task, or of one pickup and one delivery, are planned so far"
PLAN_NOT_YET: Final = {"relations": "orders of jobs that are given are not planned yet"}
JOB_NOT_YET: Final = {
    "replacements": "goods that are exchanged are not planned yet",
    "compatibility": "jobs that must not share a route are not planned in this form yet",
    "value": "jobs that are worth more than others are not planned in this form yet",
}
TASK_NOT_YET: Final = {"order": "an order among tasks is not planned yet"}
SHIFT_NOT_YET: Final = {
    "reloads": "several trips of a vehicle are not planned yet",
    "recharges": "recharging is not planned yet",
    "dispatch": "dispatching centres are not planned yet",
}


@dataclass(frozen=True)
class JobPlace:
    """A task at one of its places; ``where`` names it in the file."""

    where: str
    spot: tuple[float, float]
    duration: float
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class JobTask:
    """What is done somewhere: its possible places, and the load of each dimension."""

    kind: str
    stops: tuple[JobPlace, ...]
    demand: tuple[int, ...]


@dataclass(frozen=True)
class AskedJob:
    """One task, or a pickup and the delivery of the same goods."""

    where: str
    id: str
    tasks: tuple[JobTask, ...]
    all_of: frozenset[str]
    one_of: frozenset[str]
    none_of: frozenset[str]
    group: str


@dataclass(frozen=True)
class Rest:
    """A break of a driver."""

    opens: float
    closes: float
    length: float


@dataclass(frozen=True)
class Kind:
    """A type of vehicles; costs are of the vehicle, of a metre and of a second."""

    where: str
    id: str
    count: int
    capacity: tuple[int, ...]
    skills: frozenset[str]
    pace: float
    start: tuple[float, float]
    end: tuple[float, float] | None
    opens: float
    closes: float
    rests: tuple[Rest, ...]
    fixed: float
    per_metre: float
    per_second: float
    max_distance: float | None
    max_duration: float | None
    max_stops: int | None


@dataclass(frozen=True)
class Wanted:
    """All that a file asks for."""

    path: str
    jobs: tuple[AskedJob, ...]
    kinds: tuple[Kind, ...]
    named_objectives: bool


class PragmaticReader:
    """Reads the members of a file; ``dates`` are known once all times have been seen."""

    def __init__(self, content: Any, path: str) -> None:
        self.path = path
        self.unused: list[str] = []
        """Places of members that are not known."""
        self.top = self._known(Fields.of(content, path), "plan fleet objectives")
        times = sorted(_times_in(content))
        first = times[0] if times else datetime.min
        self.midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)

    def _known(self, fields: Fields, names: str) -> Fields:
        """Return an object, and keep in mind which of its members are not among those with ``names``."""
        self.unused += map(fields.at, fields.unknown(names.split()))
        return fields

    def read(self) -> Wanted:
        """Return what the file asks for."""
        plan = self._known(self.top.object("plan"), "jobs relations")
        fleet = self._known(self.top.object("fleet"), "vehicles profiles resources")
        plan.refuse(PLAN_NOT_YET)
        fleet.refuse({"resources": "resources that vehicles share are not planned yet"})
        paces = {each.text("name"): each.number("speed", PACE) for each in fleet.objects("profiles")}
        jobs = tuple(self._job(each) for each in plan.objects("jobs"))
        kinds = tuple(self._kind(each, paces) for each in fleet.objects("vehicles"))
        if not jobs:
            plan.fail("jobs", "there are none")
        if not kinds:
            fleet.fail("vehicles", "there are none")
        return Wanted(self.path, jobs, kinds, self.top.has("objectives"))

    def _job(self, job: Fields) -> AskedJob:
        job.refuse(JOB_NOT_YET)
        self._known(job, " ".join(("id skills group", *TASKS, *JOB_NOT_YET)))
        tasks = []
        for kind in TASKS:
            found = job.objects(kind)
            if len(found) > 1:
                job.fail(kind, f"there are {len(found)}; {LONE}")
            tasks += [self._task(kind, each) for each in found]
        kinds = [task.kind for task in tasks]
        if len(tasks) != 1 and kinds != ["pickups", "deliveries"]:
            job.fail(kinds[-1] if kinds else "deliveries", LONE)
        if len(tasks) == 2 and tasks[0].demand != tasks[1].demand:
            job.fail("deliveries", "it brings other goods than its pickup takes")
        if len(tasks) == 2 and any(len(task.stops) > 1 for task in tasks):
            job.fail("pickups", "a choice of places for goods that are picked up is not planned yet")
        skills = self._known(job.object("skills"), "allOf oneOf noneOf")
        all_of, one_of, none_of = (frozenset(map(str, skills.items(name))) for name in ("allOf", "oneOf", "noneOf"))
        return AskedJob(job.place, job.text("id"), tuple(tasks), all_of, one_of, none_of, job.text("group"))

    def _task(self, kind: str, task: Fields) -> JobTask:
        task.refuse(TASK_NOT_YET)
        self._known(task, "places demand order")
        places = task.objects("places")
        if not places:
            task.fail("places", "there are none")
        for each in places:
            self._known(each, "location duration times tag")
        stops = tuple(
            JobPlace(each.place, _spot(each), each.number("duration", 0.0), self._windows(each, "times"))
            for each in places
        )
        return JobTask(kind, stops, task.wholes("demand"))

    def _kind(self, kind: Fields, paces: dict[str, float]) -> Kind:
        shifts = kind.objects("shifts")
        if len(shifts) != 1:
            kind.fail("shifts", f"there are {len(shifts)}; vehicles with one shift are planned so far")
        self._known(kind, "typeId vehicleIds profile costs shifts capacity skills limits")
        shift = self._known(shifts[0], " ".join(("start end breaks", *SHIFT_NOT_YET)))
        shift.refuse(SHIFT_NOT_YET)
        start, end = (self._known(shift.object(name), "earliest latest location") for name in ("start", "end"))
        opens = self._time(start, "earliest")
        if start.has("latest") and self._time(start, "latest") != opens:
            start.fail("latest", "a latest departure is not planned yet")
        if end.has("earliest"):
            end.fail("earliest", "an earliest return is not planned yet")
        costs = self._known(kind.object("costs"), "fixed distance time")
        limits = self._known(kind.object("limits"), "maxDistance maxDuration shiftTime tourSize areas")
        profile = self._known(kind.object("profile"), "matrix scale")
        limits.refuse({"areas": "areas of vehicles are not planned yet"})
        called = profile.text("matrix")
        if paces and called not in paces:
            profile.fail("matrix", f"there is no profile {called!r} in fleet.profiles")
        pace = paces.get(called, PACE) / profile.number("scale", 1.0, least=1e-6)
        longest = next((name for name in ("maxDuration", "shiftTime") if limits.has(name)), None)
        return Kind(
            kind.place, kind.text("typeId"), max(1, len(kind.items("vehicleIds"))), kind.wholes("capacity"),
            frozenset(map(str, kind.items("skills"))), pace,
            _spot(start), _spot(end) if end.content else None, opens,
            self._time(end, "latest") if end.content else float("inf"), tuple(map(self._rest, shift.objects("breaks"))),
            costs.number("fixed", 0.0), costs.number("distance", 0.0), costs.number("time", 0.0),
            limits.number("maxDistance") if limits.has("maxDistance") else None,
            limits.number(longest) if longest else None,
            limits.whole("tourSize", least=1) if limits.has("tourSize") else None,
        )  # fmt: skip

    def _rest(self, rest: Fields) -> Rest:
        self._known(rest, "time places policy")
        spans = rest.items("time")
        places = rest.objects("places")
        if len(spans) != 2 or not all(isinstance(each, str) for each in spans):
            rest.fail("time", "a break is planned between two times such as 2026-05-04T12:00:00Z")
        if len(places) != 1 or places[0].has("location"):
            rest.fail("places", "a break is planned with one duration, wherever the vehicle is")
        opens, closes = (self._seconds(rest, "time", each) for each in spans)
        return Rest(opens, closes, places[0].number("duration"))

    def _windows(self, place: Fields, name: str) -> tuple[Window, ...]:
        windows = []
        for span in place.items(name):
            if not isinstance(span, list) or len(span) != 2:
                place.fail(name, "a window is two times, of opening and closing")
            opens, closes = (self._seconds(place, name, each) for each in span)
            if closes < opens:
                place.fail(name, f"the window {span[0]} to {span[1]} ends before it begins")
            windows.append((opens, closes))
        return tuple(windows)

    def _time(self, fields: Fields, name: str) -> float:
        return self._seconds(fields, name, fields.content.get(name))

    def _seconds(self, fields: Fields, name: str, text: Any) -> float:
        moment = _moment(text)
        if moment is None:
            fields.fail(name, f"it is {text!r}, not a time such as 2026-05-04T08:00:00Z")
        return (moment - self.midnight) / timedelta(seconds=1)


def is_pragmatic(content: Any) -> bool:
    """Return whether the content of a file is such a problem."""
    return isinstance(content, dict) and {"plan", "fleet"} <= content.keys()


def _spot(place: Fields) -> tuple[float, float]:
    """Return the latitude and longitude of a place."""
    location = place.object("location")
    if not {"lat", "lng"} <= location.content.keys():
        place.fail("location", "it must have lat and lng; places of matrices are not read")
    lat, lng = location.number("lat", least=-90), location.number("lng", least=-180)
    if lat > 90 or lng > 180:
        place.fail("location", f"{lat:g}, {lng:g} is no latitude and longitude")
    return lat, lng


def _moment(text: Any) -> datetime | None:
    """Return a time in RFC 3339, as that of UTC."""
    if not isinstance(text, str) or "T" not in text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


def _times_in(content: Any) -> list[datetime]:
    """Return all times of a file."""
    found: list[datetime] = []
    _walk(content, lambda text: found.append(moment) if (moment := _moment(text)) else None)
    return found


def _walk(content: Any, tell: Callable[[str], None]) -> None:
    """Tell every text below members and lists; files are no deeper than their format."""
    stack = [content]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            tell(each)
        elif isinstance(each, dict | list):
            stack += each.values() if isinstance(each, dict) else each
