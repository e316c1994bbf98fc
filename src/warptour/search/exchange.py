"""What a search is given by others: solutions of the same problem, and exact scans of its tour that they carry out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP
from warptour.model.vehicles import Routes

Solution: TypeAlias = NDArray[np.int32] | Routes


class Exchange(Protocol):
    """Solutions of other searches, which a strategy takes between two steps."""

    def due(self) -> bool:
        """Return whether it is time to report the best solution and :meth:`take` those of others."""

    def take(self) -> list[Solution]:
        """Return the solutions of others since the last call, waiting for them if the search is to be reproducible."""


class Alone:
    """There are no others."""

    def due(self) -> bool:
        """Return False."""
        return False

    def take(self) -> list[Solution]:
        """Return an empty list."""
        return []


class Runner(Protocol):
    """Carries out orders beside others: a scanner on a thread, or one elsewhere."""

    name: str
    """Name of the runner, as people read it."""

    def start(self, order: Any) -> None:
        """Begin to carry out an order."""

    def take(self, seconds: float) -> Any | None:
        """Return what was found, or None if that takes more than ``seconds``; raises whatever went wrong."""

    def halt(self) -> None:
        """Give up the order that was started last."""


MakeRunner: TypeAlias = Callable[[TSP, str], Runner]
"""Makes a runner for a problem and a kind of rows."""
