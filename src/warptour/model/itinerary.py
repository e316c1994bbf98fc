"""A solution stop by stop: the order, the distance and the load at every visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class Trip:
    """The visits of one vehicle, from its start until it is back; of an open path, to its last city.

    Attributes
    ----------
    number : int
        Number of the route, from 1.
    nodes : array of int
        Nodes in the order of their visits: from the depot to the depot, or from a tour's first city to that city.
    orders : array of int
        Number of each visit: from 0 at the depot, from 1 in a tour.
    legs : array
        Distance from the stop before; 0 at the start.
    distances : array
        Distance from the start.
    loads : array or None
        Demand of all visits so far, for vehicles.
    """

    number: int
    nodes: NDArray[np.int64]
    orders: NDArray[np.int64]
    legs: NDArray[Any]
    distances: NDArray[Any]
    loads: NDArray[Any] | None

    @property
    def returns(self) -> bool:
        """Whether the last visit is the first place again."""
        return len(self.nodes) > 1 and bool(self.nodes[0] == self.nodes[-1])


def itinerary(problem: TSP | VRP, solution: Nodes | Sequence[Nodes]) -> list[Trip]:
    """Return the trips of a tour or of routes; empty routes are left out."""
    if isinstance(problem, VRP):
        used: list[Nodes] = [np.asarray(route, np.int32) for route in solution if len(route)]
        return [_trip(problem, number, problem.giant_tour([route]), 0) for number, route in enumerate(used, 1)]
    tour: list[int] = np.asarray(solution).tolist()
    closed = not problem.open and len(tour) > 1
    return [_trip(problem, 1, np.array(tour + tour[:1] if closed else tour, np.int64), 1)]


def _trip(problem: TSP | VRP, number: int, nodes: Nodes, first: int) -> Trip:
    visits = np.asarray(nodes, np.int64)
    legs = np.insert(problem.distances(visits[:-1], visits[1:]), 0, 0)
    loads = np.cumsum(problem.demands[visits]) if isinstance(problem, VRP) else None
    return Trip(number, visits, first + np.arange(len(visits)), legs, np.cumsum(legs), loads)
