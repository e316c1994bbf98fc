"""What each neighbourhood contributed to a search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass
class Contribution:
    """Contribution of one neighbourhood.

    Attributes
    ----------
    neighborhood : str
    moves : int
        Moves made.
    gain : float
        What they made the tour shorter, in all.
    evaluations : int
        Moves evaluated.
    seconds : float
        Time of all threads together.
    """

    neighborhood: str
    moves: int = 0
    gain: float = 0.0
    evaluations: int = 0
    seconds: float = 0.0

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
