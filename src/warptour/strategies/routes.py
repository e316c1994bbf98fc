"""Vehicle routes by savings, each then improved as a small tour through the depot.

    routes := savings (Clarke and Wright)
    for each route: 2-opt and or-opt on the tour depot, customers, depot

Customers stay in their routes, so capacities hold by themselves, and a route
only gets shorter, so its limit holds too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.construct import savings
from warptour.engines.native import NativeEngine
from warptour.engines.terrain import Ints
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.strategies.search import Search


@dataclass(frozen=True)
class RouteImprovement:
    """Savings, then moves within each route until none improves."""

    name: ClassVar[str] = "routes"
    iteration: ClassVar[str] = "routes"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return None if isinstance(problem, VRP) else "routes is for vehicles; one tour needs ils, hill or restarts"

    def run(self, search: Search) -> None:
        """Improve one route after the other, offering all routes whenever one got shorter."""
        problem = search.problem
        assert isinstance(problem, VRP)
        routes: Routes = savings(problem) if not isinstance(search.start, list) else list(search.start)
        search.offer(routes)
        for number in range(len(routes)):
            if search.over():
                return
            better = improved_route(problem, routes[number])
            search.count(iterations=1)
            if problem.route_cost(better) < problem.route_cost(routes[number]):
                routes = [*routes[:number], better, *routes[number + 1 :]]
                search.offer(routes)


def improved_route(problem: VRP, route: Ints) -> Ints:
    """Return the customers of ``route`` in an order that no 2-opt move and no or-opt move among neighbours improves."""
    if len(route) < 3:
        return route
    nodes = np.concatenate(([problem.depot], route)).astype(np.int32)
    points = problem.points[np.ix_(nodes, nodes)] if problem.matrix is not None else problem.points[nodes]
    engine = NativeEngine(TSP("route", problem.metric, points))
    tour = np.arange(len(nodes), dtype=np.int32)
    tour = engine.descend(tour, certified=True) if len(nodes) >= 5 else tour
    tour = np.roll(tour, -int(np.flatnonzero(tour == 0)[0]))
    return nodes[tour[1:]]
