"""What is wrong with routes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from warptour.model.audience import count, numbered, span
from warptour.model.limits import LIMIT_TOLERANCE
from warptour.model.metric import Nodes
from warptour.model.problem import permutation_faults
from warptour.model.report import Report
from warptour.model.route_costs import PricedRoutes
from warptour.model.schedule import Day
from warptour.model.shipments import shipment_faults, stack_faults


@dataclass(frozen=True, eq=False, repr=False)
class JudgedRoutes(PricedRoutes):
    """A problem of routes, and what routes break of its rules."""

    def check(self, routes: Sequence[Nodes]) -> Report:
        """Return the cost of ``routes``, and each violation with its route or vehicle and excess."""
        given = [cast(Nodes, np.asarray(route)) for route in routes]
        if self.fleet is None:
            given = [route for route in given if len(route)]
        visits = np.concatenate([*given, np.empty(0, np.int32)]).astype(np.int64)
        violations = self.visit_faults(visits)
        if ((visits < 0) | (visits >= self.n)).any():
            given = [route[(route >= 0) & (route < self.n)] for route in given]
            return Report(self._known_cost(given), tuple(violations))
        most = self.vehicles if self.fleet is None else len(self.fleet.kinds)
        driven = given if self.fleet is None else given[:most]
        numbers = [number for number, route in enumerate(driven) if len(route)]
        used = [driven[number] for number in numbers]
        days = None if self.schedule is None else self.days(driven)
        for at in self._suspects(numbers, used, days):
            name = f"route {numbers[at] + 1}" if self.fleet is None else self.fleet.vehicle_name(numbers[at])
            faults = self._route_faults(numbers[at], used[at])
            faults += [] if days is None else self.day_faults(numbers[at], used[at], days[at])
            violations += [f"{name} {fault}" for fault in faults]
        violations += self._group_faults(given)
        violations += shipment_faults(self.shipments, given, self.n, self.describe)
        violations += stack_faults(self.shipments, given, self.describe) if self.lifo else []
        if most is not None and any(len(route) for route in given[most:]):
            violations.append(f"{len(given)} routes, {len(given) - most} more than the vehicles")
        return Report(self._known_cost(given, days), tuple(violations))

    def _known_cost(self, routes: Sequence[Nodes], days: list[Day] | None = None) -> int | float:
        """Return the cost of the routes that have a vehicle."""
        return self._cost(routes if self.fleet is None else routes[: len(self.fleet.kinds)], days)

    def visit_faults(self, visits: Nodes) -> list[str]:
        """Return who is not served, or more than once."""
        if not self.optional and self.fleet is None:
            stops = visits[visits != self.depot] if self.trips else visits
            return permutation_faults(np.append(stops, self.depot), self.n)
        faults = []
        counts = np.bincount(visits[(visits >= 0) & (visits < self.n)], minlength=self.n)
        missing = np.flatnonzero(self.required & (counts == 0))
        if len(missing):
            first = self.describe(int(missing[0]), "customer")
            faults.append(f"{len(missing)} customers are not served, the first is {first}")
        faults += self.repeat_faults(visits)
        for each in self.alternatives:
            served = int(counts[list(each.nodes)].sum())
            if served > 1 or (served == 0 and each.required):
                nodes = numbered(each.nodes)
                faults.append(f"of the alternatives {nodes}, {served} are served")
        return faults

    def repeat_faults(self, visits: Nodes) -> list[str]:
        """Return what is visited that is no customer, and who is served more than once."""
        faults = []
        inside = (visits >= 0) & (visits < self.n)
        if not inside.all():
            faults.append(f"{count(visits[~inside][0])} is not a city ({span(self.n)})")
        counts = np.bincount(visits[inside], minlength=self.n)
        depots = [at for at in self.depots if counts[at] and at not in self.docks]
        if depots:
            faults.append(f"node {count(depots[0])} is a depot and within a route")
        counts[list(self.depots)] = 0
        repeated = np.flatnonzero(counts > 1)
        if len(repeated):
            first = self.describe(int(repeated[0]), "customer")
            faults.append(f"{len(repeated)} customers are served more than once, the first is {first}")
        return faults

    def _suspects(self, numbers: list[int], used: list[Nodes], days: list[Day] | None) -> list[int]:
        """Return which routes may have faults: all of them where that is not told quickly."""
        if self.fleet is not None or self.dimensions > 1 or self.two_way or self.trips:
            return list(range(len(used)))
        suspect = self.route_loads(used) > self.loads[1]
        for limit in self.limits:
            suspect |= ~(self.route_uses(limit, used) <= limit.most)
        if self.most_stops is not None:
            suspect |= np.array([len(route) for route in used]) > self.most_stops
        if days is not None:
            kept = [self.schedule_of(number).is_kept_by(day) for number, day in zip(numbers, days, strict=True)]
            suspect |= ~np.array(kept, np.bool_)
        return np.flatnonzero(suspect).tolist()

    def _route_faults(self, number: int, route: Nodes) -> list[str]:
        """Return what is wrong with a route, but for its times."""
        fleet, faults, own_type = self.fleet, [], self.type_of(number)
        kind = 0 if fleet is None else int(fleet.kinds[number])
        capacities = self.all_loads[1]
        own = (self.capacity, *self.more_capacities) if fleet is None else fleet.types[kind].capacities
        for at in np.flatnonzero(self.loads_along(route).max(axis=0) > capacities[kind]).tolist():
            load, capacity = self.amounts_along(route)[:, at].max().item(), own[at]
            of = f" in dimension {at + 1}" if at else ""
            faults.append(f"carries {load:g}{of}, {load - capacity:g} over the capacity {capacity:g}")
        faults += self.order_faults(route)
        for limit in self.limits:
            amount = self.used(limit, route)
            if limit.exceeded(amount):
                faults.append(limit.complaint(amount))
        most, stops = own_type.max_stops, int((~self.reloads[route]).sum())
        if most is not None and stops > most:
            faults.append(f"has {stops} stops, {stops - most} more than {most}")
        most, trips = own_type.max_trips, 1 + len(route) - stops
        if self.trips and most is not None and trips > most:
            faults.append(f"makes {trips} trips, {trips - most} more than {most}")
        if fleet is None:
            return faults
        for node in route.tolist():
            if node in self.docks and node not in own_type.docks and own_type.max_trips != 1:
                faults.append(f"is loaded at {self.describe(node, 'node')}, where it may not be")
            elif not self.reloads[node] and not fleet.may_serve(node, kind):
                faults.append(f"may not serve {self.describe(node, 'customer')}")
        faults += [] if self.locks is None else self.locks.faults(route, self.describe)
        longest, path = fleet.types[kind].max_distance, self.path(number, route)
        length = self.road_legs(number, path).sum().item()
        if length > longest * (1 + LIMIT_TOLERANCE):
            faults.append(f"is {length:.6g} long, {length - longest:.6g} over the limit {longest:.6g}")
        return faults

    def vehicle_faults(self, vehicle: int, route: Nodes) -> list[str]:
        """Return what is wrong with the route of one vehicle."""
        faults = self._route_faults(vehicle, route)
        if self.schedule is None or len(route) == 0:
            return faults
        return faults + self.day_faults(vehicle, route, self.day_of(vehicle, route))

    def _group_faults(self, routes: Sequence[Nodes]) -> list[str]:
        """Return which customers are with others that they must not be with, or without those they must be with."""
        if not self.together and not self.apart:
            return []
        home = np.full(self.n, -1)
        for number, route in enumerate(routes):
            home[route] = number
        faults = []
        for group in self.together:
            if len({*home[list(group)].tolist()}) > 1:
                faults.append(f"customers {numbered(group)} are not on one route")
        for group in self.apart:
            served = [number for number in home[list(group)].tolist() if number >= 0]
            if len({*served}) < len(served):
                faults.append(f"of customers {numbered(group)}, two are on one route")
        return faults
