"""Sums over a route that have a limit beside its load and its distance: further loads, stops, other travel.

A new one is a few lines of :func:`further_sums`; kernels treat all alike (``kernels/routes/sums.h``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import SEARCHED_LIMIT, Limit
from warptour.model.vehicles import VRP

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sum:
    """A sum over each route."""

    most: Floats  # its limit, for each type of vehicles; of vehicles that are alike, one
    amounts: Floats  # (n,): what each customer takes
    travels: bool = False  # whether travel counts, too
    table: NDArray[Any] | None = None  # (n, n): that travel; None for the distances that are minimised

    @classmethod
    def of(cls, limit: Limit) -> Sum:
        """Return the sum that a limit is on."""
        return cls(np.array([limit.searched]), np.ascontiguousarray(limit.services), True, limit.travel)


def further_sums(problem: VRP) -> tuple[Sum, ...]:
    """Return all sums but the first dimension of loads and the distance that is minimised."""
    starts, capacities = starting_sums(problem), problem.all_loads[1]
    sums = [Sum(_column(capacities, at), _column(starts, at)) for at in range(1, problem.dimensions)]
    types = () if problem.fleet is None else problem.fleet.types
    stops = [problem.most_stops] if not types else [each.max_stops for each in types]
    if any(most is not None for most in stops):
        most = np.array([np.inf if each is None else each for each in stops], np.float64)
        sums.append(Sum(most, np.where(problem.reloads, 0.0, 1.0)))
    if problem.trips:
        trips = [np.inf if each.max_trips is None else each.max_trips - 1 for each in types]
        sums.append(Sum(np.array(trips, np.float64), np.where(problem.reloads, 1.0, 0.0)))
    longest = np.array([each.max_distance for each in types], np.float64) * (1 + SEARCHED_LIMIT)
    roads = None if problem.clock is None else problem.clock.distances
    if roads is not None and np.isfinite(longest).any():
        sums.append(Sum(longest, np.zeros(problem.n), True, roads))
    sums += [Sum.of(limit) for limit in limits_of(problem)[1:] if limit is not None]
    return tuple(sums)


def starting_sums(problem: VRP) -> Floats:
    """Return what each node adds to the load with which its route begins: it decides nothing where vehicles reload."""
    return np.zeros_like(problem.starting_loads) if problem.trips else problem.starting_loads


def _column(table: Floats, at: int) -> Floats:
    return np.array(table[:, at], np.float64)


def limits_of(problem: VRP) -> tuple[Limit | None, Limit | None]:
    """Return the limit on the travel that is minimised, and a further one; None where there is none."""
    own = [limit for limit in problem.limits if limit.travel is None]
    others = [*own[1:], *(limit for limit in problem.limits if limit.travel is not None)]
    return own[0] if own else None, others[0] if others else None
