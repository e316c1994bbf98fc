"""What Schulz (2011) prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NAME: Final = "schulz"
TITLE: Final = (
    "Christian Schulz (2011): Efficient Local Search on the GPU: Investigations on the Vehicle Routing Problem"
)
GPU: Final = "GTX 480"

SIZES: Final = (57, 99, 201, 301, 399, 511, 967, 1441, 2081, 2401)
"""Nodes of the giant tours in table 5."""

ITERATION: Final[dict[tuple[int, int], tuple[float, ...]]] = {
    (2, 3): (5.03e-04, 6.53e-04, 7.11e-04, 1.04e-03, 1.47e-03, 2.07e-03, 5.63e-03, 1.01e-02, 2.04e-02, 2.71e-02),
    (2, 4): (4.99e-04, 6.47e-04, 7.03e-04, 1.02e-03, 1.45e-03, 2.02e-03, 5.50e-03, 9.68e-03, 1.95e-02, 2.59e-02),
    (3, 3): (1.25e-03, 3.72e-03, 2.40e-02, 7.75e-02, 1.77e-01, 3.56e-01, 2.57e00, 8.29e00, 2.49e01, 3.83e01),
    (3, 4): (1.23e-03, 3.64e-03, 2.34e-02, 7.50e-02, 1.70e-01, 3.41e-01, 2.45e00, 7.88e00, 2.36e01, 3.63e01),
}
"""Table 5: seconds per iteration for each of ``SIZES``, by neighbourhood (2-opt, 3-opt) and index mode."""


@dataclass(frozen=True)
class Kernel:
    """A line of tables 1 to 4, at 399 nodes."""

    # ms, occupancy, registers: milliseconds, achieved occupancy and registers per thread
    ms: float
    occupancy: float
    registers: int
    # bandwidth, hits: GB/s, and cache hits in percent
    bandwidth: float
    hits: float
    # local, divergent: Accesses to local memory and divergent branches of one multiprocessor. Tables 1 and 2 have one
    # number for both columns, so it is not known which they are.
    local: float | None = None
    divergent: float | None = None


TABLE_1: Final = {
    "3-opt capacity": Kernel(346, 0.50, 37, 137, 84),
    "3-opt cost": Kernel(241, 0.67, 32, 140, 75),
    "3-opt count": Kernel(217, 0.50, 35, 98, 88),
    "3-opt length": Kernel(562, 0.42, 47, 138, 75),
    "2-opt capacity": Kernel(0.56, 0.50, 36, 131, 80),
    "2-opt cost": Kernel(0.38, 0.50, 36, 117, 76),
    "2-opt count": Kernel(0.36, 0.50, 36, 93, 82),
    "2-opt length": Kernel(0.85, 0.42, 45, 129, 76),
}
"""The Benchmark Version."""

TABLE_2: Final = {
    "3-opt capacity": Kernel(198, 0.42, 46, 3, 97),
    "3-opt cost": Kernel(171, 0.50, 36, 6, 84),
    "3-opt count": Kernel(184, 0.50, 38, 4, 97),
    "3-opt length": Kernel(249, 0.33, 63, 8, 86),
    "2-opt capacity": Kernel(0.31, 0.50, 40, 9, 95),
    "2-opt cost": Kernel(0.26, 0.50, 36, 9, 90),
    "2-opt count": Kernel(0.28, 0.50, 36, 5, 96),
    "2-opt length": Kernel(0.41, 0.33, 54, 13, 89),
}
"""Segments in registers, part sizes in shared memory."""

TABLE_3: Final = {
    "3-opt capacity": Kernel(31, 1.00, 18, 12, 94, 0, 17e3),
    "3-opt cost": Kernel(26, 1.00, 20, 42, 77, 0, 2),
    "3-opt count": Kernel(27, 1.00, 18, 35, 91, 0, 0),
    "3-opt length": Kernel(76, 0.52, 28, 12, 83, 0, 52e4),
    "2-opt capacity": Kernel(0.07, 1.00, 18, 35, 83, 0, 31),
    "2-opt cost": Kernel(0.05, 0.83, 21, 61, 72, 0, 0),
    "2-opt count": Kernel(0.06, 1.00, 18, 44, 84, 0, 0),
    "2-opt length": Kernel(0.16, 0.67, 30, 41, 83, 0, 768),
}
"""The improved kernels on a hierarchy of zero levels."""

TABLE_4: Final = {
    "2-opt capacity": Kernel(0.18, 0.67, 27, 1, 95, 0, 865),
    "2-opt cost": Kernel(0.14, 0.67, 29, 14, 84, 0, 884),
    "2-opt count": Kernel(0.16, 0.67, 27, 8, 94, 0, 820),
    "2-opt length": Kernel(0.24, 0.38, 39, 4, 90, 0, 1271),
}
"""The improved 2-opt kernels on a hierarchy of one level. The bandwidth of `2-opt capacity` is printed as <1."""

KERNEL_NODES: Final = 399
SPLIT_NODES: Final = 735
"""Nodes of figure 23, the timeline of a split neighbourhood."""

IDLE: Final[dict[str, float]] = {"figure-7": 40, "figure-20": 60}
"""Share of an iteration in which the GPU is idle, in percent, where the text says it: "about" and "around"."""

FILTERED: Final = (0, 75, 99, 99.9)
"""Neighbours that figure 25 filters out, in percent."""
