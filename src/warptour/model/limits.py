"""Limits on a route: on its travel in some measure, plus its services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from warptour.model.clock import MINUTE, format_duration
from warptour.model.metric import Floats

LIMIT_TOLERANCE = 1e-8
"""Relative excess over a limit that is tolerated, for float64 errors and limits given rounded."""

SEARCHED_LIMIT = 1e-9
"""Relative excess over a limit that searches tolerate: less than the checker, whose summation order differs."""


@dataclass(frozen=True, eq=False)
class Limit:
    """Upper limit on every route's travel plus services."""

    of: Literal["distance", "duration"]
    most: float  # the limit, in the unit of ``services`` and of the travel
    services: Floats  # (n,): added for each customer
    travel: NDArray[Any] | None = None  # (n, n): travel between nodes; None for the distances that are minimised
    pace: float = 1.0  # what the user's unit is in that of ``most``: a duration in seconds is ``pace`` times the travel

    @property
    def directed(self) -> bool:
        """Whether the travel of some route depends on its direction, by a matrix of its own."""
        return self.travel is not None and bool((self.travel != self.travel.T).any())

    @property
    def searched(self) -> float:
        """The limit for searches."""
        return self.most * (1 + SEARCHED_LIMIT)

    def exceeded(self, amount: float) -> bool:
        """Return whether ``amount`` is above the limit by more than rounding."""
        return amount > self.most * (1 + LIMIT_TOLERANCE)

    def text(self, amount: float) -> str:
        """Return an amount for people."""
        if self.of == "distance":
            return f"{amount:.6g}"
        seconds = amount * self.pace
        return format_duration(seconds) if abs(seconds) >= MINUTE else f"{seconds:.2g} s"

    def complaint(self, amount: float) -> str:
        """Return how an amount exceeds the limit: ``is 120 long, 20 over the limit 100``."""
        what = f"is {self.text(amount)} long" if self.of == "distance" else f"takes {self.text(amount)}"
        return f"{what}, {self.text(amount - self.most)} over the limit {self.text(self.most)}"
