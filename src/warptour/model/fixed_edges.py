"""Fixed edges: pairs of cities that must be adjacent in a tour."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count
from warptour.model.errors import InputError
from warptour.model.metric import Ints, Nodes


def edge_pairs(edges: ArrayLike, n: int) -> NDArray[np.int32]:
    """Return fixed edges as an (m, 2) array of cities, or raise :class:`InputError`."""
    try:
        pairs = np.asarray(edges)
    except ValueError:
        pairs = np.empty(0, object)
    if pairs.size == 0 and pairs.dtype != object:
        return np.empty((0, 2), np.int32)
    numbers = pairs.dtype.kind in "iuf" and pairs.ndim == 2 and pairs.shape[1] == 2
    if not numbers or (pairs != np.floor(pairs)).any():
        raise InputError("fixed edges are pairs of cities: integers of shape (m, 2)")
    outside = ((pairs < 0) | (pairs >= n)).any(axis=1)
    if outside.any():
        a, b = pairs[outside.argmax()].tolist()
        raise InputError(f"the fixed edge ({a:.15g}, {b:.15g}) is none; here cities are counted from 0 to {n - 1}")
    return np.ascontiguousarray(pairs, np.int32)


def check_fixed_edges(edges: NDArray[np.int32], n: int, *, open: bool, first: int | None, last: int | None) -> None:
    """Reject fixed edges that no tour of ``n`` cities can contain, or no ``open`` path from ``first`` to ``last``.

    That is a degree above 2, a subtour, or a chain that cuts off other cities.
    """
    if len(edges) == 0:
        return
    if (edges[:, 0] == edges[:, 1]).any():
        raise InputError(f"a fixed edge joins city {count(edges[edges[:, 0] == edges[:, 1]][0, 0])} to itself")
    if len(np.unique(np.sort(edges, axis=1), axis=0)) != len(edges):
        raise InputError("a fixed edge is given twice")
    degree = np.bincount(edges.ravel(), minlength=n)
    for end in (first, last):
        if end is not None and degree[end] > 1:
            raise InputError(f"city {count(end)} ends the path and cannot have {degree[end]} fixed edges")
    if degree.max() > 2:
        raise InputError(
            f"city {count(int(degree.argmax()))} has {degree.max()} fixed edges; a tour has two at each city"
        )
    arrives, last_walk, orbit = _walks(edges)
    if (degree[arrives[last_walk]] == 2).any():
        whole = len(edges) == n and not open and len(np.unique(orbit)) == 2
        if not whole:
            raise InputError("the fixed edges close a cycle that is not the whole tour")
    if first is None or last is None or len(edges) == n - 1:
        return
    leaving = np.flatnonzero(edges.ravel() == first)
    if len(leaving) and arrives[last_walk[leaving[0]]] == last:
        ends = f"from city {count(first)} to city {count(last)}, the ends of the path"
        raise InputError(f"the fixed edges lead {ends}, past other cities")


def _walks(edges: NDArray[np.int32]) -> tuple[Ints, Ints, Ints]:
    """Walk along fixed edges of degree at most 2, from each edge in either direction, by pointer doubling.

    Walk ``2 e`` leaves ``edges[e, 0]`` and walk ``2 e + 1`` leaves ``edges[e, 1]``.

    Returns
    -------
    arrives : array of int64, shape (2 m,)
        City at the end of the walk's first edge.
    last_walk : array of int64, shape (2 m,)
        The walk that leaves along the last edge of its chain; on a cycle, any of it.
    orbit : array of int64, shape (2 m,)
        Lowest walk that it passes.
    """
    leaves = edges.ravel()
    walks = np.arange(len(leaves))
    arrives = leaves[walks ^ 1].astype(np.int64)
    _, city = np.unique(leaves, return_inverse=True)
    sums = np.zeros(len(leaves), np.int64)
    np.add.at(sums, city, walks)
    degree = np.bincount(city, minlength=len(leaves))
    there = city[walks ^ 1]
    following = np.where(degree[there] == 2, sums[there] - (walks ^ 1), walks)
    orbit = walks
    for _ in range(len(leaves).bit_length()):
        orbit = np.minimum(orbit, orbit[following])
        following = following[following]
    return arrives, following, orbit


def contains(tour: Nodes, edges: NDArray[np.int32], *, closed: bool) -> NDArray[np.bool_]:
    """Return for each of ``edges`` whether ``tour``, a permutation, has it."""
    if len(edges) == 0:
        return np.empty(0, np.bool_)
    place = np.empty(len(tour), np.int64)
    place[tour] = np.arange(len(tour))
    step = np.abs(place[edges[:, 0]] - place[edges[:, 1]])
    found: NDArray[np.bool_] = (step == 1) | (closed & (step == len(tour) - 1))
    return found
