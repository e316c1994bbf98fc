"""What each neighbourhood contributed to a search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass
class Contribution:
    """Contribution of one neighbourhood."""

    neighborhood: str
    moves: int = 0  # moves made
    gain: float = 0.0  # what they made the tour shorter, in all
    evaluations: int = 0  # moves evaluated
    seconds: float = 0.0  # time of all threads together

    def add(self, moves: int, gain: float, evaluations: int, seconds: float) -> None:
        """Add further moves."""
        self.moves += moves
        self.gain += gain
        self.evaluations += evaluations
        self.seconds += seconds

    def __str__(self) -> str:
        return f"{self.neighborhood}: {self.moves:,} moves, gain {self.gain:,.0f}, {self.seconds:.2f} s"


def report(contributions: Iterable[Contribution]) -> str:
    """Return one line about all of them."""
    return "; ".join(str(one) for one in contributions)
