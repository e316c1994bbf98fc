"""The form in which a problem is searched: without negative or asymmetric distances, and without free customers.

Negative distances are raised by a constant. A tour over asymmetric distances becomes one over symmetric distances
between twice as many nodes: city i becomes the nodes 2i, where it is entered, and 2i + 1, where it is left, with a
fixed edge between them that costs nothing. The edge between 2i + 1 and 2j costs what the way from i to j does. All
other edges cost more than a whole tour (Jonker and Volgenant 1983): a tour without them visits the cities in one
direction, at the same cost.

Vehicles that are alike leave out whom it costs nothing to leave out, such as customers whom nobody can serve. Without
them a problem is often plain, for which there are more and faster searches.
"""

from __future__ import annotations

import copy
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from warptour.model.frozen import freeze
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes

Problem = TypeVar("Problem", bound="TSP | VRP")
Solution = TypeVar("Solution", bound="np.ndarray[tuple[int], np.dtype[np.int32]] | Routes")


class SearchedForm(Generic[Problem]):
    """A problem as strategies search it, and its solutions in both forms.

    ``problem``: costs of solutions may be higher than those of the problem given, all by the same amount
    """

    def __init__(self, problem: Problem) -> None:
        self._doubled = isinstance(problem, TSP) and problem.asymmetric
        self._kept: NDArray[np.int32] | None = None
        form: TSP | VRP = problem
        if isinstance(problem, TSP):
            form = nonnegative(problem)
            form = doubled(form) if self._doubled else form
        elif (kept := needed(problem)) is not None:
            self._kept = kept
            form = problem.part(kept, prizes=None)
        self.problem = cast(Problem, form)

    def enter(self, solution: Solution) -> Solution:
        """Return a solution of the problem given as one of the form."""
        if self._kept is not None:
            rank = np.zeros(int(self._kept.max()) + 1, np.int32)
            rank[self._kept] = np.arange(len(self._kept), dtype=np.int32)
            routes = cast(Routes, solution)
            return cast(Solution, [rank[route[np.isin(route, self._kept)]] for route in routes])
        return cast(Solution, enter(cast(np.ndarray, solution))) if self._doubled else solution

    def leave(self, solution: Solution) -> Solution | None:
        """Return a solution of the form as one of the problem given; None if it is none."""
        if self._kept is not None:
            return cast(Solution, [self._kept[route] for route in cast(Routes, solution)])
        return cast(Solution, leave(cast(np.ndarray, solution))) if self._doubled else solution


def needed(problem: VRP) -> NDArray[np.int32] | None:
    """Return the depot and all customers but those who may be left out for nothing; None where some prizes count."""
    if problem.prizes is None or problem.fleet is not None or problem.alternatives or problem.losses.any():
        return None
    customers = problem.customers[problem.required[problem.customers]]
    if len(customers) < 2:
        return None
    return np.concatenate((np.array([problem.depot], np.int32), customers))


def lowest_distance(matrix: NDArray[Any]) -> float:
    """Return the minimum of 0 and all distances off the diagonal."""
    if matrix.min() >= 0:
        return 0.0
    apart = matrix.copy()
    np.fill_diagonal(apart, 0)
    return float(apart.min())


def nonnegative(problem: TSP) -> TSP:
    """Return ``problem`` unchanged or, if it has negative distances, with all distances raised by a constant.

    All tours have the same number of edges, and so do all open paths, so all costs rise by the same amount and cost
    differences are unchanged.
    """
    matrix = problem.matrix
    lowest = 0.0 if matrix is None else lowest_distance(matrix)
    if matrix is None or lowest >= 0:
        return problem
    raised = matrix - (np.floor(lowest) if problem.metric.integral else lowest)
    np.fill_diagonal(raised, 0)
    other = copy.copy(problem)
    freeze(other, "points", raised.astype(matrix.dtype))
    return other


def doubled(problem: TSP) -> TSP:
    """Return the symmetric form of a problem with asymmetric distances."""
    matrix, n = problem.matrix, problem.n
    assert matrix is not None
    ways = matrix.copy()
    np.fill_diagonal(ways, 0)
    table = np.full((2 * n, 2 * n), _forbidden(ways), ways.dtype)
    table[1::2, ::2] = ways
    table[::2, 1::2] = ways.T
    np.fill_diagonal(table, 0)
    cities = np.arange(n, dtype=np.int32)
    return TSP(
        problem.name,
        problem.metric,
        table,
        fixed_edges=np.column_stack((2 * cities, 2 * cities + 1)),
        open=problem.open,
        first=None if problem.first is None else 2 * problem.first,
        last=None if problem.last is None else 2 * problem.last + 1,
    )


def _forbidden(ways: NDArray[np.generic]) -> float:
    """Return a distance longer than every tour; where sums would no longer be exact, one that no tour gains by."""
    longest = float(np.abs(ways).max(initial=0.0))
    return min((len(ways) + 1) * longest + 1, max(2.0**40, 4 * longest + 1))


def enter(tour: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a tour of the cities as one of the nodes."""
    return np.column_stack((2 * tour, 2 * tour + 1)).ravel().astype(np.int32)


def leave(tour: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """Return a tour of the nodes as one of the cities; None if it goes two ways."""
    if tour[0] // 2 != tour[1] // 2:
        tour = np.roll(tour, 1)
    pairs = tour.reshape(-1, 2)
    if pairs[0, 0] % 2:
        pairs = pairs[::-1, ::-1]
    one_way = (pairs[:, 0] % 2 == 0).all() and (pairs[:, 1] == pairs[:, 0] + 1).all()
    return (pairs[:, 0] // 2).astype(np.int32) if one_way else None
