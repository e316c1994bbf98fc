"""The incumbent: the one tour that all threads of the host improve together."""

from __future__ import annotations

from typing import Protocol

from warptour.search.worker import Worker
from warptour.tours.engine.instance import Instance


class Incumbent(Worker, Protocol):
    """A worker of the host's threads on the best tour: :class:`Rounds` or :class:`Regions`."""

    instance: Instance

    advances: int  # steps so far

    @property
    def host_evaluations(self) -> int:
        """Evaluations and kicks of the host's threads, without those of a device."""

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired; before, kicks would be wasted."""
