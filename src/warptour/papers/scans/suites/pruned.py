"""Best-improvement 2-opt steps by the pruned scan, beside the same steps by the diagonal scan in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.suites.scan import uniform
from warptour.papers.scans.tour_scan import TourScan, move_count
from warptour.strategies.self_check import sound_device
from warptour.tours.starts.start import start

SUITE: Final = "pruned"
CITIES: Final = {"gpu": (10_000, 60_000, 100_000, 1_000_000), "cpu": (1_000, 10_000, 100_000, 1_000_000)}
QUICK: Final = (1_000,)
STARTS: Final = ("greedy", "random")
STEPS: Final = 128
"""Steps timed, fewer where they would evaluate more than ``MOVES`` moves."""

MOVES: Final = {"gpu": 4e12, "cpu": 4e10}


def run(options: Options) -> Iterator[Row]:
    """Yield the milliseconds to build and load, and of a step from each start."""
    device, _ = sound_device(options.device, options.threads)
    kind = device.about().kind
    for n in QUICK if options.quick else CITIES[kind]:
        problem = uniform(n, "EUC_2D")
        with device.timed() as building:
            pruned = PrunedScan(problem, device)
        yield Row(SUITE, "tree, boxes and lists", n, device.name, 1e3 * building.seconds, "ms")
        diagonal = FastScan(problem, device)
        for choice in STARTS:
            tour = start(problem, choice, np.random.SeedSequence(1))
            few = int(max(1, min(STEPS, MOVES[kind] // move_count(n))))
            peer = step_seconds(device, diagonal, tour, few)
            ours = step_seconds(device, pruned, tour, STEPS)
            yield Row(SUITE, f"step from {choice}", n, device.name, 1e3 * ours, "ms", peer=1e3 * peer)


def step_seconds(device: Device, scan: TourScan, tour: Ints, steps: int) -> float:
    """Return the seconds of a step, the mean of the first ``steps`` after two."""
    scan.load(tour)
    if steps > 1:
        scan.steps(2)
    device.synchronise()
    with device.timed() as elapsed:
        made = scan.steps(steps)
    return elapsed.seconds / made
