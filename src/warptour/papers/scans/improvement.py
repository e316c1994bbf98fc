"""Best-improvement move of a tour, or the proof that no move improves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import Tolerance


class ExactScans(Protocol):
    """An engine that evaluates all moves of a neighbourhood exactly."""

    problem: TSP
    tolerance: Tolerance

    def best_row(self, tour: Ints, kept: float) -> Iterator[tuple[Move, int | float]]:
        """Yield the moves and exact deltas of the row with the smallest delta, best first.

        The row is chosen with the lengths of tour edges multiplied by ``kept``. Where no delta is negative, there may
        be no row.
        """

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""


def best_improvement(engine: ExactScans, tour: Ints) -> tuple[Move, int | float] | None:
    """Return the best move that improves ``tour`` and its exact delta; None proves that no move does.

    If the smallest delta is negative but within the error bound of its own edges, it could hide smaller gains among
    shorter edges. A second scan then shortens the tour edges by their share of the error.
    """
    best = next(engine.best_row(tour, 1.0), None)
    if best is None or not best[1] < -engine.tolerance.absolute:
        return None
    if _improves(engine, tour, best):
        return best
    row = engine.best_row(tour, 1.0 - engine.tolerance.relative)
    return next((found for found in row if _improves(engine, tour, found)), None)


def _improves(engine: ExactScans, tour: Ints, found: tuple[Move, int | float]) -> bool:
    move, delta = found
    if not engine.tolerance.relative:  # integers
        return delta < -engine.tolerance.absolute
    return delta < 0 and engine.tolerance.improves(engine.problem, tour, engine.apply(tour, move))
