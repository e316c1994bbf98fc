"""Exact 2-opt passes that several devices share: moves per second of each alone, and of all together.

A pass evaluates all moves of one tour in the problem's own metric; climbs leave most of them out where they can. So it
measures how well rows are shared out, not how quick a climb is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import find_several
from warptour.kernels.groups import usable_threads
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.rows import Sharing, on, share_cores
from warptour.papers.scans.shared import SharedTwoOpt
from warptour.papers.scans.suites.scan import uniform
from warptour.papers.scans.tour_scan import move_count
from warptour.search.scanning import MakeRunner
from warptour.strategies.self_check import require_sound

SUITE: Final = "shared"
CITIES, QUICK = (10_000, 100_000), (2_000,)
STEPS: Final = 100
"""Steps of a climb by the pruned scan."""

TRIALS, PASSES = 3, 5
"""Passes that measure the rates of the devices, and those whose median counts."""


def run(options: Options) -> Iterator[Row]:
    """Yield the moves per second of each device and of all, and the milliseconds of a step that they share."""
    devices = find_several("all" if options.device == "auto" else options.device, options.threads)
    share_cores(devices, usable_threads(options.threads))
    for device in devices:
        require_sound(device)
    all_of_them = ",".join(device.name for device in devices)
    for n in QUICK if options.quick else CITIES:
        problem, total = uniform(n, "EUC_2D"), 0.0
        for device in devices:
            rate = moves_per_second(problem, [on(device)])
            total += rate
            yield Row(SUITE, "all moves, alone", n, device.name, rate / 1e9, "Gmoves/s")
        rate = moves_per_second(problem, [on(device) for device in devices])
        yield Row(SUITE, "all moves, shared", n, all_of_them, rate / 1e9, "Gmoves/s", total / 1e9)
        for some in (devices[:1], devices):
            engine = SharedTwoOpt(problem, some[0], Sharing([on(device) for device in some]))
            seconds = step_seconds(engine, np.arange(n, dtype=np.int32))
            yield Row(SUITE, "step by the pruned scan", n, ",".join(one.name for one in some), 1e3 * seconds, "ms")


def moves_per_second(problem: TSP, runners: list[MakeRunner]) -> float:
    """Return the rate of passes over all moves."""
    team = Sharing(runners).team(problem, "rows")
    team.load(np.arange(problem.n, dtype=np.int32))
    seconds: list[float] = []
    for _ in range(TRIALS + PASSES):
        began = time.perf_counter()
        team.scan()
        seconds.append(time.perf_counter() - began)
    return move_count(problem.n) / median(seconds[TRIALS:])


def step_seconds(engine: SharedTwoOpt, tour: Ints) -> float:
    """Return the seconds of a step of a climb, the mean of some after the first ones."""
    tour = engine.climb(tour, TRIALS).tour
    began = time.perf_counter()
    engine.climb(tour, STEPS)
    return (time.perf_counter() - began) / STEPS
