"""Random problems so small that every solution can be looked at, and the best of them by brute force."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np

from warptour.model.clock import Clock
from warptour.model.limits import LIMIT_TOLERANCE
from warptour.model.metric import METRICS, Metric
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

SHAPES = ("grid", "whole", "broken", "far", "line", "two places", "one place")
"""Ways to lie: with ties, on integers, on fractions, far from the origin, and degenerate ones."""


def places(rng: np.random.Generator, n: int, metric: Metric) -> np.ndarray:
    """Return nodes that ``metric`` can measure, of one of the :data:`SHAPES`; for a matrix, distances."""
    if metric.norm == "matrix":
        return _distances(rng, n)
    shape = str(rng.choice(SHAPES))
    size = n, metric.dimensions
    if not metric.planar:
        spread = {"grid": 3, "whole": 80, "far": 89}.get(shape, 10)
        at = rng.integers(-spread, spread + 1, size).astype(float)
        at += rng.random(size) - 0.5 if shape == "broken" else 0
    elif shape == "grid":
        at = rng.integers(0, 4, size).astype(float)
    elif shape == "broken":
        at = rng.normal(0, 10.0 ** rng.integers(-6, 7), size)
    else:
        at = rng.integers(-1000, 1001, size).astype(float) + (1e9 if shape == "far" else 0)
    if shape == "line":
        at[:, 1:] = at[0, 1:]
    elif shape in ("two places", "one place"):
        at = at[rng.integers(0, min(n, 2) if shape == "two places" else 1, n)]
    return at


def _distances(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return a symmetric matrix: with ties, large, fractional, or all equal."""
    table = [
        rng.integers(0, 4, (n, n)),
        rng.integers(0, 10**6, (n, n)),
        rng.random((n, n)) * 100,
        np.full((n, n), int(rng.integers(0, 2))),
    ][int(rng.integers(4))]
    return np.triu(table) + np.triu(table, 1).T


def metric_of(rng: np.random.Generator) -> Metric:
    return list(METRICS.values())[int(rng.integers(len(METRICS)))]


def small_tsp(seed: int, fewest: int, most: int, *, closed: bool = False) -> TSP:
    """Return a TSP of any metric; unless ``closed``, half of them are open, and half have fixed edges that can hold."""
    rng = np.random.default_rng(seed)
    n, metric = int(rng.integers(fewest, most + 1)), metric_of(rng)
    options: dict[str, Any] = {}
    walk = rng.permutation(n).tolist()
    if not closed and rng.integers(2):
        options["open"] = True
        if rng.integers(2):
            options["first"] = walk[0]
        if rng.integers(2) and n > 1:
            options["last"] = walk[-1]
    if not closed and rng.integers(2):
        edges = [edge for edge in pairwise(walk) if rng.integers(3) == 0]
        options["fixed_edges"] = np.array(edges, np.int32).reshape(-1, 2)
    return TSP(f"tsp {seed}", metric, places(rng, n, metric), **options)


def small_vrp(seed: int, fewest: int, most: int) -> VRP:
    """Return a VRP of so many customers and any metric, with any of its limits, many of which nothing can keep."""
    rng = np.random.default_rng(seed)
    n, metric = int(rng.integers(fewest, most + 1)) + 1, metric_of(rng)
    points, depot = places(rng, n, metric), int(rng.integers(n))
    demands = rng.integers(0, 10, n) if rng.integers(2) else rng.random(n) * 10
    demands[depot] = 0
    options: dict[str, Any] = {}
    if rng.integers(2):
        options["vehicles"] = int(rng.integers(1, n + 1))
    if rng.integers(2):
        options["fixed_cost"] = float(rng.integers(0, 100))
    if rng.integers(2):
        table = VRP("table", metric, points, demands=0 * demands, capacity=1).distances(*np.indices((n, n)))
        options["service_times"] = rng.integers(0, 5, n).astype(float)
        options["max_distance"] = float(table.max() * rng.uniform(1.0, 4.0) + rng.uniform(1, 10))
    capacity = max(1.0, float(demands.max())) * rng.uniform(1.0, 3.0)
    return VRP(f"vrp {seed}", metric, points, demands=demands, depot=depot, capacity=capacity, **options)


