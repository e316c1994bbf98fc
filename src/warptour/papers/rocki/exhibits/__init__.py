"""Rocki (2013): 2-opt on CPUs and GPUs by OpenCL."""

from __future__ import annotations

from typing import Final

from warptour.papers.paper import Paper
from warptour.papers.rocki.exhibits import big_valley, cooperation, flops, lookup, passes

PAPER: Final = Paper(
    "rocki",
    "Kamil Rocki (2013): OpenCL-based Approach to Heterogeneous Parallel TSP Optimization (slides)",
    (
        lookup.OBTAINING_A_DISTANCE,
        lookup.LOOKUP,
        passes.DEVICES,
        passes.ONE_PASS,
        passes.VECTOR_WIDTHS,
        flops.EXHIBIT,
        passes.MANY_DEVICES,
        cooperation.TOGETHER,
        cooperation.BY_RANKS,
        big_valley.EXHIBIT,
    ),
    (
        (
            "figures of the charts",
            "tour length over time, many GPUs and CPUs: the slides show curves without numbers; ours are drawn anew",
        ),
    ),
)
