"""Conversion of numbers in user input to Python's own types; None for anything else."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any


def whole_number(value: Any) -> int | None:
    """Return an integer of any type, including NumPy's, as int; None for anything else, including floats."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def finite_number(value: Any) -> int | float | None:
    """Return a number that is finite in float64, integers as int; None for anything else."""
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
