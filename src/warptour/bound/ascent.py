"""Subgradient ascent on a sparse graph: the wrapper of ``kernels/bound/one_tree.c``."""

from __future__ import annotations

import math
import time
from ctypes import c_double, c_int32

import numpy as np

from warptour.bound.complete import chains
from warptour.bound.instance import BoundInstance, Floats, Ints
from warptour.kernels.groups import go_on
from warptour.kernels.library import array, kernel

CALL_SECONDS = 0.03
"""Aim for the duration of a native call, so that limits are polled in time."""

_INTS, _REALS = array(np.int32), array(np.float64)
_INTS_OUT, _REALS_OUT = array(np.int32, output=True), array(np.float64, output=True)


class Ascent:
    """Penalties that rise where minimum 1-trees have more than two edges at a node.

    ``penalty``, ``best``: (count,): present penalties, and those of the highest bound of the present pass, in units of
        length
    ``one``, ``two``: (m,): edges of the sparse graph
    ``lengths``: (m,): their scaled lengths
    ``iterations``: 1-trees so far
    ``seconds_each``: duration of an iteration
    """

    def __init__(self, instance: BoundInstance, one: Ints, two: Ints) -> None:
        self._instance = instance
        self.penalty, self.best = np.zeros(instance.count), np.zeros(instance.count)
        self.iterations = 0
        self.seconds_each = 0.0
        self.spokes = instance.spokes()
        self._chain, self._chains = chains(instance.count, instance.fixed)
        self._fixed_degree = np.bincount(instance.fixed.ravel(), minlength=instance.count).astype(np.int32)
        self._must = [*instance.must, -1, -1][:2]
        self._set_edges(one, two)

    def _set_edges(self, one: Ints, two: Ints) -> None:
        instance = self._instance
        self.one, self.two = one, two
        self.lengths = instance.lengths(one, two)
        self._short = (self.lengths / instance.scale).astype(np.float32)
        edges, nodes = len(one), instance.count
        self._ints, self._reals = np.empty(3 * edges + 4 * nodes, np.int32), np.empty(edges + 2 * nodes, np.float32)

    def add(self, tree: Ints) -> int:
        """Add the edges of ``tree`` that the graph lacks; return how many."""
        before = len(self.one)
        pairs = np.concatenate((self.one, tree[:, 0])), np.concatenate((self.two, tree[:, 1]))
        one, two = self._instance.distinct(*pairs)
        if len(one) > before:
            self._set_edges(one, two)
        return len(one) - before

    def integers(self) -> Floats:
        """Return the best penalties as the integers of scaled costs."""
        most = 2.0**50
        return np.clip(np.rint(self.best * self._instance.scale), -most, most)

    def climb(self, iterations: int, step: float, last_step: float, deadline: float = math.inf) -> None:
        """Make ``iterations`` steps from the best penalties, their size falling from ``step`` to ``last_step``.

        There are fewer, and the size falls faster, where time is left for fewer before ``deadline`` (of
        ``time.perf_counter``). A 1-tree that is a tour ends the ascent. Raises
        :class:`~warptour.kernels.groups.Unfinished` once ``instance.over()``.
        """
        instance = self._instance
        call = kernel(
            "one_tree_ascend", c_int32, c_int32, _INTS, _INTS, array(np.float32), c_int32, _INTS, _INTS, _REALS,
            c_int32, c_int32, c_int32, c_double, *(_REALS_OUT,) * 3, _INTS_OUT,
            array(np.float32, output=True), _REALS_OUT,
        )  # fmt: skip
        graph = (instance.count, len(self.one), self.one, self.two, self._short, self._chains, self._chain)
        hub = (self._fixed_degree, self.spokes / instance.scale, *self._must)
        work = (self.penalty, self.best, np.zeros(instance.count), self._ints, self._reals)
        state = np.array([step, -np.inf, 0.0, 0.0])
        self.penalty[:] = self.best
        left = iterations
        while left > 0 and not state[3]:
            go_on(instance.over)
            began = time.perf_counter()
            if self.seconds_each > 0 and deadline < math.inf:
                left = min(left, int((deadline - began) / self.seconds_each))
                if left <= 0:
                    return
            decay = (last_step / float(state[0])) ** (1.0 / left)
            most = int(CALL_SECONDS / self.seconds_each) if self.seconds_each > 0 else 1
            many = min(left, max(1, most))
            state[2] = 0
            call(0, 1, *graph, *hub, many, decay, *work, state)
            self.seconds_each = (time.perf_counter() - began) / max(1.0, float(state[2]))
            self.iterations += int(state[2])
            left -= many
