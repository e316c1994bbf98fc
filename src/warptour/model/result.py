"""The return value of ``solve``."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes

FLOAT_SHARE = 1e-9
"""Relative distance at which a float bound counts as equal to the cost."""


@dataclass(frozen=True)
class ResultRecord:
    """The best solution found, with statistics of the search.

    ``tour`` is a permutation of 0..n-1 for a TSP and the giant tour for a VRP, whose ``routes`` are arrays of
    customers. ``gap`` is the cost in percent above the best known value, ``bound_gap`` above the lower bound. ``moves``
    is the number of moves evaluated, or None if they were not counted. ``seconds`` is wall-clock time as limited by the
    time limit; reading and compiling are reported separately.
    """

    name: str
    kind: str
    n: int
    cost: int | float
    feasible: bool
    tour: NDArray[np.int32] = field(repr=False)
    routes: Routes | None = field(default=None, repr=False)
    lower_bound: int | float | None = None
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
    workers: int = 1
    """Devices or processes that searched side by side, each with its threads."""
    interrupted: bool = False
    """Whether a signal ended the search."""
    ended: str = ""
    """Why the search ended: ``optimal`` (proven), ``target``, ``patience`` (no improvement for long), ``time``,
    ``iterations``, ``finished`` (the strategy was done), ``cancelled``, ``interrupted`` (a signal), ``callback`` (a
    listener returned False), ``failure`` (see ``shortage``), or the ``reason`` of a stop rule of the caller."""
    improved_at: float = 0.0
    """Seconds of the search at its last improvement."""
    shortage: str | None = None
    """The exhausted resource, if that ended the search: memory, threads, a device."""
    unwritten: tuple[str, ...] = ()
    """Requested files that are incomplete: the trace, the checkpoint."""
    problem: TSP | VRP | None = field(default=None, repr=False, compare=False)
    """The problem that was solved."""

    @property
    def solution(self) -> NDArray[np.int32] | Routes:
        """The tour, or for vehicles the routes."""
        return self.tour if self.routes is None else self.routes

    @property
    def gap(self) -> float | None:
        """Percent above the best known cost, or None."""
        return percent_above(self.cost, self.best_known)

    @property
    def bound_gap(self) -> float | None:
        """Percent above the lower bound, or None."""
        return percent_above(self.cost, self.lower_bound)

    @property
    def optimal(self) -> bool:
        """Whether the lower bound proves the solution optimal."""
        return self.feasible and is_optimal(self.cost, self.lower_bound)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be a mistake in the problem's file; see ``Problem.warnings``."""
        return () if self.problem is None else self.problem.warnings

    def summary(self) -> dict[str, Any]:
        """Return everything but the solution itself and the problem, serialisable as JSON."""
        rows = {part.name: getattr(self, part.name) for part in fields(self) if part.name not in ("tour", "problem")}
        return rows | {
            "routes": None if self.routes is None else len(self.routes),
            "gap": self.gap,
            "bound_gap": self.bound_gap,
            "optimal": None if self.lower_bound is None else self.optimal,
            "warnings": list(self.warnings),
        }


def is_optimal(cost: float | None, lower_bound: float | None) -> bool:
    """Return whether ``lower_bound`` proves ``cost`` optimal: equal integers, or floats within ``FLOAT_SHARE``."""
    if cost is None or lower_bound is None:
        return False
    whole = isinstance(cost, int) and isinstance(lower_bound, int)
    return cost <= lower_bound + (0 if whole else FLOAT_SHARE * abs(cost))


def percent_above(cost: float, base: float | None) -> float | None:
    if base is None:
        return None
    if base == 0:
        return 0.0 if cost == 0 else None
    return 100.0 * (cost - base) / abs(base)