def small_road_vrp(seed: int, fewest: int, most: int) -> VRP:
    """Return a VRP over a matrix, mostly asymmetric, with up to two limits: on distances, and on durations of any kind.

    Durations have one pace or a matrix of their own, or are minimised.
    """
    rng = np.random.default_rng([seed, 1])
    n = int(rng.integers(fewest, most + 1)) + 1
    matrix, other = (rng.integers(0, 40, (n, n)) if rng.integers(2) else 50 * rng.random((n, n)) for _ in range(2))
    if rng.integers(4) == 0:
        matrix = np.triu(matrix) + np.triu(matrix, 1).T
    if rng.integers(4) == 0:
        other = np.triu(other) + np.triu(other, 1).T
    demands, depot, services = rng.integers(0, 5, n), int(rng.integers(n)), rng.integers(0, 5, n).astype(float)
    demands[depot] = 0
    options: dict[str, Any] = {"clock": None}
    if rng.integers(2):
        options |= {"vehicles": int(rng.integers(1, n + 1))}
    if rng.integers(2):
        options |= {"fixed_cost": float(rng.integers(0, 50))}
    if rng.integers(2):
        options |= {"max_distance": rng.uniform(60, 200), "service_times": rng.integers(0, 4, n).astype(float)}
    kind = rng.choice(["no clock", "pace", "durations", "distances"])
    if kind != "no clock":
        travel = {str(kind): 0.5 + rng.integers(1, 4) if kind == "pace" else other}
        options |= {"clock": Clock(services, **travel), "max_duration": rng.uniform(60, 300)}
    capacity = max(1.0, float(demands.max())) * rng.uniform(1.0, 3.0)
    return VRP(
        f"road vrp {seed}", METRICS["EXPLICIT"], matrix, demands=demands, depot=depot, capacity=capacity, **options
    )


def described(problem: TSP | VRP) -> str:
    """Return all that is needed to have ``problem`` again, for the message of a test that fails."""
    chosen = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(problem).items()
        if value is not None and name not in {"metric", "name", "best_known", "display", "labels"}
    }
    return f"{problem.name}, {problem.metric.name}: {chosen}"


@cache
def orders(n: int) -> np.ndarray:
    """Return all permutations of 0..n-1, one a row."""
    return np.array(list(permutations(range(n))), np.int8).reshape(-1, n)


def shortest_tour(problem: TSP) -> np.ndarray | None:
    """Return the best of all permutations, or None if none keeps the ends and the fixed edges."""
    n = problem.n
    tours = orders(n)
    if not problem.open:
        tours = tours[tours[:, 0] == 0]
    tours = tours[(problem.first is None) | (tours[:, 0] == problem.first)]
    tours = tours[(problem.last is None) | (tours[:, -1] == problem.last)]
    after = tours[:, 1:] if problem.open else np.roll(tours, -1, axis=1)
    before = tours[:, : after.shape[1]]
    held = np.ones(len(tours), bool)
    for a, b in problem.fixed_edges.tolist():
        held &= (((before == a) & (after == b)) | ((before == b) & (after == a))).any(axis=1)
    if not held.any():
        return None
    table = np.asarray(problem.distances(*np.indices((n, n))))
    costs = np.where(held, table[before, after].sum(axis=1), np.inf)
    return tours[costs.argmin()].astype(np.int32)


def cheapest_routes(problem: VRP) -> list[np.ndarray] | None:
    """Return the best of all ways to divide the customers into routes, or None if none keeps the limits."""
    customers = problem.customers.tolist()
    tables = [problem.distances(*np.indices((problem.n, problem.n)))]
    tables += [tables[0] if limit.travel is None else limit.travel for limit in problem.limits]
    routes: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
    for count in range(1, len(customers) + 1):
        for some in combinations(customers, count):
            if problem.demands[list(some)].sum() > problem.capacity * (1 + 1e-12):
                continue
            ways = orders(count).astype(int)
            stops = np.full((len(ways), count + 2), problem.depot)
            stops[:, 1:-1] = np.array(some)[ways]
            travel, *used = (table[stops[:, :-1], stops[:, 1:]].sum(axis=1) for table in tables)
            fits = np.ones(len(ways), bool)
            for limit, amount in zip(problem.limits, used, strict=True):
                fits &= amount + limit.services[list(some)].sum() <= limit.most * (1 + LIMIT_TOLERANCE)
            if fits.any():
                best_way = int(np.where(fits, travel, np.inf).argmin())
                routes[frozenset(some)] = (
                    travel[best_way].item() + problem.fixed_cost, tuple(stops[best_way, 1:-1].tolist())
                )  # fmt: skip

    most = problem.vehicles or len(customers)

    @cache
    def best(left: frozenset[int], vehicles: int) -> tuple[float, tuple[tuple[int, ...], ...]]:
        if not left:
            return 0, ()
        found = (np.inf, ())
        for some, (cost, way) in routes.items() if vehicles else ():
            if min(left) in some <= left:
                more, others = best(left - some, vehicles - 1)
                found = min(found, (cost + more, (way, *others)))
        return found

    cost, chosen = best(frozenset(customers), most)
    return None if cost == np.inf else [np.array(way, np.int32) for way in chosen]


def roads(n: int) -> VRP:
    """Return asymmetric distances, and a limit on durations that are asymmetric too."""
    matrix, durations = np.random.default_rng(n).integers(1, 50, (2, n, n))
    demands = np.arange(n) > 0
    clock = Clock(np.ones(n), durations=durations)
    return VRP("roads", METRICS["EXPLICIT"], matrix, demands=demands, capacity=9, clock=clock, max_duration=150.0)
