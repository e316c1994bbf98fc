"""Tables 4.15, 4.21 and B-2: descents by 2-opt and 3-opt, their scans and times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices.cpu import Cpu
from warptour.devices.launch import Launch
from warptour.papers.ermis.engine.job_scans import PartitionScan, SharedScan
from warptour.papers.ermis.engine.job_tuning import tuned_scan
from warptour.papers.ermis.exhibits.measuring import UNNAMED, chosen_device, descent, file_order, step_seconds, uniform
from warptour.papers.ermis.exhibits.printed import NAIVE, NAME, NEAREST, PARALLEL, SEQUENTIAL, THREE_OPT
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.exhibit import Exhibit
from warptour.papers.scans.suites.three_opt import scan_seconds
from warptour.papers.scans.three_opt import FAST
from warptour.search.search import Search
from warptour.search.stop import Seconds
from warptour.tours.starts.start import start

CPU_SIZES: Final = (500, 1000)


def against_one_core(options: Options) -> Iterator[Row]:
    """Yield the iterations and the time of descents on one core and on the device."""
    device = chosen_device(options)
    sizes = (500,) if options.quick else CPU_SIZES if device.lanes == 1 else tuple(PARALLEL)
    for n in sizes:
        problem, tour = uniform(n), file_order(n)
        scans, seconds, _ = descent(tuned_scan(SharedScan, problem, device), tour)
        core = Cpu(1)
        alone = scans * step_seconds(SharedScan(problem, core, Launch(1, 1)), tour)
        yield Row(NAME, "one core, iterations", n, "cpu", scans, "scans", None, SEQUENTIAL[n].iterations)
        yield Row(NAME, "one core, time", n, "cpu", 1e3 * alone, "ms", None, SEQUENTIAL[n].ms)
        yield Row(NAME, "parallel, iterations", n, device.name, scans, "scans", None, PARALLEL[n].iterations)
        hers, ratio = (beside_gpu(device, each) for each in (PARALLEL[n].ms, SEQUENTIAL[n].ms / PARALLEL[n].ms))
        yield Row(NAME, "parallel, CPU + GPU time", n, device.name, 1e3 * seconds, "ms", None, hers)
        yield Row(NAME, "one core over parallel", n, device.name, alone / seconds, "times", None, ratio)


TABLE_4_15: Final = Exhibit(
    "table-4.15",
    "Table 4.15: sequential and parallel 2-opt from the order of the file",
    f"{UNNAMED} One core runs the same scalar kernel, `shared`; its time is that of its first steps times "
    "the number of steps, which all take as long and make the same moves.",
    against_one_core,
)


PARTITIONED: Final = 6000
"""Fewest cities of the part called large size data, which takes partitions."""


def by_first_tour(options: Options) -> Iterator[Row]:
    """Yield first and last cost, iterations and time from both first tours; the time includes the construction."""
    device = chosen_device(options)
    sizes = (500,) if options.quick else CPU_SIZES if device.lanes == 1 else tuple(NAIVE)
    for n in sizes:
        problem = uniform(n)
        scan = tuned_scan(PartitionScan if n >= PARTITIONED else SharedScan, problem, device)
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


TABLE_4_21: Final = Exhibit(
    "table-4.21",
    "Table 4.21: descents from the order of the file and from nearest neighbour",
    f"{UNNAMED} Her nearest-neighbour tours are only 7 to 27% shorter than the order of the file, so that "
    "construction must be another one; from 6,000 cities on her instances are others, and her descents shorter.",
    by_first_tour,
)


LIMIT: Final = 120.0
"""Time limit of one descent in seconds."""

THREE_OPT_CPU_SIZES: Final = (100, 200, 300)


def three_opt(options: Options) -> Iterator[Row]:
    """Yield the kernel time of a scan, and cost, iterations and time of a descent from the order of the file."""
    device = chosen_device(options)
    sizes = (100,) if options.quick else THREE_OPT_CPU_SIZES if device.lanes == 1 else tuple(THREE_OPT)
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


TABLE_B_2: Final = Exhibit(
    "table-b-2",
    "Table B-2: 3-opt from the order of the file",
    f"{UNNAMED} The thesis shows one way to reconnect three edges, and here the best of four is taken; the "
    "last scan is exact.",
    three_opt,
)
