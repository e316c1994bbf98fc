"""Places of nodes in a plane: given, or such that their distances resemble those of a matrix.

Multidimensional scaling with pivots (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of
large data", 2007). Places order and group routes; no cost depends on them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import VRP

Floats = NDArray[np.float64]

PIVOTS: Final = 50
"""Nodes from which distances are looked at."""

MIN_SHARE: Final = 0.5
"""Minimum share of the variance that two dimensions must have: about 0.9 on road networks, 0.1 for random numbers."""


def places_of(problem: VRP) -> Floats | None:
    """Return coordinates of the nodes, shape (n, 2); None for a matrix that resembles no plane."""
    if problem.map is not None:
        return np.asarray(problem.map, np.float64)[:, :2]
    matrix = problem.matrix
    assert matrix is not None
    far = np.full(problem.n, np.inf)
    columns: list[Floats] = []
    node = problem.depot
    for _ in range(min(PIVOTS, problem.n)):  # each pivot is the farthest from those before
        column = (matrix[node].astype(np.float64) + matrix[:, node]) / 2
        column[node] = 0.0
        far = np.minimum(far, column)
        columns.append(column)
        node = int(far.argmax())
    squares = np.stack(columns, axis=1) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    values, vectors = np.linalg.eigh(centred.T @ centred)
    if problem.n < 3 or values[-2:].sum() < MIN_SHARE * values.sum() or values.sum() == 0:
        return None
    places: Floats = centred @ vectors[:, -2:] / np.sqrt(values[-2:])
    return places
