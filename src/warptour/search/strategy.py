"""What a strategy is."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.search import Search


class Strategy(Protocol):
    """A search rule: a frozen dataclass of its parameters with these attributes and methods.

    Parameters that are numbers have their range as metadata (:func:`warptour.search.parameters.number`).
    """

    name: ClassVar[str]
    """As ``--strategy`` takes it."""

    iteration: ClassVar[str]
    """What ``--iterations`` counts, in the plural: kicks, scans, rounds."""

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return None if the strategy can solve ``problem``, else the sentence that says why not."""

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the device backends that it can search ``problem`` on, of cpu, cuda and opencl, the best first."""

    def run(self, search: Search[Any]) -> None:
        """Search until ``search.over()``, offering every better solution."""
