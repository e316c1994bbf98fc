"""Tables 4.19 and B-1: longer tours, whose scans are partitions of the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.model.problem import TSP
from warptour.papers.ermis.engine.job_scans import PartitionScan
from warptour.papers.ermis.engine.job_tuning import tuned_scan
from warptour.papers.ermis.exhibits.measuring import (
    UNNAMED,
    chosen_device,
    file_order,
    scan_seconds,
    step_seconds,
    uniform,
)
from warptour.papers.ermis.exhibits.printed import LARGE, NAME, PARTITIONS
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.tour_scan import TourScan
from warptour.tours.starts.start import start


def partitions(options: Options) -> Iterator[Row]:
    """Yield the counts; nothing is measured."""
    for n, (ranges, partitions) in PARTITIONS.items():
        count = len(PartitionScan.ranges(n))
        yield Row(NAME, "ranges", n, "any", count, "ranges", None, ranges)
        yield Row(
            NAME, "partitions, launches of a scan", n, "any", count * (count + 1) // 2, "launches", None, partitions
        )


TABLE_4_19: Final = Exhibit("table-4.19", "Table 4.19: partitions of longer tours", "", partitions)


Make: TypeAlias = Callable[[TSP, Device], TourScan]


SCANS: Final[dict[str, Make]] = {
    "partitions": lambda problem, device: tuned_scan(PartitionScan, problem, device),
    "diagonal": FastScan,
    "pruned, EUC_2D": lambda problem, device: PrunedScan(
        TSP(problem.name, problem.metric.rounded("nearest"), problem.points), device
    ),
}
"""What makes the scan of each rung that is compared."""


def steps(options: Options) -> Iterator[Row]:
    """Yield her number of iterations, the kernel time of a scan by partitions, and steps by each rung."""
    device = chosen_device(options)
    for n, (iterations, ms) in list(LARGE.items())[: 1 if options.quick else None]:
        problem = uniform(n)
        ours = Launch(1024, 1).iterations(n * (n + 1) // 2)
        yield Row(NAME, "iterations of 1,024 lanes, n(n+1)/2 jobs", n, "any", ours, "jobs per lane", None, iterations)
        hers = beside_gpu(device, ms)
        greedy = start(problem, "greedy", threads=options.threads)
        for rung, make in SCANS.items():
            scan = make(problem, device)
            if rung == "partitions":
                scan.load(file_order(n))
                yield Row(NAME, "partitions, scan", n, device.name, 1e3 * scan_seconds(scan), "ms", None, hers)
            for name, tour in (("file order", file_order(n)), ("greedy", greedy)):
                seconds = step_seconds(scan, tour)
                yield Row(NAME, f"{rung}, step from {name}", n, device.name, 1e3 * seconds, "ms", None, hers)


def lines(rows: list[Row]) -> Lines:
    """Return milliseconds over cities for each rung, and hers."""
    steps = (row for row in rows if row.unit == "ms" and row.case.endswith("file order"))
    found = series((row.case.partition(",")[0], row.n, row.value) for row in steps)
    hers = {row.n: row.peer for row in rows if row.unit == "ms" and row.peer is not None}
    return found | ({"Ermiş (2015)": list(hers.items())} if hers else {})


TABLE_B_1: Final = Exhibit(
    "table-b-1",
    "Table B-1: 2-opt for up to 60,000 cities, milliseconds per step",
    f"{UNNAMED} Her launches each go through the ids of all pairs, ours through their own; a step is a "
    "scan, the exact evaluation of its best move and the new tour, hers the kernel alone. `pruned` has no bound on "
    "distances that are cut, so its are rounded to the nearest integer.",
    steps,
    (Plot("table-b-1", "cities", "milliseconds", "A 2-opt step from the order of the file", lines, True, True),),
)
