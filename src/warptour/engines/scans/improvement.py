"""The best move that improves a tour, or the proof that none does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import Tolerance


class ExactScans(Protocol):
    """An engine that scans all moves of a neighbourhood exactly."""

    problem: TSP
    tolerance: Tolerance

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the least exact delta, the first of equals, and that delta; None if there is no move."""

    def best_row(self, tour: Ints, kept: float) -> Iterator[tuple[Move, int | float]]:
        """Yield the moves and exact deltas of the row whose least delta is least, best first.

        For the choice of the row, the edges of the tour count as ``kept`` times as long as they are.
        """

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour that ``move`` leads to."""


def best_improvement(engine: ExactScans, tour: Ints) -> tuple[Move, int | float] | None:
    """Return the best move that improves ``tour`` and its exact delta; None proves that no move does.

    A delta below zero within the error of its own edges would hide smaller gains among shorter edges. Then a second
    scan is made, in which the edges of the tour count as shorter by their share of the error.
    """
    best = engine.best_move(tour)
    if best is None or not best[1] < -engine.tolerance.absolute:
        return None
    if _improves(engine, tour, best):
        return best
    row = engine.best_row(tour, 1.0 - engine.tolerance.relative)
    return next((found for found in row if _improves(engine, tour, found)), None)


def _improves(engine: ExactScans, tour: Ints, found: tuple[Move, int | float]) -> bool:
    move, delta = found
    return delta < 0 and engine.tolerance.improves(engine.problem, tour, engine.apply(tour, move), delta)
