"""Karp's partition of cities in the plane (1977), and one tour from those of the parts.

A rectangle with more than K cities is cut at the median city of its longer side. That city belongs to both halves, so
the tours of all parts together are a connected graph with even degrees, whose Euler circuit is shortened to a tour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.model.problem import TSP
from warptour.search.search import Tour
from warptour.tours.starts.euler import euler_circuit, shortcut


def rectangles(places: NDArray[np.float64], most: int, over: Over | None = None) -> list[Tour]:
    """Return the cities of each part, ``most`` at most; neighbouring parts share a city.

    ``places``: (n, 2)
    ``most``: at least 8: fewer cities on one line need not become fewer by a cut
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    parts, waiting = [], [np.arange(len(places), dtype=np.int32)]
    while waiting:
        go_on(over)
        cities = waiting.pop()
        if len(cities) <= most:
            parts.append(cities)
        else:
            waiting += halves(places, cities)[::-1]
    return parts


def halves(places: NDArray[np.float64], cities: Tour) -> tuple[Tour, Tour]:
    """Return the cities on both sides of the median city; those on the line through it are shared out equally."""
    longer = int(np.ptp(places[cities, 1]) > np.ptp(places[cities, 0]))
    along = places[cities, longer]
    line = np.partition(along, len(cities) // 2)[len(cities) // 2]
    left, on_line, right = cities[along < line], cities[along == line], cities[along > line]
    on_line = on_line[np.argsort(places[on_line, 1 - longer], kind="stable")]
    middle = len(on_line) // 2  # the median city
    return np.concatenate([left, on_line[: middle + 1]]), np.concatenate([on_line[middle:], right])


def united(problem: TSP, tours: list[Tour]) -> Tour:
    """Return one tour from closed tours that share cities."""
    edges = [np.column_stack([tour, np.roll(tour, -1)]) for tour in tours if len(tour) > 1]
    return shortcut(problem, euler_circuit(problem.n, np.concatenate(edges)))
