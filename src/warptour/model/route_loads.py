"""Loads of routes, as integers: what is on board at the start and behind each stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from warptour.model.frozen import immutable
from warptour.model.loads import whole_loads
from warptour.model.metric import Floats, Ints, Nodes
from warptour.model.pickups import backhaul_faults
from warptour.model.route_problem import RouteProblem
from warptour.model.shipments import ends_of


@dataclass(frozen=True, eq=False, repr=False)
class LoadedRoutes(RouteProblem):
    """A problem of routes, and what it says of their loads."""

    @cached_property
    def loads(self) -> tuple[Floats, float]:
        """Demands and capacity as integers in a common unit, with exact sums; see :func:`whole_loads`."""
        loads, capacity = whole_loads(self._amounts(0), self.capacity)
        own = loads[: self.n]
        return (np.copysign(own, self.demands) if self.shipments else own), capacity

    def _amounts(self, at: int) -> Floats | Ints:
        """Return demands, or the goods of shipments, and what is picked up for the depot, in one dimension."""
        demands = np.abs(self.demand_table[:, at]) if self.shipments else self.demand_table[:, at]
        return demands if self.pickups is None else np.concatenate((demands, self.pickups[:, at]))

    @cached_property
    def _whole(self) -> tuple[Floats, Floats, Floats]:
        """Demands, pickups and capacities: see :attr:`all_loads`."""
        own = [(self.capacity, *self.more_capacities)]
        capacities = own if self.fleet is None else [each.capacities for each in self.fleet.types]
        table, units = [], np.empty((len(capacities), self.dimensions))
        for at in range(self.dimensions):
            column, whole = self._amounts(at), dict[float, float]()
            for kind, each in enumerate(capacities):
                if each[at] not in whole and each[at] != math.inf:
                    amounts, whole[each[at]] = whole_loads(column, each[at])
                units[kind, at] = whole.get(each[at], math.inf)
            table.append(amounts if whole else whole_loads(column, 1.0)[0])
        both = np.stack(table, axis=1)
        pickups = np.zeros((self.n, self.dimensions)) if self.pickups is None else both[self.n :]
        return both[: self.n] * np.sign(self.demand_table), pickups, units

    @property
    def all_loads(self) -> tuple[Floats, Floats]:
        """Demands and capacities in integers, each dimension in a unit of its own.

        Demands have the shape (n, dimensions), capacities (types of vehicles, dimensions); without a fleet, there is
        one type.
        """
        demands, _, capacities = self._whole
        return demands, capacities

    @property
    def all_pickups(self) -> Floats:
        """What is picked up for the depot, as demands in :attr:`all_loads`."""
        return self._whole[1]

    @cached_property
    def carried(self) -> NDArray[np.bool_]:
        """Which nodes are in a shipment."""
        carried = np.zeros(self.n, np.bool_)
        carried[ends_of(self.shipments)] = True
        return cast(NDArray[np.bool_], immutable(carried))

    @property
    def two_way(self) -> bool:
        """Whether loads change along routes by more than deliveries from the depot."""
        return len(self.shipments) > 0 or self.pickups is not None

    @cached_property
    def starting_loads(self) -> Floats:
        """What each node adds to the load at the start of its route, as :attr:`all_loads`: nothing in a shipment."""
        return np.where(self.carried[:, None], 0.0, self.all_loads[0])

    @cached_property
    def load_changes(self) -> Floats:
        """What each stop changes the load by, as :attr:`all_loads`."""
        return self.all_pickups - np.where(self.carried[:, None], -1, 1) * self.all_loads[0]

    def loads_along(self, route: Nodes) -> Floats:
        """Return the load at the start of a route and behind each of its stops, of shape (stops + 1, dimensions)."""
        return self._along(self.starting_loads, self.load_changes, route)

    def amounts_along(self, route: Nodes) -> NDArray[Any]:
        """Return what :meth:`loads_along` does in the units of the demands."""
        starts = np.where(self.carried[:, None], 0, self.demand_table)
        changes = -np.where(self.carried[:, None], -1, 1) * self.demand_table
        return self._along(starts, changes if self.pickups is None else changes + self.pickups, route)

    @cached_property
    def brings(self) -> NDArray[np.bool_]:
        """Which nodes get something from the depot."""
        return cast(NDArray[np.bool_], (self.starting_loads > 0).any(axis=1))

    @cached_property
    def takes(self) -> NDArray[np.bool_]:
        """Which nodes give something for the depot."""
        return cast(NDArray[np.bool_], (self.all_pickups > 0).any(axis=1))

    def order_faults(self, route: Nodes) -> list[str]:
        """Return what breaks the order of deliveries and pickups on a route."""
        if self.backhauls is None:
            return []
        return backhaul_faults(self.backhauls, route, self.brings, self.takes, self.describe)

    def trips_of(self, route: Nodes) -> list[NDArray[Any]]:
        """Return the customers of each trip of a route."""
        if not self.trips:
            return [np.asarray(route)]
        at = np.flatnonzero(self.reloads[route])
        return [trip if k == 0 else trip[1:] for k, trip in enumerate(np.split(route, at))]

    def _along(self, starts: NDArray[Any], changes: NDArray[Any], route: Nodes) -> NDArray[Any]:
        """Return the load at the start and behind each stop; that behind a reload is the start of the next trip."""
        return np.concatenate([_of_trip(starts, changes, np.asarray(each, np.int64)) for each in self.trips_of(route)])


def _of_trip(starts: NDArray[Any], changes: NDArray[Any], stops: NDArray[np.int64]) -> NDArray[Any]:
    start = starts[stops].sum(axis=0)
    return np.concatenate((start[None], start + changes[stops].cumsum(axis=0)))
