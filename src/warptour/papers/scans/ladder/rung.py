"""What a rung of the ladder is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.scans.ladder.climber_batch import ResidentClimbers
from warptour.papers.scans.tour_scan import TourScan


@dataclass(frozen=True)
class Rung:
    """A 2-opt kernel, of a paper or ours."""

    name: str  # value of ``--set kernel=``
    paper: str  # author and year
    what: str  # one line on how it works
    # takes a problem and a device; returns why the rung does not serve them, and which rung goes on, or None
    refuses: Callable[[TSP, Device], str | None]
    # for a rung that scans one tour with the whole device: returns the scan
    scan: Callable[[TSP, Device], TourScan] | None = None
    climbers: type[ResidentClimbers] | None = None  # for a rung that climbs from many tours concurrently
