"""Vehicle routing problems: capacity, limits on distance and duration, time windows, open routes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.building import FleetOptions, matrix_fields, point_fields
from warptour.model.clock import HOUR, MINUTE, amounts, format_duration
from warptour.model.errors import InputError, UsageError
from warptour.model.exactness import check_cost, check_load
from warptour.model.frozen import freeze
from warptour.model.limits import Limit
from warptour.model.loads import whole_loads
from warptour.model.many_routes import firsts_of, split_at
from warptour.model.metric import Floats, Ints, Nodes
from warptour.model.problem import Problem, permutation_faults
from warptour.model.quantities import as_float64, finite_number, whole_number
from warptour.model.report import Report
from warptour.model.schedule import Day, Schedule
from warptour.model.windows import TimeWindows

Routes: TypeAlias = list[NDArray[np.int32]]
"""A solution: the customers of each route in order, without the depot."""

MAX_VEHICLES = 2**31 - 1
"""Maximum value of a vehicle limit, since kernels count in int32."""


@dataclass(frozen=True, eq=False)
class VRP(Problem):
    """Vehicle routing problem: routes from one depot that serve every customer once.

    Attributes
    ----------
    demands : array of int64 or float64, shape (n,)
        Demand of each node; 0 at the depot.
    capacity : int or float
        Capacity of each vehicle.
    depot : int
        The node where every route starts and ends.
    max_distance : float or None
        Limit on a route's length plus its customers' ``service_times``.
    service_times : array of float64, shape (n,)
        Service time of each customer in the unit of the distances, counted against ``max_distance`` but not in the
        cost. Service times in seconds, which count against ``max_duration``, are those of the clock.
    max_duration : float or None
        Limit on a route's travel, service and waiting times by the clock, in seconds. Without a clock, times have the
        unit of the distances.
    vehicles : int or None
        Maximum number of routes.
    fixed_cost : float
        Cost added per non-empty route.
    windows : TimeWindows or None
        When service may begin at each node, in seconds after midnight by the clock; at the depot, when vehicles may
        leave and must be back.
    open : bool
        Whether routes end at their last customer.
    hour_cost : float
        Cost of an hour that a vehicle is out, of a unit of time without a clock.
    late_cost : float or None
        Cost of an hour that a stop begins late, of a unit of time without a clock; None where no stop may be late.
    max_wait : float or None
        Limit on the wait at a stop, in seconds by the clock.
    fewest : bool
        Whether fewer routes are better whatever they cost.
    """

    kind: ClassVar[str] = "vrp"

    demands: Ints | Floats = field(default_factory=lambda: np.empty(0, np.int64))
    capacity: float = 0
    depot: int = 0
    max_distance: float | None = None
    service_times: Floats = field(default_factory=lambda: np.empty(0))
    vehicles: int | None = None
    fixed_cost: float = 0
    max_duration: float | None = None
    windows: TimeWindows | None = field(default=None, kw_only=True)
    open: bool = field(default=False, kw_only=True)
    hour_cost: float = field(default=0, kw_only=True)
    late_cost: float | None = field(default=None, kw_only=True)
    max_wait: float | None = field(default=None, kw_only=True)
    fewest: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        demands = amounts(self.demands, "demand", self.n)
        if not np.issubdtype(demands.dtype, np.integer):
            demands = as_float64(demands)
        given = np.size(self.service_times) > 0
        services = amounts(self.service_times, "service time", self.n) if given else np.zeros(self.n)
        depot = whole_number(self.depot)
        if depot is None or not 0 <= depot < self.n:
            raise InputError(f"depot is {self.depot!r}; here nodes are counted from 0 to {self.n - 1}")
        if demands[depot] != 0:
            raise InputError(f"the depot {depot + 1} has the demand {demands[depot]}; it must be 0")
        capacity, limit, fixed_cost = (
            finite_number(self.capacity),
            finite_number(self.max_distance),
            finite_number(self.fixed_cost),
        )
        if capacity is None or capacity <= 0:
            raise InputError(f"the capacity is {self.capacity}; it must be a number above 0")
        if self.max_distance is not None and (limit is None or limit <= 0):
            raise InputError(f"the route limit is {self.max_distance}; it must be a number above 0, or None")
        longest = finite_number(self.max_duration)
        if self.max_duration is not None and (longest is None or longest <= 0):
            raise InputError(f"the limit on durations is {self.max_duration}; it must be a number above 0, or None")
        if longest is not None and self.clock is None and self.windows is None:
            raise InputError("a limit on durations needs travel times: a speed, or a matrix of durations")
        if fixed_cost is None or fixed_cost < 0:
            raise InputError(f"the fixed cost is {self.fixed_cost}; it must be a number of at least 0")
        self._check_times()
        vehicles = whole_number(self.vehicles)
        if self.vehicles is not None and (vehicles is None or not 1 <= vehicles <= MAX_VEHICLES):
            raise InputError(f"{self.vehicles} vehicles; it must be an integer from 1 to {MAX_VEHICLES}, or None")
        for name, value in (
            ("depot", depot), ("capacity", capacity), ("max_distance", limit),
            ("fixed_cost", fixed_cost), ("vehicles", vehicles), ("max_duration", longest),
        ):  # fmt: skip
            object.__setattr__(self, name, value)
        freeze(self, "demands", demands, self.demands)
        freeze(self, "service_times", np.asarray(services, np.float64), self.service_times)
        check_load(demands)
        check_cost(self, depot)

    @classmethod
    def from_points(
        cls,
        points: ArrayLike,
        *,
        demands: ArrayLike,
        capacity: float,
        latlon: bool = False,
        metric: str | None = None,
        name: str = "points",
        **options: Unpack[FleetOptions],
    ) -> VRP:
        """Return a VRP over points, unrounded. Nodes are counted from 0.

        Parameters
        ----------
        points : array-like, shape (n, 2) or (n, 3)
        demands : array-like, shape (n,)
            0 at the depot.
        capacity : float
        latlon : bool
            Whether points are latitude and longitude in degrees, for metres along great circles; else a plane or space.
        metric : str, optional
            A name in ``METRICS`` instead.
        labels : sequence of str, optional
            Names of the nodes.
        depot : int
            0 by default.
        vehicles, fixed_cost, max_distance, service_times
            As for :class:`VRP`.
        unit : str, optional
            Unit of the distances, such as ``"km"``; on the Earth it is known.
        speed : float, optional
            Speed in km/h, for travel times; distances need a unit.
        durations : array-like, shape (n, n), optional
            Travel times in seconds instead, from row to column.
        service_minutes : float or array-like, shape (n,), optional
            Time spent at each customer.
        max_hours : float, optional
            Limit on the travel and service time of a route.
        minimize : {"distance", "duration", "vehicles", "vehicles,duration"}
            What the cost is, distances or the seconds in ``durations``, and whether the number of vehicles comes first.
        depart : str, optional
            Time of departure, ``"08:00"``; with windows, the earliest.
        windows : sequence of length n, optional
            When service may begin at each node: ``"08:00-12:00, 14:00-18:00"``, a pair of seconds after midnight or of
            times, a list of pairs, or None for any time. At the depot, when vehicles may leave and must be back.
            Without travel times, numbers in the unit of the distances, in which ``service_times`` then count.
        shift : str or pair, optional
            The same for the depot alone: ``"08:00-17:00"``, within its window.
        open : bool
            Whether routes end at their last customer.
        hour_cost, late_cost : float, optional
            Cost of an hour that a vehicle is out, and of an hour that a stop begins late; without ``late_cost``, no
            stop may be late. Without travel times, of a unit of time.
        max_wait_minutes : float, optional
            Limit on the wait at a stop; without travel times, in the unit of the distances.
        """
        fields = point_fields(points, latlon, metric, name, options)
        return cls(**fields | {"demands": demands, "capacity": capacity})

    @classmethod
    def from_matrix(
        cls,
        distances: ArrayLike,
        *,
        demands: ArrayLike,
        capacity: float,
        display: ArrayLike | None = None,
        latlon: bool = False,
        name: str = "matrix",
        **options: Unpack[FleetOptions],
    ) -> VRP:
        """Return a VRP over an (n, n) matrix of distances from row to column. Nodes are counted from 0.

        Integral distances stay exact integers, and the diagonal is ignored. ``display`` are places to draw, of shape
        (n, 2), with ``latlon`` latitudes and longitudes; everything else is as for :meth:`from_points`.
        """
        fields = matrix_fields(distances, display, latlon, name, options)
        return cls(**fields | {"demands": demands, "capacity": capacity})

    @property
    def customers(self) -> NDArray[np.int32]:
        """All nodes but the depot."""
        return np.delete(np.arange(self.n, dtype=np.int32), self.depot)

    def _check_times(self) -> None:
        """Raise :class:`InputError` for windows of other nodes, and for negative prices and limits of times."""
        if self.windows is not None and len(self.windows.opens) != self.n:
            raise InputError(f"windows of {len(self.windows.opens)} nodes for {self.n}")
        for what, value in (
            ("cost of an hour", self.hour_cost), ("cost of an hour late", self.late_cost),
            ("longest wait", self.max_wait),
        ):  # fmt: skip
            number = finite_number(value)
            if value is not None and (number is None or number < 0):
                raise InputError(f"the {what} is {value}; it must be a number of at least 0")
        if self.clock is not None and self.clock.traffic is not None:
            priced = {"hour_cost": self.hour_cost, "late_cost": self.late_cost, "max_wait": self.max_wait}
            for name, value in priced.items():
                if value:
                    option = name.replace("_", "-")
                    raise UsageError(f"travel times that depend on the time of day do not go with --{option} yet")
        if self.windows is None and (self.late_cost is not None or self.max_wait is not None):
            raise InputError("a cost of lateness and a limit on waits need time windows")
        if self.hour_cost and self.windows is None and self.clock is None:
            raise InputError("a cost of hours needs travel times: a speed, or a matrix of durations")

    @cached_property
    def asymmetric(self) -> bool:
        """Whether some distance differs from the one back; the way back to the depot of an open route is none."""
        return self.open or (self.matrix is not None and bool((self.matrix != self.matrix.T).any()))

    def distances(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the exact distances between nodes ``i`` and ``j``; to the depot of open routes, 0."""
        distances = super().distances(i, j)
        return cast(Floats, np.where(np.asarray(j) == self.depot, 0, distances)) if self.open else distances

    def road_lengths(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the distances between nodes also where durations are minimised."""
        lengths = super().road_lengths(i, j)
        return cast(Floats, np.where(np.asarray(j) == self.depot, 0, lengths)) if self.open else lengths

    def durations(self, i: Nodes, j: Nodes) -> Floats:
        """Return the travel times between nodes, in seconds, of a problem with a clock."""
        times = super().durations(i, j)
        return np.where(np.asarray(j) == self.depot, 0.0, times) if self.open else times

    @cached_property
    def loads(self) -> tuple[Floats, float]:
        """Demands and capacity as integers in a common unit, with exact sums; see :func:`whole_loads`."""
        return whole_loads(self.demands, self.capacity)

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
        """Time windows, and what else of time depends on the order of stops; None if nothing does."""
        traffic = None if self.clock is None else self.clock.traffic
        if self.windows is None and not self.hour_cost and traffic is None:
            return None
        clock, windows = self.clock, self.windows or TimeWindows.always(self.n)
        pace, hour = (1.0, 1.0) if clock is None else (clock.pace or 1.0, HOUR)
        if clock is not None and clock.depart is not None:
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
        )

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

    def used(self, limit: Limit, route: Nodes) -> float:
        """Return what one route takes of a limit: its travel plus its services."""
        stops = np.concatenate(([self.depot], route, [self.depot])).astype(np.int64)
        travel = self.length(stops) if limit.travel is None else limit.travel[stops[:-1], stops[1:]].sum().item()
        return float(travel + limit.services[route].sum().item()) if len(route) else 0.0

    def route_loads(self, routes: Sequence[Nodes]) -> Floats:
        """Return the exact load of each route, in the unit of :attr:`loads`; routes are not empty."""
        return np.add.reduceat(self.loads[0][np.concatenate(routes)], firsts_of(routes)) if len(routes) else np.empty(0)

    def route_uses(self, limit: Limit, routes: Sequence[Nodes]) -> Floats:
        """Return what each route takes of a limit, but for rounding as :meth:`used` does; routes are not empty."""
        if len(routes) == 0:
            return np.empty(0)
        giant = self.giant_tour(routes)
        if limit.travel is None:
            travel = self.distances(giant[:-1], giant[1:])
        else:
            travel = limit.travel[giant[:-1], giant[1:]]
        services = np.add.reduceat(limit.services[np.concatenate(routes)], firsts_of(routes))
        return np.add.reduceat(travel, firsts_of(routes, 1)).astype(np.float64) + services

    def route_cost(self, route: Nodes) -> int | float:
        """Return the exact length of one route, from the depot and back, and what its times cost."""
        if len(route) == 0:
            return 0
        priced = self.schedule is not None and self.schedule.priced
        return self.length(np.concatenate(([self.depot], route, [self.depot]))) + (self.price([route]) if priced else 0)

    def cost(self, routes: Sequence[Nodes]) -> int | float:
        """Return the exact cost of ``routes``: total length, the fixed cost of each non-empty route, and time's."""
        used = [route for route in routes if len(route)]
        travel = self.length(self.giant_tour(used)) if used else 0
        priced = self.schedule is not None and self.schedule.priced
        return travel + self.fixed_cost * len(used) + (self.price(used) if priced else 0)

    def price(self, routes: Sequence[Nodes]) -> float:
        """Return what the times of routes cost: hours out, and hours late."""
        schedule = self.schedule
        return 0.0 if schedule is None else sum(map(schedule.price, self.days(routes)))

    def days(self, routes: Sequence[Nodes]) -> list[Day]:
        """Return the times of routes of a problem with a schedule; routes are not empty."""
        schedule = self.schedule
        assert schedule is not None
        giant = self.giant_tour(routes).astype(np.int64)
        if schedule.travel is None:
            travel = np.asarray(self.distances(giant[:-1], giant[1:]), np.float64)
        else:
            travel = np.asarray(schedule.travel[giant[:-1], giant[1:]], np.float64)
        ends = np.cumsum([0, *(len(route) + 1 for route in routes)]).tolist()
        back = 0 if self.open else 1
        return [
            schedule.day(giant[begin : end + back], travel[begin : end + back - 1]) for begin, end in pairwise(ends)
        ]

    def giant_tour(self, routes: Sequence[Nodes]) -> NDArray[np.int32]:
        """Return the giant tour: all routes in one array, with the depot before, between and after them."""
        parts = [np.array([self.depot], np.int32)]
        for route in routes:
            parts += [np.asarray(route, np.int32), parts[0]]
        return np.concatenate(parts)

    def split_giant_tour(self, giant: Nodes) -> Routes:
        """Return the routes of a giant tour; the inverse of :meth:`giant_tour`."""
        return split_at(np.array(giant, np.int32), self.depot)

    def check(self, routes: Sequence[Nodes]) -> Report:
        """Return the cost of ``routes``, and each violation with its route and excess."""
        used = [cast(Nodes, np.asarray(route)) for route in routes if len(route)]
        visits = np.concatenate([*used, [self.depot]]).astype(np.int64)
        violations = permutation_faults(visits, self.n)
        if ((visits < 0) | (visits >= self.n)).any():
            used = [route[(route >= 0) & (route < self.n)] for route in used]
            return Report(self.cost(used), tuple(violations))
        loads, capacity = self.loads
        suspect = self.route_loads(used) > capacity
        for limit in self.limits:
            suspect |= ~(self.route_uses(limit, used) <= limit.most)
        schedule = self.schedule
        times = [] if schedule is None else self.days(used)
        if schedule is not None:
            suspect |= ~np.array([schedule.is_kept_by(day) for day in times], bool)
        for number in np.flatnonzero(suspect).tolist():
            route = used[number]
            if loads[route].sum() > capacity:
                load = self.demands[route].sum().item()
                excess = load - self.capacity
                complaint = f"carries {load:g}, {excess:g} over the capacity {self.capacity:g}"
                violations.append(f"route {number + 1} {complaint}")
            for limit in self.limits:
                amount = self.used(limit, route)
                if limit.exceeded(amount):
                    violations.append(f"route {number + 1} {limit.complaint(amount)}")
            violations += (
                [f"route {number + 1} {fault}" for fault in self._faults(route, times[number])] if times else []
            )
        if self.vehicles is not None and len(used) > self.vehicles:
            violations.append(f"{len(used)} routes, {len(used) - self.vehicles} more than the vehicles")
        return Report(self.cost(used), tuple(violations))

    def _faults(self, route: Nodes, day: Day) -> list[str]:
        """Return what is wrong with the times of a route."""
        schedule = self.schedule
        assert schedule is not None
        most, visits = schedule.tolerance, [self.depot, *route.tolist(), self.depot]
        faults = []
        for at, node in enumerate(visits[: len(day.starts)]):
            what = "is back at the depot" if node == self.depot else f"serves {self.describe(node, 'customer')}"
            what = what if at else "leaves the depot"
            if schedule.hard and day.late[at] > most:
                hours = schedule.windows.text(node, self.clock is not None, schedule.pace)
                faults.append(f"{what} {self.time_text(day.late[at] * schedule.pace)} late; its hours are {hours}")
            if day.long_waits[at] > most:
                wait = self.time_text(float(day.waits[at]) * schedule.pace)
                faults.append(
                    f"waits {wait} at {self.describe(node, 'customer')}, above {self.time_text(self.max_wait or 0)}"
                )
        if schedule.excess(day) > most:
            took, longest = (self.time_text(time * schedule.pace) for time in (day.duration, schedule.longest))
            faults.append(f"takes {took}, waits and services included, above {longest}")
        return faults

    def time_text(self, amount: float) -> str:
        """Return an amount of time for people: hours and minutes by the clock, else a number."""
        if self.clock is None:
            return f"{amount:.6g}"
        return format_duration(amount) if amount >= MINUTE else f"{amount:.2g} s"

    def part(self, nodes: Nodes, **changes: Any) -> VRP:
        """Return the problem of a selection of nodes, renumbered in its order, with ``changes``; the depot is first."""
        display = None if self.display is None else self.display[nodes]
        points = self.points[np.ix_(nodes, nodes)] if self.matrix is not None else self.points[nodes]
        clock = None if self.clock is None else self.clock.on(nodes)
        own: dict[str, Any] = {
            "points": points, "display": display, "clock": clock, "demands": self.demands[nodes],
            "service_times": self.service_times[nodes], "depot": 0, "labels": None, "table": None, "streets": None,
            "windows": None if self.windows is None else self.windows.on(nodes),
        }  # fmt: skip
        return replace(self, **(own | changes))
