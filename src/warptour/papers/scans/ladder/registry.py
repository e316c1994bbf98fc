"""All rungs by name, in the order of their papers."""

from __future__ import annotations

from typing import Final

from warptour.devices import Device
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.papers.ermis.engine.rungs import ERMIS
from warptour.papers.oneil.engine.rungs import ONEIL
from warptour.papers.rocki.engine.rungs import ROCKI
from warptour.papers.scans.ladder.one_climber import OneClimber
from warptour.papers.scans.ladder.ours import OURS
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.tour_scan import TourScan

RUNGS: Final[dict[str, Rung]] = {rung.name: rung for rung in (*ONEIL, *ROCKI, *ERMIS, *OURS)}


def known_rung(name: str) -> Rung:
    """Return a rung by its name; the error lists what there is."""
    if name not in RUNGS:
        raise UsageError(f"there is no kernel {name!r}; there are {', '.join(RUNGS)}, and auto")
    return RUNGS[name]


def rung_for(name: str, problem: TSP, device: Device) -> Rung:
    """Return a rung by its name, unless it refuses the problem or the device."""
    rung = known_rung(name)
    if (reason := rung.refuses(problem, device)) is not None:
        raise UnsupportedError(reason)
    return rung


def scan_by(rung: Rung, problem: TSP, device: Device) -> TourScan:
    """Return the scan of a rung; a rung that has climbers climbs with one."""
    if rung.scan is not None:
        return rung.scan(problem, device)
    assert rung.climbers is not None
    return OneClimber(problem, device, rung.climbers)
