"""Problems of every metric, for the tests of engines."""

from __future__ import annotations

import numpy as np

from warptour.model.metric import METRICS
from warptour.model.problem import TSP

NAMES = list(METRICS)


def problem_of(name: str, n: int, seed: int = 0, *, grid: int = 500) -> TSP:
    """Random cities; a small ``grid`` gives ties and cities in the same place."""
    rng = np.random.default_rng(seed)
    metric = METRICS[name]
    if metric.norm == "matrix":
        half = np.triu(rng.integers(1, grid, (n, n)), 1)
        return TSP.from_matrix(half + half.T)
    if not metric.planar:
        return TSP(name, metric, rng.uniform((-80, -170), (80, 170), (n, 2)).round(2))
    return TSP(name, metric, rng.integers(0, grid, (n, metric.dimensions)).astype(float))
