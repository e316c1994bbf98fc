"""Ruin and recreate for vehicle routes: the wrapper of ``kernels/routes_search.c``.

A :class:`RouteInstance` is shared by all searches on one problem; a :class:`Fleet` holds the routes of a group of
customers that one thread modifies. Routes are passed as a *giant tour*: one array with the customers of all routes in
order, each route followed by the depot.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours
from warptour.kernels.groups import Over
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.neighborhoods.tolerance import RELATIVE, Tolerance, tolerance

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

SPARES, LEFT_OUT, DRAWS, DONE, TAKEN, GIANT_TOUR_SIZE, DETOURS = range(7)
COST, LOWEST = range(2)
UNREACHED: Final = 1e300
"""Indices and sentinel as in ``kernels/routes_search.c``."""

TABLE_NODES = 250
"""Maximum number of nodes for a distance table: it then stays in cache, and a lookup beats computing a root."""

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _reals = array(np.int32), array(np.float64)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_GATHER = (_ints, _int32, _ints, _ints, _int32, _ints, _int32, _ints_out, _int32)
_FLEET = (
    *POINTS_TYPES, _int32, _ints, _reals_out, _reals, _reals, _real, _real, _real, _int32,
    _ints_out, _reals_out, _ints_out, _reals_out, _ints_out, _longs_out, _reals_out,
)  # fmt: skip
_ENTER = (*_FLEET, _ints, _int32)
_LEAVE = (*_FLEET, _ints_out)
_SEARCH = (
    *_FLEET, _ints_out, _reals_out, _reals_out, _uint64, _uint64,
    _real, _int32, _real, _real, _real, _real, _real, _real, _real, _int64,
)  # fmt: skip


def fleet_tolerance(problem: VRP) -> Tolerance:
    """Return the tolerance for gains; fixed costs count too, and need not be integers."""
    if problem.metric.integral and not float(problem.fixed_cost).is_integer():
        return Tolerance(0.0, RELATIVE)
    return tolerance(problem)


@dataclass(frozen=True)
class Ruin:
    """Parameters of slack induction by string removals (Christiaens and Vanden Berghe, 2020), with their values.

    Attributes
    ----------
    mean : float
        Average number of customers removed per iteration.
    longest : int
        Maximum number of customers in a string.
    split : float
        Probability of a split string, which keeps some customers in its middle.
    deeper : float
        Probability of keeping each further customer of a split string.
    blink : float
        Probability that an insertion position is skipped.
    """

    mean: float = 10.0
    longest: int = 10
    split: float = 0.5
    deeper: float = 0.01
    blink: float = 0.01


@dataclass(frozen=True, eq=False)
class RouteInstance:
    """A problem in the form that fleets use.

    Attributes
    ----------
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
    points: Points
    near: Ints
    demands: Floats
    services: Floats
    capacity: float
    limit: float
    tolerance: Tolerance

    @classmethod
    def of(cls, problem: VRP, width: int, threads: int | None = None, over: Over | None = None) -> RouteInstance:
        """Return the instance of ``problem`` with lists of ``width`` neighbours."""
        customers = problem.customers
        chosen = np.ix_(customers, customers) if problem.matrix is not None else customers
        lists = neighbours(TSP("customers", problem.metric, problem.points[chosen]), width, threads=threads, over=over)
        near = np.full((problem.n, lists.shape[1]), -1, np.int32)
        near[customers] = customers[lists]
        limited = problem.max_distance is not None
        services = np.ascontiguousarray(problem.service_times) if limited else np.zeros(problem.n)
        loads, room = problem.loads
        limit = problem.searched_limit
        return cls(problem, Points.of(problem), near, loads, services, room, limit, fleet_tolerance(problem))

    @cached_property
    def whole(self) -> tuple[Ints, Ints]:
        """All nodes as one group: the group and the number in it of each node; the depot has number 0."""
        number = np.arange(self.problem.n, dtype=np.int32)
        number[: self.problem.depot] += 1
        number[self.problem.depot] = 0
        return np.zeros(self.problem.n, np.int32), number

    def cheaper(self, cost: float, other: float) -> bool:
        """Return whether ``cost`` is below ``other`` by more than the rounding error of summation in another order."""
        absolute, relative = self.tolerance
        return cost < other - (absolute + relative * abs(cost))

    def giant_tour(self, routes: Routes) -> Ints:
        """Return ``routes`` as a giant tour."""
        return self.problem.giant_tour([route for route in routes if len(route)])[1:]

    def routes(self, giant: Nodes) -> Routes:
        """Return the routes of a giant tour."""
        return self.problem.split_giant_tour(giant)


