"""A circle of cities whose tour one move has spoiled: only a move that restores it is the best, so a scan must see it.

Moves are covered one by one like this: what a scan skips, it does not find.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from warptour.devices import Device
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import ThreeOpt
from warptour.neighborhoods.move import Ints, Move, Neighborhood

RADIUS = 2000
"""Large enough that rounding leaves the order of gains as it is, small enough for float32 and narrow coordinates."""

THINNED = 16
"""On a CPU that a device interface drives, a launch takes so long that only one in so many moves is tried."""


def circle(n: int, metric: str = "EUC_2D") -> TSP:
    """Return ``n`` cities on a circle, whose shortest tour is 0 .. n-1; EXPLICIT is a table of EUC_2D."""
    angles = 2 * np.pi * np.arange(n) / n
    points = np.rint(RADIUS * np.stack((np.cos(angles), np.sin(angles)), axis=1))
    if metric != "EXPLICIT":
        return TSP("circle", METRICS[metric], points)
    return TSP.from_matrix(circle(n).distances(*np.indices((n, n))))


def villages(n: int, size: int) -> TSP:
    """Return cities on a circle in groups of ``size``: the next group is further off than all of one's own."""
    number, within = np.divmod(np.arange(n), size)
    angles = 2 * np.pi * (number + 0.01 * within) * size / n
    return TSP("villages", METRICS["EUCLIDEAN"], RADIUS * np.stack((np.cos(angles), np.sin(angles)), axis=1))


def spoiled(neighborhood: Neighborhood, n: int, move: Move) -> Ints:
    """Return the tour that ``move`` turns into 0 .. n-1."""
    return np.argsort(neighborhood.apply(np.arange(n, dtype=np.int32), move)).astype(np.int32)


def restored(tours: Ints) -> bool:
    """Return whether each of the tours, one per row, goes round the circle, either way."""
    steps = (np.roll(tours, -1, axis=-1) - tours) % tours.shape[-1]
    return bool(((steps == 1).all(axis=-1) | (steps == tours.shape[-1] - 1).all(axis=-1)).all())


def near(n: int, *edges: int) -> list[int]:
    """Return the positions at both ends of a tour and on both sides of the ``edges`` of tiles."""
    return sorted({(edge + offset) % n for edge in (0, *edges) for offset in (-2, -1, 0, 1)})


def pairs(n: int, *edges: int, most: int = 400) -> list[Move]:
    """Return 2-opt moves: all if they are at most ``most``, else about that many and all :func:`near` edges."""
    every = [(i, j) for i, j in combinations(range(n), 2) if 1 < j - i < n - 1]
    places, step = set(near(n, *edges)), -(-len(every) // most)
    return [move for rank, move in enumerate(every) if rank % step == 0 or places.issuperset(move)]


def triples(n: int, *edges: int, most: int = 400) -> list[Move]:
    """Return about ``most`` 3-opt moves: half of them :func:`near` edges, half anywhere."""
    rng = np.random.default_rng(n)
    beside = [(*cuts, way) for cuts in combinations(near(n, *edges), 3) for way in range(4)]
    others = [(*sorted(rng.choice(n, 3, replace=False).tolist()), rank % 4) for rank in range(most // 2)]
    moves, tour = beside[:: -(-2 * len(beside) // most)] + others, np.arange(n, dtype=np.int32)
    return [move for move in moves if not restored(ThreeOpt().apply(tour, move))]


def thinned(device: Device, moves: list[Move]) -> list[Move]:
    """Return the moves that are tried on a device."""
    return moves if device.is_host or device.lanes > 1 else moves[::THINNED]
