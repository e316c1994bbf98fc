"""What a search is given by other searches of the same problem."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
