"""Linear programs by HiGHS, of which only values and dual prices are used, and those never trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.bound.highs import quiet_solver, require_highs

LONGEST_SECONDS = 1e9
"""Time of a solution without a limit."""

Floats: TypeAlias = NDArray[np.float64]
Entries: TypeAlias = Sequence[tuple[NDArray[np.int32], Floats]]
"""Indices and coefficients of each row or column that is added."""


def require_solver() -> None:
    """Raise :class:`MissingLibrary` where HiGHS is not installed."""
    require_highs("bounds for vehicles")


class LinearProgram:
    """A linear program with variables of at least 0 that is minimised, and solved again after rows or columns join it.

    ``values``, ``prices``: of the columns and of the rows, after :meth:`solve`
    ``cost``: the minimum
    """

    def __init__(self, lower: Floats, upper: Floats) -> None:
        require_solver()
        self._solver, statuses = quiet_solver()
        self._solved = statuses.kOptimal
        self.values, self.prices, self.cost = np.zeros(0), np.zeros(len(lower)), 0.0
        self.add_rows(lower, upper, [(np.zeros(0, np.int32), np.zeros(0))] * len(lower))

    def add_rows(self, lower: Floats, upper: Floats, entries: Entries) -> None:
        """Add rows, whose entries are columns."""
        if len(entries):
            self._solver.addRows(len(entries), lower, upper, *_packed(entries))

    def add_columns(self, costs: Floats, upper: Floats, entries: Entries) -> None:
        """Add columns, whose entries are rows."""
        if len(entries):
            self._solver.addCols(len(entries), costs, np.zeros(len(entries)), upper, *_packed(entries))

    def drop_rows(self, rows: NDArray[np.int32]) -> None:
        """Remove rows; those behind them move up."""
        if len(rows):
            self._solver.deleteRows(len(rows), rows.astype(np.int32))

    def drop_columns(self, columns: NDArray[np.int32]) -> None:
        """Remove columns, also from the values; those behind them move up."""
        if len(columns):
            self.values = np.delete(self.values, columns[columns < len(self.values)])
            self._solver.deleteCols(len(columns), columns.astype(np.int32))

    def solve(self, seconds: float) -> bool:
        """Solve within the time; return whether there is a solution."""
        if seconds <= 0:
            return False
        limit = self._solver.getRunTime() + min(seconds, LONGEST_SECONDS)
        self._solver.setOptionValue("time_limit", limit)
        self._solver.run()
        if self._solver.getModelStatus() != self._solved:
            return False
        solution = self._solver.getSolution()
        self.values, self.prices = np.array(solution.col_value), np.array(solution.row_dual)
        self.cost = float(self._solver.getInfo().objective_function_value)
        return bool(np.isfinite(self.prices).all())


def _packed(entries: Entries) -> tuple[int, NDArray[np.int32], NDArray[np.int32], Floats]:
    """Return entries as HiGHS takes them: their number, where each row or column begins, indices and coefficients."""
    sizes = [len(index) for index, _ in entries]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int32)
    index = np.concatenate([index for index, _ in entries]).astype(np.int32)
    return int(sum(sizes)), starts, index, np.concatenate([value for _, value in entries]).astype(np.float64)
