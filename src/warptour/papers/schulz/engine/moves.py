"""Moves of giant tours: 2-opt, and 3-opt with all three edges replaced (pure 3-opt).

A giant tour of N + 1 nodes has the edges 0 to N - 1; edge k joins the nodes at positions k and k + 1. A move removes
two or three of them and recombines the segments between them:

    (x, y)          A = [0..x]  B = [x+1..y]  C = [y+1..N]                 A B' C
    (x, y, z, p)    A = [0..x]  B = [x+1..y]  C = [y+1..z]  D = [z+1..N]   p = 0: A C B D
                                                                           p = 1: A C B' D
                                                                           p = 2: A C' B D
                                                                           p = 3: A B' C' D

B' is B reversed. The first and the last node, both copies of the depot, stay where they are. Moves are ranked
lexicographically, 2-opt before 3-opt; of equally good moves the best is the one of lowest rank.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import Tolerance
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.routes.engine.instance import cost_tolerance

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


def apply(giant: Ints, move: Move) -> Ints:
    """Return the giant tour after ``move``."""
    if len(move) == 2:
        x, y = move
        return np.concatenate((giant[: x + 1], giant[x + 1 : y + 1][::-1], giant[y + 1 :]))
    x, y, z, way = move
    b, c = giant[x + 1 : y + 1], giant[y + 1 : z + 1]
    middle = ((c, b), (c, b[::-1]), (c[::-1], b), (b[::-1], c[::-1]))[way]
    return np.concatenate((giant[: x + 1], *middle, giant[z + 1 :]))


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


def gain_tolerance(instance: GiantInstance) -> Tolerance:
    """Return the threshold that a gain must exceed."""
    return cost_tolerance(instance.problem)


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
