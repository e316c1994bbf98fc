"""Set partitioning by HiGHS: the cheapest routes of many that serve each customer once.

Also a program that reads and writes NumPy arrays, since HiGHS rarely polls, and a process can be ended at any time:
``python partition_routes.py < routes.npz > chosen.npy``. It imports nothing of warptour.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

PR_SET_PDEATHSIG: Final = 1
"""Option of the system call ``prctl`` that sets the signal sent when the parent dies."""

SHARES: Final = (0.025, 0.05, 0.1, 0.25, 1.0)
"""Shares of the gap up to which the reduced cost of a route may be. Of 3,512 routes of three annealings of X-n856-k95,
0.05 left 2,387, and the best of these took 1.1 s; among all of them nothing better than known was found in 18 s."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


def installed() -> bool:
    """Return whether HiGHS is installed."""
    return find_spec("highspy") is not None


def partition_routes(costs: Floats, ends: Ints, customers: Ints, known: Ints, most: int, seconds: float) -> Ints:
    """Return the numbers of the cheapest routes that serve each customer once, as far as found in time.

    First only routes of a small reduced cost are chosen from, then more and more. Those whose reduced cost exceeds the
    gap between the known routes and the linear relaxation are in no better partition (Baldacci et al. 2008).

    ``costs``: cost of each route
    ``ends``: where the customers of each route end
    ``customers``: customers of all routes, counted from 0; each is in one of the known routes
    ``known``: numbers of routes that serve each customer once
    ``most``: maximum number of routes
    """
    deadline = time.monotonic() + seconds
    rows = int(customers.max()) + 1
    relaxed = _solver(costs, ends, customers, rows, most)
    relaxed.setOptionValue("time_limit", seconds)
    relaxed.run()
    duals = np.array(relaxed.getSolution().row_dual)
    reduced = costs - np.add.reduceat(duals[customers], np.concatenate(([0], ends[:-1]))) - duals[rows]
    for share in SHARES:
        gap = float(costs[known].sum()) - relaxed.getInfo().objective_function_value
        left = deadline - time.monotonic()
        if left <= 0:
            break
        kept = np.union1d(np.flatnonzero(reduced <= share * gap * (1 + 1e-9) + 1e-9), known)
        sizes = np.diff(ends, prepend=0)[kept]
        inside = np.repeat(np.isin(np.arange(len(costs)), kept), np.diff(ends, prepend=0))
        ours = costs[kept], np.cumsum(sizes), customers[inside]
        found = kept[_chosen(*ours, np.isin(kept, known), most, left)]
        if costs[found].sum() < costs[known].sum():
            known = found
    return known.astype(np.int32)


def _chosen(
    costs: Floats, ends: Ints, customers: Ints, known: NDArray[np.bool_], most: int, seconds: float
) -> NDArray[np.bool_]:
    """Return which routes are the best partition found; ``known`` is one."""
    import highspy

    count, rows = len(costs), int(customers.max()) + 1
    solver = _solver(costs, ends, customers, rows, most)
    integral = np.full(count, highspy.HighsVarType.kInteger)
    solver.changeColsIntegrality(count, np.arange(count, dtype=np.int32), integral)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("time_limit", seconds)
    first = highspy.HighsSolution()
    first.col_value = known.astype(np.float64).tolist()
    solver.setSolution(first)
    solver.run()
    values = np.array(solver.getSolution().col_value)
    if len(values) < count:
        return known
    chosen = np.asarray(values > 0.5)
    served = np.bincount(customers[np.repeat(chosen, np.diff(ends, prepend=0))], minlength=rows)
    return chosen if bool((served == 1).all()) and np.count_nonzero(chosen) <= most else known


def _solver(costs: Floats, ends: Ints, customers: Ints, rows: int, most: int) -> Any:
    """Return HiGHS with a row for each customer, which is served once, and one for the number of routes."""
    import highspy

    count = len(costs)
    places = ends + np.arange(1, count + 1)
    index = np.insert(customers, ends, rows).astype(np.int32)  # each route ends with the row of their number
    problem = highspy.HighsLp()
    problem.num_col_, problem.num_row_ = count, rows + 1
    problem.col_cost_, problem.col_lower_, problem.col_upper_ = costs, np.zeros(count), np.ones(count)
    problem.row_lower_ = np.append(np.ones(rows), 0.0)
    problem.row_upper_ = np.append(np.ones(rows), float(most))
    problem.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    problem.a_matrix_.start_ = np.append(0, places).astype(np.int32)
    problem.a_matrix_.index_, problem.a_matrix_.value_ = index, np.ones(len(index))
    solver: Any = cast(Any, highspy).Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("parallel", "off")):
        solver.setOptionValue(option, value)
    solver.passModel(problem)
    return solver


def end_with_parent() -> None:
    """Let the system end this process when the one that started it dies, where it can: on Linux."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    end_with_parent()
    given = np.load(sys.stdin.buffer)
    routes, ends_of, visits, first = (given[name] for name in ("costs", "ends", "customers", "known"))
    limit, time_left = given["limits"].tolist()
    np.save(sys.stdout.buffer, partition_routes(routes, ends_of, visits, first, int(limit), time_left))
