"""The programs of the slides on the devices at hand, and the time of their passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from warptour.devices import Device, find
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.pairs import PairsScan
from warptour.papers.rocki.engine.sliced_scan import SlicedScan
from warptour.papers.rocki.engine.vector import VectorScan
from warptour.papers.rocki.exhibits.printed import (
    CORE,
    CORE_SIMD,
    CORES,
    CORES_PAIRS,
    CORES_SIMD,
    GPU_PAIRS,
    GPU_VECTOR,
    OPENCL_PAIRS,
    OPENCL_VECTOR,
)
from warptour.papers.scans.suites.scan import pass_seconds, uniform
from warptour.papers.scans.tour_scan import TourScan

SHORT: Final = 0.03
"""Seconds of runs of which the shortest counts."""

LONG: Final = 0.5
"""Seconds of a pass that is timed only once."""


def cores_of(device: Device) -> list[tuple[str, Device]]:
    """Return a host CPU with one core and with all that were asked for; any other device as it is."""
    if not device.is_host or device.about().units == 1:
        return [("1 core" if device.is_host else "", device)]
    return [("1 core", find("cpu", 1)), (f"{device.about().units} cores", device)]


def cities(n: int) -> TSP:
    """Return uniform cities with distances rounded to integers, as in the slides."""
    return uniform(n, "EUC_2D")


def programs(device: Device, n: int) -> Iterator[tuple[str, str, Device, SlicedScan]]:
    """Yield the slides' name of a program, what is special about it, its device and its scan of ``n`` cities."""
    problem = cities(n)
    if device.is_host:
        one, every = find("cpu", 1), device
        yield CORE, "", one, VectorScan(problem, one, 1, "exact")
        yield CORE_SIMD, "", one, VectorScan(problem, one)
        yield CORE_SIMD, ", fast roots", one, VectorScan(problem, one, root="fast")
        yield CORES, "", every, VectorScan(problem, every, 1, "exact")
        yield CORES_SIMD, "", every, VectorScan(problem, every)
        yield CORES_SIMD, ", fast roots", every, VectorScan(problem, every, root="fast")
        yield CORES_PAIRS, "", every, PairsScan(problem, every)
        return
    names = (OPENCL_PAIRS, OPENCL_VECTOR) if device.lanes == 1 else (GPU_PAIRS, GPU_VECTOR)
    yield names[0], "", device, PairsScan(problem, device)
    yield names[1], ", exact roots", device, VectorScan(problem, device, root="exact")
    yield names[1], ", fast roots", device, VectorScan(problem, device, root="fast")


def seconds_of(device: Device, scan: TourScan) -> float:
    """Return the device time of a pass: all moves, and the best one confirmed. Compiling is not counted."""
    scan.load(np.arange(scan.problem.n, dtype=np.int32))
    if isinstance(scan, SlicedScan):
        scan.launch(0, 1)
        scan.pick()
        with device.timed() as elapsed:
            scan.scan()
            scan.pick()
        if elapsed.seconds > LONG:
            return elapsed.seconds
    return pass_seconds(device, scan)


def kernel_seconds(device: Device, scan: SlicedScan) -> float:
    """Return the device time of a scan less that of launches without work: of short tours, launches are the most."""
    scan.load(np.arange(scan.problem.n, dtype=np.int32))
    parts = [first for first, _, _ in scan.slices()]

    def nothing() -> None:
        for first in parts:
            scan.launch(first, first)

    nothing()
    return max(1e-7, _shortest(device, scan.scan) - _shortest(device, nothing))


def _shortest(device: Device, work: Callable[[], None]) -> float:
    """Return the shortest time of ``work``, repeated for about ``SHORT`` seconds."""
    best, spent = float("inf"), 0.0
    while spent < SHORT:
        with device.timed() as elapsed:
            work()
        best, spent = min(best, elapsed.seconds), spent + max(1e-5, elapsed.seconds)
    return best
