"""Our rungs: ``diagonal``, which shares square roots between moves, and ``pruned``, which leaves out most moves."""

from __future__ import annotations

from typing import Final

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.scans.box_tree import prunable
from warptour.papers.scans.ladder.pruned_climbers import PrunedClimbers
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import SMALLEST, FastScan
from warptour.papers.scans.tour_scan import fast_metric
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers

SMALLEST_PRUNED: Final = 5
"""Minimum number of cities for the pruned scan."""


def diagonal_refuses(problem: TSP, device: Device) -> str | None:
    """Return why the diagonal scan does not serve a problem, or None."""
    if not fast_metric(problem.metric):
        return f"diagonal measures planar Euclidean distances, not {problem.metric.name}; table takes any metric"
    if problem.n < SMALLEST:
        return f"diagonal takes at least {SMALLEST} cities; pairs takes fewer"
    return None


def pruned_refuses(problem: TSP, device: Device) -> str | None:
    """Return why the pruned scan does not serve a problem, or None."""
    if not prunable(problem):
        return (
            f"pruned measures planar Euclidean distances, unrounded or rounded to the nearest integer or up, not"
            f" {problem.metric.name}; table takes any metric"
        )
    if problem.n < SMALLEST_PRUNED:
        return f"pruned takes at least {SMALLEST_PRUNED} cities; pairs takes fewer"
    return None


OURS: Final = (
    Rung(
        "diagonal",
        "warptour",
        "rows in registers, square roots shared along diagonals",
        diagonal_refuses,
        scan=FastScan,
        climbers=TwoOptClimbers,
    ),
    Rung(
        "pruned",
        "warptour",
        "only edges that are long enough, and cities within their reach; exact",
        pruned_refuses,
        scan=PrunedScan,
        climbers=PrunedClimbers,
    ),
)
