"""What the tests of windows on devices share."""

from __future__ import annotations

import numpy as np

from warptour.tours.engine.device_tour import BuildOptions

LIBRARY = BuildOptions(wide=True, depth=25, width=7, log=256)
"""What the native library is built with, so that other devices can be built alike."""


def points_of(kind: str, n: int) -> np.ndarray:
    rng = np.random.default_rng(n)
    if kind == "uniform":
        return rng.integers(0, 10_000, (n, 2)).astype(float)
    if kind == "clustered":
        return np.round(rng.normal(0, 30, (n, 2)) + rng.integers(0, 5, (n, 1)) * 1000)
    if kind == "equal":
        return np.full((n, 2), 7.0)
    return np.stack([np.arange(n) % 17, np.zeros(n)], axis=1).astype(float)
