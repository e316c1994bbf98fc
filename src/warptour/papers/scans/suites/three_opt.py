"""Full 3-opt scans: milliseconds compared with Ermis (2015), and moves per second compared with the limit.

The limit: a set of three edges has four moves and costs two sums and two minima (``three_opt.h``). A
multiprocessor computes 64 minima per clock, with their sums fused into the same instruction or issued in parallel, so
it can evaluate 128 moves per clock: its number of float32 operations, with a multiply-add counted as one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.scans.three_opt import EXACT, FAST, BlockKind, BlockScan, ThreeOptEngine, move_count
from warptour.strategies.self_check import sound_device

THESIS: Final = {100: 5, 200: 19, 300: 33, 400: 61, 500: 103, 600: 175, 700: 270, 800: 358, 900: 502, 1000: 631}
"""Milliseconds per scan on the GPU of Ermis (2015), table B-2."""

LARGE: Final = (2000, 4000, 8000)
ENOUGH: Final = 0.1
"""Minimum duration of a measurement in seconds."""


def run(options: Options) -> Iterator[Row]:
    """Yield for each size the time of a scan, the end-to-end time of a best move, and the throughput."""
    device, _ = sound_device(options.device, options.threads)
    about = device.about()
    limit = about.peak / 2e9 or None
    thesis = THESIS if about.kind == "gpu" else {}
    sizes = (100, 300) if options.quick else (*THESIS, *LARGE[: None if about.kind == "gpu" else 1])
    for n in sizes:
        problem, tour = instance(n)
        seconds = scan_seconds(device, problem, tour, FAST)
        whole = best_move_seconds(device, problem, tour)
        yield Row("three-opt", "scan", n, device.name, 1e3 * seconds, "ms", None, thesis.get(n))
        yield Row("three-opt", "best move, measured to found", n, device.name, 1e3 * whole, "ms", None, thesis.get(n))
        yield Row("three-opt", "scan, int32", n, device.name, move_count(n) / seconds / 1e9, "G moves/s", limit)
    for n in (300,) if options.quick else (1000, 2000):
        seconds = scan_seconds(device, *instance(n), EXACT)
        yield Row("three-opt", "scan, float64", n, device.name, move_count(n) / seconds / 1e9, "G moves/s")


def instance(n: int) -> tuple[TSP, np.ndarray]:
    """Return uniform cities with integral distances and a random tour."""
    rng = np.random.default_rng(n)
    problem = TSP(f"uniform{n}", METRICS["EUC_2D"], np.floor(rng.random((n, 2)) * 100_000))
    return problem, rng.permutation(n).astype(np.int32)


def scan_seconds(device: Device, problem: TSP, tour: np.ndarray, kind: BlockKind) -> float:
    """Return the device seconds for the distance table and the scan of all blocks."""
    scanner = BlockScan(problem, device, kind)
    scanner.sweep(tour)
    device.synchronise()
    repeats, seconds = 1, 0.0
    while seconds < ENOUGH:
        repeats *= 2
        with device.timed() as elapsed:
            for _ in range(repeats):
                scanner.sweep(tour)
        seconds = elapsed.seconds
    return seconds / repeats


def best_move_seconds(device: Device, problem: TSP, tour: np.ndarray) -> float:
    """Return wall-clock seconds from a tour on the host to its best move on the host."""
    engine = ThreeOptEngine(problem, device=device)
    engine.best_move(tour)
    repeats, began = 0, time.perf_counter()
    while time.perf_counter() - began < ENOUGH:
        engine.best_move(tour)
        repeats += 1
    return (time.perf_counter() - began) / repeats
