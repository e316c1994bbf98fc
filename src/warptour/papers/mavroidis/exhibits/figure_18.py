"""Figure 18: time of a descent by the elements of a block, and by the lanes of one group."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.engine.blocks import SymmetricBlocks
from warptour.papers.mavroidis.engine.rows import Symmetric, exact_rows
from warptour.papers.mavroidis.engine.shapes import WARP
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.papers.mavroidis.suites.symmetric import timed_descent
from warptour.strategies.self_check import sound_device

SIZES: Final = (8, 16, 24, 32, 35, 48, 64, 96, 128, 192, 256, 352, 526, 1051)
"""Elements of a block: the best one of the thesis, and some around it up to a single block."""
QUICK: Final = (8, 35, 112)
FORMS: Final = {"round by round": Symmetric, "looking ahead": exact_rows}
LANES: Final = (32, 64, 128, 256, 512, 1024)


def measure(options: Options) -> Iterator[Row]:
    """Yield the time of a descent for each size of blocks and, on a GPU, for each number of lanes of one group."""
    device, _ = sound_device(options.device, options.threads)
    problem, _ = named("tsp225", 225) if options.quick else named("d2103", 2103)
    yield from in_blocks(device, problem, QUICK if options.quick else SIZES)
    if device.lanes > 1:
        yield from in_one_group(device, problem)


def in_blocks(device: Device, problem: TSP, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield the time of a descent of a tour spread over blocks, by their elements."""
    order = np.arange(problem.n, dtype=np.int32)[None]
    for size in sizes:
        seconds, _ = timed_descent(device, partial(SymmetricBlocks, device, problem, order, block=size))
        case = f"{problem.name}, blocks of {size} elements"
        yield Row("mavroidis", case, problem.n, device.name, 1e3 * seconds, "ms")


def in_one_group(device: Device, problem: TSP) -> Iterator[Row]:
    """Yield the time of a descent of a tour in one group by its lanes: round by round, and looking ahead."""
    order = np.arange(problem.n, dtype=np.int32)[None]
    for form, kind in FORMS.items():
        for lanes in LANES:
            if kind is exact_rows and lanes == WARP:  # a single warp is for short tours
                continue
            seconds, _ = timed_descent(device, partial(kind, device, problem, order, lanes=lanes))
            case = f"{problem.name}, {form}, {lanes} lanes"
            yield Row("mavroidis", case, problem.n, device.name, 1e3 * seconds, "ms")


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the time over the elements of a block, and over the lanes of one group."""
    return {
        form: [(int(row.case.split()[-2]), row.value) for row in rows if f", {form}" in row.case]
        for form in ("blocks", *FORMS)
    }


EXHIBIT: Final = Exhibit(
    "figure-18",
    "Figure 18: time of a descent of d2103 by elements of a block, and by lanes of one group",
    "The thesis finds blocks of about 35 best: one for each of 30 multiprocessors. A GPU runs the blocks side by side, "
    "a CPU one after the other, on one core. Our own form keeps a tour in one group of lanes; it is measured on a GPU "
    "only. The figure prints no values.",
    measure,
    (
        Plot(
            "symmetric_lanes",
            "elements of a block, or lanes of the group",
            "milliseconds",
            "one descent of d2103",
            lines,
            log_x=True,
            log_y=True,
        ),
    ),
)
