"""What workers on a device share."""

from __future__ import annotations

from typing import Generic, TypeVar

from warptour.engines.instance import Ints
from warptour.engines.windows.device_tour import RoundResult
from warptour.engines.windows.disjoint import DisjointWindows
from warptour.engines.windows.overlapping import OverlappingWindows
from warptour.search.worker import TimedWorker

Engine = TypeVar("Engine", DisjointWindows, OverlappingWindows)


class DeviceWorker(TimedWorker, Generic[Engine]):
    """A tour on a device that is refined in rounds of ``effort`` kicks per city.

    Attributes
    ----------
    searched : float
        Seconds of window kernels; the rest of the time goes into cutting and combining windows.
    """

    def __init__(self, engine: Engine, *, walk_length: int, effort: float) -> None:
        self.engine: Engine = engine
        self.walk_length = walk_length
        self.effort = effort
        self.iterations = 0
        self.evaluations = 0
        self.gain = 0.0
        self.searched = 0.0
        self._kicks_per_second = 0.0

    @property
    def rounds(self) -> int:
        """Rounds of the engine so far."""
        return self.engine.rounds

    @property
    def at_once(self) -> int:
        """Windows that the device searches at the same time."""
        return self.engine.at_once

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from another tour, shorter by ``gain``."""
        self.engine.restart(tour)
        self.gain += gain

    def best(self) -> Ints:
        """Return the tour as it was before the round under way."""
        return self.engine.fetch()

    def _count(self, won: RoundResult, seconds: float) -> None:
        """Count what a round did in ``seconds`` of window kernels."""
        self.searched += seconds
        self.iterations += won.kicks
        self.evaluations += won.evaluations
        self.gain += won.gain
        if won.kicks:
            self._kicks_per_second = won.kicks / seconds
