"""The stable argsort of 64-bit keys."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.candidates.sort import repeated, stable_order


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000, 65_537])
@pytest.mark.parametrize("kinds", [1, 5, 1 << 20, 1 << 64], ids=["equal", "few", "low", "any"])
def test_it_is_numpys(count: int, kinds: int) -> None:
    keys = np.random.default_rng(count).integers(0, kinds - 1, count, np.uint64, endpoint=True)
    assert (stable_order(keys) == np.argsort(keys, kind="stable")).all()


def test_keys_that_differ_in_the_lowest_bits_alone() -> None:
    keys = np.arange(1000, dtype=np.uint64)[::-1] + (np.uint64(0xABCD) << np.uint64(48))
    assert (stable_order(keys) == np.arange(1000)[::-1]).all()


def test_repeated_numbers() -> None:
    assert repeated(np.array([1, 2, 2, 3, 5, 5, 5], np.uint64)).tolist() == [0, 1, 1, 0, 1, 1, 1]
    assert len(repeated(np.empty(0, np.uint64))) == 0
