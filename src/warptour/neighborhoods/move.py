"""The contract of a neighbourhood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import Problem

Move: TypeAlias = tuple[int, ...]
"""Places in the tour, and what else the neighbourhood says."""

Ints: TypeAlias = NDArray[np.int32]


class Neighborhood(Protocol):
    """The moves of a closed tour. A move's rank is its place in :meth:`moves`, which is lexicographic."""

    name: ClassVar[str]

    def moves(self, n: int) -> Iterator[Move]:
        """Yield all moves of a tour of ``n`` cities in the order of their rank."""

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return exactly what ``move`` adds to the cost; below 0 it improves the tour."""

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour that ``move`` leads to; the given one is not changed."""
