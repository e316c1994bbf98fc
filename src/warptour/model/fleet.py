"""Vehicles of several kinds: what each may do, where it begins and ends, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


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
        Shift: when a vehicle may leave at the earliest, and must be back at the latest.
    max_distance, max_duration : float
        Limits on a route; the duration contains waits.
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
    name : str
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
        Number of customers: a type without a count has as many vehicles.
    allowed : array of bool, shape (n, number of types), or None
        Which types may serve each node; None: all.
    """

    types: tuple[VehicleType, ...]
    customers: int
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
