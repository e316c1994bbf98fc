"""The temperature of ruin and recreate over the budget: by how much a solution may become more expensive."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from warptour.model.metric import Floats
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints
from warptour.routes.engine.kinds import Kinds
from warptour.search.search import Search

CYCLE = 1000
"""Iterations per customer of the first cooling of a search without limits; each later one is twice as long."""

LONGEST = 0.99
"""Quantile at which edges are capped in the mean edge."""

LONG_ROUTE, MANY_CUSTOMERS = 60, 3000
"""Customers of a route from which on annealing begins warm, and customers in all from which on it begins hot."""

MILDEST, WARM = 0.15, 0.4
"""Smallest fraction of the first temperature at which annealing begins, and the fraction where routes are long."""

SHORT_ROUTE = 30
"""Customers of a route beyond which annealing of many customers begins hotter than the first temperature."""

HOT_ITERATIONS = 50
"""Iterations per customer below which annealing begins at less: there would be no time to cool."""


@dataclass
class Cooling:
    """Geometric cooling from ``hot`` to ``cold`` over a ``share`` of the budget.

    The budget is the search's seconds or iterations, whichever runs out first. A search with neither is cooled again
    and again, each time more slowly.
    """

    search: Search[VRP]
    hot: float
    cold: float
    share: float = 1.0
    _began: float = field(init=False)
    _counted: int = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.search.seconds
        self._counted = self.search.iterations

    def used(self, more: int = 0) -> float:
        """Return the fraction of the share that is used up, ``more`` iterations included."""
        search = self.search
        spent, left = search.seconds - self._began, search.seconds_left()
        done = search.iterations - self._counted + more
        to_do = search.iterations_left() - more
        if math.isinf(left) and math.isinf(to_do):
            cycles = done / (CYCLE * search.problem.n) + 1
            return min(1.0, math.log2(cycles) % 1.0 / max(self.share, 1e-9))
        by_time = 0.0 if math.isinf(left) else spent / max(spent + left, 1e-9)
        by_count = 0.0 if math.isinf(to_do) else done / max(done + to_do, 1)
        return min(1.0, max(by_time, by_count) / max(self.share, 1e-9))

    def is_finished(self) -> bool:
        """Return whether the share is used up and leaves a rest."""
        return self.share < 1 and self.used() >= 1

    def temperature(self, more: int = 0) -> float:
        """Return the temperature, in units of cost, after ``more`` iterations."""
        return float(self.hot * (self.cold / self.hot) ** self.used(more))


def warmth(customers: int, routes: int, iterations: float) -> float:
    """Return the multiple of the first temperature at which annealing begins.

    Few customers in short routes need less: savings have nearly as many routes as the best solution has, and a higher
    temperature adds some that it does not remove again. Many customers in long routes need more.
    """
    many, each = min(1.0, customers / MANY_CUSTOMERS), customers / routes
    hot = many**2 * max(1.0, each / SHORT_ROUTE * math.sqrt(customers / MANY_CUSTOMERS))
    hot *= min(1.0, iterations / (HOT_ITERATIONS * customers)) ** 2
    return max(MILDEST, WARM * min(1.0, each / LONG_ROUTE), WARM * many, hot)


def typical_edge(problem: VRP, giant: Ints) -> float:
    """Return what an edge between two customers of a giant tour costs on average, in units of the distances.

    Where no two are consecutive it is the mean of all edges. The dearest hundredth is capped: a given start may use
    edges that the matrix forbids.
    """
    before = np.roll(giant, 1)
    lengths = np.asarray(problem.distances(before, giant), np.float64)
    edges = _priced(problem, before, giant, lengths)
    inner = (before != problem.depot) & (giant != problem.depot)
    if inner.any():
        lengths, edges = lengths[inner], edges[inner]
    mean = float(np.minimum(edges, np.quantile(edges, LONGEST, method="lower")).mean())
    return mean if mean > 0 else max(float(lengths.mean()), 0.0) or 1.0


def _priced(problem: VRP, before: Ints, giant: Ints, lengths: Floats) -> Floats:
    """Return what edges cost the vehicles of their routes: distance, and time where it has a price."""
    fleet = problem.fleet
    if fleet is None:
        schedule = problem.schedule
        return lengths if schedule is None else lengths + schedule.per_time * _times(schedule, before, giant, lengths)
    kinds = fleet.kinds[np.clip(np.cumsum(before == problem.depot) - 1, 0, len(fleet.kinds) - 1)]
    costs: Floats = np.array([each.distance_cost for each in fleet.types])[kinds] * lengths
    for kind, schedule in enumerate(problem.schedules if problem.schedule is not None else ()):
        own = kinds == kind
        times = _times(schedule, before[own], giant[own], lengths[own])
        costs[own] += schedule.per_time / fleet.types[kind].speed * times
    return costs / Kinds(problem).unit


def _times(schedule: Schedule, before: Ints, giant: Ints, lengths: Floats) -> Floats:
    if schedule.travel is None:
        return lengths
    return np.array(schedule.travel[before, giant], np.float64)
