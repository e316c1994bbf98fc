"""Points that are drawn in pieces, so that an instance takes little more memory than its coordinates.

The kinds since ``picture`` use integers and single operations that IEEE 754 rounds correctly (``+ - * /``, square
roots): ``exp``, ``log`` or ``sin`` may differ in the last bit between machines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import METRICS
from warptour.model.problem import TSP

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Points: TypeAlias = Ints | Floats

SIDE: Final = 1_000_000
"""Side of the square of most kinds, as in the DIMACS challenge."""

PIECE: Final = 1 << 17
"""Nodes that are drawn at once; the points are the same for any number."""

SUMMANDS: Final = 4
"""Uniform numbers whose sum stands for a normal one."""


def planar(name: str, points: Points) -> TSP:
    """Return the instance of these points with EUC_2D distances."""
    points.flags.writeable = False  # else they would be copied
    return TSP(name, METRICS["EUC_2D"], points)


def pieces(n: int) -> Iterator[slice]:
    """Yield the nodes in pieces."""
    for at in range(0, n, PIECE):
        yield slice(at, min(n, at + PIECE))


def lengths(n: int) -> Iterator[int]:
    """Yield the number of nodes in each piece."""
    return (piece.stop - piece.start for piece in pieces(n))


def fill(points: Floats, blocks: Iterable[Points], random: np.random.Generator) -> None:
    """Store the rows of ``blocks``, as many as ``points`` has, in random order."""
    order = random.permutation(len(points))
    at = 0
    for block in blocks:
        points[order[at : at + len(block)]] = block
        at += len(block)


def scattered(n: int, random: np.random.Generator) -> Iterator[Ints]:
    """Yield ``n`` points uniform in the square."""
    return (random.integers(0, SIDE, (length, 2)) for length in lengths(n))


def bell(n: int, random: np.random.Generator) -> Floats:
    """Return ``n`` steps in the plane: about normal, standard deviation 1, at most 3.5 along an axis."""
    unit = 1 << 16
    total = random.integers(0, unit, (n, 2, SUMMANDS)).sum(axis=2) - SUMMANDS * (unit - 1) // 2
    steps: Floats = total * (math.sqrt(12 / SUMMANDS) / unit)
    return steps
