"""Simple solutions, for runs that end before their strategy has one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.routes.starts.curve_routes import curve_routes
from warptour.search.search import SIMPLE_SECONDS, Problem, Search, Tour
from warptour.tours.starts.start import start

AnyStrategy = TypeVar("AnyStrategy")


def in_time(run: Callable[[AnyStrategy, Search[Problem]], None]) -> Callable[[AnyStrategy, Search[Problem]], None]:
    """Decorate a strategy's ``run`` to report a simple solution if time runs out before its own first one."""

    @wraps(run)
    def run_in_time(strategy: AnyStrategy, search: Search[Problem]) -> None:
        try:
            run(strategy, search)
        except Unfinished:
            offer_something(search)

    return run_in_time


def offer_something(search: Search[Any]) -> None:
    """Report a simple solution if ``search`` has none, not even an infeasible one."""
    if search.best is not None or search.miss is not None:
        return
    solution = first_solution(search.problem, search.spare_seconds())
    if solution is not None:
        search.offer(solution)


def first_solution(problem: TSP | VRP, seconds: float = math.inf) -> Tour | Routes | None:
    """Return a tour or routes along a space-filling curve; None if those are more than the vehicles.

    Where a curve takes more than the ``seconds`` there are, the cities of a tour are in the order of the file.
    """
    if isinstance(problem, VRP):
        routes = curve_routes(problem)
        return routes if problem.check(routes).feasible else None
    return start(problem, "file" if problem.map is None or SIMPLE_SECONDS * problem.n > seconds else "curve")
