"""Vehicles of several kinds: what each may do, where it begins and ends, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import travel_matrix
from warptour.model.errors import InputError, UsageError
from warptour.model.frozen import immutable
from warptour.model.quantities import finite_number, whole_number
from warptour.model.rests import Break, DrivingRule, checked_breaks

Routes: TypeAlias = list[NDArray[np.int32]]
"""A solution: the customers of each route in order, without depots; of a fleet, route k is that of vehicle k."""

LIMITS: Final = {
    "closes": "end of the shift", "max_distance": "longest distance", "max_duration": "longest duration",
    "overtime": "longest overtime",
}  # fmt: skip
"""What of a type may be infinite."""
COSTS: Final = {
    "opens": "begin of the shift", "fixed_cost": "fixed cost", "distance_cost": "cost of a distance",
    "hour_cost": "cost of an hour", "overtime_cost": "cost of an hour of overtime",
}  # fmt: skip


@dataclass(frozen=True)
class VehicleType:
    """A kind of vehicle.

    Times are in seconds by the problem's clock, costs of hours per hour; without a clock both are in the unit of the
    distances.

    Attributes
    ----------
    count : int or None
        Number of vehicles; None for as many as are needed.
    capacities : tuple of float
        Capacity in each dimension of the loads.
    start, end : int or None
        Nodes where routes begin and end; None where they begin at their first or end at their last customer.
    opens, closes : float
        Shift: when a vehicle may leave at the earliest, and must be back at the latest. A route without a start may
        begin to serve, and one without an end must be done, then.
    max_distance, max_duration : float
        Limits on a route; the duration contains services and waits.
    max_stops : int or None
        Limit on the customers of a route.
    fixed_cost : float
        Cost of each vehicle that is used.
    distance_cost, hour_cost : float
        Cost of a unit of distance, and of an hour out.
    overtime, overtime_cost : float
        How far ``max_duration`` may be exceeded, and the cost of each hour by which it is.
    speed : float
        Factor on the speed: travel times are divided by it.
    matrix, durations : array of shape (n, n), or None
        Its own distances, and travel times in seconds, instead of those of the problem, which has matrices then.
    name : str
    skills : tuple of str
        For lists of customers that need some; in a fleet, ``allowed`` says who may serve whom.
    breaks : tuple of Break
        Breaks of the driver, at most four: each lies on the way, before the vehicle leaves or after it has come back.
    driving : DrivingRule or None
        A break after so much driving at most; instead of breaks within hours.
    max_trips : int or None
        Limit on its trips: between two of them it is loaded again, which takes the depot's service time. None for none.
    reloads : tuple of int
        Depots where it may be loaded again; if none is given, its start.
    day : str
        The day on which it drives, one of several: a vehicle has a type for each. Times are times of day.
    under_way : bool
        Whether it is out already: it leaves its start as its shift opens, without loading, and has to come to its end
        even without stops.
    """

    count: int | None = None
    capacities: tuple[float, ...] = ()
    start: int | None = 0
    end: int | None = 0
    opens: float = 0.0
    closes: float = math.inf
    max_distance: float = math.inf
    max_duration: float = math.inf
    max_stops: int | None = None
    fixed_cost: float = 0.0
    distance_cost: float = 1.0
    hour_cost: float = 0.0
    overtime: float = 0.0
    overtime_cost: float = 0.0
    speed: float = 1.0
    name: str = ""
    skills: tuple[str, ...] = ()
    breaks: tuple[Break, ...] = field(default=(), repr=False)
    driving: DrivingRule | None = field(default=None, repr=False)
    under_way: bool = field(default=False, repr=False)
    matrix: NDArray[Any] | None = field(default=None, repr=False, compare=False)
    durations: NDArray[Any] | None = field(default=None, repr=False, compare=False)
    max_trips: int | None = field(default=1, repr=False)
    reloads: tuple[int, ...] = field(default=(), repr=False)
    day: str = field(default="", repr=False)

    @property
    def places(self) -> set[int]:
        """Where its routes begin and end, if that is not at customers, and where it is loaded again."""
        return {place for place in (self.start, self.end, *self.reloads) if place is not None}

    @property
    def docks(self) -> tuple[int, ...]:
        """Where it is loaded again, if it makes several trips."""
        if self.max_trips == 1:
            return ()
        return self.reloads or tuple(place for place in (self.start,) if place is not None)

    @property
    def timed(self) -> bool:
        """Whether its routes must know their times, whatever their customers say."""
        limits = (self.closes, self.max_duration)
        rests = len(self.breaks) > 0 or self.driving is not None
        return not all(map(math.isinf, limits)) or self.opens > 0 or self.hour_cost > 0 or rests

    def checked(self, n: int, dimensions: int, who: str) -> VehicleType:
        """Return the type with whole numbers as int; raise :class:`InputError` if it is none for ``n`` nodes."""
        values: dict[str, Any] = {}
        for name, what in (LIMITS | COSTS).items():
            value = getattr(self, name)
            unlimited = name in LIMITS and value == math.inf
            number = math.inf if unlimited else finite_number(value)
            if number is None or number < 0:
                raise InputError(f"{who}: its {what} is {value}; it must be a number of at least 0")
            values[name] = int(number) if float(number).is_integer() else number
        for name, what in (
            ("count", "number of vehicles"), ("max_stops", "limit on stops"), ("max_trips", "limit on trips"),
        ):  # fmt: skip
            value = getattr(self, name)
            values[name] = count = whole_number(value)
            if value is not None and (count is None or count < 1):
                raise InputError(f"{who}: its {what} is {value}; it must be an integer of at least 1, or None")
        for name, what in (("start", "begin"), ("end", "end")):
            value = getattr(self, name)
            values[name] = node = whole_number(value)
            if value is not None and (node is None or not 0 <= node < n):
                raise InputError(f"{who}: its routes {what} at {value}; here nodes are counted from 0 to {n - 1}")
        reloads = [-1 if whole_number(place) is None else int(place) for place in self.reloads]
        if not all(0 <= place < n for place in reloads):
            raise InputError(f"{who}: it reloads at {self.reloads}; here nodes are counted from 0 to {n - 1}")
        if self.max_trips != 1 and not reloads and self.start is None:
            raise InputError(f"{who}: it makes several trips and has no depot to be loaded at again; give it a start")
        if not isinstance(self.day, str):
            raise InputError(f"{who}: its day is {self.day!r}; it is a word, such as 'Mon'")
        speed = finite_number(self.speed)
        if speed is None or speed <= 0:
            raise InputError(f"{who}: its speed is {self.speed}; it must be a number above 0")
        capacities = [math.inf if value == math.inf else finite_number(value) for value in self.capacities]
        if len(capacities) != dimensions or any(value is None or value < 0 for value in capacities):
            what = "a number" if dimensions == 1 else f"{dimensions} numbers"
            raise InputError(f"{who}: its capacities are {self.capacities}; they are {what} of at least 0")
        if self.closes < self.opens:
            raise InputError(f"{who}: its shift ends at {self.closes:g}, before it begins at {self.opens:g}")
        breaks, rule = checked_breaks(self.breaks, who), self.driving
        if rule is not None:
            rule = rule.checked(who)
            if breaks or self.under_way:
                what = "breaks within hours" if breaks else "a vehicle under way"
                raise UsageError(f"{who}: a driving rule does not go with {what} yet")
        for name, what in (("matrix", "distances"), ("durations", "durations")):
            if getattr(self, name) is not None:
                values[name] = travel_matrix(getattr(self, name), n, what, who)
        changes: dict[str, Any] = values | {"capacities": tuple(capacities), "speed": speed, "reloads": tuple(reloads)}
        return replace(self, breaks=breaks, driving=rule, **changes)


@dataclass(frozen=True)
class Alternatives:
    """Customers of which at most one is served; ``required``: exactly one."""

    nodes: tuple[int, ...]
    required: bool = True


@dataclass(frozen=True, eq=False)
class Fleet:
    """All vehicles, numbered type by type: a solution's route k is that of vehicle k, and may be empty.

    Attributes
    ----------
    types : tuple of VehicleType
    customers : int
        Number of customers: a type has at most as many vehicles, and as many without a count. A VRP counts its own.
    allowed : array of bool, shape (n, number of types), or None
        Which types may serve each node; None: all.
    """

    types: tuple[VehicleType, ...]
    customers: int = 0
    allowed: NDArray[np.bool_] | None = None

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """Number of vehicles of each type, at most one per customer."""
        counts = [self.customers if each.count is None else min(each.count, self.customers) for each in self.types]
        return np.array(counts, np.int32)

    @cached_property
    def kinds(self) -> NDArray[np.int32]:
        """Type of each vehicle."""
        return np.repeat(np.arange(len(self.types), dtype=np.int32), self.counts)

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Number of each vehicle, from 0, if those of a type beyond its customers counted, too, as in files."""
        given = [self.customers if each.count is None else each.count for each in self.types]
        firsts = np.cumsum([0, *given[:-1]], dtype=np.int64) - np.cumsum([0, *self.counts[:-1].tolist()])
        return np.repeat(firsts, self.counts) + np.arange(len(self.kinds))

    def seated(self, routes: list[NDArray[Any]]) -> list[NDArray[Any]]:
        """Return the routes of vehicles by :attr:`numbers` as those of the fleet."""
        if len(self.numbers) == 0 or self.numbers[-1] == len(self.numbers) - 1:
            return routes
        seated: list[NDArray[Any]] = []
        at = 0
        for each, kept in zip(self.types, self.counts.tolist(), strict=True):
            own = routes[at : at + (kept if each.count is None else each.count)]
            at += len(own)
            own = own if len(own) <= kept else [route for route in own if len(route)]
            seated += own + [np.empty(0, np.int32)] * (kept - len(own) if at < len(routes) else 0)
        return seated + routes[at:]

    @cached_property
    def places(self) -> set[int]:
        """Nodes where routes begin and end."""
        return set().union(*(each.places for each in self.types))

    def type_name(self, kind: int) -> str:
        """Return the name of a type for people, or its number from 1, and its day."""
        own = self.types[kind]
        return f"{own.name or f'type {kind + 1}'} {own.day}".rstrip()

    def vehicle_name(self, vehicle: int) -> str:
        """Return a vehicle for people: its number from 1, and the name of its type if it has one."""
        own = self.types[self.kinds[vehicle]]
        name = f"{own.name} {own.day}".strip()
        return f"vehicle {vehicle + 1}" + (f" ({name})" if name else "")

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The days on which vehicles drive, in the order of their types; none where all drive on the same."""
        return tuple(dict.fromkeys(each.day for each in self.types if each.day))

    def may_serve(self, node: int, kind: int) -> bool:
        """Return whether a type may serve a node."""
        return self.allowed is None or bool(self.allowed[node, kind])

    def of(self, n: int, customers: int, dimensions: int) -> Fleet:
        """Return the fleet of a problem: checked, and with its number of customers."""
        if not self.types:
            raise InputError("a fleet has at least one type of vehicle")
        types = tuple(
            each.checked(n, dimensions, f"vehicle type {self.type_name(kind)!r}")
            for kind, each in enumerate(self.types)
        )
        idle = [self.type_name(kind) for kind, each in enumerate(types) if self.days and not each.day]
        if idle:
            raise InputError(f"vehicle type {idle[0]!r} has no day, and others have: {', '.join(self.days)}")
        allowed = self.allowed
        if allowed is not None:
            allowed = np.asarray(allowed)
            if allowed.dtype != np.bool_ or allowed.shape != (n, len(types)):
                shape = f"({n}, {len(types)})"
                raise InputError(f"which types may serve each node is bool of shape {shape}, not {allowed.shape}")
            allowed = immutable(np.array(allowed, order="C"))
        return Fleet(types, customers, allowed)

    def on(self, rank: NDArray[np.int64], nodes: NDArray[np.integer]) -> Fleet:
        """Return the fleet over a selection of nodes; ``rank`` has the new number of each node, -1 of others."""
        types = []
        for kind, each in enumerate(self.types):
            if any(rank[place] < 0 for place in each.places):
                raise InputError(f"vehicle type {self.type_name(kind)!r} begins or ends at a node that is left out")
            start, end = (None if place is None else int(rank[place]) for place in (each.start, each.end))
            tables: dict[str, Any] = {
                name: None if table is None else table[np.ix_(nodes, nodes)]
                for name, table in (("matrix", each.matrix), ("durations", each.durations))
            }
            reloads = tuple(int(rank[place]) for place in each.reloads)
            types.append(replace(each, start=start, end=end, reloads=reloads, **tables))
        return Fleet(tuple(types), self.customers, None if self.allowed is None else self.allowed[nodes])
