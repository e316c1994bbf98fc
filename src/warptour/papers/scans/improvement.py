"""Best-improvement move of a tour, or the proof that no move improves it."""

from __future__ import annotations

from collections.abc import Iterator

from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move, Neighborhood
from warptour.neighborhoods.tolerance import Tolerance


class ExactScans:
    """An engine that evaluates all moves of a neighbourhood exactly."""

    problem: TSP
    neighborhood: Neighborhood
    tolerance: Tolerance

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        """Yield the moves and exact deltas of the row with the smallest delta, best first.

        The row is chosen with the lengths of tour edges multiplied by ``kept``. Where no delta is negative, there may
        be no row.
        """
        raise NotImplementedError

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best move that improves ``tour`` and its exact delta; None proves that no move does.

        If the smallest delta is negative but within the error bound of its own edges, it could hide smaller gains among
        shorter edges. A second scan then shortens the tour edges by their share of the error.
        """
        best = next(self.best_row(tour, 1.0), None)
        if best is None or not best[1] < -self.tolerance.absolute:
            return None
        if self._improves(tour, best):
            return best
        row = self.best_row(tour, 1.0 - self.tolerance.relative)
        return next((found for found in row if self._improves(tour, found)), None)

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""
        return self.neighborhood.apply(tour, move)

    def certify(self, tour: Ints) -> Move | None:
        """Return None if an exact scan finds no improving move, which proves a local optimum, else the best move."""
        best = self.best_improvement(tour)
        return None if best is None else best[0]

    def _improves(self, tour: Ints, found: tuple[Move, int | float]) -> bool:
        move, delta = found
        if not self.tolerance.relative:  # integers
            return delta < -self.tolerance.absolute
        return delta < 0 and self.tolerance.improves(self.problem, tour, self.apply(tour, move))
