"""The problem that a file in VROOM's JSON asks for, as far as it can be planned.

VROOM minimises what travel costs, by its time and length, after it has served as many jobs as it can, those of high
priority first: prizes say the latter. Nodes are the places where vehicles begin and end, then the jobs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.vroom.request import Place, Request, RequestedJob, Vehicle
from warptour.model.clock import HOUR, Clock
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.metric import METRICS, Floats
from warptour.model.rests import Break
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

KILOMETRE: Final = 1000.0
EXACT: Final = 2.0**53
"""Largest sum of prizes that is exact."""
NAMED: Final = 3
"""Maximum number of vehicles that the name of their type lists."""


@dataclass(frozen=True, eq=False)
class Planned:
    """A request, and which vehicle and job each route and node of its problem is."""

    request: Request

    @cached_property
    def depots(self) -> list[Place]:
        """The places where vehicles begin and end: the first nodes."""
        found = {place.row: place for each in self.request.vehicles for place in ends_of(each)}
        return [found[row] for row in sorted(found)]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Row of each node in the travel."""
        return np.array([place.row for place in self.depots] + [job.place.row for job in self.request.jobs])

    @cached_property
    def groups(self) -> list[list[int]]:
        """Vehicles that are alike, by their numbers in the request; those that may have no job are in none."""
        groups: dict[Any, list[int]] = {}
        for number, each in enumerate(self.request.vehicles):
            if each.max_tasks != 0:
                key = {**vars(each), "id": 0, "description": "", "profile": id(self.request.travel_of(each))}
                key |= {name: place and place.row for name, place in (("start", each.start), ("end", each.end))}
                groups.setdefault(tuple(key.items()), []).append(number)
        return list(groups.values())

    def node(self, place: Place | None) -> int | None:
        """Return the node of the place where a vehicle begins or ends."""
        return None if place is None else [each.row for each in self.depots].index(place.row)

    def vehicles(self, fleet: Fleet) -> list[int]:
        """Return the vehicle of the request that each of a fleet is."""
        numbers = [number for group in self.groups for number in group]
        return [numbers[at] for at in fleet.numbers.tolist()]


def ends_of(vehicle: Vehicle) -> Iterator[Place]:
    """Yield where a vehicle begins and ends."""
    for place in (vehicle.start, vehicle.end):
        if place is not None:
            yield place


def problem_of(request: Request, name: str) -> VRP:
    """Return the problem that a request asks for.

    Raises :class:`InputError` with the place of what cannot be planned.
    """
    planned = Planned(request)
    if not planned.groups:
        raise request.fail("vehicles", "none may have a task (max_tasks)")
    every, rates = _costs(request)
    dearest = np.maximum.reduce([*every.values()])
    ways = every[request.vehicles[0].profile]
    first, jobs = len(planned.depots), request.jobs
    services, setups = _services(request)
    pairs = np.ix_(planned.rows, planned.rows)
    durations = request.durations[pairs] + _at_jobs(planned, setups)
    minimised, limits = _limits(request, ways, setups=bool(setups))
    clock_services = np.array([0.0] * first + services, np.float64)
    if minimised:
        assert request.distances is not None
        clock = Clock(clock_services, distances=request.distances[pairs])
    else:
        clock = Clock(clock_services, durations=durations)
    loads, back = _loads(request)
    wide = loads.shape[1]
    nothing = np.zeros((first, wide), np.int64)
    demands = np.concatenate((nothing, loads))
    types = [_type(planned, group, rates[group[0]], limits[group[0]], wide) for group in planned.groups]
    for at, group in enumerate(planned.groups):
        own = request.vehicles[group[0]]
        if request.travel_of(own) is not request.travel_of(request.vehicles[0]):
            hours = request.travel_of(own)[0][pairs] + _at_jobs(planned, setups)
            types[at] = replace(types[at], matrix=every[own.profile][pairs], durations=hours)
    timed = any(job.windows for job in jobs)
    spots = [place.coordinates for place in (*planned.depots, *(job.place for job in jobs))]
    drawn = [(lat, lon) for spot in spots if spot is not None for lon, lat in (spot,)]
    return VRP(
        name, METRICS["EXPLICIT"], ways[pairs], np.array(drawn) if len(drawn) == len(spots) else None,
        (*("" for _ in planned.depots), *(job.description or f"{job.kind} {job.id}" for job in jobs)),
        latlon=len(drawn) == len(spots), unit="m" if minimised or ways is request.distances else None, clock=clock,
        demands=demands[:, 0], more_demands=demands[:, 1:].astype(np.float64) if wide > 1 else None,
        pickups=None if back is None else np.concatenate((nothing, back)),
        windows=TimeWindows.of([None] * first + [list(job.windows) or None for job in jobs], len(spots))
        if timed else None,
        depots=tuple(range(first)), fleet=Fleet(tuple(types), allowed=_allowed(planned)),
        prizes=np.concatenate((np.zeros(first), _prizes(planned, dearest, rates))), request=planned,
        shipments=tuple(Shipment(at, at + 1) for at in range(first + request.singles, len(spots), 2)),
    )  # fmt: skip


