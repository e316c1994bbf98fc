"""What the slides of Rocki (2013) print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FLOP: Final = 31
"""FLOP of a pair of edges, 155e9 for the 5e9 pairs of 100,000 cities: four distances of 6 FLOP and a root, which
counts as one, and three additions.
"""

IMPLIED_FLOP: Final = 25
"""FLOP of a pair by another slide: 1000 GFLOP/s = approximately 40 billion pairs per second."""

MEMORY: Final = (
    ("kroE100", 100, "0.038", "0.78"),
    ("ch130", 130, "0.065", "1.02"),
    ("ch150", 150, "0.086", "1.17"),
    ("kroA200", 200, "0.15", "1.56"),
    ("ts225", 225, "0.19", "1.75"),
    ("pr299", 299, "0.34", "2.34"),
    ("pr439", 439, "0.74", "3.43"),
    ("rat783", 783, "2.34", "6.12"),
    ("vm1084", 1084, "4.48", "8.47"),
    ("pr2392", 2392, "21.8", "18.69"),
    ("pcb3038", 3038, "35.21", "23.73"),
    ("fl3795", 3795, "54.9", "29.65"),
    ("fnl4461", 4461, "75.9", "34.85"),
)
"""Instance, n, MB of the look-up table and kB of the coordinates."""

LOOKUP_FASTER: Final = 5.0
"""How many times faster the look-up table is at n = 100, on a CPU."""


@dataclass(frozen=True)
class Rate:
    """GFLOP/s of a device, and what percentage of its peak that is, if printed."""

    hardware: str
    gflops: float
    percent: float | None = None


CORE, CORES, CORE_SIMD, CORES_SIMD = "1 core, scalar", "all cores, scalar", "1 core, SIMD", "all cores, SIMD"
CORES_PAIRS: Final = "all cores, pairs"
OPENCL_PAIRS, OPENCL_VECTOR, GPU_PAIRS, GPU_VECTOR = (
    "OpenCL CPU, pairs",
    "OpenCL CPU, vector",
    "GPU, pairs",
    "GPU, vector",
)

RATES: Final[dict[str, tuple[Rate, ...]]] = {
    CORE: (Rate("E5-2690", 1.8), Rate("Xeon Phi 5110P", 0.7)),
    CORES: (Rate("E5-2690, 16 cores", 25.61), Rate("Xeon Phi 5110P, 60 cores", 41.2)),
    CORE_SIMD: (Rate("E5-2690", 11.60), Rate("Xeon Phi 5110P", 8.1)),
    CORES_SIMD: (Rate("E5-2690, 16 cores", 184.89, 49.6), Rate("Xeon Phi 5110P, 60 cores", 442.68, 43.5)),
    CORES_PAIRS: (),
    OPENCL_PAIRS: (Rate("E5-2690", 31.46), Rate("Xeon Phi 5110P", 7.27)),
    OPENCL_VECTOR: (Rate("E5-2690", 158.72, 42.8),),
    GPU_PAIRS: (
        Rate("GTX Titan, CUDA", 1193.30, 25.3),
        Rate("GTX Titan, OpenCL", 755.82, 16.1),
        Rate("Radeon 7970", 848.15, 21.2),
    ),
    GPU_VECTOR: (Rate("GTX Titan, OpenCL", 1137.49, 24.2),),
}
"""By program, GPU-style (pairs) or CPU-style (vector); native ones by cores and vectors."""


@dataclass(frozen=True)
class Hardware:
    """A device of the slides, its kind, and GFLOP/s of the best program on it."""

    hardware: str
    kind: str
    gflops: float


BEST_OF_EACH: Final = (
    Hardware("E5-2690, 16 cores", "cpu", 184.89),
    Hardware("Xeon Phi 5110P, 60 cores", "cpu", 442.68),
    Hardware("Radeon 7970", "gpu", 848.15),
    Hardware("GTX Titan", "gpu", 1193.30),
)

FLOP_TEST: Final[dict[str, dict[str, tuple[float, ...]]]] = {
    "float32": {
        "i7-3960X, AMD's OpenCL": (10.85, 21.66, 42.49, 84.53, 165.07),
        "i7-3960X, Intel's OpenCL": (86.57, 171.52, 298.97, 135.06, 106.39),
    },
    "float64": {"Xeon Phi": (890.67, 908.93, 905.78, 589.34, 23.52)},
}
"""GFLOP/s for vectors of 1, 2, 4, 8 and 16 numbers."""

PASS_CITIES: Final = 100_000
PASS: Final[dict[str, tuple[tuple[str, float], ...]]] = {
    CORE: (("E5-2690", 86.0),),
    CORES_SIMD: (("E5-2690, 16 cores", 0.84),),
    OPENCL_VECTOR: (("E5-2690", 0.98),),
    GPU_PAIRS: (("Radeon 7970", 0.18), ("GTX Titan", 0.14)),
    GPU_VECTOR: (("GTX Titan", 0.14),),
}
"""Seconds of a pass, by program."""
