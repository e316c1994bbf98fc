"""Adaptive operator selection for a population: new tours, or more kicks for its members."""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

Operator: TypeAlias = Literal["new", "kick"]
OTHER: Final[dict[Operator, Operator]] = {"new": "kick", "kick": "new"}

MATURE: Final = 15
"""Smallest population whose members are kicked again."""

MAX_IDLE: Final = 4
"""Selections after which the operator with less credit is tried again."""


class OperatorSelection:
    """Credit of each operator, its gain per evaluation, and the time that an individual takes.

    Effort is counted in evaluations, so no clock decides which operator is next.
    """

    def __init__(self) -> None:
        self._rates: dict[Operator, float] = {"new": math.inf, "kick": math.inf}
        self._seconds: dict[Operator, float] = {}
        self._idle: dict[Operator, int] = {"new": 0, "kick": 0}
        self._failed: Operator | None = None

    def next(self, size: int) -> Operator:
        """Return the next operator for a population of ``size`` tours.

        It is the one with more credit, but never one that gained nothing when it was last applied; after ``MAX_IDLE``
        selections it is the other.
        """
        if size < MATURE:
            return "new"
        operator: Operator = "kick" if self._rates["kick"] >= self._rates["new"] else "new"
        return OTHER[operator] if operator == self._failed or self._idle[OTHER[operator]] >= MAX_IDLE else operator

    def reward(self, operator: Operator, gain: float, evaluations: int) -> None:
        """Credit an operator; the weight of earlier credit halves each time."""
        rate, before = gain / max(1, evaluations), self._rates[operator]
        self._rates[operator] = rate if math.isinf(before) else (rate + before) / 2
        self._idle[operator] = 0
        self._idle[OTHER[operator]] += 1
        self._failed = None if gain > 0 else operator

    def took(self, operator: Operator, seconds: float) -> None:
        """Record the seconds that an individual took."""
        self._seconds[operator] = seconds

    def seconds(self, operator: Operator) -> float:
        """Return the seconds that an individual takes, of the other operator if need be; 0 if unknown."""
        return self._seconds.get(operator, self._seconds.get(OTHER[operator], 0.0))
