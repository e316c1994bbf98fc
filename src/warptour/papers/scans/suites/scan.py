"""2-opt throughput in moves per second: one tour, thousands of climbers, and the limit of the device.

A move counts only if its delta was computed. The limit of a scan is the square
root throughput: with R rows in registers a move takes (R + 1) / R roots. FLOP
are counted as in Rocki's figures, 31 per pair of edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device, present
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.vector import VectorScan
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL, SCANS
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.tour_scan import TourScan, move_count
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers
from warptour.strategies.self_check import self_check, sound_device

FLOP: Final = 31
"""Floating-point operations per move, as Rocki (2013) counts them."""
ROCKI: Final = {100_000: move_count(100_000) / 0.14 / 1e9}
"""Gmoves/s of Rocki's OpenCL kernel on a GTX Titan: 0.14 s per pass."""

BURTSCHER: Final = {100: 598.0, 200: 717.0, 500: 823.0, 1000: 869.0, 2000: 870.0}
"""Gmoves/s of O'Neil and Burtscher's program (v2.3, fast arithmetic) on an H200, November 2026.

Measured on the first n cities of d18512 with 8,448 climbers (2,112 for n = 2,000).
"""

TOURS: Final = {"gpu": (1_000_000, 100_000, 10_000), "cpu": (100_000, 10_000, 1_000)}
CLIMBS: Final = {"gpu": (1000, 100, 200, 500, 2000), "cpu": (1000, 200)}
QUICK: Final = 2_000
CLIMBERS: Final = 8448
"""Number of climbers on a GPU, as in the measurements of O'Neil and Burtscher's program."""
RUNS: Final = 3
"""Number of runs, each of a few milliseconds, of which the best counts."""


def run(options: Options) -> Iterator[Row]:
    """Yield the throughput of one device, or of all devices that pass their self-check."""
    for device in chosen(options):
        kind = device.about().kind
        for n in TOURS[kind]:
            if not options.quick or n <= QUICK:
                yield from one_tour(device, n)
        for n in CLIMBS[kind]:
            if not options.quick or n <= 200:
                yield restarts(device, n)


def chosen(options: Options) -> list[Device]:
    """Return the device that was asked for; for ``auto`` all devices that pass their self-check."""
    if options.device == "auto":
        return [device for device in present(options.threads)[0] if self_check(device) is None]
    return [sound_device(options.device, options.threads)[0]]


def uniform(n: int, metric: str = "EUCLIDEAN") -> TSP:
    """Return a uniform random instance."""
    return TSP(f"uniform {n}", METRICS[metric], np.random.default_rng(n).integers(0, 1_000_000, (n, 2)).astype(float))


def one_tour(device: Device, n: int) -> Iterator[Row]:
    """Yield the throughput of full passes: a scan of all moves, and the exact evaluation of the best one."""
    about = device.about()
    for metric in ("EUCLIDEAN", "EUC_2D"):
        scanner = FastScan(uniform(n, metric), device)
        scanner.load(np.random.default_rng(0).permutation(n).astype(np.int32))
        seconds = pass_seconds(device, scanner)
        rate = move_count(n) / seconds / 1e9
        rows = scanner.tiling.rows
        limit = about.roots * rows / (rows + 1) / 1e9 or None
        peer = ROCKI.get(n) if about.kind == "gpu" else plain_rate(device, scanner)
        yield Row("scan", f"one tour, {metric}", n, device.name, rate, "Gmoves/s", limit, peer)
        if metric == "EUCLIDEAN":
            yield Row("scan", "the same", n, device.name, rate * FLOP, "GFLOP/s", about.peak / 1e9 or None)


def plain_rate(device: Device, scanner: FastScan) -> float:
    """Return the Gmoves/s of the plain loop, row by row in vectors with three roots per move (Rocki, 2013)."""
    loop = VectorScan(scanner.problem, device)
    loop.load(scanner.tour())
    return move_count(loop.problem.n) / pass_seconds(device, loop) / 1e9


def pass_seconds(device: Device, scanner: TourScan) -> float:
    """Return the device time of one pass."""

    def one() -> None:
        scanner.scan()
        scanner.pick()

    one()
    device.synchronise()
    with device.timed() as elapsed:
        one()
    count = max(1, min(64, round(0.02 / max(1e-6, elapsed.seconds))))
    together: Callable[[], None] = one

    def eight() -> None:
        for _ in range(8):
            one()

    if count >= 8:
        together = device.record(eight)
        together()
        count //= 8
    best = float("inf")
    for _ in range(3):
        with device.timed() as elapsed:
            for _ in range(count):
                together()
        best = min(best, elapsed.seconds)
    return best / count / (1 if together is one else 8)


def restarts(device: Device, n: int) -> Row:
    """Return the throughput of complete climbs from random tours to local optima; on a GPU the best of several runs."""
    about = device.about()
    climbers = CLIMBERS if about.kind == "gpu" else 2 * about.units
    if n > 1000:
        climbers //= 4
    problem = uniform(n)
    TwoOptClimbers(problem, device, 2).climb(1)  # compile and load
    rate = 0.0
    for seed in range(1, 1 + (RUNS if about.kind == "gpu" else 1)):
        team = TwoOptClimbers(problem, device, climbers, seed=seed)
        with device.timed() as elapsed:
            while not team.counters()[:, LOCALLY_OPTIMAL].all():
                team.climb()
        moves = int(team.counters()[:, SCANS].sum(dtype=np.int64)) * move_count(n)
        rate = max(rate, moves / elapsed.seconds / 1e9)
    rows = team.shape.rows
    limit = about.roots * rows / (rows + 1) / 1e9 or None
    peer = BURTSCHER.get(n) if "H200" in about.title else None
    return Row("scan", f"restarts, {climbers} climbers", n, device.name, rate, "Gmoves/s", limit, peer)
