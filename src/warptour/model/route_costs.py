"""What routes take of each limit, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.model.fleet import Routes
from warptour.model.limits import Limit
from warptour.model.many_routes import firsts_of, split_at
from warptour.model.metric import Floats, Nodes
from warptour.model.route_times import TimedRoutes
from warptour.model.schedule import Day


@dataclass(frozen=True, eq=False, repr=False)
class PricedRoutes(TimedRoutes):
    """A problem of routes, and what they cost."""

    def giant_tour(self, routes: Sequence[Nodes]) -> NDArray[np.int32]:
        """Return the giant tour: all routes in one array, with the depot before, between and after them."""
        parts = [np.array([self.depot], np.int32)]
        for route in routes:
            parts += [np.asarray(route, np.int32), parts[0]]
        return np.concatenate(parts)

    def split_giant_tour(self, giant: Nodes) -> Routes:
        """Return the routes of a giant tour; the inverse of :meth:`giant_tour`. Only a fleet's may be empty."""
        return split_at(np.array(giant, np.int32), self.depot, empty=self.fleet is not None)

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

    def route_cost(self, route: Nodes, vehicle: int = 0) -> int | float:
        """Return the exact cost of one route from its start to its end, without the fixed cost of its vehicle."""
        if len(route) == 0:
            return 0 if self.fleet is None else self.homeward_costs[self.fleet.kinds[vehicle]]
        path = self.path(vehicle, route)
        travel: int | float = self.ways(self.kind_of(vehicle), path[:-1], path[1:]).sum().item()
        if self.fleet is not None:
            travel *= self.type_of(vehicle).distance_cost
        if self.locks is not None:
            travel += self.locks.cost(vehicle, route)
        if self.schedule is None or not self.schedule_of(vehicle).priced:
            return travel
        return travel + self.schedule_of(vehicle).price(self.day_of(vehicle, route))

    def cost(self, routes: Sequence[Nodes]) -> int | float:
        """Return the exact cost of ``routes``: travel, vehicles, times, and the prizes of customers left out."""
        return self._cost(routes)

    def _cost(self, routes: Sequence[Nodes], days: list[Day] | None = None) -> int | float:
        """Return the cost of routes; ``days`` are the times of those that are not empty, if they are known."""
        lost = self.lost(routes) if self.prizes is not None else 0
        if self.fleet is not None:
            used = [vehicle for vehicle, route in enumerate(routes) if len(route)]
            fixed = sum(self.type_of(vehicle).fixed_cost for vehicle in used)
            if any(self.homeward_costs):
                idle = np.setdiff1d(np.arange(len(self.fleet.kinds)), used)
                fixed += sum(self.homeward_costs[kind] for kind in self.fleet.kinds[idle])
            return sum(self.route_cost(routes[vehicle], vehicle) for vehicle in used) + fixed + lost
        served = [route for route in routes if len(route)]
        travel = self.length(self.giant_tour(served)) if served else 0
        priced = self.schedule is not None and self.schedule.priced
        return travel + self.fixed_cost * len(served) + (self.price(served, days) if priced else 0) + lost

    def lost(self, routes: Sequence[Nodes]) -> int | float:
        """Return the prizes of the customers that no route serves."""
        served = np.zeros(self.n, np.bool_)
        for route in routes:
            served[route] = True
        lost: int | float = self.losses[~served].sum().item()
        return lost

    def unserved(self, routes: Sequence[Nodes]) -> list[int]:
        """Return the customers that no route serves, and that are missed: no alternative of theirs is served."""
        served = np.zeros(self.n, np.bool_)
        for route in routes:
            served[route] = True
        for each in self.alternatives:
            if served[list(each.nodes)].any():
                served[list(each.nodes)] = True
        served[list(self.depots)] = True
        return np.flatnonzero(~served).tolist()
