"""What Ermis (2015) prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NAME: Final = "ermis"
TITLE: Final = (
    "Gizem Ermiş (2015): Accelerating Local Search Algorithms for Travelling Salesman Problem Using GPU Effectively"
)
K600: Final = "K600"
"""Name of the thesis' GPU in rows that come from the model of occupancy."""

BLOCKS: Final = (1024, 512, 256, 128)
REGISTERS: Final = 20
"""Registers per thread of her kernel."""


@dataclass(frozen=True)
class PrintedBest:
    """A line of tables 4.7, 4.9, 4.12, 4.14 and 4.20: the predicted launch and the best observed one.

    ``predicted`` and ``observed`` are grid and iterations; ``ms`` is the kernel time.
    """

    block: int
    predicted: tuple[int, int]
    observed: tuple[int, int]
    ms: float


BEST: Final[dict[int, tuple[PrintedBest, ...]]] = {
    500: (
        PrintedBest(1024, (2, 61), (2, 61), 0.203),
        PrintedBest(512, (4, 61), (4, 61), 0.203),
        PrintedBest(256, (8, 61), (8, 61), 0.209),
        PrintedBest(128, (16, 61), (9, 109), 0.307),
    ),
    1000: (
        PrintedBest(1024, (2, 242), (2, 242), 0.776),
        PrintedBest(512, (4, 242), (4, 242), 0.791),
        PrintedBest(256, (8, 242), (4, 484), 1.309),
        PrintedBest(128, (16, 242), (4, 967), 2.515),
    ),
    1500: (
        PrintedBest(1024, (2, 549), (2, 549), 1.739),
        PrintedBest(512, (4, 549), (3, 732), 2.125),
        PrintedBest(256, (8, 549), (3, 1464), 3.851),
        PrintedBest(128, (16, 549), (3, 2928), 7.515),
    ),
    2000: (
        PrintedBest(1024, (2, 977), (2, 977), 3.093),
        PrintedBest(512, (4, 977), (2, 1953), 5.216),
        PrintedBest(256, (8, 977), (2, 3905), 10.090),
        PrintedBest(128, (16, 977), (2, 7809), 19.897),
    ),
    6000: (
        PrintedBest(1024, (2, 8791), (1, 17582), 61),
        PrintedBest(512, (4, 8791), (1, 35163), 117),
        PrintedBest(256, (8, 8791), (1, 70325), 230),
    ),
    15000: (
        PrintedBest(1024, (2, 54936), (1, 109871), 1172),
        PrintedBest(512, (4, 54936), (1, 219741), 2216),
        PrintedBest(256, (8, 54936), (1, 439483), 4369),
    ),
}
"""Times of 1,000 to 2,000 cities by appendix A; tables 4.9 to 4.14 cut them to whole milliseconds."""

OCCUPANCY: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    500: ((2, 100), (4, 100), (8, 100), (9, 56)),
    1000: ((2, 100), (4, 100), (4, 50), (4, 25)),
    1500: ((2, 100), (3, 75), (3, 38), (3, 19)),
    2000: ((2, 100), (2, 50), (2, 25), (2, 13)),
}
"""Active blocks and occupancy in percent for each of ``BLOCKS``: tables 4.8, 4.10, 4.11 and 4.13."""


@dataclass(frozen=True)
class PrintedDescent:
    """A descent: number of 2-opt iterations and CPU + GPU time."""

    iterations: int
    ms: float


SEQUENTIAL: Final = {
    500: PrintedDescent(541, 253),
    1000: PrintedDescent(1081, 5512),
    2000: PrintedDescent(2219, 79233),
    3000: PrintedDescent(3292, 315715),
    4000: PrintedDescent(4470, 1287758),
}
PARALLEL: Final = {
    500: PrintedDescent(533, 181),
    1000: PrintedDescent(1094, 1096),
    2000: PrintedDescent(2166, 7099),
    3000: PrintedDescent(3268, 50754),
    4000: PrintedDescent(4450, 93671),
}
"""Table 4.15."""

RANGES_OF_9000: Final = ((9000, 3000), (6000, 3000), (3000, 3000), (9000, 6000), (6000, 6000), (9000, 9000))
RANGES_OF_9: Final = ((9, 3), (6, 3), (3, 3), (9, 6), (6, 6), (9, 9))
"""Last positions of coordinates A and B of each partition: tables 4.16 and 4.17."""

PARTITION_OF_JOB: Final = "333222222522255111444111444611144466111444666"
"""A digit per job: table 4.18."""

PARTITIONS: Final = {9000: (3, 6), 15_000: (5, 15), 30_000: (10, 55), 60_000: (20, 210)}
"""Ranges and partitions: table 4.19."""

NAIVE: Final = {
    500: PrintedDescent(533, 181),
    1000: PrintedDescent(1094, 1096),
    2000: PrintedDescent(2166, 7099),
    2500: PrintedDescent(2772, 23011),
    3000: PrintedDescent(3268, 50754),
    3500: PrintedDescent(3883, 62493),
    4000: PrintedDescent(4462, 93820),
    6000: PrintedDescent(1554, 95925),
    9000: PrintedDescent(2362, 493356),
}
NEAREST: Final = {
    500: PrintedDescent(417, 173),
    1000: PrintedDescent(867, 970),
    2000: PrintedDescent(1877, 6276),
    2500: PrintedDescent(2273, 19449),
    3000: PrintedDescent(2847, 34611),
    3500: PrintedDescent(3396, 55915),
    4000: PrintedDescent(3812, 81460),
    6000: PrintedDescent(1212, 74821),
    9000: PrintedDescent(1876, 392864),
}
"""Table 4.21."""

WRONG_IDS: Final[dict[tuple[int, int], tuple[int, ...]]] = {
    (364, 454): (454,),
    (455, 559): (559,),
    (560, 679): (679,),
    (680, 815): (815,),
    (816, 968): (968,),
    (3276, 3653): (3652, 3653),
    (30856, 32508): (32505, 32506, 32507, 32508),
}
"""Table 4.23: first and last id of an i, and those for which formula 4.8 gives another."""

MENDED: Final = (
    (1, (3, 1, 0)),
    (2, (3, 2, 0)),
    (3, (3, 2, 1)),
    (4, (3, 1, 0)),
    (5, (4, 2, 0)),
    (6, (4, 2, 1)),
    (7, (4, 3, 0)),
    (8, (4, 3, 1)),
    (9, (4, 3, 2)),
    (10, (4, 1, 0)),
)
"""Table 4.24, right half: id and triple."""

LARGE: Final = {
    6000: (17582, 71.420),
    15_000: (109871, 1588.713),
    30_000: (439468, 21681.576),
    45_000: (988792, 104357.210),
    60_000: (1757842, 321000.937),
}
"""Iterations and kernel milliseconds of a step: table B-1."""

THREE_OPT: Final = {
    100: (5, 83, 396),
    200: (19, 175, 2318),
    300: (33, 270, 8714),
    400: (61, 342, 21012),
    500: (103, 466, 50732),
    600: (175, 557, 100612),
    700: (270, 632, 176567),
    800: (358, 731, 270441),
    900: (502, 836, 437143),
    1000: (631, 963, 630951),
}
"""Kernel milliseconds, iterations and total milliseconds: table B-2."""
