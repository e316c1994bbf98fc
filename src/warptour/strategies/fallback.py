"""Simple solutions, for runs that end before their strategy has one."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.curve_routes import simple_routes
from warptour.search.search import Search, Tour
from warptour.search.strategy import Strategy
from warptour.tours.starts.start import simple_tour


def run_in_time(strategy: Strategy, search: Search[Any]) -> None:
    """Run ``strategy``, and report a simple solution if time runs out before its own first one."""
    with suppress(Unfinished):
        strategy.run(search)
    if search.best is None and search.miss is None:
        solution = first_solution(search.problem, search.spare_seconds())
        if solution is not None:
            search.offer(solution)


def first_solution(problem: TSP | VRP, seconds: float = math.inf) -> Tour | Routes | None:
    """Return a tour or routes along a space-filling curve; None if those are more than the vehicles.

    Where a curve takes more than the ``seconds`` there are, the cities of a tour are in the order of the file.
    """
    return simple_routes(problem) if isinstance(problem, VRP) else simple_tour(problem, seconds)
