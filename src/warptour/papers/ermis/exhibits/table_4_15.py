"""Table 4.15: sequential against parallel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices.cpu import Cpu
from warptour.devices.launch import Launch
from warptour.papers.ermis.engine.job_scans import SharedScan
from warptour.papers.ermis.engine.job_tuning import tuned_scan
from warptour.papers.ermis.exhibits.measuring import (
    DISTANCES,
    UNNAMED,
    chosen_device,
    descent,
    file_order,
    step_seconds,
    uniform,
)
from warptour.papers.ermis.exhibits.printed import NAME, PARALLEL, SEQUENTIAL
from warptour.papers.exhibit import Exhibit

CPU_SIZES: Final = (500, 1000)


def measure(options: Options) -> Iterator[Row]:
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


EXHIBIT: Final = Exhibit(
    "table-4.15",
    "Table 4.15: sequential and parallel 2-opt from the order of the file",
    f"{UNNAMED} {DISTANCES} One core runs the same scalar kernel, `shared`; its time is that of its first steps times "
    "the number of steps, which all take as long and make the same moves.",
    measure,
)
