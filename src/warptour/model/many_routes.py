"""Many routes at once: where each begins, and splitting; of a hundred thousand, one after another takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import Nodes


def split_at(giant: NDArray[np.int32], depot: int, *, empty: bool = False) -> list[NDArray[np.int32]]:
    """Return the parts of ``giant`` between depots, as views; with ``empty``, empty ones between two depots, too."""
    at = np.flatnonzero(giant == depot).tolist()
    if empty:
        return [giant[begin + 1 : end] for begin, end in pairwise(at)]
    return [giant[begin + 1 : end] for begin, end in pairwise([-1, *at, len(giant)]) if end > begin + 1]


def ranges(firsts: NDArray[np.int64], lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return ``lengths[k]`` numbers from ``firsts[k]`` on, for all k, in one array."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shifts: NDArray[np.int64] = np.repeat(firsts - ends + lengths, lengths)
    return shifts + np.arange(len(shifts))


def firsts_of(routes: Sequence[Nodes], more: int = 0) -> NDArray[np.int64]:
    """Return where each route begins if all follow one another, each with ``more`` further entries."""
    sizes = np.fromiter((len(route) + more for route in routes), np.int64, len(routes))
    return np.cumsum(sizes) - sizes
