"""Random tiny problems with times, whole numbers throughout, and a judge that shares no code with warptour.

The judge looks at all departures and all starts of service at each stop. It knows no rule of how vehicles drive but
what is allowed: service begins within a window, an early vehicle waits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np

from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

HORIZON = 160
"""Latest time that a judge looks at."""


def timed_problem(seed: int, customers: int, *, released: bool = False) -> VRP:
    """Return a problem with some of: windows, several of them, limits, soft windows, prices, open routes, matrices.

    With ``released``, the goods of about half of the customers are late at the depot.
    """
    rng = np.random.default_rng(seed)
    n = customers + 1
    chosen = {word: bool(rng.integers(2)) for word in ("several", "open", "limited", "hours", "travel", "asymmetric")}
    points: Any = rng.integers(0, 12, (n, 2)).astype(float)
    metric = METRICS["MAN_2D"]
    if chosen["asymmetric"]:
        metric, points = METRICS["EXPLICIT"], rng.integers(1, 20, (n, n))
    services = rng.integers(0, 5, n)
    options: dict[str, Any] = {
        "open": chosen["open"],
        "windows": TimeWindows.of(_windows(rng, n, chosen["several"]), n),
    }
    if chosen["travel"]:
        durations = rng.integers(0, 18, (n, n)).astype(float)
        options["clock"] = Clock(services.astype(float), durations=durations)
    else:
        options["service_times"] = services.astype(float)
    if chosen["hours"]:
        options["hour_cost"] = float(rng.integers(1, 4)) * (3600 if chosen["travel"] else 1)
    if chosen["limited"]:
        options["max_duration"] = float(rng.integers(20, 60))
    kind = int(rng.integers(4))
    if kind == 0:
        options["late_cost"] = float(rng.integers(1, 4)) * (3600 if chosen["travel"] else 1)
    elif kind == 1:
        options["max_wait"] = float(rng.integers(0, 12))
    if released:
        options["releases"] = np.r_[0, rng.integers(0, 30, customers) * rng.integers(2, size=customers)].astype(float)
    demands = rng.integers(1, 4, n)
    demands[0] = 0
    return VRP(f"timed {seed}", metric, points, demands=demands, capacity=int(rng.integers(4, 10)), **options)


def _windows(rng: np.random.Generator, n: int, several: bool) -> list[Any]:
    """Return windows of a depot and its customers."""
    windows: list[Any] = [(int(rng.integers(0, 10)), int(rng.integers(70, 110)))]
    for _ in range(n - 1):
        begin, length = int(rng.integers(0, 50)), int(rng.integers(0, 25))
        if rng.integers(4) == 0:
            windows.append(None)
        elif several and rng.integers(2):
            again = begin + length + int(rng.integers(1, 20))
            windows.append([(begin, begin + length), (again, again + int(rng.integers(0, 15)))])
        else:
            windows.append((begin, begin + length))
    return windows


def judged(problem: VRP, route: Sequence[int]) -> tuple[float, float] | None:
    """Return the least lateness of a route and then its least duration, or None if no departure serves it."""
    clock, windows = problem.clock, problem.windows
    assert windows is not None
    services = problem.service_times if clock is None else clock.services
    visits = [problem.depot, *route] + ([] if problem.open else [problem.depot])
    late = np.full((HORIZON, HORIZON), np.inf)  # of each departure, by the start at the latest stop
    loaded = 0 if problem.releases is None else max(problem.releases[node] for node in route)
    for at in np.flatnonzero(_allowed(problem, problem.depot) & (np.arange(HORIZON) >= loaded)):
        late[at, at] = max(0.0, at - windows.closes[problem.depot])
    for a, b in pairwise(visits):
        own = 0 if problem.open and b == problem.depot else problem.matrix[a, b] if problem.matrix is not None else None
        leg = abs(problem.points[a] - problem.points[b]).sum() if own is None else own
        if clock is not None:
            assert clock.durations is not None
            leg = 0 if a == b else clock.durations[a, b]
        way = int(services[a] + (0 if a == b else leg))
        arrived = np.full_like(late, np.inf)
        arrived[:, way:] = late[:, : HORIZON - way]
        late = np.minimum.accumulate(arrived, axis=1) if problem.max_wait is None else np.full_like(late, np.inf)
        for wait in range(0 if problem.max_wait is None else int(problem.max_wait) + 1):
            late[:, wait:] = np.minimum(late[:, wait:], arrived[:, : HORIZON - wait])
        behind = np.maximum(0.0, np.arange(HORIZON) - windows.closes[b])
        late = np.where(_allowed(problem, b)[None, :], late + behind[None, :], np.inf)
    ends = services[visits[-1]] if problem.open else 0
    durations = np.arange(HORIZON)[None, :] - np.arange(HORIZON)[:, None] + ends
    within = late if problem.max_duration is None else np.where(durations <= problem.max_duration, late, np.inf)
    least = late.min()
    if not math.isfinite(least) or within.min() > least:
        return None
    return float(least), float(durations[within == least].min())


def _allowed(problem: VRP, node: int) -> np.ndarray:
    """Return at which times service may begin."""
    assert problem.windows is not None
    times = np.arange(HORIZON)
    allowed = np.zeros(HORIZON, bool)
    for opens, closes in problem.windows.of_node(node):
        allowed |= (times >= opens) & (times <= closes)
    return allowed | (times > problem.windows.closes[node]) if problem.late_cost is not None else allowed


def judged_cost(problem: VRP, route: Sequence[int]) -> float | None:
    """Return the cost of one route, None if it breaks a limit."""
    if problem.demands[list(route)].sum() > problem.capacity:
        return None
    found = judged(problem, route)
    if found is None:
        return None
    hour = 1 if problem.clock is None else 3600
    way = [problem.depot, *route] + ([] if problem.open else [problem.depot])
    travel = sum(
        problem.matrix[a, b] if problem.matrix is not None else abs(problem.points[a] - problem.points[b]).sum()
        for a, b in pairwise(way)
    )
    return float(travel + (problem.late_cost or 0) / hour * found[0] + problem.hour_cost / hour * found[1])


def trouble(problem: VRP, route: Sequence[int]) -> float:
    """Return by how much a route misses its windows if clocks may be turned back, and exceeds its longest duration."""
    schedule = problem.schedule
    assert schedule is not None
    began = np.arange(schedule.windows.closes[0] + 1)
    time, warp = began, np.zeros(len(began))
    for a, b in pairwise([0, *route, 0]):
        time = np.maximum(time + schedule.services[a] + float(problem.distance(a, b)), schedule.windows.opens[b])
        warp = warp + np.maximum(0.0, time - schedule.windows.closes[b])
        time = np.minimum(time, schedule.windows.closes[b])
    excess = np.maximum(0.0, time + warp - began - schedule.longest)
    return float(warp.min() + excess[warp == warp.min()].min())


def cheapest(problem: VRP) -> float:
    """Return the cost of the best routes by trying all; infinite if there are none."""
    customers = [int(node) for node in problem.customers]
    costs: dict[frozenset[int], float] = {}
    for size in range(1, len(customers) + 1):
        for route in permutations(customers, size):
            cost = judged_cost(problem, route)
            if cost is not None:
                costs[frozenset(route)] = min(cost, costs.get(frozenset(route), math.inf))
    best = {frozenset[int](): 0.0}
    for whole in _subsets(customers):
        first = min(whole)
        ways = (cost + best.get(whole - part, math.inf) for part, cost in costs.items() if first in part <= whole)
        best[whole] = min(ways, default=math.inf)
    return best[frozenset(customers)]


def _subsets(items: list[int]) -> Iterator[frozenset[int]]:
    """Return all subsets but the empty one, smaller numbers first."""
    for bits in range(1, 1 << len(items)):
        yield frozenset(item for k, item in enumerate(items) if bits >> k & 1)
