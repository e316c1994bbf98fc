"""Rocki (2013): 2-opt on CPUs and GPUs by OpenCL."""

from __future__ import annotations

from typing import Final

from warptour.papers.paper import Paper
from warptour.papers.rocki.exhibits import big_valley, flops, lookup, passes

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
        big_valley.EXHIBIT,
    ),
    (
        ("several devices over MPI", "inter-device cooperation: not in this reproduction yet"),
        ("tour length over time by iterated local search", "inter-device cooperation: not in this reproduction yet"),
        ("'Results - I tested many GPUs and CPUs'", "the chart has no figures, and most of the hardware is gone"),
    ),
)