def _type(planned: Planned, group: list[int], rate: float, limit: float, wide: int) -> VehicleType:
    """Return vehicles that are alike as a type."""
    own = planned.request.vehicles[group[0]]
    names = [planned.request.vehicles[number].description for number in group]
    ids = ", ".join(str(planned.request.vehicles[number].id) for number in group[:NAMED])
    called = f"vehicle{'s' if len(group) > 1 else ''} {ids}{', ...' if len(group) > NAMED else ''}"
    return VehicleType(
        count=len(group), capacities=tuple(map(float, own.capacity)) or (math.inf,) * wide,
        start=planned.node(own.start), end=planned.node(own.end), opens=own.window[0], closes=own.window[1],
        max_distance=limit, max_stops=own.max_tasks, fixed_cost=own.fixed, distance_cost=rate, speed=own.speed,
        name=names[0] if len(set(names)) == 1 and names[0] else called,
        breaks=tuple(Break(*each.window, each.service) for each in own.breaks),
    )  # fmt: skip


def _costs(request: Request) -> tuple[dict[str, NDArray[Any]], list[float]]:
    """Return what travel costs between places by profile, and for each vehicle the factor on it."""
    rates = [(each.per_hour / HOUR / each.speed, each.per_km / KILOMETRE) for each in request.vehicles]
    if request.costs is not None:
        given = {name: costs for name, (_, _, costs) in request.profiles.items() if costs is not None}
        return given, [1.0] * len(rates)
    by_time, by_way = next((rate for rate in rates if rate != (0, 0)), (1.0, 0.0))
    for at, (hourly, along) in enumerate(rates):
        if not math.isclose(hourly * by_way, along * by_time, rel_tol=1e-12):
            fault = "costs of hours (at its speed) and of km in another proportion than that of other vehicles"
            raise request.fail(f"vehicles[{at}].costs", f"{fault} are not planned yet")
    if by_way == 0:
        return {name: hours for name, (hours, _, _) in request.profiles.items()}, [hourly for hourly, _ in rates]
    lengths = {name: (hours, ways) for name, (hours, ways, _) in request.profiles.items() if ways is not None}
    if by_time == 0:
        return {name: ways for name, (_, ways) in lengths.items()}, [along for _, along in rates]
    mixed = {name: by_time * hours + by_way * ways for name, (hours, ways) in lengths.items()}
    return mixed, [along / by_way for _, along in rates]


def _limits(request: Request, ways: NDArray[Any], *, setups: bool) -> tuple[bool, list[float]]:
    """Return whether to say of the costs that they are travel times, and the limit of each vehicle on lengths.

    A limit is on the lengths of roads, which are known beside travel times that are minimised, or else on what is
    minimised: travel times, too.
    """
    timely, far = ways is request.durations, [each.max_distance for each in request.vehicles]
    longest = [each.max_travel_time for each in request.vehicles]
    alike = len({id(travel) for travel in request.profiles.values()}) == 1
    minimised = alike and timely and request.distances is not None and not setups and not np.isfinite(longest).any()
    for at in range(len(request.vehicles)):
        if np.isfinite(longest[at]) and not timely:
            fault = "a limit on the time of travel needs costs that are in proportion to it"
            raise request.fail(f"vehicles[{at}].max_travel_time", f"{fault}, so far")
        if np.isfinite(far[at]) and not minimised and ways is not request.distances:
            fault = "beside setups at common places, limits on the time of travel, other profiles or costs "
            fault += "it is not planned yet"
            raise request.fail(f"vehicles[{at}].max_distance", fault)
    if minimised or not timely:
        return minimised, far
    return False, [most * each.speed for most, each in zip(longest, request.vehicles, strict=True)]


