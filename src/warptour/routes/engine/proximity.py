"""Neighbours by distance and time: whom a vehicle may well serve right before or after a customer."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

PER_WAIT: Final = 0.2
"""Weight of a unit of unavoidable waiting beside a unit of travel time (Vidal et al. 2013)."""

CHUNK: Final = 1 << 16
"""Customers looked at together."""


def near_in_time(problem: VRP, schedule: Schedule, lists: Ints, width: int) -> Ints:
    """Return for each customer the ``width`` of its list that are nearest in distance and time, -1 behind the last.

    Pairs that windows rule out in either order are left out.

    ``lists``: (n - 1, k): customers near each customer, in their order
    """
    width = min(width, lists.shape[1])
    near = np.full((len(lists), width), -1, np.int32)
    customers = problem.customers
    for begin in range(0, len(lists), CHUNK):
        rows = slice(begin, begin + CHUNK)
        itself, others = customers[rows, None], lists[rows]
        far = np.minimum(_apart(problem, schedule, itself, others), _apart(problem, schedule, others, itself))
        order = np.argsort(far, axis=1, kind="stable")[:, :width]
        chosen = np.take_along_axis(others, order, axis=1)
        near[rows] = np.where(np.isfinite(np.take_along_axis(far, order, axis=1)), chosen, -1)
    return near


def _apart(problem: VRP, schedule: Schedule, a: Ints, b: Ints) -> Floats:
    """Return the distance from ``a`` to ``b`` and what waiting there is besides; infinite if b is late in any case."""
    distance = np.asarray(problem.distances(a, b), np.float64)
    travel = distance if schedule.travel is None else schedule.travel[a, b]
    opens, closes = schedule.windows.opens, schedule.windows.closes
    way = schedule.services[a] + travel
    waits = np.maximum(opens[b] - closes[a] - way, 0.0)
    if schedule.hard:
        distance = np.where(opens[a] + way > closes[b] + schedule.searched_tolerance, np.inf, distance)
    if np.isfinite(schedule.longest_wait):
        distance = np.where(waits > schedule.longest_wait, np.inf, distance)
    return distance + PER_WAIT * waits
