"""Copies of a problem side by side: several of its tours as stretches of one, which together fill a device.

    ┌─────┐     ┌─────┐     ┌─────┐
    │  0  │═════│  1  │═════│  2  │═ ...      ═ fixed edges from the end of a tour to the beginning of the next
    └─────┘     └─────┘     └─────┘

Gaps are as wide as a copy, so that no move gains by another edge across one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from warptour.candidates.space import corners
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Ints


def side_by_side(problem: TSP, tours: Sequence[Ints]) -> tuple[TSP, Ints]:
    """Return a problem with a copy for each of the ``tours``, and all of them as one tour of it."""
    if len(tours) == 1:
        return problem, tours[0]
    n, across = problem.n, math.ceil(math.sqrt(len(tours)))
    low, high = corners(problem.points)
    pitch = 2 * max(1.0, float((high - low).max()))
    copies = np.arange(len(tours))
    corner = pitch * np.column_stack((copies % across, copies // across))
    points = (problem.points + corner[:, None]).reshape(-1, 2)
    chain = np.array([_opened(problem, tour) for tour in tours]) + n * copies.astype(np.int32)[:, None]
    links = np.column_stack((chain[:, -1], np.roll(chain[:, 0], -1)))
    fixed = (problem.fixed_edges + n * copies[:, None, None]).reshape(-1, 2)
    points.flags.writeable = False  # else they would be copied
    edges = np.concatenate((fixed, links)).astype(np.int32)
    return TSP(problem.name, problem.metric, points, fixed_edges=edges), chain.ravel()


def apart(problem: TSP, tour: Ints) -> list[Ints]:
    """Return the tours of the copies of ``problem``: their cities in the order of the large ``tour``."""
    copy, city = np.divmod(tour, np.int32(problem.n))
    return list(city[np.argsort(copy, kind="stable")].reshape(-1, problem.n))


def _opened(problem: TSP, tour: Ints) -> Ints:
    """Return a closed tour that begins anywhere but in the middle of fixed edges."""
    if len(problem.fixed_edges) == 0:
        return tour
    edges = np.sort(np.column_stack((np.roll(tour, 1), tour)), axis=1) @ [problem.n, 1]
    free = ~np.isin(edges, np.sort(problem.fixed_edges.astype(np.int64), axis=1) @ [problem.n, 1])
    return np.roll(tour, -int(free.argmax()))
