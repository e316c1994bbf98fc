"""Resources of vehicle routes: load, length, time.

A resource has a value T at each node of a route. Along the edge from node i to node j it becomes max(a_j, T + t_ij),
and it must lie within [a_j, b_j] at each node: a *resource extension function* (Irnich 2008). A vehicle that returns to
the depot within b starts its next route with a.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import Limit
from warptour.model.vehicles import VRP

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Resource:
    """A resource by nodes, of which node 0 is the depot.

    The edge from i to j consumes t_ij = travel * distance(i, j) + leave[i] + enter[j].
    """

    name: str
    travel: float  # consumption per unit of distance
    # enter, leave: (n,): consumption when a node is entered, and when it is left
    enter: Floats
    leave: Floats
    # low, high: (n,): the interval [a, b] of each node
    low: Floats
    high: Floats


def capacity_of(problem: VRP) -> Resource:
    """Return the load of a vehicle; ``problem`` has its depot at node 0."""
    loads, capacity = problem.loads
    nothing = np.zeros(problem.n)
    return Resource("capacity", 0.0, loads, nothing, nothing, np.full(problem.n, capacity))


def length_of(problem: VRP, limit: Limit) -> Resource:
    """Return the length of a route with its customers' services; ``problem`` has its depot at node 0."""
    nothing = np.zeros(problem.n)
    services = limit.services.copy()
    services[0] = 0
    return Resource("length", 1.0, services, nothing, nothing, np.full(problem.n, limit.searched))


def resources_of(problem: VRP) -> tuple[Resource, ...]:
    """Return what limits the routes of ``problem``, whose depot is node 0 and whose limits are on its distances."""
    return (capacity_of(problem), *(length_of(problem, limit) for limit in problem.limits))
