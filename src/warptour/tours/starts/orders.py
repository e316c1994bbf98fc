"""Initial tours that are a plain order of the cities: random, file order, along a space-filling curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.hilbert import space_order
from warptour.model.errors import UnsupportedError
from warptour.tours.starts.chains import arrange
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]


def random(task: StartTask) -> Int32s:
    """Return a random tour."""
    return arrange(task.problem, task.rng.permutation(task.problem.n))


def file(task: StartTask) -> Int32s:
    """Return the cities in file order."""
    return arrange(task.problem, np.arange(task.problem.n))


def curve(task: StartTask) -> Int32s:
    """Return the cities along a Hilbert curve, about 25 to 40% above the optimum; it is deterministic."""
    problem = task.problem
    where = problem if problem.matrix is None else problem.display
    if where is None:
        raise UnsupportedError("the start 'curve' needs coordinates, and the problem is a matrix; 'greedy' does not")
    return arrange(problem, space_order(where, threads=task.threads))
