"""Random cities of every metric, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.model.metric import METRICS
from warptour.model.problem import TSP

NAMES = list(METRICS)
COORDINATE_NAMES = [name for name, metric in METRICS.items() if metric.norm != "matrix"]


def cities(n: int, metric: str = "EUC_2D", *, seed: int | None = None, side: int = 1000, **options: Any) -> TSP:
    """Return a problem on integer coordinates below ``side``, where small sides give ties and cities in one place.

    Parameters
    ----------
    seed : int, optional
        By default ``n``.
    **options
        As for :class:`TSP`.
    """
    rng = np.random.default_rng(n if seed is None else seed)
    rule = METRICS[metric]
    if rule.norm == "matrix":
        half = np.triu(rng.integers(1, side, (n, n)), 1)
        return TSP.from_matrix(half + half.T, **options)
    if not rule.planar:
        return TSP("random", rule, rng.uniform((-80, -170), (80, 170), (n, 2)).round(2), **options)
    return TSP("random", rule, rng.integers(0, side, (n, rule.dimensions)).astype(float), **options)
