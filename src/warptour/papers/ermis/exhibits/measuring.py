"""What the exhibits share: instances, timed scans and timed descents."""

from __future__ import annotations

import time
from functools import cache
from typing import Final

import numpy as np

from warptour.bench import Options
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.io.generate import generate
from warptour.io.generators.points import SIDE as WHOLE_SIDE
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.ermis.engine.job_scans import JobScan
from warptour.papers.scans.tour_scan import RECORDED, TourScan
from warptour.strategies.self_check import sound_device

SIDE: Final = 1000
UNNAMED: Final = (
    f"Her instances are not named: cities are uniform in a square of side {SIDE:,} here, so costs do not compare. "
    "Distances are cut to integers, as hers."
)

LONG: Final = 0.3
"""Seconds of a run that is measured only once."""

SHORT: Final = 0.002
"""Seconds of a run so short that several are submitted together."""

TOGETHER: Final = 8
STEPS: Final = 2 * RECORDED
RUNS: Final = 3


def chosen_device(options: Options) -> Device:
    """Return the device of an exhibit."""
    return sound_device(options.device, options.threads)[0]


@cache
def uniform(n: int) -> TSP:
    """Return uniform cities with whole coordinates, and Euclidean distances that are cut to integers."""
    problem = generate("uniform", n, seed=1)
    assert isinstance(problem, TSP)
    return TSP(problem.name, problem.metric.rounded("floor"), problem.points * SIDE // WHOLE_SIDE)


def file_order(n: int) -> Ints:
    """Return the order of the file, in which her descents begin."""
    return np.arange(n, dtype=np.int32)


def launch_seconds(kind: type[JobScan], n: int, device: Device, launch: Launch | None) -> float:
    """Return the kernel seconds of a scan of the order of the file with a launch, by default the model's."""
    scan = kind(uniform(n), device, launch)
    scan.load(file_order(n))
    return scan_seconds(scan)


def scan_seconds(scan: TourScan) -> float:
    """Return the kernel seconds of one scan, the best of a few."""
    device, work, count = scan.device, scan.scan, 1

    def several() -> None:
        for _ in range(TOGETHER):
            scan.scan()

    scan.scan()
    device.synchronise()
    with device.timed() as elapsed:
        scan.scan()
    best = elapsed.seconds
    if best > LONG:
        return best
    if best < SHORT and device.lanes > 1:
        work, count = device.record(several), TOGETHER  # type: ignore[assignment]
        work()
        best = float("inf")
    for _ in range(RUNS):
        with device.timed() as elapsed:
            work()
        best = min(best, elapsed.seconds / count)
    return best


def step_seconds(scan: TourScan, tour: Ints) -> float:
    """Return the seconds per step (scan, pick the best move, apply it) of a few early steps of a descent."""
    device = scan.device
    scan.load(tour)
    scan.steps(1)
    device.synchronise()
    with device.timed() as elapsed:
        scan.steps(1)
    steps = min(STEPS, int(LONG / max(1e-9, elapsed.seconds)))
    if steps <= 1:
        return elapsed.seconds
    if steps == STEPS:
        scan.steps(RECORDED + 2)  # records the launches of several steps, where that pays
        device.synchronise()
    with device.timed() as elapsed:
        made = scan.steps(steps)
    return elapsed.seconds / made


def descent(scan: TourScan, tour: Ints) -> tuple[int, float, Ints]:
    """Return the scans, wall-clock seconds and tour of a descent to a local minimum, the host told of every move.

    The last scan, which finds nothing, counts, as in the thesis.
    """
    scan.load(tour)
    scan.scan()
    scan.pick()
    scan.picked()
    began, scans = time.perf_counter(), 0
    while True:
        scan.scan()
        scan.pick()
        scans += 1
        if scan.picked() is None:
            return scans, time.perf_counter() - began, scan.tour()
        scan.make()
