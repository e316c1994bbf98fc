"""A stable argsort of 64-bit keys, faster than NumPy's where few are nearly equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def stable_order(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the permutation that sorts ``keys``; equal keys keep their order.

    NumPy sorts numbers far faster than it sorts indices by number. Therefore each index takes the place of the lowest
    bits of its key, and keys that differ in these bits alone are put in order afterwards.
    """
    low = np.uint64(max(0, len(keys) - 1).bit_length())
    mask = (np.uint64(1) << low) - np.uint64(1)
    packed = keys & ~mask
    packed |= np.arange(len(keys), dtype=np.uint64)
    packed.sort()
    order = (packed & mask).astype(np.int64)
    packed >>= low
    tied = np.flatnonzero(repeated(packed))
    among = order[tied]
    order[tied] = among[np.argsort(keys[among], kind="stable")]
    return order


def repeated(ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of some ordered numbers occur more than once."""
    equal = np.zeros(len(ordered) + 1, np.bool_)
    equal[1:-1] = ordered[1:] == ordered[:-1]
    found: NDArray[np.bool_] = equal[1:] | equal[:-1]
    return found
