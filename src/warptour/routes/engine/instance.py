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
from warptour.model.many_routes import split_at
from warptour.model.problem import TSP
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP, Routes
from warptour.model.windows import TimeWindows
from warptour.neighborhoods.tolerance import RELATIVE, Tolerance, tolerance
from warptour.routes.engine.kinds import Kinds
from warptour.routes.engine.places import places_of
from warptour.routes.engine.proximity import near_in_time
from warptour.routes.engine.reloads import Reloads, with_copies
from warptour.routes.engine.sums import Sum, further_sums, limits_of, starting_sums

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

SIFTED = 4
"""Multiple of the neighbours wanted from which those near in time are chosen."""


@dataclass(frozen=True, eq=False)
class RouteInstance:
    """A problem with its nodes renumbered, and what its searches share."""

    problem: VRP  # the renumbered problem
    order: Ints  # (n,): the given problem's node of each number; the depot first
    points: Points
    # (n, width): nearest customers of each customer, nearest first; -1 ends a list. The depot's row is empty.
    near: Ints
    # demands, services: (n,): demands in the unit of ``problem.loads``, 0 in a shipment; what customers add to the
    # limit on travel, 0 if there is none
    demands: Floats
    services: Floats
    # capacity, limit: the capacity in the same unit, and the limit on the travel that is minimised plus part of the
    # checker's tolerance, so that the order of summation does not matter; infinite if there is none
    capacity: float
    limit: float
    sums: tuple[Sum, ...]  # further sums that have limits
    tolerance: Tolerance  # threshold that a gain must exceed
    # windows and prices of times; of open routes and fleets, at least one that allows all
    schedule: Schedule | None = None
    # Vehicles that differ, and customers that may stay unserved. Giant tours then have a route for each vehicle, in
    # their order, and further depots are numbered behind the customers.
    kinds: Kinds | None = None

    @classmethod
    def of(cls, given: VRP, width: int, threads: int | None = None, over: Over | None = None) -> RouteInstance:
        """Return the instance of ``given`` with lists of ``width`` neighbours."""
        mixed = given.mixed
        alone = mixed and given.fleet is None
        plain, order = depot_first(given.with_types([given.common_type]) if alone else given)
        customers = plain.customers
        problem, order = with_copies(plain, order) if plain.trips else (plain, order)
        schedule = problem.schedule
        if schedule is None and (problem.open or mixed):
            schedule = Schedule(TimeWindows.always(problem.n), np.zeros(problem.n))
        wide = width if schedule is None else SIFTED * width
        lists = neighbours(_customers_of(plain), wide, threads=threads, over=over)
        near = np.full((problem.n, min(width, lists.shape[1])), -1, np.int32)
        near[customers] = (
            customers[lists] if schedule is None else near_in_time(plain, schedule, customers[lists], width)
        )
        loads, capacity = problem.loads
        if problem.two_way or problem.trips:
            loads = np.ascontiguousarray(starting_sums(problem)[:, 0])
        limit = limits_of(problem)[0]
        services = np.zeros(problem.n) if limit is None else np.ascontiguousarray(limit.services)
        return cls(
            problem, order, Points.of(problem), near, loads, services, capacity,
            np.inf if limit is None else limit.searched, further_sums(problem), cost_tolerance(problem), schedule,
            Kinds(problem) if mixed else None,
        )  # fmt: skip

    @cached_property
    def reloads(self) -> Reloads | None:
        """Copies of the depots where vehicles are loaded again; None if they make one trip."""
        return Reloads(self.problem) if self.problem.copies else None

    @cached_property
    def served(self) -> Ints:
        """The customers, without copies of depots."""
        return self.problem.customers[: len(self.problem.customers) - len(self.problem.copies)]

    @property
    def general(self) -> bool:
        """Whether kernels must know directions, a second limit or times."""
        return len(self.sums) > 0 or self.problem.asymmetric or self.schedule is not None

    @property
    def timed(self) -> bool:
        """Whether routes have times, beside those of a fleet that allow all."""
        return (self.schedule if self.kinds is None else self.problem.schedule) is not None

    @property
    def walks(self) -> bool:
        """Whether a route has to be walked along to know its times."""
        if self.kinds is not None:
            return self.kinds.walks
        return self.schedule is not None and self.schedule.walks

    @cached_property
    def reversible(self) -> bool:
        """Whether a route of a fleet and its reverse are alike: no times, and all travel is the same there and back."""
        assert self.kinds is not None
        tables = [each.table for each in self.sums if each.table is not None]
        symmetric = not self.problem.asymmetric and all(bool((table == table.T).all()) for table in tables)
        even = self.kinds.even and not self.problem.shipments and self.problem.locks is None
        return symmetric and even and self.problem.schedule is None

    def with_places(self, nodes: Ints) -> Ints:
        """Return the depot and customers in ``nodes``, and behind them the other depots."""
        return np.concatenate((nodes, np.arange(len(self.problem.customers) + 1, self.problem.n, dtype=np.int32)))

    @cached_property
    def whole(self) -> tuple[Ints, Ints]:
        """All nodes as one group: the group of each node, and its number there."""
        return np.zeros(self.problem.n, np.int32), np.arange(self.problem.n, dtype=np.int32)

    @cached_property
    def table(self) -> Floats:
        """All distances, flat; for instances of at most a few thousand nodes."""
        nodes = np.arange(self.problem.n)
        table = np.array(self.problem.distances(nodes[:, None], nodes[None, :]), np.float64)
        table[(self.problem.depots,) * 2] = 0.0
        return table.reshape(-1)

    @cached_property
    def places(self) -> Floats | None:
        """Coordinates of the nodes, shape (n, 2), to order and group routes by; None if there are none."""
        return places_of(self.problem)

    @cached_property
    def home(self) -> Floats:
        """Distance from each node to the depot."""
        return np.ascontiguousarray(self.table[:: self.problem.n])

    @property
    def second(self) -> Sum | None:
        """The further sum that a population knows: on travel."""
        return next((each for each in self.sums if each.travels), None)

    @cached_property
    def second_table(self) -> Floats | None:
        """All travel of the second limit, flat; None if there is no second limit."""
        if self.second is None:
            return None
        travel = self.second.table
        return self.table if travel is None else np.ascontiguousarray(travel, np.float64).reshape(-1)

    def enter(self, routes: Routes) -> Ints:
        """Return the given problem's routes as a giant tour."""
        rank = np.empty(len(self.order), np.int32)
        rank[self.order] = np.arange(len(self.order), dtype=np.int32)
        if self.reloads is None:
            return self.giant_tour([rank[route] for route in routes])
        rank[self.order[list(self.problem.depots)]] = self.problem.depots
        return self.giant_tour(self.reloads.enter([rank[route] for route in routes]))

    def leave(self, giant: Ints) -> Routes:
        """Return a giant tour as routes of the given problem; the inverse of :meth:`enter`."""
        if self.kinds is not None:
            return [self.order[route] for route in self.routes(giant)]
        return split_at(self.order[giant], int(self.order[0]))

    def giant_tour(self, routes: Routes) -> Ints:
        """Return the renumbered problem's routes as a giant tour."""
        if self.kinds is not None:
            return self.problem.giant_tour(routes)[1:]
        return self.problem.giant_tour([route for route in routes if len(route)])[1:]

    def routes(self, giant: Ints) -> Routes:
        """Return a giant tour as routes of the renumbered problem."""
        if self.kinds is not None:
            return split_at(np.concatenate((self.whole[1][:1], giant)), 0, empty=True)
        return self.problem.split_giant_tour(giant)

    def coded(self, giant: Ints) -> Ints:
        """Return a giant tour as populations have it: of a fleet the routes that are not empty, each followed by minus
        the kind of its vehicle.
        """
        if self.problem.fleet is None:
            return giant
        routes = zip(self.routes(giant), self.problem.fleet.kinds.tolist(), strict=False)
        coded = [np.append(route, -kind) for route, kind in routes if len(route)]
        return np.concatenate([*coded, np.empty(0)]).astype(np.int32)

    def decoded(self, coded: Ints) -> Ints:
        """Return the giant tour of one of a population; the inverse of :meth:`coded`."""
        if self.kinds is None:
            return coded
        routes: Routes = [np.empty(0, np.int32)] * self.kinds.slots
        free = self.kinds.table["first"].tolist()
        ends = np.flatnonzero(coded <= 0)
        for part, end in zip(np.split(coded, ends + 1), ends.tolist(), strict=False):
            kind = -int(coded[end])
            routes[free[kind]] = part[:-1]
            free[kind] += 1
        return self.giant_tour(routes)

    def cost(self, giant: Ints) -> float:
        """Return the exact cost of a giant tour without empty routes."""
        if self.kinds is not None:
            return float(self.problem.cost(self.routes(giant)) / self.kinds.unit)
        travel = self.problem.length(np.concatenate((self.whole[1][:1], giant)))
        price = self.problem.price(self.routes(giant)) if self.schedule is not None and self.schedule.priced else 0
        return float(travel + self.problem.fixed_cost * np.count_nonzero(giant == 0) + price)

    def cheaper(self, cost: float, other: float) -> bool:
        """Return whether ``cost`` is below ``other`` by more than the rounding error of summation in another order."""
        absolute, relative = self.tolerance
        return cost < other - (absolute + relative * abs(cost))


