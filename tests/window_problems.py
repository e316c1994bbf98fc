"""Problems of every kind that a window may hold, and a tour of each to start from."""

from __future__ import annotations

import numpy as np

from warptour.model.metric import METRICS
from warptour.model.problem import TSP

METRIC_NAMES = [name for name, metric in METRICS.items() if metric.norm != "matrix"]


def cities(n: int, metric: str = "EUC_2D", side: int = 300, **options: object) -> TSP:
    rng = np.random.default_rng(n)
    rule = METRICS[metric]
    if not rule.planar:
        return TSP("few", rule, rng.uniform((-80, -170), (80, 170), (n, 2)).round(2), **options)
    return TSP("few", rule, rng.integers(0, side, (n, rule.dimensions)).astype(float), **options)


def table(n: int, **options: object) -> TSP:
    half = np.triu(np.random.default_rng(n).integers(1, 500, (n, n)), 1)
    return TSP.from_matrix(half + half.T, **options)


def feasible_tour(problem: TSP, seed: int = 0) -> np.ndarray:
    """A random tour, or where it must hold something, the file's order, which these problems allow."""
    if problem.open or len(problem.fixed_edges):
        return np.arange(problem.n, dtype=np.int32)
    return np.random.default_rng(seed).permutation(problem.n).astype(np.int32)


PROBLEMS = [
    *(cities(n) for n in (8, 9, 10, 13, 40, 150)),
    *(cities(60, name) for name in METRIC_NAMES),
    table(8),
    table(50),
    cities(30, open=True),
    cities(120, open=True, first=0),
    cities(30, open=True, last=29),
    cities(30, open=True, first=0, last=29),
    cities(120, fixed_edges=np.array([[0, 1], [1, 2], [2, 3], [50, 51], [119, 0]])),
    cities(30, "EUCLIDEAN", open=True, first=0, fixed_edges=np.array([[0, 1], [28, 29], [14, 15]])),
    table(30, open=True, last=29, fixed_edges=np.array([[3, 4]])),
]


ODD = {
    "one place": np.zeros((40, 2)),
    "two places": np.repeat([[0.0, 0.0], [7.0, 1.0]], 20, axis=0),
    "half in one place": np.concatenate((np.zeros((40, 2)), np.random.default_rng(1).integers(0, 99, (40, 2)))),
    "a line": np.column_stack((np.random.default_rng(2).permutation(50), np.zeros(50))),
    "a line with stops shared": np.column_stack((np.arange(60) % 7, np.zeros(60))),
    "a grid": np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), -1).reshape(-1, 2),
    "thirds far away": np.stack(np.meshgrid(np.arange(6) / 3, np.arange(6) / 3), -1).reshape(-1, 2) + 1e6,
}
