"""Initial tours that are a plain order of the cities: random, file order, along a space-filling curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.hilbert import space_order
from warptour.kernels.groups import Over
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.tours.starts.chains import arrange

Int32s = NDArray[np.int32]


def random(
    problem: TSP,
    rng: np.random.Generator,
    candidates: Int32s | None = None,
    threads: int | None = None,
    over: Over | None = None,
) -> Int32s:
    """Return a random tour."""
    return arrange(problem, rng.permutation(problem.n))


def file(
    problem: TSP,
    rng: np.random.Generator,
    candidates: Int32s | None = None,
    threads: int | None = None,
    over: Over | None = None,
) -> Int32s:
    """Return the cities in file order."""
    return arrange(problem, np.arange(problem.n))


def curve(
    problem: TSP,
    rng: np.random.Generator,
    candidates: Int32s | None = None,
    threads: int | None = None,
    over: Over | None = None,
) -> Int32s:
    """Return the cities along a Hilbert curve, about 25 to 40% above the optimum; it is deterministic."""
    where = problem if problem.matrix is None else problem.display
    if where is None:
        raise UnsupportedError("the start 'curve' needs coordinates, and the problem is a matrix; 'greedy' does not")
    return arrange(problem, space_order(where, threads=threads))
