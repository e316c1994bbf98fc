"""Planning again while vehicles are under way: a plan's state as a fleet whose vehicles begin where they are now.

Stops that are done are no customers any more. Each vehicle of the plan is a type of its own, which leaves its present
place at its present time, with the capacity, hours and distance that it has left; whoever must stay on it may be served
by no other. All nodes keep their numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.locks import Locks
from warptour.model.pickups import AFTER_DELIVERIES
from warptour.model.planned import PlannedVehicle, check_pairs, owners
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows


@dataclass(frozen=True)
class VehicleRun:
    """Vehicles that become one type: one of the plan, or a run of others."""

    kind: int  # their type so far
    # first, count: number of the first of them from 0, and how many they are
    first: int
    count: int
    planned: PlannedVehicle | None = None


def replanned(
    problem: VRP,  # all stops that there are now: done ones may be among them, cancelled ones are not
    plan: Sequence[PlannedVehicle],
    *,
    now: float | None = None,  # vehicles that have not left do so no earlier
    change_cost: float = 0.0,  # cost of each stop that another vehicle serves than was planned
    cancelled: Sequence[str] = (),  # stops of the plan that are gone, for the result
) -> VRP:
    """Return the problem of what is left of a plan, and of new orders."""
    if problem.service_times.any() and problem.clock is None and problem.max_distance is not None:
        raise UsageError("services that count as distance (--service-time) do not go with a plan under way (--locked)")
    if problem.backhauls == AFTER_DELIVERIES:
        raise UsageError("--backhauls after-deliveries does not go with a plan under way (--locked) yet; last does")
    done = {node for each in plan for node in each.done}
    aboard = [each.pickup for each in problem.shipments if each.pickup in done and each.delivery not in done]
    if problem.lifo and aboard:
        who = _who(problem, aboard[0])
        raise UsageError(f"goods aboard, those of {who}, and --lifo do not go with a plan under way (--locked) yet")
    under_way = now is not None or any(each.under_way for each in plan)
    if under_way and problem.fleet is not None and problem.fleet.days:
        raise UsageError("a plan under way (--now, --locked with what is done) does not go with several days yet")
    owners(problem, plan, problem.depots)
    check_pairs(problem, plan, problem.shipments)
    seats = _seats(problem, plan)
    gone = _gone(problem, plan)
    if len(gone) >= len(problem.customers) + sum(node in problem.depots for node in gone):
        raise InputError(f"no stop of {problem.name} is left to be served")
    changes = _without(problem, plan, gone)
    fleet = Fleet(tuple(_type(problem, seat, now) for seat in seats), allowed=_allowed(problem, seats))
    kept = replace(
        problem, fleet=fleet, depots=(*problem.depots, *gone), best_known=None, max_distance=None, max_duration=None,
        most_stops=None, fixed_cost=0, hour_cost=0, open=False, vehicles=None, more_capacities=(), **changes,
    )  # fmt: skip
    return replace(kept, locks=_locks(kept, plan, change_cost, tuple(cancelled)))


def _who(problem: VRP, node: int) -> str:
    return problem.describe(node, "stop")


def _given(problem: VRP) -> Sequence[VehicleType]:
    return (problem.common_type,) if problem.fleet is None else problem.fleet.types


def _seats(problem: VRP, plan: Sequence[PlannedVehicle]) -> list[VehicleRun]:
    """Return the types that the plan's vehicles and the others become, in the order of their numbers."""
    of_vehicle = {each.vehicle: each for each in plan}
    seats: list[VehicleRun] = []
    first = 0
    for kind, each in enumerate(_given(problem)):
        last = first + (max(len(problem.customers), len(plan)) if each.count is None else each.count)
        cuts = sorted(number for number in of_vehicle if first <= number < last)
        for number in cuts:
            seats += [VehicleRun(kind, first, number - first)] if number > first else []
            seats.append(VehicleRun(kind, number, 1, of_vehicle.pop(number)))
            first = number + 1
        seats += [VehicleRun(kind, first, last - first)] if last > first else []
        first = last
    for other in of_vehicle.values():
        other.fail("vehicle", f"there is no vehicle {other.vehicle + 1}; they are 1 to {first}")
    return seats


def _gone(problem: VRP, plan: Sequence[PlannedVehicle]) -> list[int]:
    """Return the nodes that are customers no more: done ones, alternatives of them, and where vehicles are."""
    done = {node for each in plan for node in each.done}
    gone = done | {each.at for each in plan if each.at is not None}
    for each in problem.alternatives:
        gone |= {*each.nodes} if done.intersection(each.nodes) else set()
    return sorted(gone)


