"""What a check of a solution says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """The exact cost of a solution, even an infeasible one, and every way in which it fails."""

    cost: int | float
    violations: tuple[str, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations
