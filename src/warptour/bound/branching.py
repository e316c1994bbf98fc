"""Proofs of optimality for small instances: the wrapper of ``kernels/bound/bound_branch.c``."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_int32

import numpy as np
from numpy.typing import NDArray

from warptour.bound.instance import BoundInstance, Floats
from warptour.kernels.groups import go_on
from warptour.kernels.library import array, kernel

MOST_NODES = 200
"""Maximum number of nodes; beyond it proofs rarely end."""

LARGEST_BITS = 42
"""Scaled lengths and penalties are at most 2 to this, so that the sums of a 1-tree are exact in float64."""

ROOM = 1000
"""Maximum number of subproblems on the stack, which is as deep as there are decisions. Each takes 2 n² bytes."""

ITERATIONS = 30
"""1-trees per ascent of a subproblem."""

CALL_CELLS = 200_000
"""Matrix entries of the subproblems of one native call, which takes about 50 ms."""

FLOAT_SHARE = 1e-10
"""Share of a float cost by which better tours must be shorter to count."""

EXCLUDED, FORCED = 2, 1
"""Status of an edge in a subproblem, as in ``bound_branch.c``."""


def prove_optimal(
    instance: BoundInstance, penalty: Floats, cost: Callable[[], int | float | None], take: Callable[[int, int], object]
) -> bool:
    """Search for tours that cost less than ``cost()``; if there are none, ``take`` that cost as a scaled bound.

    ``penalty``: (count,): good penalties, in units of length
    ``cost``: returns the cost of the best tour known, which may fall meanwhile, or None
    ``take``: called with a scaled bound and the binary logarithm of its scale, if the proof ends

    Returns
    -------
    bool
        Whether it ended; it does not where the instance is too large or the stack too small. Raises
        :class:`~warptour.kernels.groups.Unfinished` once ``instance.over()``.
    """
    n = instance.count + 1
    fewer = max(0, instance.largest_bits() - LARGEST_BITS)
    if n > MOST_NODES or fewer > instance.bits:
        return False
    bits = instance.bits - fewer
    scale = 2.0**bits
    whole = instance.problem.metric.integral

    def limit() -> float:  # below the best cost by one unit of integers, or by a share of floats
        best = cost()
        if best is None:
            return math.inf
        return math.floor(best * scale) - unit(best * scale)

    def unit(scaled: float) -> float:
        return scale if whole else 1.0 + math.floor(FLOAT_SHARE * abs(scaled))

    lengths, status, penalties = _stack(instance, np.rint(penalty * scale), fewer)
    call = kernel(
        "bound_branch", c_int32, array(np.float64, 2), *(c_int32,) * 3, array(np.int16, 3, output=True),
        array(np.float64, 2, output=True), array(np.float64, output=True), array(np.int32, output=True),
        array(np.float64, output=True), array(np.int64, output=True),
    )  # fmt: skip
    state = np.array([math.inf, 0.0])
    numbers = np.array([1, 0, 0])
    each = max(1, CALL_CELLS // (n * n))
    while numbers[0] and not numbers[2]:
        go_on(instance.over)
        state[0] = min(float(state[0]), limit())
        if state[0] == math.inf:
            return False
        state[1] = unit(float(state[0]))
        work = np.empty(n * (n + 2)), np.empty(n * (n + 5), np.int32)
        call(0, 1, n, lengths, each, ROOM, ITERATIONS, status, penalties, *work, state, numbers)
    if numbers[2]:
        return False
    take(int(state[0]) + 1, bits)
    return True


def _stack(instance: BoundInstance, penalty: Floats, fewer: int) -> tuple[Floats, NDArray[np.int16], Floats]:
    """Return the lengths with ``fewer`` bits, and a stack of statuses of edges and penalties with the problem on it."""
    n = instance.count + 1
    lengths = np.zeros((n, n))
    one, two = (ends.astype(np.int32) for ends in np.triu_indices(instance.count, 1))
    lengths[one + 1, two + 1] = np.floor(instance.lengths(one, two) / 2.0**fewer)
    lengths[0, 1:] = np.floor(instance.spokes() / 2.0**fewer)
    lengths += lengths.T
    status = np.zeros((ROOM, n, n), np.int16)
    status[0][np.diag_indices(n)] = EXCLUDED
    for a, b in [*(instance.fixed + 1).tolist(), *((0, node + 1) for node in instance.must)]:
        status[0, a, b] = status[0, b, a] = FORCED
    penalties = np.zeros((ROOM, n))
    most = 2.0**LARGEST_BITS
    penalties[0, 1:] = np.clip(penalty, -most, most)
    return lengths, status, penalties