def _type(problem: VRP, seat: VehicleRun, now: float | None) -> VehicleType:
    """Return what vehicles are from now on."""
    own, planned = _given(problem)[seat.kind], seat.planned
    if planned is None or not planned.under_way:
        name = own.name if planned is None else planned.name or own.name
        opens = own.opens if now is None else max(own.opens, min(now, own.closes))
        return replace(own, count=seat.count, name=name, opens=opens)
    place = planned.at
    if place is None:
        place = planned.done[-1] if planned.done else own.start
    out, opens = _out(problem, own, planned, now)
    driven = _driven(problem, own, planned, place)
    longest = own.max_duration + own.overtime
    if out > longest:
        over = problem.time_text(out - longest)
        planned.fail("time", f"the vehicle is out for {over} longer than it may be; `left` says when it left")
    if driven > own.max_distance:
        planned.fail("done", f"the way so far is {driven:g} long, above the limit {own.max_distance:g}")
    most = own.max_stops
    if most is not None:
        most -= len(planned.done)
        if most < len(planned.stops):
            planned.fail("stops", f"with those that are done there are more than {own.max_stops}, the limit")
    return replace(
        own, count=1, name=planned.name or own.name, start=place, under_way=True, fixed_cost=0.0, opens=opens,
        max_duration=max(0.0, own.max_duration - out), overtime=min(own.overtime, longest - out),
        max_distance=own.max_distance - driven, max_stops=None if most is None else max(most, 1),
        capacities=_room(problem, own, planned),
    )  # fmt: skip


def _out(problem: VRP, own: VehicleType, planned: PlannedVehicle, now: float | None) -> tuple[float, float]:
    """Return how long a vehicle has been out, and when it can go on."""
    if problem.clock is None and problem.windows is None:
        return 0.0, 0.0
    time = now if planned.time is None else planned.time
    if time is None:
        planned.fail("time", "it is missing: when the vehicle can go on")
    if time > own.closes:
        planned.fail("time", f"it is {problem.time_text(time - own.closes)} after the end of the vehicle's shift")
    departs = 0.0 if problem.clock is None else problem.clock.depart or 0.0
    left = max(own.opens, departs) if planned.left is None else planned.left
    if planned.left is not None and left > time:
        planned.fail("left", "it is after the time at which the vehicle can go on")
    return max(0.0, time - left), time


def _driven(problem: VRP, own: VehicleType, planned: PlannedVehicle, place: int | None) -> float:
    """Return how far a vehicle has come by its done stops, if that matters."""
    if math.isinf(own.max_distance):
        return 0.0
    path = np.array([node for node in (own.start, *planned.done, place) if node is not None], np.int64)
    path = path[np.append(True, path[1:] != path[:-1])]
    if own.matrix is not None:
        return float(problem.metric.distances(own.matrix, path[:-1], path[1:]).sum())
    return float(problem.road_lengths(path[:-1], path[1:]).sum())


def _room(problem: VRP, own: VehicleType, planned: PlannedVehicle) -> tuple[float, ...]:
    """Return the capacity that a vehicle has left for its stops: what it has collected or handed out is gone.

    Where loads change along routes, only what was picked up for the depot is: the rest is in its stops, or unloaded.
    """
    table = np.zeros_like(problem.demand_table) if problem.two_way else problem.demand_table
    table = table if problem.pickups is None else problem.pickups
    load = planned.load or tuple(table[[*planned.done]].sum(axis=0).tolist())
    if len(load) != len(own.capacities):
        planned.fail("load", f"it has {len(load)} numbers, and loads have {len(own.capacities)}")
    for carried, capacity in zip(load, own.capacities, strict=True):
        if carried > capacity:
            planned.fail("load", f"{carried:g} is above the capacity {capacity:g}; say what the vehicle carries")
    return tuple(capacity - carried for carried, capacity in zip(load, own.capacities, strict=True))


def _allowed(problem: VRP, seats: Sequence[VehicleRun]) -> NDArray[np.bool_]:
    """Return which types may serve each node."""
    before = None if problem.fleet is None else problem.fleet.allowed
    kinds = [seat.kind for seat in seats]
    allowed = np.ones((problem.n, len(seats)), np.bool_) if before is None else before[:, kinds].copy()
    picked_up = {each.delivery: each.pickup for each in problem.shipments}
    released = np.zeros(problem.n, np.bool_) if problem.releases is None else problem.releases > 0

    def keep(nodes: Iterable[int], at: int, planned: PlannedVehicle) -> None:
        own = np.arange(len(seats)) == at
        for node in nodes:
            if not allowed[node, at]:
                planned.fail("stays", f"{_who(problem, node)} cannot stay on a vehicle that may not serve it")
            allowed[node] &= own

    for at, seat in enumerate(seats):
        planned = seat.planned
        if planned is None:
            continue
        own, done = np.isin(np.arange(problem.n), planned.stops), {*planned.done}
        collected = [(planned.under_way and released[node]) or picked_up.get(node) in done for node in planned.stops]
        aboard = [node for node, there in zip(planned.stops, collected, strict=True) if there]
        if problem.backhauls is not None and problem.takes[[*done]].any():  # all deliveries came before
            allowed[problem.brings & ~np.isin(np.arange(problem.n), [*done]), at] = False
        keep([*planned.locked, *aboard], at, planned)
        if planned.under_way:
            allowed[released & ~own, at] = False
        if not planned.takes_new:
            allowed[~own, at] = False
        for group in problem.together:
            if done.intersection(group):
                keep([node for node in group if node not in done], at, planned)
        for group in problem.apart:
            if done.intersection(group):
                allowed[list(group), at] = False
    return allowed


