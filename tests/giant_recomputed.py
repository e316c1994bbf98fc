"""Random problems with giant tours, and all of their neighbours by full recomputation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from giant_problems import time_of
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.neighborhoods.move import Move
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.resources import resources_of


def problem(
    seed: int,
    customers: int,
    metric: str = "EUC_2D",
    *,
    limit: bool = True,
    fixed: float = 0,
    vehicles: int | None = None,
) -> VRP:
    """Return a problem whose limits rule out about half of all neighbours."""
    rng = np.random.default_rng(seed)
    n = customers + 1
    points = rng.integers(0, 30, (n, 2)).astype(float) if metric != "EUCLIDEAN" else rng.random((n, 2)) * 30
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    options = {"max_distance": 150.0, "service_times": rng.integers(0, 4, n).astype(float)} if limit else {}
    capacity = max(int(demands.max()), int(demands.sum() * 0.6))
    return VRP(
        "random", METRICS[metric], points, demands=demands, capacity=capacity, fixed_cost=fixed,
        vehicles=vehicles, **options,
    )  # fmt: skip


def with_windows(given: VRP, routes: int, seed: int) -> GiantInstance:
    """Return an instance with a third resource: time, within a window at each customer."""
    rng = np.random.default_rng(seed)
    opens = np.where(np.arange(given.n) > 0, rng.integers(0, 60, given.n), 0).astype(float)
    closes = np.where(np.arange(given.n) > 0, opens + rng.integers(60, 200, given.n), 400).astype(float)
    time = time_of(given, opens, closes, np.full(given.n, 2.0))
    return GiantInstance.of(given, routes, (*resources_of(given), time))


def giant_tour(instance: GiantInstance, seed: int) -> np.ndarray:
    """Return a random giant tour with empty routes, whose copies of the depot are in any order."""
    inner = np.random.default_rng(seed).permutation(np.arange(1, instance.nodes - 1))
    return np.concatenate(([instance.nodes - 1], inner, [instance.nodes])).astype(np.int32)


def objective(instance: GiantInstance, giant: np.ndarray) -> float:
    """Return the length of a giant tour with the penalties for its routes."""
    places = instance.places(giant)
    routes = instance.routes - int(((places[:-1] == 0) & (places[1:] == 0)).sum())
    length = float(np.asarray(instance.problem.distances(places[:-1], places[1:]))[places[:-1] != places[1:]].sum())
    excess = max(0, routes - instance.vehicles)
    return length + instance.problem.fixed_cost * routes + instance.weight * excess


def feasible(instance: GiantInstance, giant: np.ndarray) -> bool:
    """Return whether all resources stay within their intervals."""
    places = instance.places(giant)
    lengths = np.asarray(instance.problem.distances(places[:-1], places[1:]), float)
    for one in instance.resources:
        value = one.low[0]
        for i, j, apart in zip(places[:-1], places[1:], lengths, strict=True):
            value = max(one.low[j], value + one.travel * (apart if i != j else 0) + one.leave[i] + one.enter[j])
            if value > one.high[j]:
                return False
            value = value if j else one.low[0]
    return True


def moves(last: int, neighborhood: int) -> Iterator[Move]:
    """Yield all moves in the order of their ranks."""
    yield from combinations(range(last), 2)
    if neighborhood == 3:
        yield from ((*edges, p) for edges in combinations(range(last), 3) for p in range(4))


def fitness(instance: GiantInstance, giant: np.ndarray, neighborhood: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the delta and feasibility of all neighbours in the order of their ranks."""
    before = objective(instance, giant)
    neighbours = [apply(giant, move) for move in moves(len(giant) - 1, neighborhood)]
    deltas = np.array([objective(instance, neighbour) - before for neighbour in neighbours])
    return deltas, np.array([feasible(instance, neighbour) for neighbour in neighbours])
