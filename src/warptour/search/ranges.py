"""Which numbers the parameters of strategies may be."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Final

from warptour.model.errors import UsageError
from warptour.search.search import Strategy

LEAST: Final[dict[str, float]] = {
    "nearest": 1, "paces": 1, "cell_paces": 1, "size": 8, "cell": 8, "core_cell": 8, "segment": 1, "exchange": 1,
    "parts": 1, "longest": 1, "strongest": 1,
}  # fmt: skip
"""The least value of a parameter, by its name, which means the same in every strategy; 0 for the others."""

MOST: Final[dict[str, float]] = {
    "nearest": 1000, "quadrant": 250, "paces": 10_000, "cell_paces": 10_000, "cell": 32_000, "core_cell": 32_000,
    "longest": 1000, "strongest": 1000, "removed": 1000, "chains": 65_536, "exchange": 1e9,
    "effort": 1000, "trial": 1000, "split_trial": 1000, "cell_effort": 1000, "core_effort": 1000,
}  # fmt: skip
"""The largest value: what one compiled call or one array takes grows with these."""

MAX_WHOLE: Final = 2**31 - 1
MAX_REAL: Final = 1e9
"""The largest value of the others: kernels take 32-bit integers, and float32 ends not far above the square."""


def check_ranges(strategy: Strategy) -> None:
    """Refuse a parameter that is no number or outside its range, which the message gives."""
    if not is_dataclass(strategy):
        return
    for field in fields(strategy):
        value = getattr(strategy, field.name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        whole = isinstance(field.default, int)
        least, most = LEAST.get(field.name, 0), MOST.get(field.name, MAX_WHOLE if whole else MAX_REAL)
        if whole and math.isfinite(value) and value != int(value):
            raise UsageError(f"{strategy.name}: {field.name} is a whole number, not {value}")
        if not least <= value <= most:
            raise UsageError(f"{strategy.name}: {field.name} is from {least:,} to {most:,.0f}, not {value}")
