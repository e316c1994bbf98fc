"""What solving a model finds, in PyVRP's words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from warptour.model.itinerary import Trip
from warptour.observe.result import Result


@dataclass(frozen=True)
class Activity:
    """A stop of a route: the number ``idx`` of a client in the order they were added, or of a depot."""

    idx: int
    depot: bool = False

    def is_client(self) -> bool:
        """Return whether it is a client."""
        return not self.depot

    def is_depot(self) -> bool:
        """Return whether it is a depot."""
        return self.depot


@dataclass(frozen=True)
class PlannedRoute:
    """A route of a solution, over which a loop visits its start, its clients and its end.

    A shipment counts as two clients, its pickup and its delivery.
    """

    trip: Trip
    kind: int
    visits: tuple[Activity, ...]

    def __iter__(self) -> Iterator[Activity]:
        return iter(self.visits)

    def __len__(self) -> int:
        return len(self.visits)

    def vehicle_type(self) -> int:
        """Return the number of its vehicle type in the order they were added."""
        return self.kind

    def num_clients(self) -> int:
        """Return the number of its clients."""
        return sum(visit.is_client() for visit in self.visits)

    def distance(self) -> float:
        """Return its length."""
        return self.trip.length

    def duration(self) -> float:
        """Return how long its vehicle is out; 0 where nothing takes time."""
        return self.trip.duration or 0.0


@dataclass(frozen=True)
class PlannedRoutes:
    """The best solution of a model."""

    planned: tuple[PlannedRoute, ...]
    feasible: bool
    unserved: tuple[int, ...]

    def routes(self) -> list[PlannedRoute]:
        """Return the routes that are driven."""
        return [*self.planned]

    def is_feasible(self) -> bool:
        """Return whether it keeps all limits."""
        return self.feasible

    def num_routes(self) -> int:
        """Return how many vehicles drive."""
        return len(self.planned)

    def num_clients(self) -> int:
        """Return how many clients are visited."""
        return sum(route.num_clients() for route in self.planned)

    def unplanned(self) -> list[Activity]:
        """Return the clients that are not visited and missed."""
        return [Activity(client) for client in self.unserved]

    def distance(self) -> float:
        """Return the length of all routes."""
        return sum(route.distance() for route in self.planned)

    def duration(self) -> float:
        """Return how long all vehicles are out together."""
        return sum(route.duration() for route in self.planned)


@dataclass(frozen=True)
class ModelResult:
    """What :meth:`Model.solve` returns: the best solution in PyVRP's words, and warptour's own ``result``."""

    best: PlannedRoutes
    result: Result

    def cost(self) -> float:
        """Return the cost of the best solution, infinite if it is not feasible."""
        return self.result.cost if self.result.feasible else math.inf

    def is_feasible(self) -> bool:
        """Return whether the best solution is feasible."""
        return self.result.feasible

    @property
    def num_iterations(self) -> int:
        """Iterations, which are shorter than PyVRP's."""
        return self.result.iterations

    @property
    def runtime(self) -> float:
        """Seconds of the search."""
        return self.result.seconds
