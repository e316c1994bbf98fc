"""Vehicle routes on several members: phases in which each ruins and recreates a group of adjacent routes.

    until over:
        divide the routes into groups by random directions, one per member
        every member anneals its group between two temperatures of the whole search
        join the groups

This is what the threads of one process do (routes/strategy/ruin_recreate.py) one level up: the iterations of all
members go into one solution. A member is sent the customers of its group alone, so that phases depend on no state but
the routes: who is lost loses one phase of one group. Populations, and problems with few routes, are on islands.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, cast

from warptour.cluster.division import DividedStrategy
from warptour.cluster.islands.archipelago import Islands
from warptour.cluster.routes.phases import Phases
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.places import places_of
from warptour.routes.starts.route_limits import are_within_limits
from warptour.routes.strategy.first_routes import free_routes
from warptour.routes.strategy.route_improvement import SPEED, RouteImprovement
from warptour.search.search import Search


class RouteParts(DividedStrategy):
    """The strategy ``routes`` on several members."""

    name: ClassVar[str] = "route parts"
    iteration: ClassVar[str] = "iterations"

    strategy: RouteImprovement  # the only one that is divided so

    def run(self, search: Search[VRP]) -> None:
        """Search until over: in phases for the share of ruin and recreate, then with populations on islands."""
        strategy: RouteImprovement | None = self.strategy
        given = isinstance(search.start, list)
        routes = cast(Routes, search.start) if given else free_routes(search.problem, search.threads, search.hurried)
        share = self._share_of_ruin(search, routes)
        if share > 0:
            search.offer(routes)
            Phases(self, self.strategy, search, routes, share).run()
            search.start = search.given_start = cast(Routes, search.best)
            if self.crew.present:
                strategy = replace(self.strategy, max_genetic_customers=search.problem.n) if share < 1 else None
        if strategy is not None and not search.over():
            Islands(strategy, self.crew, threads=self.threads, device=self.device).run(search)

    def _share_of_ruin(self, search: Search[VRP], routes: Routes) -> float:
        """Return the share of the budget for phases; 0 where the routes cannot be divided."""
        problem = search.problem
        enough = problem.vehicles is None or len(routes) <= problem.vehicles
        enough = enough and not problem.fewest and bool(are_within_limits(problem, routes).all())
        if places_of(problem) is None or not enough or len(routes) < 4:
            return 0.0
        iterations = min(search.iterations_left(), SPEED * sum(self.threads) * search.seconds_left())
        return self.strategy.share_of_ruin(problem, iterations)
