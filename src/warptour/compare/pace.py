"""Budgets of programs without a limit on their whole CPU time, from short runs before the first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Pace:
    """CPU seconds of a program as a line: ``fixed + slope * budget``, in the program's own unit of a budget."""

    fixed: float = 0.0
    slope: float = 1.0
    learns: bool = False  # whether every run corrects the slope; otherwise a budget is in CPU seconds

    @classmethod
    def of_wall_time(cls) -> Pace:
        """Return the pace of a program with a limit on wall time: at first that of an idle machine."""
        return cls(learns=True)

    def budget(self, limit: float) -> float:
        """Return the budget that takes ``limit`` CPU seconds, at least 0."""
        return max(0.0, (limit - self.fixed) / self.slope)

    def learn(self, budget: float, cpu: float | None) -> None:
        """Correct the slope by a run; one that took no longer than the fixed part teaches nothing."""
        if self.learns and cpu is not None and budget > 0 and cpu > self.fixed:
            self.slope = (cpu - self.fixed) / budget
