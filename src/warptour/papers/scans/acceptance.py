"""Acceptance rules: which tours a chain continues from."""

from __future__ import annotations

from typing import Literal, TypeAlias

from warptour.model.errors import UsageError

Acceptance: TypeAlias = Literal["better", "equal", "threshold"]


def slack(accept: Acceptance, threshold: float, cost: float, n: int) -> float:
    """Return by how much the next tour may be longer than the best; below 0, it must be shorter than the last.

    ``accept``: "better" or "equal" or "threshold"
    ``threshold``: for ``threshold``, in mean edges of the starting tour
    ``cost``, ``n``: of the starting tour
    """
    if accept == "better":
        return -1.0
    if accept == "equal":
        return 0.0
    if accept == "threshold":
        if not threshold >= 0:
            raise UsageError(f"a threshold is 0 or more mean edges, not {threshold}")
        return threshold * cost / n
    raise UsageError(f"unknown acceptance {accept!r}; there are better, equal, threshold")
