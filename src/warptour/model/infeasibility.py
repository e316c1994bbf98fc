"""Proofs that a vehicle routing problem has no solution: by single customers, or by the total demand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InfeasibleError
from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.loads import CAPACITY_TOLERANCE
from warptour.model.metric import Floats, Nodes
from warptour.model.nonnegative import lowest_distance
from warptour.model.vehicles import VRP

EXACT_NODES = 5000
"""Maximum nodes for proofs of unreachability by shortest paths (1 s); larger instances use lower bounds."""


def prove_infeasible(problem: VRP, over: Callable[[], bool] | None = None) -> None:
    """Raise :class:`InfeasibleError` if a single customer or the total demand rules out every solution.

    The search for a proof stops once ``over()`` is true.
    """
    loads, capacity = problem.loads
    heavy = loads > capacity
    if heavy.any():
        node = int(heavy.argmax())
        raise InfeasibleError(
            f"{problem.describe(node, 'customer')} has the demand {problem.demands[node]:g}, "
            f"above the capacity {problem.capacity:g}"
        )
    total, vehicles = problem.demands.sum().item(), problem.vehicles
    if vehicles is not None and total > vehicles * problem.capacity * (1 + CAPACITY_TOLERANCE):
        most = vehicles * problem.capacity
        raise InfeasibleError(f"the demands sum to {total:g}, above the {most:g} of all {vehicles} vehicles")
    for limit in problem.limits:
        _prove_unreachable(problem, limit, over)


def _prove_unreachable(problem: VRP, limit: Limit, over: Callable[[], bool] | None) -> None:
    """Raise :class:`InfeasibleError` if every route through some customer exceeds ``limit``."""
    nodes, depot = problem.customers, problem.depot
    services, most = limit.services[nodes], limit.most * (1 + LIMIT_TOLERANCE)
    direct = services + _ways(problem, limit.travel, np.array([depot]), nodes)
    direct += _ways(problem, limit.travel, nodes, np.array([depot]))
    if not (direct > most).any():
        return
    if problem.n > EXACT_NODES:
        trips = 2 * least_paths(problem, limit.travel, nodes)
    elif problem.asymmetric if limit.travel is None else limit.directed:
        there, back = (shortest_paths(problem, limit, most, over, back=back)[nodes] for back in (False, True))
        trips = there + back
    else:
        trips = 2 * shortest_paths(problem, limit, most / 2, over)[nodes]
    trips = trips + services
    far = trips > most
    if far.any():
        at = int(far.argmax())
        least = "" if math.isclose(trips[at], direct[at], rel_tol=LIMIT_TOLERANCE) else "at least "
        raise InfeasibleError(
            f"{problem.describe(int(nodes[at]), 'customer')} alone needs a route of "
            f"{least}{limit.text(trips[at])}, above the limit {limit.text(limit.most)}"
        )


def shortest_paths(
    problem: VRP, limit: Limit | None, reach: float, over: Callable[[], bool] | None = None, *, back: bool = False
) -> Floats:
    """Return the length of the shortest path from the depot to each node, or ``back`` (Dijkstra).

    Beyond ``reach``, any value above it. All lengths are 0 if ``over()`` becomes true first or if distances are
    negative. Rounded or given distances may violate the triangle inequality, so the direct trip to a customer and back
    proves nothing.

    Parameters
    ----------
    problem : VRP
    limit : Limit, or None
        Whose travel counts, with the services of the customers on the way; None for the problem's distances.
    reach : float
    over : callable, optional
    back : bool
    """
    travel = None if limit is None else limit.travel
    services = np.zeros(problem.n) if limit is None else limit.services
    if travel is None and problem.matrix is not None and lowest_distance(problem.matrix) < 0:
        return np.zeros(problem.n)
    everywhere = np.arange(problem.n)
    paths = np.full(problem.n, np.inf)
    paths[problem.depot] = 0.0
    open_paths = paths.copy()
    while open_paths.min() <= reach:
        if over is not None and over():
            return np.zeros(problem.n)
        node = int(open_paths.argmin())
        ends = (everywhere, np.array([node])) if back else (np.array([node]), everywhere)
        on_the_way = 0.0 if node == problem.depot else services[node]
        through = paths[node] + on_the_way + _ways(problem, travel, *ends)
        nearer = through < paths
        nearer[node] = False
        paths[nearer] = open_paths[nearer] = through[nearer]
        open_paths[node] = np.inf
    return paths


def least_paths(problem: VRP, travel: NDArray[Any] | None, nodes: Nodes) -> Floats:
    """Return a lower bound on the length of any path from the depot to each of ``nodes``, fast for many nodes.

    Lengths before rounding satisfy the triangle inequality. With rounding up, no path is shorter than the straight
    line. With rounding to nearest, an edge of length at least 1 keeps 2/3 of its length, with rounding down 1/2.
    Shorter edges, which may all be rounded to 0, are excluded by requiring integral coordinates.
    """
    metric = problem.metric
    if travel is not None or metric.norm == "matrix":
        return np.zeros(len(nodes))
    lines = metric.rounded("none").distances(problem.points, np.full(len(nodes), problem.depot), nodes)
    error = 1e-12 if metric.planar else 1e-6  # relative float64 error
    straight: Floats = np.asarray(lines, np.float64) * (1 - error)
    if metric.rounding == "none":
        return straight
    kept = 1.0
    if metric.rounding in ("nearest", "floor"):
        whole = metric.planar and metric.divisor == 1.0 and bool((problem.points == np.floor(problem.points)).all())
        if not whole:
            return np.zeros(len(nodes))
        if metric.norm == "euclidean":
            kept = 2 / 3 if metric.rounding == "nearest" else 1 / 2
    bound: Floats = np.ceil(kept * straight)
    return bound


def _ways(problem: VRP, travel: NDArray[Any] | None, i: Nodes, j: Nodes) -> Floats:
    ways = problem.distances(i, j) if travel is None else travel[i, j]
    return np.asarray(ways, np.float64)