def _services(request: Request) -> tuple[list[float], dict[int, int]]:
    """Return how long each job takes at its place, and the setups that only who comes from elsewhere needs.

    The former contain the setups of jobs at whose place no other job is and no vehicle begins.
    """
    rows = Counter(job.place.row for job in request.jobs)
    rows.update({each.start.row for each in request.vehicles if each.start is not None})
    services, apart = [], {}
    for at, job in enumerate(request.jobs):
        alone = rows[job.place.row] == 1
        services.append(float(job.service + (job.setup if alone else 0)))
        if job.setup and not alone:
            apart[at] = job.setup
            _check_setup(request, job)
    return services, apart


def _check_setup(request: Request, job: RequestedJob) -> None:
    """Raise :class:`InputError` for a setup that depends on who is before and that travel cannot contain."""
    fault = None
    if job.windows:
        fault = "with time_windows"
    elif any(each.speed != 1 for each in request.vehicles):
        fault = "with a speed_factor"
    elif any(each.start is None for each in request.vehicles):
        fault = "with vehicles without a start"
    if fault is not None:
        raise request.fail(f"{job.where}.setup", f"at a place that others have, too, and {fault} it is not planned yet")


def _at_jobs(planned: Planned, setups: dict[int, int]) -> NDArray[np.int64]:
    """Return the setups that travel between nodes contains: those of jobs, from other places."""
    rows, first = planned.rows, len(planned.depots)
    more = np.zeros((len(rows), len(rows)), np.int64)
    for job, setup in setups.items():
        more[:, first + job] = np.where(rows == rows[first + job], 0, setup)
    return more


def _loads(request: Request) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Return what each job gets, and what it gives; where nobody gets anything, None, and the former is what it gives.

    Both ends of a shipment take its goods.
    """
    wide, singles = max(1, request.loads), request.singles
    gets, gives = (
        np.array([given or (0,) * wide for given in loads], np.int64).reshape(len(request.jobs), wide)
        for loads in ([job.delivery for job in request.jobs], [job.pickup for job in request.jobs])
    )
    both = gives[:singles].any(axis=0) & (gets.any(axis=0) | gives[singles:].any(axis=0))
    if not both.any():
        return gets + gives, None
    back = gives.copy()
    back[singles:] = 0
    return gets + gives - back, back


def _allowed(planned: Planned) -> NDArray[np.bool_] | None:
    """Return which types of vehicles have the skills for each node; None if all have."""
    jobs, owned = planned.request.jobs, [planned.request.vehicles[group[0]].skills for group in planned.groups]
    if not any(job.skills for job in jobs):
        return None
    able = np.array([[job.skills <= skills for skills in owned] for job in jobs])
    return np.concatenate((np.ones((len(planned.depots), len(owned)), np.bool_), able))


def _prizes(planned: Planned, ways: NDArray[Any], rates: list[float]) -> Floats:
    """Return what is lost with each job: more than a plan can cost, and with priority than all jobs of less together.

    Of large requests, whose prizes would not add up exactly, more than a trip to any one job can cost.
    """
    request, jobs = planned.request, len(planned.request.jobs)
    steps = np.array([job.priority for job in request.jobs], np.int64)
    steps //= max(1, int(np.gcd.reduce(steps)))
    among = ways[np.ix_(planned.rows, planned.rows)]
    dearest, fixed = max(rates), sorted((each.fixed for each in request.vehicles), reverse=True)
    whole = dearest * (float(among.max(axis=0).sum()) + min(jobs, len(fixed)) * float(among.max())) + sum(fixed[:jobs])
    trip = 2 * dearest * float(among.max()) + fixed[0]
    for most in (whole, trip):
        prizes = ((1 + math.ceil(most)) * (1 + (jobs + 1) * steps)).astype(np.float64)
        if prizes.sum() < EXACT:
            break
    return prizes
