"""Pairs of neighbours in bands of falling savings, so that never all of them are in memory or sorted at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on

Int32s = NDArray[np.int32]

BAND = 1 << 18
"""Minimum number of pairs per band, about: 50 ms of sorting and joining."""

MAX_BANDS = 64
"""Maximum number of bands, since each looks at all pairs that are left; of a million customers, one takes 0.2 s."""


def pairs(ends: Int32s, here: Int32s, there: Int32s) -> tuple[Int32s, Int32s]:
    """Return the pairs of ``ends`` with the indices ``here`` and ``there``, each once, the lower index first."""
    keys = np.minimum(here, there) * np.int64(len(ends)) + np.maximum(here, there)
    keys.sort()  # np.unique hashes first, which takes ten times as long
    keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys
    return ends[keys // len(ends)], ends[keys % len(ends)]


def bands(
    ends: Int32s,
    rows: Int32s,
    savings: Callable[[], NDArray[np.float32]],
    least: float,
    is_free: Callable[[Int32s], NDArray[np.bool_]],
    over: Over | None = None,
) -> Iterator[tuple[Int32s, Int32s]]:
    """Yield pairs of near ends; all in a band save more than those in the next.

    ``ends``: (m,)
    ``rows``: (m, K): the nearest of each end, as indices into ``ends``
    ``savings``: returns what joining each end to each of its nearest saves, shape (m, K); unused where one band has
        room
    ``least``: pairs that save less may be left out
    ``is_free``: Returns which ends can still be joined. Pairs of others are left out: of a million customers that is
        most.
    ``over``: once it returns True, raises :class:`~warptour.kernels.groups.Unfinished`
    """
    count, width = rows.shape
    index = np.arange(count, dtype=np.int32)
    if rows.size <= BAND:
        yield pairs(ends, index.repeat(width), rows.ravel())
        return
    saved = savings()
    for low, high in _limits(saved, least):
        go_on(over)
        chosen = np.flatnonzero((saved >= low) & (saved < high))
        here, there = index[chosen // width], rows.reshape(-1)[chosen]
        free = is_free(ends)
        both = free[here] & free[there]
        yield pairs(ends, here[both], there[both])
        free = is_free(ends[index])
        if 2 * np.count_nonzero(free) < len(index):
            index, rows, saved = index[free], rows[free], saved[free]


def _limits(saved: NDArray[np.float32], least: float) -> list[tuple[float, float]]:
    """Return the lowest saving of each band and the one it is below, highest first."""
    every = -(-saved.size // BAND)
    sample = np.sort(saved.reshape(-1)[::every])
    sample = sample[sample > least]
    apart = max(BAND, saved.size // MAX_BANDS) // every
    cuts = np.unique(sample[apart::apart])[::-1]
    return [(low, high) for high, low in pairwise([np.inf, *cuts.tolist(), least])]
