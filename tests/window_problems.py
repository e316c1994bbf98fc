"""Problems of every kind that a window may hold, and a tour of each to start from."""

from __future__ import annotations

import numpy as np

from random_cities import COORDINATE_NAMES, cities
from warptour.model.problem import TSP


def feasible_tour(problem: TSP, seed: int = 0) -> np.ndarray:
    """A random tour, or where it must hold something, the file's order, which these problems allow."""
    if problem.open or len(problem.fixed_edges):
        return np.arange(problem.n, dtype=np.int32)
    return np.random.default_rng(seed).permutation(problem.n).astype(np.int32)


PROBLEMS = [
    *(cities(n) for n in (8, 9, 10, 13, 40, 150)),
    *(cities(60, name) for name in COORDINATE_NAMES),
    cities(8, "EXPLICIT"),
    cities(50, "EXPLICIT"),
    cities(30, open=True),
    cities(120, open=True, first=0),
    cities(30, open=True, last=29),
    cities(30, open=True, first=0, last=29),
    cities(120, fixed_edges=np.array([[0, 1], [1, 2], [2, 3], [50, 51], [119, 0]])),
    cities(30, "EUCLIDEAN", open=True, first=0, fixed_edges=np.array([[0, 1], [28, 29], [14, 15]])),
    cities(30, "EXPLICIT", open=True, last=29, fixed_edges=np.array([[3, 4]])),
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
