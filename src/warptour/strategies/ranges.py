"""Which numbers the parameters of strategies may be."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Final

from warptour.model.errors import UsageError
from warptour.strategies.search import Strategy

LEAST: Final[dict[str, float]] = {
    "nearest": 1, "paces": 1, "cell_paces": 1, "size": 8, "cell": 8, "segment": 1, "exchange": 1, "parts": 1,
    "longest": 1, "strongest": 1,
}  # fmt: skip
"""The least value of a parameter, by its name, which means the same in every strategy; 0 for the others."""

MOST: Final[dict[str, float]] = {"cell": 32_000}


def check_ranges(strategy: Strategy) -> None:
    """Refuse a parameter that is no finite number or outside its range."""
    if not is_dataclass(strategy):
        return
    for field in fields(strategy):
        value = getattr(strategy, field.name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        least, most = LEAST.get(field.name, 0), MOST.get(field.name, math.inf)
        if not math.isfinite(value):
            raise UsageError(f"{strategy.name}: {field.name} is a finite number, not {value}")
        if value < least:
            raise UsageError(f"{strategy.name}: {field.name} is {least} or more, not {value}")
        if value > most:
            raise UsageError(f"{strategy.name}: {field.name} is {most:g} or less, not {value}")
