"""Problems in the words of PyVRP, whose users change one import: ``from warptour import Model``.

Distances, durations and costs are PyVRP's: integers, durations in a unit of their own. What warptour does not solve is
refused by name: loads at the start, and latest starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.api.model_result import Activity, ModelResult, PlannedRoute, PlannedRoutes
from warptour.api.solving import solve
from warptour.model.clock import HOUR, LONGEST, Clock
from warptour.model.customers import Customer, Depot
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.itinerary import Trip
from warptour.model.metric import METRICS
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP
from warptour.model.windows import LATEST, TimeWindows
from warptour.search.stop import Stop

NEVER: Final = 2**63 - 1
"""PyVRP's largest integer: no limit."""
MISSING: Final = 1 << 44
"""Distance and duration of an edge that is not added."""


@dataclass(frozen=True, eq=False)
class Location:
    """A place."""

    x: float
    y: float
    name: str = ""


@dataclass(frozen=True, eq=False)
class ClientGroup:
    """Clients of which one is visited, if ``required``, or one at most."""

    required: bool = True
    name: str = ""


@dataclass(frozen=True, eq=False)
class EdgeProfile:
    """Distances and durations of some vehicles: those of edges that are added for it, or for none."""

    name: str = ""


class Model:
    """A vehicle routing problem, built step by step.

    Examples
    --------
    >>> model = Model()
    >>> places = [model.add_location(x, 0) for x in (0, 3, 7)]
    >>> depot = model.add_depot(places[0])
    >>> clients = [model.add_client(place, delivery=1) for place in places[1:]]
    >>> vans = model.add_vehicle_type(2, capacity=2)
    >>> for a in places:
    ...     for b in places:
    ...         model.add_edge(a, b, distance=abs(a.x - b.x))
    >>> found = model.solve(iterations=100)
    >>> found.cost(), [[visit.idx for visit in route if visit.is_client()] for route in found.best.routes()]
    (14, [[0, 1]])
    """

    def __init__(self) -> None:
        self.locations: list[Location] = []
        self.depots: list[Depot] = []
        self.clients: list[Customer] = []
        self.groups: list[ClientGroup] = []
        self.vehicle_types: list[VehicleType] = []
        self._places: list[tuple[int, Any]] = []
        self.profiles: list[EdgeProfile] = []
        self._edges: dict[tuple[int, int], tuple[int, int]] = {}
        self._own_edges: dict[int, dict[tuple[int, int], tuple[int, int]]] = {}
        self._profiles: list[int | None] = []
        self._releases: list[int] = []
        self._numbers: dict[int, int] = {}
        self._grouped: dict[int, list[int]] = {}
        self._shipments: list[Shipment] = []

    def add_location(self, x: float, y: float, *, name: str = "") -> Location:
        """Add a place."""
        place = Location(x, y, name)
        self._numbers[id(place)] = len(self.locations)
        self.locations.append(place)
        return place

    def add_depot(
        self, location: Location, tw_early: int = 0, tw_late: int = NEVER, service_duration: int = 0, *, name: str = ""
    ) -> Depot:
        """Add a depot; vehicles leave and are back within its window."""
        depot = Depot(location.x, location.y, (tw_early, _limit(tw_late)), service_duration, name)
        self._numbers[id(depot)] = len(self.depots)
        self.depots.append(depot)
        self._places.insert(len(self.depots) - 1, (self._number(location, "location"), depot))
        return depot

    def add_client(
        self,
        location: Location,
        delivery: int | Sequence[int] = (),
        pickup: int | Sequence[int] = (),
        service_duration: int = 0,
        tw_early: int = 0,
        tw_late: int = NEVER,
        release_time: int = 0,
        prize: int = 0,
        required: bool = True,
        group: ClientGroup | None = None,
        *,
        name: str = "",
    ) -> Customer:
        """Add a client; one that is not required, or of a group, may stay unserved."""
        if group is not None and required:
            raise UsageError("a client of a group is not required on its own: required=False")
        demand, gives = (tuple(each) if isinstance(each, Sequence) else (each,) for each in (delivery, pickup))
        window = (tw_early, _limit(tw_late))
        client = Customer(
            location.x, location.y, demand, window, service_duration, None if required else prize, name=name,
            pickup=gives,
        )  # fmt: skip
        if group is not None:
            self._grouped.setdefault(self._number(group, "group"), []).append(len(self.clients))
        self.clients.append(client)
        self._releases.append(release_time)
        self._places.append((self._number(location, "location"), client))
        return client

    def add_client_group(self, required: bool = True, *, name: str = "") -> ClientGroup:
        """Add a group of clients of which one is visited."""
        group = ClientGroup(required, name)
        self._numbers[id(group)] = len(self.groups)
        self.groups.append(group)
        return group

    def add_edge(
        self, frm: Location, to: Location, distance: int, duration: int = 0, profile: EdgeProfile | None = None
    ) -> None:
        """Add the way from a place to another: for all vehicles, or for those of a profile."""
        edges = self._edges if profile is None else self._own_edges[self._number(profile, "profile")]
        edges[self._number(frm, "location"), self._number(to, "location")] = distance, duration

    def add_profile(self, *, name: str = "") -> EdgeProfile:
        """Add a profile: vehicle types that have it take its edges, and those that are for all."""
        profile = EdgeProfile(name)
        self._numbers[id(profile)] = len(self.profiles)
        self._own_edges[len(self.profiles)] = {}
        self.profiles.append(profile)
        return profile

    def add_shipment(
        self,
        pickup_location: Location,
        delivery_location: Location,
        pickup_tw_early: int = 0,
        pickup_tw_late: int = NEVER,
        pickup_service_duration: int = 0,
        delivery_tw_early: int = 0,
        delivery_tw_late: int = NEVER,
        delivery_service_duration: int = 0,
        amount: int | Sequence[int] = (),
        prize: int = 0,
        required: bool = True,
        *,
        name: str = "",
        max_ride: int = NEVER,
    ) -> Shipment:
        """Add goods that a vehicle picks up and delivers; return the numbers of the two clients where it does.

        ``max_ride`` limits the time from the end of the pickup to the start of the delivery, which PyVRP has not.
        """
        at = len(self.clients)
        self.add_client(
            pickup_location, amount, (), pickup_service_duration, pickup_tw_early, pickup_tw_late, prize=prize,
            required=required, name=name,
        )  # fmt: skip
        self.add_client(
            delivery_location, amount, (), delivery_service_duration, delivery_tw_early, delivery_tw_late,
            required=required, name=name,
        )  # fmt: skip
        self._shipments.append(Shipment(at, at + 1, _limit(max_ride)))
        return self._shipments[-1]

    def add_vehicle_type(
        self,
        num_available: int = 1,
        capacity: int | Sequence[int] = (),
        start_depot: Depot | None = None,
        end_depot: Depot | None = None,
        fixed_cost: int = 0,
        tw_early: int = 0,
        tw_late: int = NEVER,
        shift_duration: int = NEVER,
        max_distance: int = NEVER,
        unit_distance_cost: int = 1,
        unit_duration_cost: int = 0,
        profile: EdgeProfile | None = None,
        start_late: int | None = None,
        initial_load: int | Sequence[int] = (),
        reload_depots: Sequence[Depot] = (),
        max_reloads: int = NEVER,
        max_overtime: int = 0,
        unit_overtime_cost: int = 0,
        *,
        name: str = "",
    ) -> VehicleType:
        """Add vehicles that are alike; they begin and end at the first depot unless others are given."""
        _refuse(
            latest_starts=start_late is not None, initial_loads=np.any(initial_load),
        )  # fmt: skip
        self._profiles.append(None if profile is None else self._number(profile, "profile"))
        places = [0 if depot is None else self._number(depot, "depot") for depot in (start_depot, end_depot)]
        vehicles = VehicleType(
            count=num_available, capacities=tuple(capacity) if isinstance(capacity, Sequence) else (capacity,),
            start=places[0], end=places[1], fixed_cost=fixed_cost, opens=tw_early, closes=_limit(tw_late),
            max_duration=_limit(shift_duration), max_distance=_limit(max_distance), distance_cost=unit_distance_cost,
            hour_cost=unit_duration_cost * HOUR, overtime=_limit(max_overtime), name=name,
            overtime_cost=unit_overtime_cost * HOUR,
            reloads=tuple(self._number(each, "depot") for each in reload_depots),
            max_trips=1 if not reload_depots else None if max_reloads >= NEVER else 1 + max_reloads,
        )  # fmt: skip
        self.vehicle_types.append(vehicles)
        return vehicles

    def data(self, missing_value: int = MISSING) -> VRP:
        """Return the problem: depots are the first nodes, clients follow in their order."""
        if not self.depots or not self.clients or not self.vehicle_types:
            raise UsageError("a model has a depot, a client and a vehicle type at least")
        at = np.array([number for number, _ in self._places])
        roads = {each: self._tables(each, missing_value)[:, at][:, :, at] for each in dict.fromkeys(self._profiles)}
        distances, durations = roads[self._profiles[0]]
        nodes: list[Depot | Customer] = [*self.depots, *self.clients]
        n, first = len(nodes), len(self.depots)
        amounts: list[list[Any]] = [[each.demand for each in self.clients], [each.pickup for each in self.clients]]
        wide = max(1, *map(len, amounts[0] + amounts[1]), *(len(each.capacities) for each in self.vehicle_types))
        demands, pickups = (_padded(first, rows, wide) for rows in amounts)
        prizes = np.array([0.0] * first + [math.inf if each.prize is None else each.prize for each in self.clients])
        padded = [(*t.capacities, *[0] * (wide - len(t.capacities))) for t in self.vehicle_types]
        types = tuple(replace(t, capacities=own) for t, own in zip(self.vehicle_types, padded, strict=True))
        types = tuple(
            each if np.array_equal(roads[own], roads[self._profiles[0]]) else replace(each, matrix=roads[own][0])
            for each, own in zip(types, self._profiles, strict=True)
        )
        released = any(self._releases)
        timed = any(node.windows != (0, math.inf) or node.service for node in nodes) or any(t.timed for t in types)
        timed = timed or released
        if timed:
            types = tuple(
                each if each.matrix is None else replace(each, durations=roads[own][1])
                for each, own in zip(types, self._profiles, strict=True)
            )
        clock = Clock(np.array([node.service for node in nodes], np.float64), durations=durations) if timed else None
        return VRP(
            "model", METRICS["EXPLICIT"], distances, np.array([(node.x, node.y) for node in nodes], np.float64),
            tuple(node.name for node in nodes) if any(node.name for node in nodes) else None,
            demands=demands[:, 0], more_demands=demands[:, 1:].astype(np.float64) if wide > 1 else None,
            windows=TimeWindows.of([node.windows for node in nodes], n) if timed else None, clock=clock,
            prizes=None if np.isinf(prizes[first:]).all() else prizes, depots=tuple(range(first)), fleet=Fleet(types),
            alternatives=tuple(
                Alternatives(tuple(first + client for client in clients), self.groups[group].required)
                for group, clients in self._grouped.items()
            ),
            pickups=pickups,
            shipments=tuple(
                replace(each, pickup=first + each.pickup, delivery=first + each.delivery) for each in self._shipments
            ),
            releases=np.array([0.0] * first + [*map(float, self._releases)]) if released else None,
        )  # fmt: skip

    def _tables(self, profile: int | None, missing: int) -> NDArray[np.int64]:
        """Return the distances and durations between all places for vehicles of a profile."""
        count = len(self.locations)
        tables = np.array([np.full((count, count), value, np.int64) for value in (missing, min(missing, LONGEST))])
        for (a, b), lengths in (self._edges | ({} if profile is None else self._own_edges[profile])).items():
            tables[:, a, b] = lengths
        tables[:, range(count), range(count)] = 0
        return tables

    def solve(
        self,
        stop: Stop | float | None = None,
        seed: int = 0,
        collect_stats: bool = True,
        display: bool = False,
        **options: Any,
    ) -> ModelResult:
        """Return the best solution found.

        Parameters
        ----------
        stop : Stop or float
            A rule such as ``Seconds(5)`` or ``stop.MaxRuntime(5)``, or seconds.
        seed : int
        collect_stats : bool
            Ignored: a trace has statistics.
        display : bool
            Whether to show the progress.
        **options
            Those of :func:`~warptour.api.solving.solve`.
        """
        del collect_stats
        problem = self.data()
        given = {"seconds": float(stop)} if isinstance(stop, int | float) else {} if stop is None else {"stop": stop}
        result = solve(problem, seed=seed, progress=display, **given, **options)
        first = len(self.depots)
        routes = tuple(self._route(problem, trip) for trip in result.trips)
        missed = tuple(each.node - first for each in result.unserved)
        return ModelResult(PlannedRoutes(routes, result.feasible, missed), result)

    def _route(self, problem: VRP, trip: Trip) -> PlannedRoute:
        """Return the route of a trip."""
        assert problem.fleet is not None
        first, kind = len(self.depots), int(problem.fleet.kinds[trip.number - 1])
        visits = tuple(Activity(node, True) if node < first else Activity(node - first) for node in trip.nodes.tolist())
        return PlannedRoute(trip, kind, visits)

    def _number(self, thing: object, what: str) -> int:
        number = self._numbers.get(id(thing))
        if number is None:
            raise UsageError(f"this {what} is not one of the model")
        return number


def _padded(depots: int, rows: Sequence[tuple[int, ...]], wide: int) -> NDArray[np.int64]:
    """Return amounts of depots and clients, of shape (nodes, wide)."""
    table = np.zeros((depots + len(rows), wide), np.int64)
    for row, amount in enumerate(rows, depots):
        table[row, : len(amount)] = amount
    return table


def _limit(value: float) -> float:
    """Return a limit of PyVRP, infinite if it is none."""
    return math.inf if value >= LATEST else value


def _refuse(**given: Any) -> None:
    for what, present in given.items():
        if present:
            raise UnsupportedError(f"{what.replace('_', ' ')} are not supported yet")
