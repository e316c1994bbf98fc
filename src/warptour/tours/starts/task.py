"""What a construction heuristic is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over
from warptour.model.problem import TSP


@dataclass(frozen=True, eq=False)
class StartTask:
    """A tour to be constructed."""

    problem: TSP
    rng: np.random.Generator
    # (n, K): the neighbour lists, if already available; only ``greedy`` uses them
    candidates: NDArray[np.int32] | None = None
    threads: int | None = None  # None for all CPUs. The tour does not depend on it.
    over: Over | None = None  # once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
