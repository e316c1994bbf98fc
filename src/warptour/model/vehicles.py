"""Vehicle routing problems: capacity, limits, time windows, fleets of several types and depots, optional customers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count, numbered, span
from warptour.model.building import FleetOptions, matrix_fields, point_fields
from warptour.model.fleet import Alternatives, Routes
from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.many_routes import firsts_of, split_at
from warptour.model.metric import Floats, Nodes
from warptour.model.other_words import check_words
from warptour.model.problem import permutation_faults
from warptour.model.report import Report
from warptour.model.route_problem import MAX_VEHICLES
from warptour.model.route_times import TimedRoutes
from warptour.model.schedule import Day
from warptour.model.shipments import ends_of, shipment_faults, stack_faults

__all__ = ["MAX_VEHICLES", "VRP", "Routes"]


@dataclass(frozen=True, eq=False, repr=False)
class VRP(TimedRoutes):
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
    fleet : Fleet or None
        Vehicles of several types, each with limits and costs of its own; ``capacity`` is the largest then.
    depots : tuple of int
        Nodes that are no customers: the depot, and where vehicles of the fleet begin and end.
    prizes : array of float64, shape (n,), or None
        What is lost if a customer is not served, infinite where it must be; None: all must be.
    alternatives : tuple of Alternatives
        Groups of customers of which one is enough.
    more_demands, more_capacities : array of float64, shape (n, dimensions - 1), and tuple of float
        Further dimensions of loads, and of capacities without a fleet.
    most_stops : int or None
        Limit on the customers of a route.
    together, apart : tuple of tuples of int
        Groups of customers that one vehicle serves, all or none of them, and of those of which no vehicle serves two.
    releases : array of float64, shape (n,), or None
        When the goods of each customer are at the depot, in seconds after midnight by the clock: their vehicle is
        loaded and leaves no earlier. Depots have none.
    balance : {"hours", "stops", "load", "distance"} or None
        What of the largest route comes before the cost.
    shipments : tuple of Shipment
        Goods picked up at one customer and delivered at another, later on the same route. The demand of a delivery is
        the opposite of its pickup's; that of other customers is on board from the depot on.
    locks : Locks or None
        The plan that the vehicles of the fleet are on, what of it stays as it is, and what changes cost.
    pickups : array, shape (n, dimensions), or None
        What is picked up at each customer and stays on board to the end; customers in shipments have none.
    backhauls : {"last", "after-deliveries"} or None
        Whether all deliveries of a route come before its pickups, and whether besides no route has pickups alone.
    lifo : bool
        Whether the goods of shipments are unloaded last in, first out.
    max_trips : int or None
        Limit on the trips of a vehicle, None for none: routes contain the depot where it is loaded again, which takes
        its service time.
    copies : tuple of int
        In searches, nodes that stand for depots where vehicles are loaded again.
    """

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
        releases : sequence of length n, optional
            When the goods of each customer are at the depot, which their vehicle leaves no earlier: ``"09:30"``,
            seconds after midnight, or None; without travel times, numbers in the unit of the distances.
        shipments : sequence of (pickup, delivery), optional
            Nodes between which goods are carried: on one route, the pickup first. The demand of a pickup is its goods;
            that of its delivery is the same, its opposite, or 0.
        max_ride_minutes : float, optional
            Limit on the time from the end of a pickup to the start of its delivery, of shipments without one of their
            own; without travel times, in the unit of the distances.
        pickups : array-like, shape (n,), optional
            What is picked up at each node and brought to the end of its route.
        backhauls : {"last", "after-deliveries"}, optional
            Whether all deliveries of a route come before its pickups, and whether besides no route has pickups alone.
        lifo : bool
            Whether the goods of shipments are unloaded last in, first out.
        max_trips : int, optional
            How often a vehicle may be loaded and go out, None for as often as it likes; 1 by default. Its route then
            contains the depot.
        together, apart : sequence of sequences of int, optional
            Groups of customers that are on one route, and of those of which no route has two.
        balance : {"hours", "stops", "load", "distance"}, optional
            What of the largest route is minimised first, then the cost; needs a number of vehicles.
        """
        check_words(f"{cls.__name__}.from_points", options, cls, FleetOptions)
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
        check_words(f"{cls.__name__}.from_matrix", options, cls, FleetOptions)
        fields = matrix_fields(distances, display, latlon, name, options)
        return cls(**fields | {"demands": demands, "capacity": capacity})

    def _facts(self) -> list[str]:
        capacity = f"capacity {self.capacity:g}" if self.fleet is None else f"{len(self.fleet.types)} types of vehicles"
        count = [f"{self.vehicles} vehicles"] if self.fleet is None and self.vehicles is not None else []
        more = {
            "time windows": self.windows is not None, "optional stops": self.prizes is not None,
            "shipments": len(self.shipments) > 0, "pickups": self.pickups is not None, "open routes": self.open,
        }  # fmt: skip
        return [*super()._facts(), capacity, *count, *(word for word, present in more.items() if present)]

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

    def part(self, nodes: Nodes, **changes: Any) -> VRP:
        """Return the problem of a selection of nodes, renumbered in its order, with ``changes``.

        The depot is first; of a fleet, the other depots are among the nodes, too, and of a shipment both ends or none.
        Groups keep those of their customers that are.
        """
        rank = np.full(self.n, -1)
        rank[nodes] = np.arange(len(nodes))
        rank[nodes[0]] = 0  # which may be there again, as copies
        display = None if self.display is None else self.display[nodes]
        points = self.points[np.ix_(nodes, nodes)] if self.matrix is not None else self.points[nodes]
        clock = None if self.clock is None else self.clock.on(nodes)
        own: dict[str, Any] = {
            "points": points, "display": display, "clock": clock, "demands": self.demands[nodes],
            "service_times": self.service_times[nodes], "depot": 0, "labels": None, "table": None, "streets": None,
            "request": None,
            "windows": None if self.windows is None else self.windows.on(nodes),
            "depots": tuple(rank[[depot for depot in self.depots if rank[depot] >= 0]].tolist()),
            "fleet": None if self.fleet is None else self.fleet.on(rank, nodes),
            "prizes": None if self.prizes is None else self.prizes[nodes],
            "more_demands": None if self.more_demands is None else self.more_demands[nodes],
            "alternatives": tuple(
                Alternatives(left, each.required) for each in self.alternatives if (left := _left(rank, each.nodes))
            ),
            "together": tuple(left for group in self.together if len(left := _left(rank, group)) > 1),
            "apart": tuple(left for group in self.apart if len(left := _left(rank, group)) > 1),
            "releases": None if self.releases is None else self.releases[nodes],
            "pickups": None if self.pickups is None else self.pickups[nodes],
            "shipments": tuple(
                replace(each, pickup=ends[0], delivery=ends[1])
                for each, ends in zip(self.shipments, rank[ends_of(self.shipments)].tolist(), strict=True)
                if max(ends) >= 0
            ),
            "locks": None if self.locks is None else self.locks.on(nodes), "copies": (),
        }  # fmt: skip
        return replace(self, **(own | changes))


def _left(rank: NDArray[np.int64], group: tuple[int, ...]) -> tuple[int, ...]:
    """Return the new numbers of the nodes of a group that are left."""
    return tuple(rank[node].item() for node in group if rank[node] >= 0)
