"""Uniform and clustered points, as in the DIMACS challenge, and a lattice."""

from __future__ import annotations

import numpy as np

from warptour.io.generators.points import SIDE, pieces, planar
from warptour.model.problem import TSP


def uniform(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return points uniform in the square."""
    points = np.empty((n, 2))
    for piece in pieces(n):
        points[piece] = random.integers(0, SIDE, (piece.stop - piece.start, 2))
    return planar(name, points)


def clustered(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return points that are normally distributed around one centre per hundred."""
    centres = random.integers(0, SIDE, (max(1, n // 100), 2))
    points = random.standard_normal((n, 2))
    for piece in pieces(n):
        spread = points[piece] * (SIDE / np.sqrt(n))
        points[piece] = np.rint(centres[random.integers(0, len(centres), len(spread))] + spread) + 0.0  # no -0.0
    return planar(name, points)


def grid(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return the first ``n`` points of a square lattice, in random order."""
    width = int(np.ceil(np.sqrt(n)))
    places = random.permutation(n)
    points = np.empty((n, 2))
    for piece in pieces(n):
        points[piece] = 100 * np.stack((places[piece] % width, places[piece] // width), axis=1)
    return planar(name, points)
