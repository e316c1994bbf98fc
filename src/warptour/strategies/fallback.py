"""A solution in no time, for a run that ends before its strategy has one."""

from __future__ import annotations

import numpy as np

from warptour.construct.start import start
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.strategies.search import Tour


def first_solution(problem: TSP | VRP) -> Tour | Routes | None:
    """Return the cities along a curve, or a route for each customer, which may be too many: then None."""
    if isinstance(problem, VRP):
        routes = [np.array([node], np.int32) for node in problem.customers]
        return routes if problem.check(routes).feasible else None
    return start(problem, "file" if problem.map is None else "curve")
