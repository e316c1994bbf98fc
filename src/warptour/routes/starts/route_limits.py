"""What insertions into routes take of their limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.metric import Nodes
from warptour.model.vehicles import VRP

Floats = NDArray[np.float64]


def ways(problem: VRP, limit: Limit | None, tails: Nodes, heads: Nodes) -> Floats:
    """Return the travel between nodes as ``limit`` counts it, or the distances for None; a node has none to itself."""
    travel = None if limit is None else limit.travel
    lengths = problem.distances(tails, heads) if travel is None else travel[tails, heads]
    between: Floats = np.where(tails == heads, 0.0, lengths)
    return between


def detours(problem: VRP, limit: Limit | None, tails: Nodes, customer: Nodes, heads: Nodes) -> Floats:
    """Return what customers between ``tails`` and ``heads`` add to that travel; arrays broadcast."""
    return (
        ways(problem, limit, tails, customer)
        + ways(problem, limit, customer, heads)
        - ways(problem, limit, tails, heads)
    )


def amounts(problem: VRP, route: Nodes) -> Floats:
    """Return what a route takes of each limit, shape (limits,)."""
    return np.array([problem.used(limit, route) for limit in problem.limits])


def within_limits(problem: VRP, route: Nodes) -> bool:
    """Return whether a route keeps every limit."""
    schedule = problem.schedule
    if schedule is not None and len(route) and not schedule.is_kept_by(problem.days([route])[0]):
        return False
    return all(problem.used(limit, route) <= limit.searched for limit in problem.limits)


def are_within_limits(problem: VRP, routes: Sequence[Nodes]) -> NDArray[np.bool_]:
    """Return which of many routes keep every limit as the checker does; none of them is empty."""
    kept = np.ones(len(routes), bool)
    for limit in problem.limits:
        kept &= problem.route_uses(limit, routes) <= limit.most * (1 + LIMIT_TOLERANCE)
    schedule = problem.schedule
    if schedule is not None:
        kept &= np.array([schedule.is_kept_by(day) for day in problem.days(routes)], bool)
    return kept
