"""When a small problem ends by itself: after much work without an improvement, while feasible solutions competed.

How often a better solution would still have been found is measured by ``benchmarks/settling.py``. Counts, unlike
seconds, give a busy machine more time, and the same result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import State
from warptour.search.stop import NoImprovement

MAX_CITIES, KICKS_PER_CITY, ONE_WAY_KICKS_PER_CITY, CITIES_SECONDS = 200, 50, 200, 0.5
"""Largest tour that ends by itself, and the kicks and seconds without an improvement after which it does. With 50 kicks
per city 6 of about 84 random tours of ``benchmarks/settling.py --of tours --seed 78`` ended 0.03 to 0.7% too early,
all asymmetric; with 200 none of these 6 does."""

MAX_CUSTOMERS, OFFSPRING, OFFSPRING_PER_NODE = 50, 2000, 60
"""Largest vehicle routing problem that does, and the offspring without an improvement: in all, or per node if these are
more. The longest wait for an improvement was 224 in 87 long runs of 13 to 40 customers, and 34 per node in CVRPLIB."""

MIN_SHORTEST = 0.65
"""Least mean of shortest paths relative to that of direct ways: roads have 0.75 to 1. Distances or durations without
any geometry have less than 0.6, and of 30 customers among them cheaper routes are found after many times the work."""


@dataclass(frozen=True)
class Settled(NoImprovement):
    """Over after ``iterations`` and ``seconds`` without improvement, counted while feasible solutions compete."""

    def reached(self, state: State) -> bool:
        return super().reached(state) and state.iterations - state.unsettled_iterations >= self.iterations


def settled(problem: TSP | VRP) -> Settled | None:
    """Return the rule that ends a search of ``problem`` by the default strategy, or None.

    Larger problems and vehicle routes over distances without geometry have none: they use all of their time.
    """
    if isinstance(problem, TSP):
        kicks = ONE_WAY_KICKS_PER_CITY if problem.asymmetric else KICKS_PER_CITY
        return Settled(CITIES_SECONDS, kicks * problem.n) if problem.n <= MAX_CITIES else None
    customers = problem.n - 1
    if customers > MAX_CUSTOMERS or not has_geometry(problem):
        return None
    return Settled(0, customers * max(OFFSPRING, OFFSPRING_PER_NODE * problem.n))


def has_geometry(problem: VRP) -> bool:
    """Return whether direct ways are not much longer than shortest paths, in the cost and in every limit."""
    tables = [problem.matrix, *(limit.travel for limit in problem.limits)]
    return all(_shortest(table) >= MIN_SHORTEST for table in tables if table is not None)


def _shortest(table: NDArray[Any]) -> float:
    """Return the mean of shortest paths relative to that of direct ways (Floyd and Warshall); 0 for negative ones."""
    direct = np.array(table, np.float64)
    np.fill_diagonal(direct, 0)
    if direct.min() < 0:
        return 0.0
    paths = direct.copy()
    for node in range(len(paths)):
        np.minimum(paths, paths[:, node, None] + paths[node], out=paths)
    total = float(direct.sum())
    return float(paths.sum()) / total if total else 1.0
