"""Exact scans of one tour that others carry out: what a search holds, whoever they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from warptour.model.problem import TSP


class Runner(Protocol):
    """Carries out orders beside others: a scanner on a thread, or one elsewhere."""

    name: str  # name of the runner, as people read it

    def start(self, order: Any) -> None:
        """Begin to carry out an order."""

    def take(self, seconds: float) -> Any | None:
        """Return what was found, or None if that takes more than ``seconds``; raises whatever went wrong."""

    def halt(self) -> None:
        """Give up the order that was started last."""


MakeRunner: TypeAlias = Callable[[TSP, str], Runner]
"""Makes a runner for a problem and a kind of rows."""
