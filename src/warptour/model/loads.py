"""Demands as integer multiples of a common unit, so that loads are summed exactly and in any order.

0.1 + 0.2 exceeds 0.3 in float64, so whether a vehicle is full would depend on
the order in which its customers are added. In units of 0.1 the loads are 1 + 2
and the capacity is 3.
"""

from __future__ import annotations

import numpy as np

from warptour.model.exactness import HEAVIEST
from warptour.model.metric import Floats, Ints

DIGITS = 12
"""Maximum digits of the total load in a decimal unit; with more, any float64 looks like a multiple of the unit."""

CAPACITY_TOLERANCE = 1e-12
"""Relative excess over the capacity that is tolerated if demands have no common unit."""

ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Generous bound on the relative error of float64 multiples of a decimal unit."""


def whole_loads(demands: Ints | Floats, capacity: float) -> tuple[Floats, float]:
    """Return demands and capacity as integers in a common unit: a load fits if its sum is at most the capacity.

    The unit is the largest common divisor of all demands, on a decimal scale (0.001, 20) or else a binary one, so the
    result does not depend on whether demands are given in kilograms or in tonnes. Demands without a common unit are
    rounded to about 2^-52 of their sum, and the capacity is raised by :data:`CAPACITY_TOLERANCE`. A capacity below one
    unit stays a fraction.
    """
    plain = np.asarray(demands, np.float64)
    heaviest = float(plain.max(initial=0.0))
    if heaviest == 0:
        return plain, capacity
    with np.errstate(over="ignore"):
        total = float(plain.sum())
    for power in range(DIGITS + 4):
        factor = 10.0**power
        if total * factor > (HEAVIEST if power == 0 else 10.0**DIGITS):
            break
        scaled = plain * factor
        whole = np.rint(scaled)
        if (np.abs(scaled - whole) <= (ROUNDING * scaled if power else 0)).all():
            return _in_multiples(whole, capacity * factor)
    unit = int(np.frexp(heaviest)[1]) + len(plain).bit_length() - 52
    scaled = np.ldexp(plain, -unit)
    whole = np.rint(scaled)
    with np.errstate(over="ignore"):
        limit = float(np.ldexp(capacity, -unit))
    if (whole == scaled).all():
        return _in_multiples(whole, limit)
    return whole, float(np.floor(limit * (1 + CAPACITY_TOLERANCE))) or limit


def _in_multiples(whole: Floats, limit: float) -> tuple[Floats, float]:
    """Return integral demands divided by their greatest common divisor, and the capacity ``limit`` in that unit."""
    divisor = int(np.gcd.reduce(whole.astype(np.int64)))
    limit /= divisor
    nearest = float(np.rint(limit))
    if abs(limit - nearest) <= ROUNDING * limit:
        return whole / divisor, nearest
    return whole / divisor, float(np.floor(limit)) or limit
