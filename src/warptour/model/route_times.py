"""Times of routes: limits on their sums, schedules, and the times of every stop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import HOUR, MINUTE, format_duration
from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.limits import Limit
from warptour.model.metric import Floats, Ints, Nodes
from warptour.model.route_loads import LoadedRoutes
from warptour.model.schedule import Day, Schedule
from warptour.model.windows import TimeWindows, span_text


@dataclass(frozen=True, eq=False, repr=False)
class TimedRoutes(LoadedRoutes):
    """A problem of routes, and what it says of their times."""

    @cached_property
    def limits(self) -> tuple[Limit, ...]:
        """Limits on sums over each route: at most one on distances and one on durations, unless it has a schedule."""
        limits = []
        clock = self.clock
        if self.max_distance is not None:
            travel = None if clock is None else self._without_return(clock.distances)
            limits.append(Limit("distance", self.max_distance, self.service_times, travel))
        if self.max_duration is not None and clock is not None and self.schedule is None:
            pace, travel = clock.pace or 1.0, self._without_return(clock.durations)
            limits.append(Limit("duration", self.max_duration / pace, clock.services / pace, travel, pace))
        return tuple(limits)

    @cached_property
    def schedule(self) -> Schedule | None:
        """Time windows, and what else of time depends on the order of stops; None if nothing does.

        Of a fleet, what all types have in common: :attr:`schedules` has the rest.
        """
        types = () if self.fleet is None else self.fleet.types
        traffic = None if self.clock is None else self.clock.traffic
        given = not (self.windows is None and self.releases is None and traffic is None) or self.hour_cost > 0
        if not (given or self.longest_rides) and not any(each.timed for each in types):
            return None
        clock, windows = self.clock, self.windows or TimeWindows.always(self.n)
        pace, hour = (1.0, 1.0) if clock is None else (clock.pace or 1.0, HOUR)
        if clock is not None and clock.depart is not None and self.fleet is None:
            windows = windows.within(self.depot, clock.depart, math.inf)
        travel = None if clock is None else clock.durations
        if traffic is not None:
            travel = traffic.slowest_from(float(windows.opens[self.depot]), float(windows.closes[self.depot]))
        return Schedule(
            windows=windows.over(pace),
            services=self.service_times if clock is None else clock.services / pace,
            travel=self._without_return(travel),
            traffic=traffic,
            pace=pace,
            longest=math.inf if self.max_duration is None else self.max_duration / pace,
            longest_wait=math.inf if self.max_wait is None else self.max_wait / pace,
            per_time=self.hour_cost * pace / hour,
            per_late=math.inf if self.late_cost is None else self.late_cost * pace / hour,
            releases=None if self.releases is None else self.releases / pace,
            reloads=self.reloads if self.trips else None,
            rides={end: (start, longest / pace) for end, (start, longest) in self.longest_rides.items()},
        )

    @cached_property
    def longest_rides(self) -> dict[int, tuple[int, float]]:
        """Of each delivery whose goods may not be aboard for long: its pickup and the longest ride."""
        limits = ((each.delivery, each.pickup, each.max_ride) for each in self.shipments)
        return {delivery: (pickup, longest) for delivery, pickup, longest in limits if longest is not None}

    @cached_property
    def schedules(self) -> tuple[Schedule, ...]:
        """The schedule of each type of a fleet with times: the start of its routes is node n, their end node n + 1.

        Travel times are to be divided by the speed of the type, which those of the schedule are not.
        """
        common, fleet = self.schedule, self.fleet
        assert common is not None
        assert fleet is not None
        clock, pace = self.clock, common.pace
        hour, departs = (1.0, 0.0) if clock is None else (HOUR, clock.depart or 0.0)
        schedules = []
        for kind, each in enumerate(fleet.types):
            opens, closes = max(each.opens, departs) / pace, each.closes / pace
            leaves = opens if each.under_way else closes
            shifts = ((each.start, leaves), (each.end, closes))
            hours = [common.windows.cut(place, opens, last) for place, last in shifts]
            for place, left in zip((each.start, each.end), hours, strict=True):
                if not left:
                    shift = span_text(opens * pace, closes * pace, clock is not None)
                    own = "" if place is None else common.windows.text(place, clock is not None, pace)
                    who = f"vehicle type {fleet.type_name(kind)!r}"
                    raise InputError(f"{who}: its shift {shift} is outside the hours of its depot, {own}")
            loading = 0.0 if each.start is None or each.under_way else common.services[each.start]
            schedule = replace(
                common,
                windows=common.windows.followed_by(hours),
                services=np.concatenate((common.services, (loading, 0.0))),
                longest=(each.max_duration + each.overtime) / pace,
                regular=each.max_duration / pace,
                per_time=each.hour_cost * pace / hour,
                per_overtime=each.overtime_cost * pace / hour,
                releases=None if common.releases is None else np.concatenate((common.releases, (0.0, 0.0))),
                reloads=None if common.reloads is None else np.concatenate((common.reloads, (False, False))),
                breaks=tuple(rest.over(pace) for rest in each.breaks),
                driving=None if each.driving is None else each.driving.over(pace),
            )
            schedules.append(schedule)
        return tuple(schedules)

    @cached_property
    def homeward_costs(self) -> tuple[float, ...]:
        """What a vehicle of each type costs without stops: one that is under way, the way from its start to its end."""
        types = () if self.fleet is None else self.fleet.types
        return tuple(self._homeward_cost(kind, each) for kind, each in enumerate(types))

    def _homeward_cost(self, kind: int, own: VehicleType) -> float:
        if not own.under_way or own.start is None or own.end is None:
            return 0.0
        path = np.array([own.start, own.end])
        apart = own.start != own.end
        travel = float(self.ways(kind, path[:-1], path[1:]).sum()) * own.distance_cost if apart else 0.0
        if self.schedule is None:
            return travel
        legs = self._travel(path, kind) / own.speed if apart else np.zeros(1)
        schedule = self.schedules[kind]
        return travel + schedule.price(schedule.day(np.array([self.n, self.n + 1]), legs))

    @cached_property
    def rested(self) -> bool:
        """Whether some drivers have breaks."""
        return self.fleet is not None and any(each.breaks or each.driving for each in self.fleet.types)

    def _check_times(self) -> None:
        super()._check_times()
        if self.rested:
            if self.windows is not None and self.windows.several:
                stop = self.describe(int(np.flatnonzero(self.windows.ends)[0]), "customer")
                raise InputError(f"{stop} has several windows, which do not go with breaks of drivers yet")
            for given, what in (
                (self.releases is not None, "release times"), (self.late_cost is not None, "a cost of lateness"),
                (self.max_wait is not None, "a limit on waits"), (self.longest_rides, "a longest ride of shipments"),
            ):  # fmt: skip
                if given:
                    raise UsageError(f"breaks of drivers do not go with {what} yet")
        if self.fleet is not None and self.schedule is not None:
            _ = self.schedules  # which refuses shifts outside the hours of a depot

    @property
    def timed(self) -> bool:
        """Whether routes have a schedule or are open, which only some searches know."""
        return self.schedule is not None or self.open

    def _without_return(self, travel: NDArray[Any] | None) -> NDArray[Any] | None:
        """Return travel without that to the depot, if routes are open."""
        if travel is None or not self.open:
            return travel
        ways = np.array(travel)
        ways[:, self.depot] = 0
        return ways

    @cached_property
    def directed(self) -> bool:
        """Whether the direction of a route matters, to its cost or to a limit."""
        return self.asymmetric or self.schedule is not None or any(limit.directed for limit in self.limits)

    def price(self, routes: Sequence[Nodes], days: list[Day] | None = None) -> float:
        """Return what the times of routes, ``days`` if they are known, cost: hours out, overtime, and hours late."""
        used = [number for number, route in enumerate(routes) if len(route)]
        known = self.days(routes) if days is None else days
        return sum(self.schedule_of(number).price(day) for number, day in zip(used, known, strict=True))

    def schedule_of(self, vehicle: int) -> Schedule:
        """Return the schedule of a route of a problem with times."""
        schedule = self.schedule
        assert schedule is not None
        return schedule if self.fleet is None else self.schedules[self.fleet.kinds[vehicle]]

    def days(self, routes: Sequence[Nodes]) -> list[Day]:
        """Return the times of the routes that are not empty, of a problem with a schedule.

        Of a fleet, each begins at node n, the vehicle's start, and ends at node n + 1.
        """
        if self.fleet is not None:
            return [self._day(vehicle, route) for vehicle, route in enumerate(routes) if len(route)]
        schedule = self.schedule
        assert schedule is not None
        used = [route for route in routes if len(route)]
        giant = np.concatenate([part for route in used for part in ([self.depot], route)] + [[self.depot]])
        giant = giant.astype(np.int64)
        travel = self._travel(giant)
        ends = np.cumsum([0, *(len(route) + 1 for route in used)]).tolist()
        back = 0 if self.open else 1
        return [
            schedule.day(giant[begin : end + back], travel[begin : end + back - 1]) for begin, end in pairwise(ends)
        ]

    def day_of(self, vehicle: int, route: Nodes) -> Day:
        """Return the times of one route."""
        return self.days([route])[0] if self.fleet is None else self._day(vehicle, route)

    def _day(self, vehicle: int, route: Nodes) -> Day:
        """Return the times of a fleet's vehicle on its route."""
        own, n = self.type_of(vehicle), self.n
        visits = np.concatenate(([n], route, [n + 1])).astype(np.int64)
        legs = np.zeros(len(visits) - 1)
        path, begin = self.path(vehicle, route), 0 if own.start is not None else 1
        legs[begin : begin + len(path) - 1] = self._travel(path, self.kind_of(vehicle)) / own.speed
        return self.schedule_of(vehicle).day(visits, legs)

    def _travel(self, path: Nodes, kind: int = 0) -> Floats:
        """Return the travel times along a path of a type of vehicles, in the unit of the schedule, at its speed 1."""
        schedule = self.schedule
        assert schedule is not None
        return np.asarray(self.ways(kind, path[:-1], path[1:], schedule.travel), np.float64)

    def ways(self, kind: int, i: Nodes, j: Nodes, travel: NDArray[Any] | None = None) -> Floats | Ints:
        """Return the travel between nodes of a type of vehicles, which may have a table of its own for ``travel``.

        ``travel`` is a table, such as that of the schedule, or None for the distances that are minimised.
        """
        own = self.own_table(kind, travel)
        if travel is not None:
            return cast(Floats, (travel if own is None else own)[i, j])
        return self.distances(i, j) if own is None else self.metric.distances(own, i, j)

    def own_table(self, kind: int, travel: NDArray[Any] | None) -> NDArray[Any] | None:
        """Return what a type of vehicles has in place of a table, None for the distances; None if nothing."""
        if self.fleet is None:
            return None
        if travel is None:
            return self.fleet.types[kind].matrix
        timed = self.schedule is not None and travel is self.schedule.travel
        return self.fleet.types[kind].durations if timed else None

    def road_legs(self, vehicle: int, path: Nodes) -> Floats | Ints:
        """Return the distances along a path of a vehicle, also where durations are minimised."""
        roads = None if self.clock is None else self.clock.distances
        if roads is not None or self.fleet is None:
            return self.road_lengths(path[:-1], path[1:])
        return self.ways(self.kind_of(vehicle), path[:-1], path[1:])

    def kind_of(self, vehicle: int) -> int:
        """Return the type of a vehicle, 0 where all are alike."""
        return 0 if self.fleet is None else int(self.fleet.kinds[vehicle])

    @cached_property
    def common_type(self) -> VehicleType:
        """The vehicles of a problem without a fleet, which are all alike, as a type."""
        return VehicleType(
            count=self.vehicles,
            capacities=(self.capacity, *self.more_capacities),
            start=self.depot,
            end=None if self.open else self.depot,
            max_distance=math.inf if self.max_distance is None else self.max_distance,
            max_duration=math.inf if self.max_duration is None else self.max_duration,
            max_stops=self.most_stops,
            fixed_cost=self.fixed_cost,
            hour_cost=self.hour_cost,
            max_trips=self.max_trips,
        )

    def with_types(self, types: Sequence[VehicleType]) -> Self:
        """Return the problem with types of vehicles in place of vehicles that are all alike."""
        return replace(
            self, fleet=Fleet(tuple(types)), max_distance=None, max_duration=None, most_stops=None,
            fixed_cost=0, hour_cost=0, open=False, vehicles=None, more_capacities=(), best_known=None,
            max_trips=1,
        )  # fmt: skip

    def type_of(self, vehicle: int) -> VehicleType:
        """Return the type of a vehicle."""
        if self.fleet is None:
            return self.common_type
        return self.fleet.types[int(self.fleet.kinds[vehicle])]

    def path(self, vehicle: int, route: Nodes) -> NDArray[np.int64]:
        """Return the nodes of a route from its start to its end; neither of an empty route."""
        count = len(route)
        if count == 0:
            return np.empty(0, np.int64)
        path = np.empty(count + 2, np.int64)
        path[1:-1] = route
        start: int | None = self.depot
        end = None if self.open else self.depot
        if self.fleet is not None:
            own = self.type_of(vehicle)
            start, end = own.start, own.end
        if start is not None:
            path[0] = start
        if end is not None:
            path[-1] = end
        return path[0 if start is not None else 1 : count + (2 if end is not None else 1)]

    def day_faults(self, vehicle: int, route: Nodes, day: Day) -> list[str]:
        """Return what is wrong with the times of a route."""
        schedule, own = self.schedule_of(vehicle), self.type_of(vehicle)
        most, last = schedule.tolerance, len(day.starts) - 1
        visits = [self.depot, *route.tolist(), self.depot] if self.fleet is None else [self.n, *route, self.n + 1]
        faults = []
        for at, node in enumerate(visits[: last + 1]):
            customer = f"{self.describe(node, 'customer')}" if 0 < at <= len(route) else ""
            back = "is done" if own.end is None else "is back at the depot"
            what = f"serves {customer}" if customer else back if at else "leaves the depot"
            if customer and self.reloads[node]:
                what = "is loaded again"
            if schedule.hard and day.late[at] > most:
                hours = schedule.windows.text(node, self.clock is not None, schedule.pace)
                faults.append(f"{what} {self.time_text(day.late[at] * schedule.pace)} late; its hours are {hours}")
            if day.long_waits[at] > most:
                wait = self.time_text(float(day.waits[at]) * schedule.pace)
                where = customer or "the depot"
                faults.append(f"waits {wait} at {where}, above {self.time_text(self.max_wait or 0)}")
        for rest in day.breaks:
            if rest.late > most:
                late, due = (self.time_text(time * schedule.pace) for time in (rest.late, rest.start - rest.late))
                faults.append(f"begins a break {late} late, which is due {due} after midnight")
        for ride in day.rides:
            if (over := day.over_ride(ride)) > most:
                who = " to ".join(self.describe(int(visits[at]), "customer") for at in (ride.pickup, ride.delivery))
                more, longest = (self.time_text(time * schedule.pace) for time in (over, ride.longest))
                faults.append(f"carries the shipment from {who} {more} longer than its longest ride, {longest}")
        if schedule.excess(day) > most:
            took, longest = (self.time_text(time * schedule.pace) for time in (day.duration, schedule.longest))
            faults.append(f"takes {took}, waits and services included, above {longest}")
        return faults

    def time_text(self, amount: float) -> str:
        """Return an amount of time for people: hours and minutes by the clock, else a number."""
        if self.clock is None:
            return f"{amount:.6g}"
        return format_duration(amount) if amount >= MINUTE else f"{amount:.2g} s"
