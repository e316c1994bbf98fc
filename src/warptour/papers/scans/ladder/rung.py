"""What a rung of the ladder is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.tour_scan import TourScan


class ClimberBatch(Protocol):
    """Tours of one problem, each climbed by best-improvement 2-opt to a local minimum.

    Random first tours depend only on the seed and the climber's number, so all rungs climb from the same tours.
    """

    def climb(self, scans: int | None = None) -> None:
        """Run all climbers for ``scans`` scans; by default run some that are not locally optimal for about 20 ms."""

    def counters(self) -> NDArray[np.int32]:
        """Return the counters of each climber, shape (count, 5), as in ``two_opt_climbers``."""

    def evaluated(self) -> int:
        """Return the number of moves evaluated so far by all climbers."""

    def lengths(self) -> NDArray[np.float64]:
        """Return the approximate length of each climber's local minimum; infinite before it is reached."""

    def tours(self) -> Ints:
        """Return each climber's tour, shape (count, n)."""

    def best(self) -> Ints | None:
        """Return the best tour of all climbers, by exact length among the apparently shortest; None if none began."""


class Climb(Protocol):
    """A class of batches of climbers."""

    def crowd(self, problem: TSP, device: Device) -> int:
        """Return the number of climbers that keep a device busy."""

    def __call__(
        self,
        problem: TSP,
        device: Device,
        count: int,
        *,
        seed: int = 0,
        first: int = 0,
        tours: Ints | None = None,
    ) -> ClimberBatch:
        """Return ``count`` climbers, numbered from ``first``, from random tours or from ``tours``, shape (count, n)."""


@dataclass(frozen=True)
class Rung:
    """A 2-opt kernel, of a paper or ours.

    Attributes
    ----------
    name : str
        Value of ``--set kernel=``.
    paper : str
        Author and year.
    what : str
        One line on how it works.
    refuses : callable
        Takes a problem and a device; returns why the rung does not serve them, and which rung goes on, or None.
    scan : callable, optional
        For a rung that scans one tour with the whole device: returns the scan.
    climbers : callable, optional
        For a rung that climbs from many tours concurrently: returns a batch of climbers.
    """

    name: str
    paper: str
    what: str
    refuses: Callable[[TSP, Device], str | None]
    scan: Callable[[TSP, Device], TourScan] | None = None
    climbers: Climb | None = None
