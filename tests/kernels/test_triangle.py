"""The triangular index of pairs is exact for every id, on every device."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from warptour.devices import Device

LARGEST = 2**31
"""Positions of the longest tour."""


def pair(number: int) -> tuple[int, int]:
    """Return the pair of an id by Python's integers."""
    j = (1 + isqrt(8 * number + 1)) // 2
    return number - j * (j - 1) // 2, j


def pairs(device: Device, ids: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    lanes = 128 if device.lanes > 1 else 1
    first, second = (device.empty(len(ids), np.int32) for _ in range(2))
    program = device.build("triangle", lanes=lanes)
    program.launch("triangle_pairs", 8, np.int32(len(ids)), device.send(ids), first, second)
    return device.fetch(first), device.fetch(second)


def test_the_first_million_ids(device: Device) -> None:
    j = np.repeat(np.arange(1, 1500), np.arange(1, 1500))
    i = np.concatenate([np.arange(k) for k in range(1, 1500)])
    first, second = pairs(device, np.arange(len(j), dtype=np.int64))
    np.testing.assert_array_equal(first, i)
    np.testing.assert_array_equal(second, j)


def test_ids_around_the_ends_of_rows(device: Device) -> None:
    powers = [2**k + d for k in range(2, 32) for d in range(-40, 41)]
    spread = np.geomspace(2, LARGEST - 1, 20_000).astype(np.int64).tolist()
    rows = sorted({j for j in (*powers, *spread, *range(LARGEST - 2000, LARGEST)) if 3 <= j < LARGEST})
    ids = [j * (j - 1) // 2 + d for j in rows for d in (-2, -1, 0, 1, j // 2, j - 1)]
    expected = [pair(k) for k in ids]
    first, second = pairs(device, np.array(ids, np.int64))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected


@pytest.mark.parametrize("seed", range(2))
def test_random_ids(device: Device, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, LARGEST * (LARGEST - 1) // 2, 200_000) >> rng.integers(0, 40, 200_000)
    expected = [pair(k) for k in ids.tolist()]
    first, second = pairs(device, ids)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected
