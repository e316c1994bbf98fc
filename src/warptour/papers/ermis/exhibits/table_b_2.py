"""Table B-2: 3-opt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.papers.ermis.exhibits.measuring import DISTANCES, UNNAMED, chosen_device, file_order, uniform
from warptour.papers.ermis.exhibits.printed import NAME, THREE_OPT
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.exhibit import Exhibit
from warptour.papers.scans.suites.three_opt import scan_seconds
from warptour.papers.scans.three_opt import FAST
from warptour.search.search import Search
from warptour.search.stop import Seconds

LIMIT: Final = 120.0
"""Time limit of one descent in seconds."""

CPU_SIZES: Final = (100, 200, 300)


def measure(options: Options) -> Iterator[Row]:
    """Yield the kernel time of a scan, and cost, iterations and time of a descent from the order of the file."""
    device = chosen_device(options)
    sizes = (100,) if options.quick else CPU_SIZES if device.lanes == 1 else tuple(THREE_OPT)
    for n in sizes:
        kernel, iterations, total = THREE_OPT[n]
        problem = uniform(n)
        seconds = scan_seconds(device, problem, file_order(n), FAST)
        yield Row(NAME, "kernel time", n, device.name, 1e3 * seconds, "ms", None, beside_gpu(device, kernel))
        search = Search(problem, Seconds(LIMIT), threads=options.threads or 1, device=device)
        Descent(("3-opt",), quick=False, start="file").run(search)
        assert search.cost is not None
        yield Row(NAME, "minimised cost", n, device.name, float(search.cost), "cost")
        yield Row(NAME, "iterations", n, device.name, search.iterations, "scans", None, iterations)
        yield Row(NAME, "CPU + GPU time", n, device.name, 1e3 * search.seconds, "ms", None, beside_gpu(device, total))


EXHIBIT: Final = Exhibit(
    "table-b-2",
    "Table B-2: 3-opt from the order of the file",
    f"{UNNAMED} {DISTANCES} The thesis shows one way to reconnect three edges, and here the best of four is taken; the "
    "last scan is exact.",
    measure,
)
