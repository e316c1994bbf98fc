"""Conversion of numbers in user input: to Python's own types, None for anything else, and to float64."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


def as_float64(values: ArrayLike) -> NDArray[np.float64]:
    """Return numbers as float64 in C order, infinite beyond its range; anything else is a TypeError or ValueError."""
    try:
        with np.errstate(over="ignore"):
            return np.asarray(values, np.float64, order="C")
    except OverflowError:  # integers of Python
        raise ValueError("a number is too large") from None
