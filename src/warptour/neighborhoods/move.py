"""The interface of a neighbourhood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import Problem

Move: TypeAlias = tuple[int, ...]
"""Tour positions, and further parameters of the neighbourhood."""

Ints: TypeAlias = NDArray[np.int32]


class Neighborhood(Protocol):
    """The moves of a closed tour. A move's rank is its index in :meth:`moves`, which is in lexicographic order."""

    name: ClassVar[str]

    def moves(self, n: int) -> Iterator[Move]:
        """Yield all moves of a tour of ``n`` cities, by rank."""

    def delta(self, problem: Problem, tour: Ints, move: Move) -> int | float:
        """Return the exact change in cost by ``move``; negative if it improves the tour."""

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``; ``tour`` is not modified."""