def _without(problem: VRP, plan: Sequence[PlannedVehicle], gone: list[int]) -> dict[str, Any]:
    """Return the fields of a problem without the nodes that are customers no more."""
    left = np.ones(problem.n, np.bool_)
    left[gone] = False
    done = {node for each in plan for node in each.done}
    shipments = []
    demands = np.abs(problem.demands)
    more = None if problem.more_demands is None else np.abs(problem.more_demands)
    for each in problem.shipments:
        if each.delivery in done and each.pickup not in done:
            delivery, pickup = _who(problem, each.delivery), _who(problem, each.pickup)
            raise InputError(f"{delivery} is done, and its pickup, {pickup}, is not")
        shipments += [each] if each.pickup not in done else []  # of the others, the goods are aboard
    demands[~left] = 0
    if more is not None:
        more[~left] = 0
    pickups = None if problem.pickups is None else np.where(left[:, None], problem.pickups, 0)
    windows, releases = _windows(problem, plan, gone), problem.releases
    if releases is not None:
        releases = releases.copy()
        releases[[node for each in plan if each.under_way for node in each.stops]] = 0.0

    def rest(groups: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        kept = (tuple(node for node in group if left[node]) for group in groups)
        return tuple(group for group in kept if len(group) > 1)

    return {
        "demands": demands, "more_demands": more, "windows": windows, "releases": releases, "shipments": shipments,
        "pickups": pickups,
        "alternatives": tuple(each for each in problem.alternatives if left[list(each.nodes)].all()),
        "together": rest(problem.together), "apart": rest(problem.apart),
    }  # fmt: skip


def _windows(problem: VRP, plan: Sequence[PlannedVehicle], gone: list[int]) -> TimeWindows | None:
    """Return windows without those of nodes that are customers no more, which end as rides of goods aboard have to."""
    due = _ends_of_rides(problem, plan)
    if not due and (problem.windows is None or not gone):
        return problem.windows
    windows = list(problem.windows or TimeWindows.always(problem.n))
    for node in {*gone} - {*problem.depots}:
        windows[node] = [(0.0, math.inf)]
    for node, latest in due.items():
        windows[node] = [(opens, min(closes, latest)) for opens, closes in windows[node] if opens <= latest]
        if not windows[node]:
            raise InputError(f"{_who(problem, node)} opens after the longest ride of its goods, which are aboard")
    return TimeWindows.of(windows, problem.n)


def _ends_of_rides(problem: VRP, plan: Sequence[PlannedVehicle]) -> dict[int, float]:
    """Return when the goods that are aboard and may not be so for long are to be delivered at the latest."""
    due: dict[int, float] = {}
    for each in plan:
        aboard = [
            (node, *problem.longest_rides[node]) for node in each.stops
            if node in problem.longest_rides and problem.longest_rides[node][0] in each.done
        ]  # fmt: skip
        if aboard and problem.late_cost is not None:
            raise UsageError("a longest ride of goods aboard (--locked) does not go with a cost of lateness yet")
        if aboard and len(each.departures) != len(each.done):
            who = _who(problem, aboard[0][1])
            each.fail("departures", f"when each done stop was left is missing: goods of {who} have a longest ride")
        due |= {node: each.departures[each.done.index(pickup)] + longest for node, pickup, longest in aboard}
    return due


def _locks(problem: VRP, plan: Sequence[PlannedVehicle], change_cost: float, cancelled: tuple[str, ...]) -> Locks:
    """Return what the fleet of a problem keeps of a plan."""
    fleet = problem.fleet
    assert fleet is not None
    home, rank, turn = (np.full(problem.n, value, np.int32) for value in (-1, 0, 0))
    routes = [np.empty(0, np.int32)] * len(fleet.kinds)
    for each in plan:
        vehicle = int(np.searchsorted(fleet.numbers, each.vehicle))
        routes[vehicle] = np.array(each.stops, np.int32)
        home[list(each.stops)] = vehicle
        for node, place in each.ranks().items():
            rank[node] = place
        turn[list(each.order)] = np.arange(1, len(each.order) + 1)
    return Locks(home, rank, turn, change_cost, tuple(routes), cancelled)
