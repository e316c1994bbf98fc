"""The Held-Karp bound as chapter 2 uses it, estimated."""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.model.problem import TSP

UNIFORM: Final = 0.7080
"""Held-Karp bound of n uniform cities over sqrt(n * area), for many (Johnson and McGeoch, 1997)."""

BOUNDARY: Final = 0.7
"""What the sides of the square add to that, times sqrt(n): their optimal tours of 1,000 and 10,000 cities."""

BELOW: Final = 0.992
"""Held-Karp bound over the optimum, as the thesis states it."""


def estimate(problem: TSP) -> float | None:
    """Return the estimated bound of an instance with a known optimum, or of uniform cities; None for others."""
    if problem.best_known:
        return BELOW * problem.best_known
    if not problem.name.startswith("uniform"):
        return None
    area = float(np.ptp(problem.points, axis=0).prod())
    return float(UNIFORM * np.sqrt(problem.n * area) * (1 + BOUNDARY / np.sqrt(problem.n)))


def percent_above(problem: TSP, cost: float) -> float | None:
    """Return the percentage of ``cost`` above the estimated bound."""
    bound = estimate(problem)
    return None if bound is None else 100 * (cost / bound - 1)
