"""The problem of a file in vrp-cli's pragmatic JSON.

That program serves as many jobs as it can, with as few vehicles as it can, at the least cost. Here a job that is not
served costs more than any plan, and the number of vehicles counts by their fixed costs. Nodes are the places where
vehicles begin and end, then those of jobs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.pragmatic.request import AskedJob, JobPlace, JobTask, Kind, Wanted
from warptour.model.clock import HOUR
from warptour.model.customers import Customer, Depot, fleet_problem
from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import VehicleType
from warptour.model.rests import Break
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP

Travelled = Callable[[NDArray[np.float64], float], tuple[NDArray[Any], NDArray[Any]]]
"""Returns distances in metres and durations in seconds between places, at a pace in metres per second."""
FEWEST: Final = "the fewest vehicles come first there, and here what they cost; a fixed cost makes them fewer"


def problem_of(wanted: Wanted, name: str, travelled: Travelled, notes: list[str]) -> VRP:
    """Return the problem that a file asks for; ``notes`` receives what is planned differently."""
    spots = list(dict.fromkeys(spot for kind in wanted.kinds for spot in (kind.start, kind.end) if spot is not None))
    pace = wanted.kinds[0].pace
    customers: list[Customer] = []
    shipments: list[Shipment] = []
    for job in wanted.jobs:
        allowed = _allowed(job, wanted)
        if len(job.tasks) == 2:
            shipments.append(Shipment(len(spots) + len(customers), len(spots) + len(customers) + 1))
        for task in job.tasks:
            customers += [_customer(job, task, stop, allowed) for stop in task.stops]
    places = np.array([*spots, *((each.x, each.y) for each in customers)])
    distances, durations = travelled(places, pace)
    most = max(1, *(len(task.demand) for job in wanted.jobs for task in job.tasks))
    types = [_type(kind, spots, pace, most) for kind in wanted.kinds]
    worth = _worth(types, distances, durations, customers)
    depots = [Depot(*spot, name=f"place {at}") for at, spot in enumerate(spots, 1)]
    priced = [each if each.group else replace(each, prize=worth) for each in customers]
    try:
        problem = fleet_problem(
            depots, priced, types, matrix=distances, durations=durations, latlon=True, name=name, unit="m"
        )
        planned = replace(problem, shipments=tuple(shipments)) if shipments else problem
    except (InputError, UsageError) as error:
        raise InputError(getattr(error, "message", str(error)), wanted.path) from None
    if not wanted.named_objectives:
        notes.append(f"{wanted.path}: {FEWEST}")
    else:
        notes.append(f"{wanted.path}: objectives is not used: jobs that are served come first, then the cost")
    return planned


def _customer(job: AskedJob, task: JobTask, stop: JobPlace, allowed: tuple[str, ...]) -> Customer:
    """Return a task at one of its places; of those of one job, one is served."""
    lone_pickup = task.kind == "pickups" and len(job.tasks) == 1
    return Customer(
        *stop.spot, demand=() if lone_pickup or task.kind == "services" else task.demand,
        pickup=task.demand if lone_pickup else (), windows=list(stop.windows) or None, service=stop.duration,
        vehicles=allowed, group=job.id if len(task.stops) > 1 else "", together=(job.group,) if job.group else (),
        name=job.id if len(job.tasks) == 1 else f"{job.id} ({'pickup' if task.kind == 'pickups' else 'delivery'})",
    )  # fmt: skip


def _allowed(job: AskedJob, wanted: Wanted) -> tuple[str, ...]:
    """Return the types that have the skills for a job; none where all have."""
    able = [
        kind.id
        for kind in wanted.kinds
        if job.all_of <= kind.skills
        and (not job.one_of or job.one_of & kind.skills)
        and not job.none_of & kind.skills
    ]  # fmt: skip
    if not able:
        raise InputError(f"{job.where}.skills: no vehicle has them", wanted.path)
    return () if len(able) == len(wanted.kinds) else tuple(able)


def _type(kind: Kind, spots: Sequence[tuple[float, float]], pace: float, wide: int) -> VehicleType:
    longest, far = (math.inf if limit is None else limit for limit in (kind.max_duration, kind.max_distance))
    return VehicleType(
        count=kind.count, capacities=tuple(map(float, kind.capacity)) or (math.inf,) * wide,
        start=spots.index(kind.start), end=None if kind.end is None else spots.index(kind.end), opens=kind.opens,
        closes=kind.closes, max_stops=kind.max_stops, fixed_cost=kind.fixed, distance_cost=kind.per_metre,
        hour_cost=kind.per_second * HOUR, speed=kind.pace / pace, name=kind.id,
        breaks=tuple(Break(each.opens, each.closes, each.length) for each in kind.rests),
        max_distance=far, max_duration=longest,
    )  # fmt: skip


def _worth(
    types: Sequence[VehicleType], distances: NDArray[Any], durations: NDArray[Any], customers: Sequence[Customer]
) -> float:
    """Return more than a plan can cost: a trip of the dearest vehicle to each customer, with all day for it."""
    far, long = float(distances.max()), float(durations.max())
    ends = [closes for each in customers for _, closes in each.windows or ()]
    day = max([each.closes - each.opens for each in types if math.isfinite(each.closes)] + ends, default=0.0)
    trips = [
        each.fixed_cost + 2 * far * each.distance_cost + each.hour_cost / HOUR * max(day, 2 * long / each.speed)
        for each in types
    ]
    return 1.0 + len(customers) * max(trips)
