"""What a strategy is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias

from warptour.devices import Device
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.search import Search

Portion: TypeAlias = Literal["whole", "groups", "rows", "parts"]
"""What one of several devices or members searches: the whole problem (of a very large tour a region, if the strategy
keeps fixed edges), a group of routes, rows of the moves of one tour (:class:`Scanning`), or parts that the strategy
itself gives to its devices."""


class Strategy(Protocol):
    """A search rule: a frozen dataclass of its parameters with these attributes and methods.

    Who inherits from this class need not declare those that have a default. Parameters that are numbers have their
    range as metadata (:func:`warptour.search.parameters.number`).
    """

    name: ClassVar[str]
    """Name of the strategy, as ``--strategy`` takes it."""

    iteration: ClassVar[str]
    """What ``--iterations`` counts, in the plural: kicks, scans, rounds."""

    @property
    def portion(self) -> Portion:
        """What one of several devices or members searches."""
        return "whole"

    @property
    def keeps_fixed_edges(self) -> bool:
        """Whether it solves tours with fixed edges, and so open paths, regions of a tour and asymmetric distances."""
        return False

    @property
    def counts_together(self) -> bool:
        """Whether members that search the whole count the same iterations, instead of some each."""
        return False

    def share(self, rank: int, members: int) -> Self | None:
        """Return what one of several ``members`` that search the whole runs; None for nothing."""
        return self

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return None if the strategy can solve ``problem``, else the sentence that says why not."""

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, ``cpu`` or of ``devices/find.py``, that it can search ``problem`` on, the best first."""

    def run(self, search: Search[Any]) -> None:
        """Search until ``search.over()``, offering every better solution.

        Raises :class:`~warptour.kernels.groups.Unfinished` if time runs out before its first solution.
        """


class Scanning(Strategy, Protocol):
    """A strategy whose portions are rows: members of a crew scan rows of the moves of its one tour."""

    def scanner(self, problem: TSP, kind: str, devices: Sequence[Device], threads: int) -> Callable[[Any, Over], Any]:
        """Return what carries out an order on ``devices``: it scans rows of the ``kind``, and returns the best move."""
