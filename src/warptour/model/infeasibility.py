"""Proofs that a vehicle routing problem has no solution: by single customers and their hours, or the total demand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.barriers import Barriers
from warptour.model.clock import format_time
from warptour.model.errors import InfeasibleError
from warptour.model.limits import LIMIT_TOLERANCE, Limit
from warptour.model.loads import CAPACITY_TOLERANCE
from warptour.model.metric import Floats, Nodes
from warptour.model.pickups import AFTER_DELIVERIES
from warptour.model.schedule import Schedule
from warptour.model.searched import lowest_distance
from warptour.model.vehicles import VRP

EXACT_NODES = 5000
"""Maximum nodes for proofs of unreachability by shortest paths (1 s); larger instances use lower bounds."""

FARTHEST = float(np.finfo(np.float64).max)
"""Limit on the length of shortest paths that none exceeds: those to all nodes are found."""


def prove_infeasible(problem: VRP, over: Callable[[], bool] | None = None) -> None:
    """Raise :class:`InfeasibleError` if a single customer or the total demand rules out every solution.

    The search for a proof stops once ``over()`` is true.
    """
    if problem.mixed:
        _prove_impossible(problem)
        return
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
    if problem.schedule is not None and problem.schedule.traffic is None:  # else its travel is an upper bound
        _prove_too_late(problem, problem.schedule, over)


def _prove_impossible(problem: VRP) -> None:
    """Raise :class:`InfeasibleError` if no vehicle can serve some customer who must be served, or its alternatives.

    Or if more must be served apart than there are vehicles.
    """
    barriers = Barriers(problem)
    groups: list[tuple[int, ...]] = [(node,) for node in np.flatnonzero(problem.required).tolist()]
    groups += [each.nodes for each in problem.alternatives if each.required]
    for nodes in groups:
        texts = [barriers.text(node) for node in nodes]
        if all(text is not None for text in texts):
            raise InfeasibleError(f"{problem.describe(nodes[0], 'customer')}: {texts[0]}")
    if problem.backhauls == AFTER_DELIVERIES and not problem.brings.any():
        alone = np.flatnonzero(problem.required & problem.takes)
        if len(alone):
            who = problem.describe(int(alone[0]), "customer")
            raise InfeasibleError(f"{who} has a pickup, which comes after a delivery, and there are no deliveries")
    for each in problem.shipments:
        fault = barriers.of_shipment(each) if problem.required[each.pickup] else None
        if fault is not None:
            raise InfeasibleError(fault)
    vehicles = problem.n if problem.vehicles is None else problem.vehicles
    for group in problem.apart:
        served = [node for node in group if problem.required[node]]
        if len(served) > vehicles:
            who = problem.describe(served[0], "customer")
            raise InfeasibleError(
                f"{who} and {len(served) - 1} others are apart, and there are only {vehicles} vehicles"
            )


def _prove_too_late(problem: VRP, schedule: Schedule, over: Callable[[], bool] | None) -> None:
    """Raise :class:`InfeasibleError` if some customer cannot be served within the hours and the longest duration."""
    nodes, depot = problem.customers, np.array([problem.depot])
    there, back = _ways(problem, schedule.travel, depot, nodes), _ways(problem, schedule.travel, nodes, depot)
    opens = schedule.windows.opens
    leaves = np.full(len(nodes), opens[problem.depot] + schedule.services[problem.depot])
    if schedule.releases is not None:
        leaves = np.maximum(leaves, schedule.releases[nodes] + schedule.services[problem.depot])
    starts = np.maximum(opens[nodes], leaves + there)
    if not any(fault.any() for fault in _late_or_long(problem, schedule, starts, there, back)):
        return
    if problem.matrix is not None and lowest_distance(problem.matrix) < 0:
        return
    if problem.n > EXACT_NODES:
        there = least_paths(problem, schedule.travel, nodes)
        back = np.zeros(len(nodes)) if problem.asymmetric else there
        starts = np.maximum(opens[nodes], leaves + there)
    else:
        limit = Limit("duration", schedule.longest, schedule.services, schedule.travel, schedule.pace)
        there, back = (shortest_paths(problem, limit, FARTHEST, over, back=way)[nodes] for way in (False, True))
        starts = np.maximum(_earliest_starts(problem, schedule, over)[nodes], leaves + there)
    late, overtime, long = _late_or_long(problem, schedule, starts, there, back)
    if not (late | overtime | long).any():
        return
    at = int((late | overtime | long).argmax())
    node, took = int(nodes[at]), there[at] + schedule.services[nodes[at]] + back[at]
    who, pace = problem.describe(node, "customer"), schedule.pace
    begins, returns = (_moment(problem, time) for time in (starts[at], starts[at] + took - there[at]))
    if late[at]:
        hours = schedule.windows.text(node, problem.clock is not None, pace)
        fault = f"cannot be reached before {begins}, after its hours {hours}"
        raise InfeasibleError(f"{who} {fault}; vehicles leave at {_moment(problem, float(leaves[at]))} at the earliest")
    if overtime[at]:
        shuts = _moment(problem, float(schedule.windows.closes[problem.depot]))
        fault = f"cannot be served before {begins}, so its vehicle would be back at {returns}"
        raise InfeasibleError(f"{who} {fault}, after the depot closes at {shuts}")
    least, longest = (
        problem.time_text(time * pace) for time in (took + schedule.services[problem.depot], schedule.longest)
    )
    raise InfeasibleError(f"{who} alone needs a route of at least {least}, above the limit {longest}")


def _late_or_long(
    problem: VRP, schedule: Schedule, starts: Floats, there: Floats, back: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which customers are served too late, whose vehicles are back too late, and out for too long."""
    nodes, most = problem.customers, schedule.tolerance
    closes, services = schedule.windows.closes, schedule.services[nodes]
    lasting = schedule.services[problem.depot] + there + services + back
    long = lasting > schedule.longest + max(most, schedule.longest * LIMIT_TOLERANCE)
    if not schedule.hard:
        return np.zeros(len(nodes), bool), np.zeros(len(nodes), bool), long
    shuts = math.inf if problem.open else closes[problem.depot]
    return starts > closes[nodes] + most, starts + services + back > shuts + most, long


def _earliest_starts(problem: VRP, schedule: Schedule, over: Callable[[], bool] | None) -> Floats:
    """Return the earliest start of service at each node, by way of any others, which are served when they are open.

    The windows' openings if ``over()`` becomes true first.
    """
    opens, everywhere = schedule.windows.opens, np.arange(problem.n)
    starts = np.full(problem.n, np.inf)
    starts[problem.depot] = opens[problem.depot]
    waiting = starts.copy()
    while waiting.min() < np.inf:
        if over is not None and over():
            return opens
        node = int(waiting.argmin())
        leaves = starts[node] + schedule.services[node]
        through = np.maximum(opens, leaves + _ways(problem, schedule.travel, np.array([node]), everywhere))
        sooner = through < starts
        sooner[node] = False
        starts[sooner] = waiting[sooner] = through[sooner]
        waiting[node] = np.inf
    return starts


def _moment(problem: VRP, time: float) -> str:
    """Return a time of a schedule for people: a time of day, or a number without a clock."""
    clock = problem.clock
    return f"{time:g}" if clock is None else format_time(time * (clock.pace or 1.0))


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

    ``limit``: whose travel counts, with the services of the customers on the way; None for the problem's distances
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
