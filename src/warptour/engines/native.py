"""The native engine: a problem and its tours on the CPU's own instructions."""

from __future__ import annotations

import numpy as np

from warptour.engines.climbers import Climbers
from warptour.engines.scan import Over, exact_rows, fast_error, fast_metric, fast_rows
from warptour.engines.terrain import Terrain
from warptour.engines.tolerance import least_gain
from warptour.kernels.points import Points
from warptour.model.metric import Metric
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.two_opt import TwoOpt


class NativeEngine:
    """2-opt on closed tours of one problem.

    Parameters
    ----------
    problem : TSP
    threads : int
        Results do not depend on it.
    over : callable, optional
        Asked every 50 ms or so; once it returns True, scans end with :class:`Unfinished`.
    """

    name = "native"

    def __init__(self, problem: TSP, neighborhood: str = "2-opt", threads: int = 1, over: Over | None = None) -> None:
        self.problem = problem
        self.threads = threads
        self.over = over
        self.neighborhood = TwoOpt()
        self.least = least_gain(problem)
        self._points = Points.of(problem)
        self._terrain: Terrain | None = None

    @staticmethod
    def supports(metric: Metric, neighborhood: str, n: int) -> bool:
        """Whether the engine scans this neighbourhood: 2-opt, in every metric and size."""
        return neighborhood == "2-opt"

    def best_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the move with the least exact delta, the first of equals, and that delta; None if there is no move."""
        if len(tour) < 4:
            return None
        rows = exact_rows(self.problem, tour, self.threads, self.over, self._points)
        if rows is None:
            raise Unfinished
        return self._in_row(tour, int(rows.argmin()))

    def best_moves(self, tours: list[Ints]) -> list[tuple[Move, int | float] | None]:
        """Return :meth:`best_move` of each tour."""
        return [self.best_move(tour) for tour in tours]

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return about the best move, which does improve the tour, and its exact delta; None if no move does.

        The fast scan finds it and the exact metric confirms it; only when that fails is the exact scan made.
        """
        if fast_metric(self.problem.metric) and len(tour) >= 4:
            rows = fast_rows(self.problem, tour, self.threads, self.over)
            if rows is None:
                raise Unfinished
            row = int(rows.argmin())
            if rows[row] < -fast_error(self.problem):
                move, delta = self._in_row(tour, row)
                if delta < -self.least:
                    return move, delta
        best = self.best_move(tour)
        return best if best is not None and best[1] < -self.least else None

    def _in_row(self, tour: Ints, row: int) -> tuple[Move, int | float]:
        deltas = self.neighborhood.row(self.problem, tour, row)
        column = int(deltas.argmin())
        return (row, row + 2 + column), deltas[column].item()

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour that ``move`` leads to."""
        return self.neighborhood.apply(tour, move)

    def certify(self, tour: Ints) -> Move | None:
        """Return None if an exact scan finds no improving move, which proves ``tour`` 2-optimal, else the best move."""
        best = self.best_move(tour)
        return None if best is None or not best[1] < -self.least else best[0]

    def descend(self, tour: Ints, *, certified: bool = False) -> Ints:
        """Return a local optimum of 2-opt and or-opt over neighbour lists; if ``certified``, of all 2-opt moves too."""
        if self._terrain is None:
            self._terrain = Terrain.of(self.problem, threads=self.threads)
        while True:
            climber = Climbers(self._terrain, self._terrain.enter(tour))
            climber.descend()
            tour = self._terrain.leave(climber.best()[0])
            move = self.certify(tour) if certified else None
            if move is None:
                return np.ascontiguousarray(tour)
            tour = self.apply(tour, move)


class Unfinished(Exception):
    """A scan was told that the search is over."""
