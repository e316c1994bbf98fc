"""The linear program over some edges and cuts, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.bound.cutting.cut import TourCut
from warptour.bound.highs import quiet_solver
from warptour.bound.instance import Floats, Ints
from warptour.kernels.groups import Unfinished

PATIENCE = 10
"""Solutions for which a cut may be slack before it is dropped."""

SLACK = 1e-6
"""Slack, as a share of the right-hand side, that counts."""


@dataclass(frozen=True)
class Solved:
    """A solution: its value, that of each edge, and the duals of degrees and cuts."""

    value: float
    x: Floats
    degrees: Floats
    duals: Floats


class TourProgram:
    """Minimise the length of x with a degree of 2 at each node and all cuts.

    ``one``, ``two``: ends of the edges, the lower node first
    ``low``, ``high``: bounds of their values
    ``column``: number of each edge
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.one = self.two = np.empty(0, np.int32)
        self.low = self.high = self._lengths = np.empty(0)
        self.column: dict[tuple[int, int], int] = {}
        self.cuts: list[TourCut] = []
        self._keys: set[bytes] = set()
        self._idle = np.empty(0, np.int32)
        self._highs, self._statuses = quiet_solver()
        self._highs.setOptionValue("solver", "simplex")
        nothing = np.empty(0, np.int32)
        self._highs.addRows(n, np.full(n, 2.0), np.full(n, 2.0), 0, np.zeros(n, np.int32), nothing, np.empty(0))

    def add_edges(self, one: Ints, two: Ints, lengths: Floats) -> int:
        """Add the edges that are new; return how many."""
        pairs = list(zip(one.tolist(), two.tolist(), strict=True))
        new = np.array([pair not in self.column for pair in pairs], bool)
        one, two, lengths = one[new], two[new], lengths[new]
        many, before = len(one), len(self.one)
        if many == 0:
            return 0
        for at, pair in enumerate(zip(one.tolist(), two.tolist(), strict=True)):
            self.column[pair] = before + at
        self.one, self.two = np.append(self.one, one), np.append(self.two, two)
        self._lengths = np.append(self._lengths, lengths)
        self.low, self.high = np.append(self.low, np.zeros(many)), np.append(self.high, np.ones(many))
        edges, rows, values = entries(self.cuts, one, two)
        ends = np.arange(many)
        start, index, value = compressed(
            many, np.concatenate((ends, ends, edges)), np.concatenate((one, two, rows + self.n)),
            np.concatenate((np.ones(2 * many), values)),
        )  # fmt: skip
        self._highs.addCols(many, lengths, np.zeros(many), np.ones(many), len(index), start, index, value)
        return many

    def add_cuts(self, cuts: list[TourCut]) -> int:
        """Add the cuts that are new; return how many."""
        new: list[TourCut] = []
        for cut in cuts:
            if cut.key not in self._keys:
                self._keys.add(cut.key)
                new.append(cut)
        if not new:
            return 0
        edges, rows, values = entries(new, self.one, self.two)
        start, index, value = compressed(len(new), rows, edges, values)
        least = np.array([cut.least for cut in new], np.float64)
        self._highs.addRows(len(new), least, np.full(len(new), np.inf), len(index), start, index, value)
        self.cuts.extend(new)
        self._idle = np.append(self._idle, np.zeros(len(new), np.int32))
        return len(new)

    def bound_edges(self, columns: Ints, low: Floats, high: Floats) -> None:
        """Set the bounds of some edges."""
        self.low[columns], self.high[columns] = low, high
        self._highs.changeColsBounds(len(columns), columns.astype(np.int32), low, high)

    def solve(self, seconds: float) -> Solved | None:
        """Return the solution; None if there is none. Raises Unfinished if that is not known in time."""
        highs = self._highs
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.0, seconds))
        highs.run()
        status = highs.getModelStatus()
        if status == self._statuses.kInfeasible:
            return None
        if status != self._statuses.kOptimal:
            raise Unfinished
        solution = highs.getSolution()
        rows, duals = np.array(solution.row_value), np.array(solution.row_dual)
        least = np.array([cut.least for cut in self.cuts], np.float64)
        self._idle = np.where(rows[self.n :] > least * (1 + SLACK), self._idle + 1, 0).astype(np.int32)
        value = float(highs.getInfo().objective_function_value)
        return Solved(value, np.array(solution.col_value), duals[: self.n], duals[self.n :])

    def solve_softly(self, penalty: float, seconds: float) -> Solved:
        """Return the solution where each fixed edge may break its bound, at a price; there always is one."""
        columns = np.flatnonzero(self.low == self.high).astype(np.int32)
        low, high, many = self.low[columns], self.high[columns], len(columns)
        prices = np.where(low > 0, -penalty, penalty)
        self._highs.changeColsCost(many, columns, self._lengths[columns] + prices)
        self.bound_edges(columns, np.zeros(many), np.ones(many))
        try:
            solved = self.solve(seconds)
        finally:
            self._highs.changeColsCost(many, columns, self._lengths[columns])
            self.bound_edges(columns, low, high)
        if solved is None:
            raise Unfinished
        return solved

    def drop_idle(self) -> None:
        """Drop the cuts that have been slack for long."""
        idle = self._idle > PATIENCE
        if not idle.any():
            return
        rows = np.flatnonzero(idle).astype(np.int32)
        self._highs.deleteRows(len(rows), rows + self.n)
        for row in rows.tolist():
            self._keys.discard(self.cuts[row].key)
        self.cuts = [cut for cut, out in zip(self.cuts, idle.tolist(), strict=True) if not out]
        self._idle = self._idle[~idle]

    def probe(self, column: int, value: float, pivots: int) -> float:
        """Return the value of the program with an edge at 0 or 1 after so many pivots; everything is as before then."""
        highs = self._highs
        basis = highs.getBasis()
        highs.changeColBounds(column, value, value)
        highs.setOptionValue("simplex_iteration_limit", pivots)
        highs.run()
        status = highs.getModelStatus()
        found = float(highs.getInfo().objective_function_value)
        highs.setOptionValue("simplex_iteration_limit", 2**31 - 1)
        highs.changeColBounds(column, self.low[column], self.high[column])
        highs.setBasis(basis)
        return np.inf if status == self._statuses.kInfeasible else found


def entries(
    cuts: list[TourCut], one: Ints, two: Ints
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the coefficients of edges in cuts: numbers of edges, numbers of cuts, and values."""
    if not cuts or len(one) == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    rows, edges = np.nonzero(table := np.array([cut.coefficients(one, two) for cut in cuts]))
    return edges, rows, table[rows, edges]


def compressed(
    rows: int, row: NDArray[np.integer], index: NDArray[np.integer], value: NDArray[np.generic]
) -> tuple[Ints, Ints, Floats]:
    """Return the entries of a sparse matrix row by row: where each begins, the columns and the values."""
    order = np.argsort(row, kind="stable")
    start = np.searchsorted(row[order], np.arange(rows)).astype(np.int32)
    return start, index[order].astype(np.int32), value[order].astype(np.float64)