class Fleet:
    """The routes of one group of customers, with the kernel's state.

    Parameters
    ----------
    instance : RouteInstance
    giant : array of int32
        Giant tour of the routes, in the problem's node numbers.
    slots : int
        Maximum number of routes.
    group : tuple (group, group of each node, number of each node in its group), optional
        The group in a partition of all customers; by default a single group.
    left_out : array of int32
        Customers of the group that are in no route yet.
    """

    def __init__(
        self,
        instance: RouteInstance,
        giant: Ints,
        slots: int,
        group: tuple[int, Ints, Ints] | None = None,
        left_out: Ints | None = None,
    ) -> None:
        self.instance = instance
        depot = instance.problem.depot
        which, home, number = group or (0, *instance.whole)
        inside = giant[giant != depot] if left_out is None else np.concatenate((giant[giant != depot], left_out))
        m = len(inside) + 1
        self.nodes: Ints = np.empty(m, np.int32)
        self.nodes[number[inside]] = inside
        self.nodes[0] = depot
        width = instance.near.shape[1]
        near = np.empty(m * width, np.int32)
        gather = kernel("routes_gather", *_GATHER)
        gather(0, 1, instance.near.reshape(-1), width, home, number, which, self.nodes, m, near, width)
        points = _points(instance, self.nodes)
        self.slots = max(1, min(slots, m - 1))
        self.counts = np.zeros(7, np.int64)
        self.counts[DETOURS] = instance.problem.matrix is not None
        self.costs = np.zeros(2)
        self._scratch = np.zeros(8 * m, np.int32)
        self._best = np.zeros(2 * m, np.int32)
        self._rank, self._misses = np.zeros(m), np.zeros(m)
        self._kept: Ints = np.empty(0, np.int32)
        self._held = points  # keeps the arrays alive: the arguments are raw addresses
        self._special = points.special
        self._arguments: tuple[Any, ...] = (
            *points.arguments, width, near, np.empty(m * width),
            instance.demands[self.nodes], instance.services[self.nodes], instance.capacity, instance.limit,
            instance.problem.fixed_cost, self.slots,
            np.zeros(3 * m, np.int32), np.zeros(2 * m), np.zeros(6 * self.slots, np.int32), np.zeros(4 * self.slots),
            self._scratch, self.counts, self.costs,
        )  # fmt: skip
        local = np.where(giant == depot, 0, number[giant]).astype(np.int32)
        kernel(f"routes_enter_{self._special}", *_ENTER)(0, 1, *self._arguments, local, len(local))
        self._kept = local

    def search(self, attempts: int, heat: tuple[float, float], *, seed: int, stream: int, ruin: Ruin) -> None:
        """Run ``attempts`` iterations while the temperature falls from ``heat[0]`` to ``heat[1]``.

        The interpreter lock is released.
        """
        call = kernel(f"routes_search_{self._special}", *_SEARCH)
        call(
            0, 1, *self._arguments, self._best, self._rank, self._misses, seed % 2**64, stream,
            ruin.mean, ruin.longest, ruin.split, ruin.deeper, ruin.blink, *heat, *self.instance.tolerance, attempts,
        )  # fmt: skip
        size = int(self.counts[GIANT_TOUR_SIZE])
        if size:
            self._kept = self._best[:size].copy()

    @property
    def complete(self) -> bool:
        """Whether a solution with all customers has been found."""
        return float(self.costs[LOWEST]) < UNREACHED

    @property
    def missing(self) -> int:
        """Number of customers in no route."""
        return int(self.counts[LEFT_OUT])

    @property
    def cost(self) -> float:
        """Cost of the current routes."""
        return float(self.costs[COST])

    @property
    def lowest(self) -> float:
        """Cost of the best routes."""
        return float(self.costs[LOWEST])

    @property
    def attempts(self) -> int:
        """Number of iterations so far."""
        return int(self.counts[DONE])

    def best(self) -> Ints:
        """Return the giant tour of the best routes, in the problem's node numbers."""
        return self.nodes[self._kept]

    def giant_tour(self) -> Ints:
        """Return the giant tour of the current routes, in the problem's node numbers."""
        giant = np.empty(2 * len(self.nodes), np.int32)
        kernel(f"routes_leave_{self._special}", *_LEAVE)(0, 1, *self._arguments, giant)
        return self.nodes[giant[: self.counts[GIANT_TOUR_SIZE]]]


def _points(instance: RouteInstance, nodes: Ints) -> Points:
    """Return the coordinates of ``nodes``, or for few nodes and matrices their distance table."""
    every = instance.points
    if instance.problem.matrix is not None or len(nodes) <= TABLE_NODES:
        table = np.ascontiguousarray(instance.problem.distances(nodes[:, None], nodes[None, :]), np.float64)
        return replace(every, table=table, n=len(nodes), norm=5, rounding=0, special="any")
    x, y, z = (column[nodes] if column.size else column for column in (every.x, every.y, every.z))
    return replace(every, x=x, y=y, z=z, n=len(nodes))
