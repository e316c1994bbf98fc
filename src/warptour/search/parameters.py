"""Parameters of strategies: numbers with their ranges, as dataclass fields."""

from __future__ import annotations

import math
from dataclasses import Field, field, fields, is_dataclass
from numbers import Integral, Real
from typing import Any, Final

from warptour.model.errors import UsageError
from warptour.search.strategy import Strategy

MAX_WHOLE: Final = 2**31 - 1
"""Largest integer parameter: kernels take 32-bit integers."""

MAX_REAL: Final = 1e9
"""Largest real parameter: float32 overflows not far above its square."""


def number(default: float, low: float = 0, high: float | None = None) -> Any:
    """Return a dataclass field for a number from ``low`` to ``high``; an integer if ``default`` is one.

    ``high`` bounds the time and memory of one compiled call where these grow with the parameter.
    """
    if high is None:
        high = MAX_WHOLE if isinstance(default, int) else MAX_REAL
    return field(default=default, metadata={"range": (low, high)})


def parameters(strategy: Any) -> dict[str, Any]:
    """Return the parameters of a strategy by name, those of a group as an object; serialisable as JSON."""
    found: dict[str, Any] = {}
    for each in fields(strategy) if is_dataclass(strategy) else ():
        value = getattr(strategy, each.name)
        plain = value is None or isinstance(value, bool | int | float | str | tuple)
        found[each.name] = parameters(value) if is_dataclass(value) else value if plain else str(value)
    return found


def check_parameters(strategy: Strategy) -> None:
    """Refuse a parameter that is not a number in its range; the message gives the range."""
    _check(strategy, strategy.name, "")


def _check(group: Any, name: str, prefix: str) -> None:
    if not is_dataclass(group):
        return
    for each in fields(group):
        value = getattr(group, each.name)
        if is_dataclass(value):
            _check(value, name, f"{prefix}{each.name}.")
        elif "range" in each.metadata:
            _check_number(each, value, f"{name}: {prefix}{each.name}")


def _check_number(each: Field[Any], value: Any, what: str) -> None:
    low, high = each.metadata["range"]
    whole = isinstance(each.default, int)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UsageError(f"{what} is a number, not {value!r}")
    if whole and math.isfinite(value) and not isinstance(value, Integral):
        raise UsageError(f"{what} is a whole number, not {value}")
    if not low <= value <= high:
        raise UsageError(f"{what} is from {low:,} to {high:,.0f}, not {value}")
