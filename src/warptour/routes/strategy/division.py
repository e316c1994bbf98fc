"""A random division of all routes into groups of adjacent ones: the windows of route search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.model.many_routes import ranges
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Floats, Ints


@dataclass(frozen=True, eq=False)
class Division:
    """The group of each route and of each node of a giant tour."""

    group: Ints
    # home, number: (n,): the group of each node, and its number there: 0 for the depot, then in route order
    home: Ints
    number: Ints
    routes: NDArray[np.int64]  # its number of routes
    tour: Ints  # the giant tour with the routes of each group together
    starts: Ints  # where each group begins there

    @classmethod
    def of(cls, problem: VRP, giant: Ints, of_route: Ints, groups: int) -> Division:
        """Return the division of ``giant`` into ``groups``, given the group of each route."""
        ends = np.flatnonzero(giant == problem.depot)
        sizes = np.diff(ends, prepend=-1)
        sorted_routes = np.argsort(of_route, kind="stable")
        tour = giant[ranges((ends - sizes + 1)[sorted_routes], sizes[sorted_routes])]
        entries = np.bincount(of_route, sizes, groups).astype(np.int64)
        starts = np.concatenate(([0], np.cumsum(entries))).astype(np.int32)
        home, number = np.full(problem.n, -1, np.int32), np.zeros(problem.n, np.int32)
        places = np.repeat(np.arange(groups, dtype=np.int32), entries)
        home[tour] = places
        home[problem.depot] = -1
        customers = np.concatenate(([0], np.cumsum(tour != problem.depot, dtype=np.int32)))
        number[tour] = customers[1:] - customers[starts[places]]
        number[problem.depot] = 0
        routes = np.bincount(of_route, minlength=groups)
        return cls(np.repeat(of_route, sizes), home, number, routes, tour, starts)

    def part(self, number: int) -> Ints:
        """Return the giant tour of a group."""
        return self.tour[self.starts[number] : self.starts[number + 1]]


def divide(problem: VRP, places: Floats, giant: Ints, groups: int, rng: np.random.Generator) -> Division:
    """Divide the routes of ``giant`` into ``groups`` of about equally many customers, by their centroids.

    ``places`` are coordinates of the nodes, shape (n, 2).
    """
    centres, sizes = centres_of(problem, places, giant)
    return Division.of(problem, giant, bisected(centres, sizes, groups, rng), groups)


def centres_of(problem: VRP, places: Floats, giant: Ints) -> tuple[Floats, NDArray[np.int64]]:
    """Return the centroid of each route, and its entries in the giant tour: one more than its customers."""
    ends = np.flatnonzero(giant == problem.depot)
    sizes = np.diff(ends, prepend=-1)
    pairs = np.ascontiguousarray(places, np.float64).view(np.complex128)[:, 0]  # twice as fast as rows
    sums = np.add.reduceat(pairs[giant], np.concatenate(([0], ends[:-1] + 1)))
    return (sums.view(np.float64).reshape(-1, 2) - places[problem.depot]) / (sizes - 1)[:, None], sizes


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


def quantiles(at: Floats, weights: NDArray[np.int64]) -> Floats:
    """Return for each number in ``at`` the share of all weights that belongs to smaller ones, and half its own."""
    order = np.argsort(at, kind="stable")
    sums = np.cumsum(weights[order])
    answer = np.empty(len(at))
    answer[order] = (sums - weights[order] / 2) / max(1, sums[-1])
    return answer


def cells(centres: Floats, sizes: NDArray[np.int64], groups: float, width: float) -> Ints:
    """Return a cell for each centre: strips of the plane, cut into about ``groups`` cells of equal total size.

    Cells are about square where centres lie evenly in a rectangle ``width`` times as wide as it is high.
    """
    strips = max(1, round(math.sqrt(groups * width)))
    across = max(1, round(groups / strips))
    strip = (strips * quantiles(centres[:, 0], sizes)).astype(np.int64)
    order = np.lexsort((centres[:, 1], strip))
    sums = np.cumsum(sizes[order])
    ends = np.searchsorted(strip[order], np.arange(strips), side="right")
    totals = np.concatenate(([0], sums))[ends]
    firsts = np.concatenate(([0], totals[:-1]))
    own = strip[order]
    inside = (sums - sizes[order] / 2 - firsts[own]) / (totals - firsts)[own]
    answer = np.empty(len(sizes), np.int32)
    answer[order] = own * across + (across * inside).astype(np.int64)
    return answer
