"""What ``solve`` returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import Routes


@dataclass(frozen=True)
class Result:
    """The best solution found, and how it was found.

    ``tour`` is a permutation of 0..n-1 for a TSP and the giant tour for vehicles, whose ``routes`` are lists of
    customers. ``gap`` is the cost in percent above the best known value, ``bound_gap`` above the lower bound.
    ``moves`` is how many were looked at, or None if none were counted. Seconds are wall seconds on the clock of the
    time limit; reading and compiling are counted apart.
    """

    name: str
    kind: str
    n: int
    cost: int | float
    feasible: bool
    tour: NDArray[np.int32] = field(repr=False)
    routes: Routes | None = field(default=None, repr=False)
    lower_bound: float | None = None
    best_known: float | None = None
    seconds: float = 0.0
    read_seconds: float = 0.0
    compile_seconds: float = 0.0
    iterations: int = 0
    moves: int | None = None
    device: str = "cpu"
    strategy: str = ""
    seed: int = 0
    threads: int = 1
    interrupted: bool = False
    shortage: str | None = None
    """What the search ran out of, if that ended it: memory, threads, a device."""
    unwritten: tuple[str, ...] = ()
    """Files asked for that are not complete: the trace, the checkpoint."""

    @property
    def gap(self) -> float | None:
        """Percent above the best known cost, or None."""
        return _percent_above(self.cost, self.best_known)

    @property
    def bound_gap(self) -> float | None:
        """Percent above the lower bound, or None."""
        return _percent_above(self.cost, self.lower_bound)

    def summary(self) -> dict[str, Any]:
        """Return everything but the solution itself, ready for JSON."""
        rows = asdict(self)
        del rows["tour"]
        return rows | {
            "routes": None if self.routes is None else len(self.routes),
            "gap": self.gap,
            "bound_gap": self.bound_gap,
        }


def _percent_above(cost: float, base: float | None) -> float | None:
    if base is None:
        return None
    if base == 0:
        return 0.0 if cost == 0 else None
    return 100.0 * (cost - base) / abs(base)
