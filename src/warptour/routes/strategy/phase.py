"""A phase of ruin and recreate: part of the routes of a larger search, between two temperatures of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.route_improvement import RouteImprovement, expected_iterations
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.strategy import Strategy
from warptour.search.threads import ThreadPool
from warptour.search.worker import follow


@dataclass(frozen=True)
class RoutePhase(Strategy):
    """Ruin and recreate from given routes; the search also keeps the last routes, which may be more expensive.

    Attributes
    ----------
    strategy : RouteImprovement
    hot, cold : float
        First and last temperature, in units of cost.
    """

    name: ClassVar[str] = "phase"
    iteration: ClassVar[str] = "iterations"

    strategy: RouteImprovement
    hot: float
    cold: float

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return self.strategy.refuses(problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends."""
        return self.strategy.runs_on(problem)

    def run(self, search: Search[VRP]) -> None:
        """Search until over."""
        strategy = self.strategy
        assert isinstance(search.start, list)
        instance = RouteInstance.of(search.problem, strategy.nearest, search.threads, search.hurried)
        cooling = Cooling(search, self.hot, self.cold)
        with ThreadPool(search.threads) as pool:
            plan = Plan(
                instance, pool, cooling, strategy.ruin, search.key(), expected_iterations(search),
                strategy.group_iterations, strategy.group_size, strategy.group_routes,
            )  # fmt: skip
            worker = strategy.ruin_worker(plan, instance.enter(search.start), search)
            follow(search, worker, instance.leave)
            search.last = instance.leave(worker.current())
