"""A vehicle routing problem as a giant tour: every route, empty ones too, between copies of the depot.

    n+1, customers of route 1, n+2, customers of route 2, ..., n+K, customers of route K, n+K+1

Customers are 1 to n, copies of the depot n + 1 to n + K + 1. The objective is the cost of the routes, plus a weight
times the number of routes beyond the vehicles; the weight exceeds all that one move can gain in length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.points import Points
from warptour.model.spread import extent
from warptour.model.vehicles import VRP, Routes
from warptour.papers.schulz.engine.resources import Resource, resources_of
from warptour.routes.engine.instance import depot_first

Ints = NDArray[np.int32]

EDGES: int = 16
"""Lengths that the weight of a route exceeds: more edges than a move removes and adds."""


@dataclass(frozen=True, eq=False)
class GiantInstance:
    """A problem with its depot at node 0, and the number of routes in its giant tours."""

    problem: VRP  # the renumbered problem
    order: Ints  # (n,): the given problem's node of each number; the depot first
    resources: tuple[Resource, ...]  # what limits a route
    routes: int  # routes of a giant tour, empty ones included
    vehicles: int  # routes that need not be empty without a penalty, at most ``routes``

    @classmethod
    def of(cls, given: VRP, routes: int, resources: tuple[Resource, ...] | None = None) -> GiantInstance:
        """Return the instance of ``given`` with giant tours of ``routes`` routes.

        ``resources`` are numbered like the instance's nodes, the depot first; by default capacity and length.
        """
        problem, order = depot_first(given)
        vehicles = routes if problem.vehicles is None else min(routes, problem.vehicles)
        return cls(problem, order, resources_of(problem) if resources is None else resources, routes, vehicles)

    @property
    def customers(self) -> int:
        """Number of customers."""
        return self.problem.n - 1

    @property
    def nodes(self) -> int:
        """Number of nodes of a giant tour."""
        return self.customers + self.routes + 1

    @cached_property
    def points(self) -> Points:
        """Coordinates by node."""
        return Points.of(self.problem)

    @cached_property
    def weight(self) -> float:
        """Penalty per route beyond the vehicles: a power of two, so that sums of integers stay exact."""
        longest = extent(self.problem) + self.problem.fixed_cost + 1
        return float(2.0 ** np.ceil(np.log2(EDGES * longest)))

    def places(self, giant: Ints) -> Ints:
        """Return the node of the problem at each position of a giant tour: 0 for all copies of the depot."""
        return np.where(giant > self.customers, 0, giant).astype(np.int32)

    def enter(self, routes: Routes) -> Ints:
        """Return the given problem's routes as a giant tour, followed by empty routes."""
        rank = np.empty(len(self.order), np.int32)
        rank[self.order] = np.arange(len(self.order), dtype=np.int32)
        used = [rank[route] for route in routes if len(route)]
        if len(used) > self.routes:
            raise ValueError(f"{len(used)} routes do not fit into a giant tour of {self.routes}")
        copies = np.arange(self.customers + 1, self.customers + self.routes + 2, dtype=np.int32)
        parts = [part for number, route in enumerate(used) for part in (copies[number : number + 1], route)]
        return np.concatenate([*parts, copies[len(used) :]])

    def leave(self, giant: Ints) -> Routes:
        """Return the non-empty routes of a giant tour in the given problem's numbering."""
        places = self.places(giant)
        return [self.order[route] for route in self.problem.split_giant_tour(places)]
