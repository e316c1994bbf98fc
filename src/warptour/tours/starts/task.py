"""What a construction heuristic is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over
from warptour.model.problem import TSP


@dataclass(frozen=True, eq=False)
class StartTask:
    """A tour to be constructed.

    Attributes
    ----------
    problem : TSP
    rng : Generator
    candidates : array of int32, shape (n, K), or None
        The neighbour lists, if already available; only ``greedy`` uses them.
    threads : int or None
        None for all CPUs. The tour does not depend on it.
    over : callable, optional
        Once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`.
    """

    problem: TSP
    rng: np.random.Generator
    candidates: NDArray[np.int32] | None = None
    threads: int | None = None
    over: Over | None = None
