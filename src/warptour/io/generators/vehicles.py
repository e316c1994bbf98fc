"""Customers of vehicles: after the X instances, and in towns with long routes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from warptour.io.generators.country import in_towns, settle
from warptour.io.generators.points import Points, fill, scattered
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP

DEMANDS: Final = np.repeat([1, 2, 3], [5, 3, 2])
"""Demands in towns and their frequencies, as of Arnold, Gendreau and Sörensen (2019)."""

CAPACITY: Final = 170
"""Capacity in towns: demands have a mean of 1.7."""


def vrp(name: str, n: int, random: np.random.Generator) -> VRP:
    """Return an instance after the X set: random depot position, customer layout, demand range and route size."""
    side = 1000 if n <= 10_000 else int(10 * np.sqrt(n))
    depot = [np.array([side // 2, side // 2]), np.array([0, 0]), random.integers(0, side + 1, 2)][random.integers(3)]
    customers = n - 1
    uniform = [customers, 0, customers // 2][random.integers(3)]
    points = np.concatenate(
        (depot[None], random.integers(0, side + 1, (uniform, 2)), _attracted(customers - uniform, side, random))
    )
    demands = np.zeros(n, np.int64)
    low, high = [(1, 1), (1, 10), (5, 10), (1, 100), (50, 100)][random.integers(5)]
    demands[1:] = random.integers(low, high + 1, customers)
    route_size = random.triangular(3.0, 6.0, 25.0)
    capacity = max(int(np.ceil(route_size * demands.sum() / customers)), int(demands.max()))
    return VRP(name, METRICS["EUC_2D"], points, demands=demands, capacity=capacity)


def _attracted(count: int, side: int, random: np.random.Generator) -> Points:
    """Return customers around 3 to 8 seeds, at distances from the seed with a mean of 80 per 1,000 of ``side``."""
    seeds = random.integers(0, side + 1, (int(random.integers(3, 9)), 2))
    kept = np.empty((0, 2), np.int64)
    while len(kept) < count:
        more = count - len(kept)
        angle, reach = random.uniform(0, 2 * np.pi, more), random.gamma(2.0, 40.0 * side / 1000, more)
        step = np.rint(np.stack((np.cos(angle), np.sin(angle)), 1) * reach[:, None]).astype(np.int64)
        drawn = seeds[random.integers(0, len(seeds), more)] + step
        kept = np.concatenate((kept, drawn[((drawn >= 0) & (drawn <= side)).all(axis=1)]))
    return kept


def towns(name: str, n: int, random: np.random.Generator) -> VRP:
    """Return an instance with a town per 60 customers, a fifth of them elsewhere, and the depot in the corner."""
    customers = n - 1
    country = settle(customers // 60, random)
    points = np.zeros((n, 2))
    rural = customers // 5
    blocks: Iterator[Points] = chain(in_towns(country, customers - rural, random), scattered(rural, random))
    fill(points[1:], blocks, random)
    demands = np.zeros(n, np.int64)
    demands[1:] = DEMANDS[random.integers(0, len(DEMANDS), customers)]
    return VRP(name, METRICS["EUC_2D"], points, demands=demands, capacity=CAPACITY)
