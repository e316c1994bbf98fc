"""Partition crossover of routes (after Whitley, Hains and Howe, 2009, for tours).

The routes of two solutions fall into parts: the smallest sets that serve the same customers in both. Each part of the
child comes from where it is cheaper, and no route changes, so the child keeps all limits of its parents:

    one:     (a b c) (d e f)   (g h) (i)
    other:   (a b) (c d e f)   (g) (h i)      two parts
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.engines.routes.instance import Floats, Ints, RouteInstance


@dataclass(frozen=True, eq=False)
class _Solution:
    """A giant tour, the route of each entry and of each node, and the cost of each route."""

    giant: Ints
    of_entry: NDArray[np.int64]
    of_node: NDArray[np.int64]
    costs: Floats

    @classmethod
    def of(cls, instance: RouteInstance, giant: Ints) -> _Solution:
        ends = giant == 0
        of_entry = np.cumsum(ends) - ends
        of_node = np.zeros(instance.problem.n, np.int64)
        of_node[giant] = of_entry
        travel = instance.problem.distances(np.concatenate((giant[-1:], giant[:-1])), giant)
        costs: Floats = np.bincount(of_entry, travel).astype(np.float64) + instance.problem.fixed_cost
        return cls(giant, of_entry, of_node, costs)


def cheaper_parts(instance: RouteInstance, one: Ints, other: Ints, most: int) -> Ints:
    """Return ``one`` with the cheaper parts of ``other``; ``one`` as it is if that makes more than ``most`` routes."""
    mine, others = _Solution.of(instance, one), _Solution.of(instance, other)
    my_parts, other_parts = _parts(mine.of_node[1:], others.of_node[1:])
    before, after = np.bincount(my_parts, mine.costs), np.bincount(other_parts, others.costs)
    absolute, relative = instance.tolerance
    better = after < before - (absolute + relative * before)
    if np.count_nonzero(~better[my_parts]) + np.count_nonzero(better[other_parts]) > most:
        return one
    kept, taken = ~better[my_parts][mine.of_entry], better[other_parts][others.of_entry]
    return np.concatenate((one[kept], other[taken]))


def _parts(mine: NDArray[np.int64], others: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the part of each route of both solutions, numbered from 0, given the routes of each customer."""
    labels = np.arange(mine.max() + 1)
    while True:
        theirs = np.full(others.max() + 1, len(labels))
        np.minimum.at(theirs, others, labels[mine])
        lower = labels.copy()
        np.minimum.at(lower, mine, theirs[others])
        if (lower == labels).all():
            used, numbers = np.unique(labels, return_inverse=True)
            return numbers, np.searchsorted(used, theirs)
        labels = lower
