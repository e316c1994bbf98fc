"""Exact solution of tiny instances by dynamic programming (Held and Karp), so that no search has to handle them.

Vehicle routes are solved over subsets of customers, whatever their limits and times (``routes/engine/subsets.py``) and
whatever their vehicles (``routes/engine/mixed_subsets.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from warptour.model.errors import InfeasibleError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.mixed_subsets import cheapest_mixed, most_mixed_customers
from warptour.routes.engine.subsets import MAX_CUSTOMERS, TooManyLabels, cheapest_routes, most_customers
from warptour.search.search import Search, Tour
from warptour.search.strategy import Strategy
from warptour.strategies.registry import default_strategy

Paths: TypeAlias = dict[tuple[int, int], tuple[float, tuple[int, ...]]]
"""Shortest path and its cost, for each set of visited cities (as bits) and last city."""

TINY = 9
"""Maximum number of cities; up to here dynamic programming over subsets is instant even in Python."""


@dataclass(frozen=True)
class HeldKarp(Strategy):
    """Solves exactly a TSP of up to nine cities and a VRP of up to 15 customers, and proves which have no solution.

    Where a limit counts travel of its own, stops have windows or vehicles differ there are up to 12 customers, where
    durations with waits or lateness count or there are shipments up to 9. From 10 on there may still be too many
    partial routes that are cheaper or quicker than one another; the default strategy then searches, without proof.
    """

    name: ClassVar[str] = "exact"
    iteration: ClassVar[str] = "solutions"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        if is_tiny(problem):
            return None
        return f"the exact strategy is for up to {TINY} cities or {MAX_CUSTOMERS} customers, not for {problem.n} nodes"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first."""
        return ("cpu",)

    def run(self, search: Search[Any]) -> None:
        """Offer an optimal solution and prove that it is one, or raise :class:`InfeasibleError`."""
        problem = search.problem
        try:
            solution = best_routes(problem) if isinstance(problem, VRP) else shortest(problem)
        except TooManyLabels:
            default_strategy(problem).run(search)
            return
        search.offer(solution)
        search.count(iterations=1)
        if search.cost is not None:
            search.raise_bound(search.cost)


def is_tiny(problem: TSP | VRP) -> bool:
    """Return whether ``problem`` is small enough for the exact solution."""
    if isinstance(problem, TSP):
        return problem.n <= TINY
    most = most_mixed_customers if problem.mixed else most_customers
    return len(problem.customers) <= MAX_CUSTOMERS and len(problem.customers) <= most(problem)


def best_routes(problem: VRP) -> Routes:
    """Return optimal routes, or raise :class:`InfeasibleError`."""
    routes = cheapest_mixed(problem) if problem.mixed else cheapest_routes(problem)
    if routes is None:
        raise InfeasibleError(f"no routes of {problem.name} keep all limits: all ways to serve them were tried")
    return routes


def shortest(problem: TSP) -> Tour:
    """Return an optimal tour or path by dynamic programming over (set of visited cities, last city).

    From a city with a fixed edge that the path has not just used, the only successor is along that edge, so that fixed
    edges never require more than the last two cities as state; the return to the first city is checked at the end.
    """
    n = problem.n
    cities = np.arange(n)
    far = problem.distances(cities[:, None], cities[None, :]).tolist()
    bound: list[set[int]] = [set() for _ in range(n)]
    for a, b in problem.fixed_edges.tolist():
        bound[a].add(b)
        bound[b].add(a)
    firsts = range(n) if problem.open and problem.first is None else [problem.first or 0]
    best_cost, best = math.inf, None
    for first in firsts:
        paths: Paths = {(1 << first, first): (0, (first,))}
        for _ in range(n - 1):
            longer: Paths = {}
            for (seen, at), (cost, path) in paths.items():
                before = path[-2] if len(path) > 1 else None
                owed = {city for city in bound[at] if city != before}
                if len(owed) == 2:
                    if problem.open or at != first:
                        continue
                    owed = {min(owed)}  # one fixed neighbour comes next, the other closes the tour
                for city in range(n):
                    if seen >> city & 1 or (owed and city not in owed):
                        continue
                    total = cost + far[at][city]
                    key = (seen | 1 << city, city)
                    if key not in longer or total < longer[key][0]:
                        longer[key] = (total, (*path, city))
            paths = longer
        for (_, last), (cost, path) in paths.items():
            total = cost if problem.open else cost + far[last][first]
            if total < best_cost and problem.check(np.array(path)).feasible:
                best_cost, best = total, path
    if best is None:
        raise InfeasibleError(f"no path of {problem.name} holds all of its fixed edges between its two ends")
    return np.array(best, np.int32)
