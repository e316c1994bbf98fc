"""Many routes at once: their sums, and splitting; of a hundred thousand, one after another takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import Limit
from warptour.model.metric import Floats, Nodes

if TYPE_CHECKING:
    from warptour.model.vehicles import VRP


def route_loads(problem: VRP, routes: Sequence[Nodes]) -> Floats:
    """Return the exact load of each route, in the unit of ``problem.loads``; routes are not empty."""
    return np.add.reduceat(problem.loads[0][np.concatenate(routes)], _firsts(routes)) if len(routes) else np.empty(0)


def route_uses(problem: VRP, limit: Limit, routes: Sequence[Nodes]) -> Floats:
    """Return what each route takes of a limit, but for rounding as ``problem.used`` does; routes are not empty."""
    if len(routes) == 0:
        return np.empty(0)
    giant = problem.giant_tour(routes)
    if limit.travel is None:
        travel = problem.distances(giant[:-1], giant[1:])
    else:
        travel = limit.travel[giant[:-1], giant[1:]]
    services = np.add.reduceat(limit.services[np.concatenate(routes)], _firsts(routes))
    return np.add.reduceat(travel, _firsts(routes, 1)).astype(np.float64) + services


def split_at(giant: NDArray[np.int32], depot: int) -> list[NDArray[np.int32]]:
    """Return the parts of ``giant`` between depots that are not empty, as views."""
    ends = [-1, *np.flatnonzero(giant == depot).tolist(), len(giant)]
    return [giant[begin + 1 : end] for begin, end in pairwise(ends) if end > begin + 1]


def ranges(firsts: NDArray[np.int64], lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return ``lengths[k]`` numbers from ``firsts[k]`` on, for all k, in one array."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shifts: NDArray[np.int64] = np.repeat(firsts - ends + lengths, lengths)
    return shifts + np.arange(len(shifts))


def _firsts(routes: Sequence[Nodes], more: int = 0) -> NDArray[np.int64]:
    """Return where each route begins if all follow one another, each with ``more`` further entries."""
    sizes = np.fromiter((len(route) + more for route in routes), np.int64, len(routes))
    return np.cumsum(sizes) - sizes
