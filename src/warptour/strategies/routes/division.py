"""A random division of all routes into groups of adjacent ones: the windows of route search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warptour.engines.routes.instance import Floats, Ints
from warptour.model.vehicles import VRP


@dataclass(frozen=True, eq=False)
class Division:
    """The group of each route and of each node of a giant tour.

    Attributes
    ----------
    group : array of int32, one per entry of the giant tour
    home, number : arrays of int32, shape (n,)
        The group of each node, and its number there: 0 for the depot, then in route order.
    routes : array of int64, one per group
        Its number of routes.
    """

    group: Ints
    home: Ints
    number: Ints
    routes: NDArray[np.int64]

    def entries(self, number: int) -> NDArray[np.intp]:
        """Return where the giant tour has the routes of a group."""
        order, ends = self._by_group
        return order[0 if number == 0 else ends[number - 1] : ends[number]]

    @cached_property
    def _by_group(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """All entries sorted by group, and where each group ends: looking for each group alone would be quadratic."""
        counts = np.bincount(self.group, minlength=len(self.routes))
        return np.argsort(self.group, kind="stable"), np.cumsum(counts)


def divide(problem: VRP, places: Floats, giant: Ints, groups: int, rng: np.random.Generator) -> Division:
    """Divide the routes of ``giant`` into ``groups`` of about equally many customers, by their centroids.

    ``places`` are coordinates of the nodes, shape (n, 2).
    """
    ends = np.flatnonzero(giant == problem.depot)
    sizes = np.diff(ends, prepend=-1)
    sums = np.add.reduceat(places[giant], np.concatenate(([0], ends[:-1] + 1)), axis=0)
    centres = (sums - places[problem.depot]) / (sizes - 1)[:, None]
    of_route = bisected(centres, sizes, groups, rng)
    group = np.repeat(of_route, sizes)
    home = np.full(problem.n, -1, np.int32)
    home[giant] = group
    home[problem.depot] = -1
    number = np.zeros(problem.n, np.int32)
    customers = giant != problem.depot
    order = np.argsort(group[customers], kind="stable")
    counts = np.bincount(group[customers], minlength=groups)
    firsts = np.repeat(np.cumsum(counts) - counts, counts)
    number[giant[customers][order]] = 1 + np.arange(len(order)) - firsts
    return Division(group, home, number, np.bincount(of_route, minlength=groups))


def bisected(centres: Floats, sizes: NDArray[np.int64], groups: int, rng: np.random.Generator) -> Ints:
    """Return a group for each centre by recursive bisection in random directions, balanced by ``sizes``."""
    answer = np.zeros(len(centres), np.int32)
    todo = [(np.arange(len(centres)), 0, groups)]
    while todo:
        some, first, count = todo.pop()
        if count < 2 or len(some) < 2:
            answer[some] = first
            continue
        angle = rng.uniform(0, np.pi)
        along = centres[some] @ np.array([np.cos(angle), np.sin(angle)])
        some = some[np.argsort(along, kind="stable")]
        left = count // 2
        share = np.cumsum(sizes[some]) / sizes[some].sum()
        cut = int(np.searchsorted(share, left / count)) + 1
        cut = min(max(cut, 1), len(some) - 1)
        todo += [(some[:cut], first, left), (some[cut:], first + left, count - left)]
    return answer
