"""What workers on a device share: their parameters, and how they count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from warptour.search.parameters import number
from warptour.search.worker import TimedWorker
from warptour.tours.engine.device_tour import RoundResult
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Ints
from warptour.tours.engine.overlapping import OverlappingWindows

Engine = TypeVar("Engine", DisjointWindows, OverlappingWindows)


@dataclass(frozen=True)
class DeviceWindows:
    """Windows on a device, which lie in the shared memory of a group.

    Attributes
    ----------
    window : int
        Number of cities in a window: the maximum for disjoint ones, the target for overlapping ones.
    walk_length : int
        Steps of the random walks that choose the edges of a kick.
    kicks : float
        Kicks per city and round.
    """

    window: int = number(640, 8, 32_000)
    walk_length: int = number(50, 1, 10_000)
    kicks: float = number(0.5, 0.001, 1000)


class DeviceWorker(TimedWorker, Generic[Engine]):
    """A tour on a device that is refined in rounds of ``options.kicks`` kicks per city.

    ``searched``: seconds of window kernels; the rest of the time goes into cutting and combining windows
    """

    def __init__(self, engine: Engine, options: DeviceWindows) -> None:
        self.engine: Engine = engine
        self.options = options
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
