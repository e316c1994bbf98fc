"""All moves of a giant tour by rank, their numbers, and what each changes (``papers/schulz/engine/moves.py``)."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.neighborhoods.move import Ints, Move
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.numbering import RECOMBINATIONS

Floats = NDArray[np.float64]

X, X1, Y, Y1, Z, Z1 = range(6)
"""The ends of the removed edges: positions x, x + 1, y, y + 1, z, z + 1."""

ADDED: Final = np.array(
    [
        [(X, Y1), (Z, X1), (Y, Z1)],
        [(X, Y1), (Z, Y), (X1, Z1)],
        [(X, Z), (Y1, X1), (Y, Z1)],
        [(X, Y), (X1, Z), (Y1, Z1)],
    ]
)
"""Ends that the recombinations p of pure 3-opt join by new edges."""


def two_opt_moves(edges: int) -> Ints:
    """Return all (x, y) of a giant tour with ``edges`` edges, by rank; y = x + 1 changes nothing, but is a move."""
    return np.column_stack(np.triu_indices(edges, 1)).astype(np.int32)


def three_opt_moves(edges: int) -> Ints:
    """Return all (x, y, z, p) of a giant tour with ``edges`` edges, by rank."""
    triples = np.array(list(combinations(range(edges), 3)), np.int32).reshape(-1, 3)
    ways = np.tile(np.arange(4, dtype=np.int32), len(triples))
    return np.column_stack((np.repeat(triples, 4, axis=0), ways))


def delta(instance: GiantInstance, giant: Ints, move: Move) -> float:
    """Return the exact change of the objective by ``move``; negative if it improves the giant tour."""
    return float(deltas(instance, giant, np.array([move], np.int32))[0])


def deltas(instance: GiantInstance, giant: Ints, moves: Ints) -> Floats:
    """Return the change of the objective by each of ``moves``, which are all of 2-opt or all of 3-opt.

    A giant tour has as many non-empty routes as routes less edges between two copies of the depot, so that the edges
    that a move removes and adds give the change of this number too.
    """
    places = instance.places(giant)
    removed, added = _removed(places, moves), _added(places, moves)
    travel = lengths(instance, *added).sum(axis=0) - lengths(instance, *removed).sum(axis=0)
    opened = _empty(removed) - _empty(added)
    routes = route_count(instance, giant)
    excess = np.maximum(routes + opened - instance.vehicles, 0) - max(routes - instance.vehicles, 0)
    change: Floats = travel + instance.problem.fixed_cost * opened + instance.weight * excess
    return change


def removed_lengths(instance: GiantInstance, giant: Ints, moves: Ints) -> Floats:
    """Return the length of the edges that each of ``moves`` removes, to which the tolerance of its gain is relative."""
    total: Floats = lengths(instance, *_removed(instance.places(giant), moves)).sum(axis=0).astype(np.float64)
    return total


def lengths(instance: GiantInstance, tails: Ints, heads: Ints) -> NDArray[np.int64] | Floats:
    """Return the exact distances between places; copies of the depot have none between them."""
    return np.where(tails == heads, 0, instance.problem.distances(tails, heads))


def route_count(instance: GiantInstance, giant: Ints) -> int:
    """Return the number of routes that are not empty."""
    depots = instance.places(giant) == 0
    return instance.routes - int((depots[1:] & depots[:-1]).sum())


def _removed(places: Ints, moves: Ints) -> tuple[Ints, Ints]:
    """Return the ends of the removed edges, one row per edge of a move."""
    cuts = moves.T[:2] if moves.shape[1] == 2 else moves.T[:3]
    return places[cuts], places[cuts + 1]


def _added(places: Ints, moves: Ints) -> tuple[Ints, Ints]:
    """Return the ends of the added edges, one row per edge of a move."""
    if moves.shape[1] == 2:
        x, y = moves.T
        return places[np.stack((x, x + 1))], places[np.stack((y, y + 1))]
    x, y, z, way = moves.T
    positions = np.stack((x, x + 1, y, y + 1, z, z + 1), axis=1)
    ends = places[positions[np.arange(len(moves))[:, None, None], ADDED[way]]]  # by move, edge and end
    return ends[..., 0].T, ends[..., 1].T


def _empty(edges: tuple[Ints, Ints]) -> NDArray[np.int64]:
    """Return the number of edges between two copies of the depot."""
    count: NDArray[np.int64] = ((edges[0] == 0) & (edges[1] == 0)).sum(axis=0)
    return count


def move_of(last: int, rank: int) -> Move:
    """Return the move with the given rank."""
    pairs = comb(last, 2)
    if rank < pairs:
        x, y = _subset(last, 2, pairs - 1 - rank)
        return x, y
    triple, p = divmod(rank - pairs, RECOMBINATIONS)
    x, y, z = _subset(last, 3, comb(last, 3) - 1 - triple)
    return x, y, z, p


def _subset(last: int, size: int, rest: int) -> list[int]:
    """Return the subset of 0..last-1 that ``rest`` others follow in lexicographic order."""
    found = []
    for k in range(size, 0, -1):
        low, high = k - 1, last  # largest n with comb(n, k) <= rest
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle, k) <= rest else (low, middle)
        rest -= comb(low, k)
        found.append(last - 1 - low)
    return found


def rank_of(last: int, move: Move) -> int:
    """Return the rank of a move."""
    pairs = comb(last, 2)
    if len(move) == 2:
        x, y = move
        return pairs - 1 - comb(last - 1 - x, 2) - (last - 1 - y)
    x, y, z, p = move
    after = comb(last - 1 - x, 3) + comb(last - 1 - y, 2) + (last - 1 - z)
    return pairs + RECOMBINATIONS * (comb(last, 3) - 1 - after) + p
