"""The windows of a round, their kicks, and the batches in which they are searched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.split import SMALLEST, cells

BATCH = 100_000
"""Minimum kicks between two subtour repairs."""

BATCH_SHARE = 0.05
"""Minimum kicks per city and thread between two subtour repairs: a repair takes time in proportion to the cities, on
one thread."""


@dataclass(frozen=True, eq=False)
class RoundPlan:
    """A division of the tour into windows, and the order in which they are searched."""

    label: Ints  # (nodes,): the window of each node
    # windows of at least ``SMALLEST`` cities, each with its kicks; subtours are repaired after each batch
    batches: list[list[tuple[int, int]]]

    @property
    def windows(self) -> int:
        """Windows that are searched."""
        return sum(map(len, self.batches))


def plan_round(
    instance: Instance, size: int, rng: np.random.Generator, *, effort: float, kicks_left: float, threads: int
) -> RoundPlan:
    """Return a round in random cells of about ``size`` cities, with ``effort`` kicks per city or those that are left.

    A round with an effort has at least one kick, so that it makes progress.
    """
    label = cells(instance, size, rng, threads)
    sizes = np.bincount(label)
    wanted = np.where(sizes >= SMALLEST, sizes, 0) * effort
    if wanted.sum() > kicks_left:
        wanted = wanted * (kicks_left / wanted.sum())
    kicks = np.diff(np.floor(np.cumsum(wanted) + 1e-6).astype(np.int64), prepend=0)
    windows = rng.permutation(np.flatnonzero(sizes >= SMALLEST))
    if effort > 0 and not kicks.any() and kicks_left >= 1:
        kicks[windows[0]] = 1
    smallest = max(BATCH, BATCH_SHARE * threads * instance.nodes)
    batch = np.maximum(np.cumsum(kicks[windows]) - 1, 0) // smallest
    batches = [windows[batch == number].tolist() for number in range(int(batch[-1]) + 1)]
    return RoundPlan(label, [[(window, int(kicks[window])) for window in members] for members in batches])


def even_size(nodes: int, size: int, threads: int) -> int:
    """Return a window size of at most about ``size`` that gives every thread the same number of windows."""
    each = -(-nodes // (size * threads))
    return max(2 * SMALLEST, -(-nodes // (each * threads)))
