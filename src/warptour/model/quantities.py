"""Numbers that users hand in: as Python's own, or None where they are something else."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any


def whole_number(value: Any) -> int | None:
    """Return an integer of any type, NumPy's too; None for anything else, floats included."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def finite_number(value: Any) -> int | float | None:
    """Return a finite number that float64 can hold, an integer as an int; None for anything else."""
    whole = whole_number(value)
    if whole is None and not isinstance(value, Real):
        return None
    try:
        measure = float(value)
    except OverflowError:
        return None
    if not math.isfinite(measure):
        return None
    return measure if whole is None else whole
