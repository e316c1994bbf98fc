"""Karp's partition of cities in the plane (1977), and one tour from those of the parts.

A rectangle with more than K cities is cut at the median city of its longer side. That city belongs to both halves, so
the tours of all parts together are a connected graph with even degrees, whose Euler circuit is shortened to a tour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warptour.construct.euler import euler_circuit, shortcut
from warptour.kernels.groups import Over, go_on
from warptour.model.problem import TSP
from warptour.search.search import Tour


def rectangles(places: NDArray[np.float64], most: int, over: Over | None = None) -> list[Tour]:
    """Return the cities of each part, ``most`` at most; neighbouring parts share a city.

    Parameters
    ----------
    places : array of float64, shape (n, 2)
    most : int
        At least 8: fewer cities on one line need not become fewer by a cut.
    over : callable, optional
        Once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`.
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
    inside = places[cities]
    longer = int(np.ptp(inside[:, 1]) > np.ptp(inside[:, 0]))
    order = cities[np.lexsort((inside[:, 1 - longer], inside[:, longer]))]
    along = places[order, longer]
    middle = len(order) // 2
    low, high = np.searchsorted(along, along[middle], "left"), np.searchsorted(along, along[middle], "right")
    on_line = np.delete(order[low:high], middle - low)
    few = len(on_line) // 2
    median = order[middle : middle + 1]
    return (
        np.concatenate([order[:low], on_line[: len(on_line) - few], median]),
        np.concatenate([median, on_line[len(on_line) - few :], order[high:]]),
    )


def united(problem: TSP, tours: list[Tour]) -> Tour:
    """Return one tour from closed tours that share cities."""
    edges = [np.column_stack([tour, np.roll(tour, -1)]) for tour in tours if len(tour) > 1]
    return shortcut(problem, euler_circuit(problem.n, np.concatenate(edges)))
