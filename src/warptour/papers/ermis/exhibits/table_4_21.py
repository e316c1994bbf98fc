"""Table 4.21: the effect of the first tour."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.papers.ermis.engine.job_scans import PartitionScan, SharedScan
from warptour.papers.ermis.engine.job_tuning import tuned_scan
from warptour.papers.ermis.exhibits.measuring import DISTANCES, UNNAMED, chosen_device, descent, uniform
from warptour.papers.ermis.exhibits.printed import NAIVE, NAME, NEAREST
from warptour.papers.exhibit import Exhibit
from warptour.tours.starts.start import start

CPU_SIZES: Final = (500, 1000)
LARGE: Final = 6000
"""Fewest cities of the part called large size data, which takes partitions."""


def measure(options: Options) -> Iterator[Row]:
    """Yield first and last cost, iterations and time from both first tours; the time includes the construction."""
    device = chosen_device(options)
    sizes = (500,) if options.quick else CPU_SIZES if device.lanes == 1 else tuple(NAIVE)
    for n in sizes:
        problem = uniform(n)
        scan = tuned_scan(PartitionScan if n >= LARGE else SharedScan, problem, device)
        for name, printed in (("file", NAIVE[n]), ("nearest", NEAREST[n])):
            began = time.perf_counter()
            tour = start(problem, name, threads=1)
            built = time.perf_counter() - began
            scans, seconds, found = descent(scan, tour)
            yield Row(NAME, f"{name}, first cost", n, device.name, float(problem.cost(tour)), "cost")
            yield Row(NAME, f"{name}, minimised cost", n, device.name, float(problem.cost(found)), "cost")
            yield Row(NAME, f"{name}, iterations", n, device.name, scans, "scans", None, printed.iterations)
            hers = beside_gpu(device, printed.ms)
            yield Row(NAME, f"{name}, time", n, device.name, 1e3 * (built + seconds), "ms", None, hers)


EXHIBIT: Final = Exhibit(
    "table-4.21",
    "Table 4.21: descents from the order of the file and from nearest neighbour",
    f"{UNNAMED} {DISTANCES} Her nearest-neighbour tours are only 7 to 27% shorter than the order of the file, so that "
    "construction must be another one; from 6,000 cities on her instances are others, and her descents shorter.",
    measure,
)
