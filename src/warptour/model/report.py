"""The result of checking a solution."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """Exact cost of a solution, feasible or not, and all its violations."""

    cost: int | float
    violations: tuple[str, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations
