"""The reference engine: plain Python over the neighbourhoods, simple enough to verify by reading.

It defines the result that other engines must reproduce: the move with the smallest delta and, among ties, the lowest
rank.
"""

from __future__ import annotations

import numpy as np

from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS, TwoOpt
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import tolerance


class ReferenceEngine:
    """Any neighbourhood on closed tours of one problem, not optimised for speed."""

    name = "reference"

    def __init__(self, problem: TSP, neighborhood: str = "2-opt") -> None:
        self.problem = problem
        self.neighborhood = NEIGHBORHOODS[neighborhood]
        self.tolerance = tolerance(problem)

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the smallest delta and that delta, or None if the tour has no move."""
        best: tuple[Move, int | float] | None = None
        for move in self.neighborhood.moves(len(tour)):
            delta = self.neighborhood.delta(self.problem, tour, move)
            if best is None or delta < best[1]:
                best = move, delta
        return best

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""
        return self.neighborhood.apply(tour, move)

    def descend(self, tour: Ints) -> Ints:
        """Return the local optimum reached by best improvement."""
        while (move := self.certify(tour)) is not None:
            tour = self.apply(tour, move)
        return tour

    def certify(self, tour: Ints) -> Move | None:
        """Return None if no move improves the tour, which proves it locally optimal, else the best improving move."""
        best: tuple[Move, int | float] | None = None
        for move in self.neighborhood.moves(len(tour)):
            delta = self.neighborhood.delta(self.problem, tour, move)
            if (best is None or delta < best[1]) and self.improves(tour, move, delta):
                best = move, delta
        return None if best is None else best[0]

    def improves(self, tour: Ints, move: Move, delta: float) -> bool:
        """Return whether a move's gain exceeds the arithmetic error."""
        return delta < 0 and self.tolerance.improves(self.problem, tour, self.apply(tour, move))


def best_two_opt(problem: TSP, tour: Ints) -> tuple[Move, float]:
    """Return the 2-opt move with the smallest delta, the first of ties, and that delta, a row of moves at a time."""
    rows = [TwoOpt().row(problem, tour, i) for i in range(len(tour) - 2)]
    i = int(np.argmin([row.min() for row in rows]))
    j = int(rows[i].argmin())
    return (i, i + 2 + j), float(rows[i][j])
