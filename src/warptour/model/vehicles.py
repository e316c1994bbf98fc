"""Vehicle routing problems: capacity, limits, time windows, fleets of several types and depots, optional customers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.building import FleetOptions, matrix_fields, point_fields
from warptour.model.fleet import Alternatives, Routes
from warptour.model.metric import Nodes
from warptour.model.other_words import check_words
from warptour.model.route_faults import JudgedRoutes
from warptour.model.route_problem import MAX_VEHICLES
from warptour.model.shipments import ends_of

__all__ = ["MAX_VEHICLES", "VRP", "Routes"]


@dataclass(frozen=True, eq=False, repr=False)
class VRP(JudgedRoutes):
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
