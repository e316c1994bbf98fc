"""The minimum 1-tree over the complete graph, for given penalties, in exact arithmetic."""

from __future__ import annotations

from ctypes import c_double, c_int32, c_int64

import numpy as np
from numpy.typing import NDArray

from warptour.bound.instance import LENGTHS_TYPES, BoundInstance, Floats, Ints, components
from warptour.kernels.groups import go_on, run_groups
from warptour.kernels.library import array, kernel
from warptour.kernels.points import ROUNDINGS

SHARE = 1 << 12
"""Points whose edges one native call searches: about 20 ms."""

CELLS = 1 << 23
"""Matrix entries per native call: about 20 ms."""

_REALS, _INTS = array(np.float64), array(np.int32)
_REALS_OUT, _INTS_OUT = array(np.float64, output=True), array(np.int32, output=True)


def one_tree(
    instance: BoundInstance, penalty: Floats, one: Ints, two: Ints, lengths: Floats, spokes: Floats
) -> tuple[int, Ints, list[int]]:
    """Return the scaled cost of the minimum 1-tree less twice the penalties, and its edges.

    No tour has a lower scaled length. Raises :class:`~warptour.kernels.groups.Unfinished` once ``instance.over()``.

    ``penalty``: (count,): integers of at most 2**50
    ``one``, ``two``, ``lengths``: (m,): some edges that are likely in the tree, and their scaled lengths
    ``spokes``: (count,): scaled lengths from the hub

    Returns
    -------
    cost : int
    tree : array of int32, shape (count - 1, 2)
        Edges of the spanning tree, fixed ones included.
    ends : list of int
        The two nodes joined to the hub.
    """
    if instance.tree is None:
        tree = _dense(instance, penalty)
    else:
        tree = _forest(instance, penalty, one, two, lengths + penalty[one] + penalty[two])
    ends = np.ascontiguousarray(tree.T)
    costs = instance.lengths(ends[0], ends[1]) + penalty[ends[0]] + penalty[ends[1]]
    from_hub = spokes + penalty
    free = from_hub.copy()
    free[instance.must] = np.inf
    nearest = np.argpartition(free, 1)[: 2 - len(instance.must)] if len(instance.must) < 2 else np.empty(0, np.int64)
    joined = [*instance.must, *nearest.tolist()]
    return exact_sum(costs) + exact_sum(from_hub[joined]) - 2 * exact_sum(penalty), tree, joined


def exact_sum(numbers: Floats) -> int:
    """Return the exact sum of integers below 2**53."""
    whole = numbers.astype(np.int64)
    return (int((whole >> 26).sum()) << 26) + int((whole & ((1 << 26) - 1)).sum())


def chains(count: int, fixed: Ints) -> tuple[Ints, int]:
    """Return the number of each node's chain of fixed edges, and how many chains there are."""
    label = components(count, fixed[:, 0], fixed[:, 1])
    return label, int(label.max()) + 1


def _forest(instance: BoundInstance, penalty: Floats, one: Ints, two: Ints, costs: Floats) -> Ints:
    """Return the minimum spanning tree by Boruvka's algorithm on the k-d tree."""
    tree = instance.tree
    assert tree is not None
    count = instance.count
    component, chain_count = chains(count, instance.fixed)
    edges = np.empty((count - 1, 2), np.int32)
    edges[: len(instance.fixed)] = instance.fixed
    numbers = np.array([chain_count, len(instance.fixed)], np.int32)
    least = _over_nodes(tree.levels, count, penalty, np.minimum)
    cheapest, known, limit = np.full(count, np.inf), np.full(count, -np.inf), np.empty(count)
    partner = np.full(count, -1, np.int32)
    parent, label, chosen = (np.empty(count, np.int32) for _ in range(3))
    limits = kernel(
        "bound_limits", c_int32, c_int64, _INTS, _INTS, _REALS, _INTS, c_int32, _REALS_OUT, _INTS_OUT, _REALS_OUT
    )
    links = kernel(
        "bound_links", array(np.float64, 2), array(np.float64, 2), *(c_int32,) * 4, *LENGTHS_TYPES,
        _REALS, _REALS, _INTS, _INTS, _REALS, _REALS_OUT, _REALS_OUT, _INTS_OUT,
    )  # fmt: skip
    join = kernel("bound_join", c_int32, _REALS, _INTS, *(_INTS_OUT,) * 4, array(np.int32, 2, output=True), _INTS_OUT)
    shape = (tree.spots, tree.boxes, count, tree.dimensions, tree.norm, tree.levels, *instance.length_arguments)
    groups = min(1 << tree.levels, -(-count // SHARE))
    while numbers[0] > 1:
        limits(0, 1, count, len(one), one, two, costs, component, int(numbers[0]), cheapest, partner, limit)
        go_on(instance.over)
        lowest = _over_nodes(tree.levels, count, component, np.minimum)
        highest = _over_nodes(tree.levels, count, component, np.maximum)
        common = np.where(lowest == highest, lowest, np.int32(-1))
        per_point = (penalty, least, component, common, limit, known, cheapest, partner)
        run_groups(links, groups, instance.threads, *shape, *per_point, over=instance.over)
        join(0, 1, count, cheapest, partner, component, parent, label, chosen, edges, numbers)
        go_on(instance.over)
    return edges


def _over_nodes(levels: int, count: int, values: NDArray[np.generic], reduce: np.ufunc) -> NDArray[np.generic]:
    """Return ``reduce`` of the points below each node of the k-d tree."""
    leaves = 1 << levels
    first = (np.arange(leaves, dtype=np.int64) * count) >> levels
    out = np.empty(2 * leaves, values.dtype)
    out[leaves:] = reduce.reduceat(values, first)
    for level in range(levels - 1, -1, -1):
        below = out[2 << level : 4 << level]
        out[1 << level : 2 << level] = reduce(below[::2], below[1::2])
    out[0] = out[1]
    return out


def _dense(instance: BoundInstance, penalty: Floats) -> Ints:
    """Return the minimum spanning tree by Prim's algorithm on the matrix."""
    problem, count = instance.problem, instance.count
    table = np.ascontiguousarray(problem.points, np.float64)
    fixed = np.full((count, 2), -1, np.int32)
    for edge in instance.fixed.tolist():
        for a, b in (edge, edge[::-1]):
            fixed[a, 0 if fixed[a, 0] < 0 else 1] = b
    key, parent, state = np.full(count, np.inf), np.full(count, -1, np.int32), np.zeros(2, np.int32)
    call = kernel(
        "bound_dense", array(np.float64, 2), c_int32, _INTS, c_int32, c_int32, c_double, _REALS, array(np.int32, 2),
        c_int32, _REALS_OUT, _INTS_OUT, _INTS_OUT,
    )  # fmt: skip
    shape = (table, problem.n, instance.city, count, ROUNDINGS[problem.metric.rounding], instance.scale)
    most = max(1, CELLS // count)
    while state[0] < count:
        go_on(instance.over)
        call(0, 1, *shape, penalty, fixed, most, key, parent, state)
    nodes = np.arange(1, count, dtype=np.int32)
    return np.column_stack((nodes, parent[1:]))
