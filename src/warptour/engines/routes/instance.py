"""A vehicle routing problem as searches see it: the depot is node 0, customers follow.

Routes are passed as a *giant tour*: one array with the customers of all routes in order, each route followed by the
depot. They enter and leave this form once per search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours
from warptour.kernels.groups import Over
from warptour.kernels.points import Points
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.neighborhoods.tolerance import RELATIVE, Tolerance, tolerance

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RouteInstance:
    """A problem with its nodes renumbered, and what its searches share.

    Attributes
    ----------
    problem : VRP
        The renumbered problem.
    order : array of int32, shape (n,)
        The given problem's node of each number; the depot first.
    near : array of int32, shape (n, width)
        Nearest customers of each customer, nearest first; -1 ends a list. The depot's row is empty.
    demands, services : arrays of float64, shape (n,)
        Demands in the unit of ``problem.loads``; service times, 0 if there is no route limit.
    capacity, limit : float
        The capacity in the same unit, and the route limit plus part of the checker's tolerance, so that the order of
        summation does not matter.
    tolerance : Tolerance
        Threshold that a gain must exceed.
    """

    problem: VRP
    order: Ints
    points: Points
    near: Ints
    demands: Floats
    services: Floats
    capacity: float
    limit: float
    tolerance: Tolerance

    @classmethod
    def of(cls, given: VRP, width: int, threads: int | None = None, over: Over | None = None) -> RouteInstance:
        """Return the instance of ``given`` with lists of ``width`` neighbours."""
        problem, order = depot_first(given)
        customers = problem.customers
        chosen = np.ix_(customers, customers) if problem.matrix is not None else customers
        lists = neighbours(TSP("customers", problem.metric, problem.points[chosen]), width, threads=threads, over=over)
        near = np.full((problem.n, lists.shape[1]), -1, np.int32)
        near[customers] = customers[lists]
        limited = problem.max_distance is not None
        services = np.ascontiguousarray(problem.service_times) if limited else np.zeros(problem.n)
        loads, capacity = problem.loads
        limit = problem.searched_limit
        return cls(
            problem, order, Points.of(problem), near, loads, services, capacity, limit, cost_tolerance(problem)
        )  # fmt: skip

    @cached_property
    def whole(self) -> tuple[Ints, Ints]:
        """All nodes as one group: the group of each node, and its number there."""
        return np.zeros(self.problem.n, np.int32), np.arange(self.problem.n, dtype=np.int32)

    @cached_property
    def table(self) -> Floats:
        """All distances, flat; for instances of at most a few thousand nodes."""
        nodes = np.arange(self.problem.n)
        table = np.array(self.problem.distances(nodes[:, None], nodes[None, :]), np.float64)
        table[0, 0] = 0.0
        return table.reshape(-1)

    def enter(self, routes: Routes) -> Ints:
        """Return the given problem's routes as a giant tour."""
        rank = np.empty(len(self.order), np.int32)
        rank[self.order] = np.arange(len(self.order), dtype=np.int32)
        return self.giant_tour([rank[route] for route in routes])

    def leave(self, giant: Ints) -> Routes:
        """Return a giant tour as routes of the given problem; the inverse of :meth:`enter`."""
        return [self.order[route] for route in self.routes(giant)]

    def giant_tour(self, routes: Routes) -> Ints:
        """Return the renumbered problem's routes as a giant tour."""
        return self.problem.giant_tour([route for route in routes if len(route)])[1:]

    def routes(self, giant: Ints) -> Routes:
        """Return a giant tour as routes of the renumbered problem."""
        return self.problem.split_giant_tour(giant)

    def cost(self, giant: Ints) -> float:
        """Return the exact cost of a giant tour."""
        return float(self.problem.cost(self.routes(giant)))

    def cheaper(self, cost: float, other: float) -> bool:
        """Return whether ``cost`` is below ``other`` by more than the rounding error of summation in another order."""
        absolute, relative = self.tolerance
        return cost < other - (absolute + relative * abs(cost))


def depot_first(problem: VRP) -> tuple[VRP, Ints]:
    """Return ``problem`` with its depot as node 0, and the given problem's node of each number."""
    order = np.concatenate(([problem.depot], problem.customers)).astype(np.int32)
    return (problem if problem.depot == 0 else problem.part(order)), order


def cost_tolerance(problem: VRP) -> Tolerance:
    """Return the tolerance for gains; fixed costs count too, and need not be integers."""
    if problem.metric.integral and not float(problem.fixed_cost).is_integer():
        return Tolerance(0.0, RELATIVE)
    return tolerance(problem)
