"""The rungs of Rocki (2013)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.pairs import PairsScan
from warptour.papers.rocki.engine.table import TableScan, table_refuses
from warptour.papers.rocki.engine.vector import VectorScan
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.tour_scan import fast_metric

PAPER: Final = "Rocki (2013)"


def planar_only(name: str) -> Callable[[TSP, Device], str | None]:
    """Return the test of a rung that computes planar Euclidean distances."""

    def refuses(problem: TSP, device: Device) -> str | None:
        if fast_metric(problem.metric):
            return None
        return f"{name} computes Euclidean distances in the plane only; table takes any metric"

    return refuses


ROCKI: Final[tuple[Rung, ...]] = (
    Rung("table", PAPER, "look-up table of all distances, 4 n^2 bytes", table_refuses, scan=TableScan),
    Rung("pairs", PAPER, "a pair of edges a thread, by triangular index", planar_only("pairs"), scan=PairsScan),
    Rung("vector", PAPER, "rows dealt to threads, columns in vectors", planar_only("vector"), scan=VectorScan),
)