def _customers_of(problem: VRP) -> TSP:
    """Return the customers; the distance between two is the mean of both directions, the least of all vehicles."""
    customers = problem.customers
    if problem.matrix is None:
        return TSP("customers", problem.metric, problem.points[customers])
    own = [] if problem.fleet is None else [each.matrix for each in problem.fleet.types if each.matrix is not None]
    matrix = np.minimum.reduce([problem.matrix, *own])[np.ix_(customers, customers)]
    return TSP("customers", problem.metric, (matrix + matrix.T) / 2 if problem.asymmetric else matrix)


def depot_first(problem: VRP) -> tuple[VRP, Ints]:
    """Return ``problem`` with its depot as node 0, and the given problem's node of each number."""
    others = [depot for depot in problem.depots if depot != problem.depot]
    order = np.concatenate(([problem.depot], problem.customers, others)).astype(np.int32)
    return (problem.part(order) if (order[1:] < order[:-1]).any() else problem), order


def cost_tolerance(problem: VRP) -> Tolerance:
    """Return the tolerance for gains; fixed costs and prices of time count too, and need not be integers."""
    priced = (problem.schedule is not None and problem.schedule.priced) or problem.fleet is not None
    if problem.metric.integral and (priced or not float(problem.fixed_cost).is_integer()):
        return Tolerance(0.0, RELATIVE)
    return tolerance(problem)
