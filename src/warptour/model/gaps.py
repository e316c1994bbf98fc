"""Gaps between a cost and what it is compared with."""

from __future__ import annotations

FLOAT_SHARE = 1e-9
"""Relative distance at which a float bound counts as equal to the cost."""


def is_optimal(cost: float | None, lower_bound: float | None) -> bool:
    """Return whether ``lower_bound`` proves ``cost`` optimal: equal integers, or floats within ``FLOAT_SHARE``."""
    if cost is None or lower_bound is None:
        return False
    whole = isinstance(cost, int) and isinstance(lower_bound, int)
    return cost <= lower_bound + (0 if whole else FLOAT_SHARE * abs(cost))


def percent_above(cost: float, base: float | None) -> float | None:
    if base is None:
        return None
    if base == 0:
        return 0.0 if cost == 0 else None
    return 100.0 * (cost - base) / abs(base)
