"""Figures 17 and 18: time of a descent by the number of threads in a block."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.bench.symmetric import timed_descent
from warptour.devices import Device
from warptour.engines.self_check import sound_device
from warptour.engines.symmetric.rows import Symmetric, exact_rows
from warptour.engines.symmetric.shapes import WARP
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.mavroidis.machine import named

FORMS: Final = {"round by round": Symmetric, "looking ahead": exact_rows}
LANES: Final = (32, 64, 128, 256, 512, 1024)


def measure(options: Options) -> Iterator[Row]:
    """Yield the time of a descent for each number of lanes."""
    device, _ = sound_device(options.device, options.threads)
    if device.lanes == 1:
        raise UnsupportedError(f"{device.name} has one lane per group, so there is no block size to choose")
    problem, _ = named("tsp225", 225) if options.quick else named("d2103", 2103)
    yield from descents(device, problem)


def descents(device: Device, problem: TSP) -> Iterator[Row]:
    """Yield the time of a descent of one problem by lanes: round by round, and looking ahead."""
    order = np.arange(problem.n, dtype=np.int32)[None]
    for form, kind in FORMS.items():
        for lanes in LANES:
            if kind is exact_rows and lanes == WARP:  # a single warp is for short tours
                continue
            seconds, _ = timed_descent(device, partial(kind, device, problem, order, lanes=lanes))
            case = f"{problem.name}, {form}, {lanes} lanes"
            yield Row("mavroidis", case, problem.n, device.name, 1e3 * seconds, "ms")


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the time over the lanes."""
    return {form: [(int(row.case.split()[-2]), row.value) for row in rows if form in row.case] for form in FORMS}


EXHIBIT: Final = Exhibit(
    "figure-18",
    "Figures 17 and 18: time of a descent of d2103 by threads per block",
    "He spreads a tour over many blocks (about 30 of 35 threads were best); ours keeps it in one group, so figure 17, "
    "the number of blocks, is 1 throughout. The figures print no values.",
    measure,
    (
        Plot(
            "symmetric_lanes",
            "lanes of the group",
            "milliseconds",
            "one descent of d2103",
            lines,
            log_x=True,
            log_y=True,
        ),
    ),
)
