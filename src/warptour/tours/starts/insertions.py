"""Insertion heuristics: a subtour takes in one city after the other, each between the neighbours where it costs least.

    a-b  ->  a-c-b        adds d(a,c) + d(c,b) - d(a,b)

Nearest insertion takes the city nearest to any city of the subtour, farthest insertion the one farthest from all of
them, cheapest insertion the one that adds least (Rosenkrantz, Stearns and Lewis, 1977). All choices are exact, by
unrounded distances, for any number of cities.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.neighbours import neighbours
from warptour.kernels.groups import Over, go_on
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.tours.starts.chains import arrange_tour
from warptour.tours.starts.growing import Rule, grow, in_order
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]

CHUNK = 1 << 16
"""Cities whose convex hull is computed between two polls: about 100 ms."""


def shortest_edge(problem: TSP, threads: int | None = None, over: Over | None = None) -> Int32s:
    """Return the two cities nearest to each other; of several such pairs the first."""
    nearest = neighbours(problem, 1, threads=threads, over=over)[:, 0]
    first = int(problem.distances(np.arange(problem.n), nearest).argmin())
    return np.array([first, nearest[first]], np.int32)


def triangle(problem: TSP, threads: int | None = None, over: Over | None = None) -> Int32s:
    """Return three cities far apart: one far from city 0, the farthest from it, the farthest from both."""
    every = np.arange(problem.n, dtype=np.int32)
    one = int(problem.distances(np.zeros(1, np.int32), every).argmax())
    from_one = problem.distances(np.array([one], np.int32), every)
    two = int(from_one.argmax())
    three = int((from_one + problem.distances(np.array([two], np.int32), every)).argmax())
    return np.array(list(dict.fromkeys([one, two, three])), np.int32)


def convex_hull(problem: TSP, threads: int | None = None, over: Over | None = None) -> Int32s:
    """Return the corners of the convex hull, counterclockwise."""
    if problem.metric.dimensions != 2 or not problem.metric.planar or problem.matrix is not None:
        raise UnsupportedError("a start from the convex hull needs cities in the plane; 'triangle' does not")
    corners = np.empty(0, np.int32)
    for at in range(0, problem.n, CHUNK):
        go_on(over)
        some = np.arange(at, min(problem.n, at + CHUNK), dtype=np.int32)
        corners = _hull(problem.points, np.concatenate([corners, some]))
    return corners


def _hull(points: NDArray[np.float64], cities: Int32s) -> Int32s:
    """Return the corners of the hull of ``cities``, by Andrew's monotone chain."""
    order = cities[np.lexsort(points[cities].T[::-1])].tolist()
    places = dict(zip(order, points[order].tolist(), strict=True))
    corners = _lower_side(places, order)[:-1] + _lower_side(places, order[::-1])[:-1]
    return np.array(corners or order[:1], np.int32)


def _lower_side(places: dict[int, list[float]], order: list[int]) -> list[int]:
    side: list[int] = []
    for city in order:
        x, y = places[city]
        while side:
            bx, by = places[side[-1]]
            ax, ay = places[side[-2]] if len(side) > 1 else (bx, by)
            left_turn = (bx - ax) * (y - ay) > (by - ay) * (x - ax)
            if left_turn or (len(side) == 1 and (bx, by) != (x, y)):
                break
            side.pop()
        side.append(city)
    return side


SEEDS: Final[dict[str, Callable[[TSP, int | None, Over | None], Int32s]]] = {
    "edge": shortest_edge,
    "triangle": triangle,
    "hull": convex_hull,
}
"""First subtours by name."""


class Insertion:
    """An insertion heuristic as a start; its tour is deterministic."""

    def __init__(self, rule: Rule, seed: str = "edge") -> None:
        self.rule = rule
        self.seed = SEEDS[seed]

    def __call__(self, task: StartTask) -> Int32s:
        """Return the tour. Chains of fixed edges are moved together afterwards, and an open path is cut out of it."""
        problem, threads, over = task.problem, task.threads, task.over
        if problem.n < 3:
            return arrange_tour(problem, np.arange(problem.n, dtype=np.int32))
        after = grow(problem, self.rule, self.seed(problem, threads, over), threads, over)
        return arrange_tour(problem, in_order(after))
