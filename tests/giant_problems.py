"""Random vehicle routing problems and giant tours for the tests of ``papers/schulz/engine``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from warptour.model.limits import SEARCHED_LIMIT
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.neighborhoods.move import Ints
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.resources import Resource, resources_of
from warptour.routes.engine.instance import depot_first

KINDS = ("EUC_2D", "EUCLIDEAN", "CEIL_2D", "EXPLICIT")
"""Metrics with integral and real distances, computed and given."""


def random_vrp(seed: int, customers: int, kind: str = "EUC_2D", **options: Any) -> VRP:
    """Return a problem with limits that about half of all random routes keep, some without any but the capacity."""
    rng = np.random.default_rng(seed)
    n = customers + 1
    depot = int(rng.integers(n))
    if kind == "EXPLICIT":
        table = rng.integers(0, 100, (n, n))
        points = table + table.T  # the diagonal is not 0, and must not count
    else:
        points = rng.integers(0, 100, (n, 2)) + (0 if METRICS[kind].integral else rng.random((n, 2)))
    demands, services = rng.integers(0, 10, n), rng.integers(0, 20, n)
    demands[depot] = 0
    given: dict[str, Any] = {
        "demands": demands,
        "depot": depot,
        "capacity": int(rng.integers(9, 25)),
        "max_distance": None if rng.integers(3) == 0 else int(rng.integers(200, 600)),
        "service_times": services if rng.integers(2) else np.zeros(n),
        "vehicles": None if rng.integers(2) else int(rng.integers(1, customers + 2)),
        "fixed_cost": [0, 7, 2.5][rng.integers(3)],
    }
    return VRP(f"random {seed}", METRICS[kind], points, **(given | options))


def time_of(problem: VRP, opens: np.ndarray, closes: np.ndarray, service: np.ndarray) -> Resource:
    """Return the time at which the service of each node begins, within its window; a unit of distance takes one.

    Windows close a little later, since the order of summation varies.
    """
    return Resource("time", 1.0, np.zeros(problem.n), service, opens, closes * (1 + SEARCHED_LIMIT))


def windows_of(problem: VRP, seed: int) -> Resource:
    """Return random time windows, with service on departure, so that direction matters; the depot is node 0."""
    rng = np.random.default_rng(seed)
    opens = rng.integers(0, 300, problem.n).astype(float)
    closes = opens + rng.integers(100, 500, problem.n)
    service = rng.integers(0, 30, problem.n).astype(float)
    opens[0], closes[0], service[0] = 10, 700, 0
    return time_of(problem, opens, closes, service)


def random_instance(
    seed: int, customers: int, routes: int, kind: str = "EUC_2D", *, windows: bool = False, **options: Any
) -> GiantInstance:
    """Return a random problem with giant tours of ``routes`` routes, with time windows as a third resource or not."""
    given = random_vrp(seed, customers, kind, **options)
    problem, _ = depot_first(given)
    resources = resources_of(problem)
    return GiantInstance.of(given, routes, (*resources, windows_of(problem, seed)) if windows else resources)


def random_giant(seed: int, instance: GiantInstance) -> Ints:
    """Return a giant tour with customers and copies of the depot in any order: feasible or not, with empty routes."""
    first, last = instance.customers + 1, instance.customers + instance.routes + 1
    inner = np.setdiff1d(np.arange(1, last), [first])
    return np.concatenate(([first], np.random.default_rng(seed).permutation(inner), [last])).astype(np.int32)


def scaled_limits(instance: GiantInstance, factor: float) -> GiantInstance:
    """Return the instance with the upper end of every interval multiplied by ``factor``."""
    return replace(instance, resources=tuple(replace(each, high=each.high * factor) for each in instance.resources))
