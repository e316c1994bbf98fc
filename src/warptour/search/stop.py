"""When to end a search. Rules combine with ``|``: whichever is reached first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from warptour.model.errors import UsageError
from warptour.observe.events import State


class Stop:
    """A rule that says when a search is over."""

    reason: ClassVar[str] = "stop"
    """What ``Result.ended`` says if this rule ended the search."""

    def reached(self, state: State) -> bool:
        """Whether the search must end."""
        raise NotImplementedError

    def ending(self, state: State) -> str | None:
        """Return the reason if the rule is reached, else None."""
        return self.reason if self.reached(state) else None

    def seconds_left(self, state: State) -> float:
        """Seconds until a time limit; infinite for rules that look at no clock."""
        return math.inf

    def iterations_left(self, state: State) -> float:
        """Iterations until a limit on them; infinite for rules that count none."""
        return math.inf

    def __or__(self, other: Stop) -> Stop:
        return AnyOf((self, other))


@dataclass(frozen=True)
class AnyOf(Stop):
    """Over as soon as one of ``rules`` is; the result of ``a | b``."""

    rules: tuple[Stop, ...]

    def reached(self, state: State) -> bool:
        return any(rule.reached(state) for rule in self.rules)

    def ending(self, state: State) -> str | None:
        return next((reason for rule in self.rules if (reason := rule.ending(state)) is not None), None)

    def seconds_left(self, state: State) -> float:
        return min(rule.seconds_left(state) for rule in self.rules)

    def iterations_left(self, state: State) -> float:
        return min(rule.iterations_left(state) for rule in self.rules)


@dataclass(frozen=True)
class Seconds(Stop):
    """Over after a number of wall seconds."""

    reason: ClassVar[str] = "time"

    seconds: float

    def __post_init__(self) -> None:
        if not self.seconds >= 0:
            raise UsageError(f"a time limit is 0 or more seconds, not {self.seconds}")

    def reached(self, state: State) -> bool:
        return state.seconds >= self.seconds

    def seconds_left(self, state: State) -> float:
        return max(0.0, self.seconds - state.seconds)


@dataclass(frozen=True)
class Iterations(Stop):
    """Over after a number of iterations, as the strategy counts them."""

    reason: ClassVar[str] = "iterations"

    iterations: int

    def __post_init__(self) -> None:
        if not self.iterations >= 0:
            raise UsageError(f"a limit on iterations is 0 or more, not {self.iterations}")

    def reached(self, state: State) -> bool:
        return state.iterations >= self.iterations

    def iterations_left(self, state: State) -> float:
        return max(0, self.iterations - state.iterations)


@dataclass(frozen=True)
class Target(Stop):
    """Over once the cost is at or below a target."""

    reason: ClassVar[str] = "target"

    cost: float

    def reached(self, state: State) -> bool:
        return state.cost is not None and state.cost <= self.cost


@dataclass(frozen=True)
class NoImprovement(Stop):
    """Over when the best cost has not fallen for a number of seconds, and of ``iterations`` if these are given, too."""

    reason: ClassVar[str] = "patience"

    seconds: float
    iterations: int = 0

    def __post_init__(self) -> None:
        if not self.seconds >= 0:
            raise UsageError(f"a limit without improvement is 0 or more seconds, not {self.seconds}")
        if not self.iterations >= 0:
            raise UsageError(f"a limit without improvement is 0 or more iterations, not {self.iterations}")

    def reached(self, state: State) -> bool:
        if state.cost is None or state.iterations - state.improved_iterations < self.iterations:
            return False
        return state.seconds - state.improved_at >= self.seconds
