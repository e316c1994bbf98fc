"""Section 6.4 and figures 17 and 18: cities that a GPU holds, and a tour spread over blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.devices.occupancy import REFERENCE
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Lines, Plot
from warptour.papers.mavroidis.engine.blocks import SymmetricBlocks, blocks_bytes
from warptour.papers.mavroidis.engine.rows import Symmetric, exact_rows
from warptour.papers.mavroidis.engine.shapes import KEEPS, MAX_LANES, SLACK, WARP, batch_bytes, shape_for
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.papers.mavroidis.suites.symmetric import timed_descent
from warptour.strategies.self_check import sound_device

HIS_BYTES: Final = 9
"""Bytes of a city: two coordinates of 4 bytes, and one for decisions."""

HIS_UNITS: Final = 30
HIS_MEMORY: Final = 16_000
"""Multiprocessors of a GTX 280, and the bytes of shared memory of each that give his 1,770 cities."""


def capacity(options: Options) -> Iterator[Row]:
    """Yield the model for his GPU and for ours, and what our kernels hold."""
    his = HIS_UNITS * (HIS_MEMORY // HIS_BYTES)
    yield Row("mavroidis", "GTX 280, his model, one tour", 0, "model", his, "cities", peer=53_000)
    device, _ = sound_device(options.device, options.threads)
    about = device.about() if device.about().kind == "gpu" else REFERENCE
    for what, cities in (
        ("his model, one tour", about.units * (about.local_memory // HIS_BYTES)),
        ("ours, one tour in blocks", about.units * most_in_blocks(about.local_memory)),
        ("ours, a tour alone", most_cities(about.local_memory)),
        ("ours, a tour of a batch", most_batched(about.local_memory)),
    ):
        yield Row("mavroidis", f"{about.title}, {what}", 0, "model", cities, "cities")


def most_in_blocks(memory: int) -> int:
    """Return the cities of which blocks of ``MAX_LANES`` elements with whole coordinates fit into ``memory`` bytes."""
    blocks = 0
    while blocks_bytes(blocks + 1, MAX_LANES, 4) <= memory:
        blocks += 1
    return 2 * MAX_LANES * blocks


def most_cities(memory: int) -> int:
    """Return the cities of the longest tour in ``memory`` bytes as ``Symmetric`` lays it out with whole coordinates.

    A position takes 16 bytes (x, y, the edge to the next, the city), and there are ``SLACK`` more than cities; a move,
    one per two cities, takes 9 (two lengths and a decision).
    """
    return (2 * (memory - 16 * SLACK)) // (2 * 16 + 9)


def most_batched(memory: int) -> int:
    """Return the cities of the longest tour that a group of a batch holds in ``memory`` bytes."""
    n = 2 * KEEPS[0] + 1
    while (shape := shape_for(n // 2)) is not None and batch_bytes(n, shape[1], max(shape[0], SLACK)) <= memory:
        n += 2
    return n - 2


SECTION_6_4: Final = Exhibit(
    "section-6.4",
    "Section 6.4: cities that the shared memory of a GPU holds",
    "He spreads one tour over all multiprocessors at 9 bytes a city; in blocks ours takes 12.5, with the number of the "
    "city. Else our groups hold a tour each: alone at 20.5 bytes a city, in a batch of tours at 16. A longer tour lies "
    "in global memory. Without a GPU the rows are for an H200.",
    capacity,
)


CITIES: Final = 2103
COUNTED: Final = (5, 10, 15, 20, 25, 30, 35, 50, 70, 100, 150, 200, 350, 526, 1051)
"""Elements of a block."""
PRINTED: Final = {(201, 15): 7, (2103, 35): 30}
"""Number of blocks by cities and elements: that of figure 13, and the one in section 6.4.1."""


def figure_17(options: Options) -> Iterator[Row]:
    """Yield the number of blocks for each size, for the cities of figure 13 and for those of d2103."""
    for n, size in ((201, 15), *((CITIES, size) for size in COUNTED)):
        case = f"{n} cities, blocks of {size}"
        yield Row("mavroidis", case, n, "cpu", blocks(n, size), "blocks", peer=PRINTED.get((n, size)))


def blocks(n: int, size: int) -> int:
    """Return the number of blocks of ``size`` elements for ``n`` cities."""
    elements = ((n | 1) - 1) // 2
    return -(-elements // size)


def block_counts(rows: list[Row]) -> Lines:
    """Return the blocks of d2103 over their size."""
    return {"": [(int(row.case.split()[-1]), row.value) for row in rows if row.n == CITIES]}


FIGURE_17: Final = Exhibit(
    "figure-17",
    "Figure 17: number of blocks by elements of a block, 2,103 cities",
    "The thesis has a block for every 2B cities, rounded down by its text (30 for B = 35) and up by its figure 13; the "
    "1,051 elements of 2,103 cities fill 31 blocks of 35. The figure prints no values.",
    figure_17,
    (
        Plot(
            "block_count",
            "elements of a block",
            "blocks",
            "blocks of 2,103 cities",
            block_counts,
            log_x=True,
            log_y=True,
        ),
    ),
)


SIZES: Final = (8, 16, 24, 32, 35, 48, 64, 96, 128, 192, 256, 352, 526, 1051)
"""Elements of a block: the best one of the thesis, and some around it up to a single block."""
QUICK: Final = (8, 35, 112)
FORMS: Final = {"round by round": Symmetric, "looking ahead": exact_rows}
LANES: Final = (32, 64, 128, 256, 512, 1024)


def figure_18(options: Options) -> Iterator[Row]:
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


def times(rows: list[Row]) -> Lines:
    """Return the time over the elements of a block, and over the lanes of one group."""
    return {
        form: [(int(row.case.split()[-2]), row.value) for row in rows if f", {form}" in row.case]
        for form in ("blocks", *FORMS)
    }


FIGURE_18: Final = Exhibit(
    "figure-18",
    "Figure 18: time of a descent of d2103 by elements of a block, and by lanes of one group",
    "The thesis finds blocks of about 35 best: one for each of 30 multiprocessors. A GPU runs the blocks side by side, "
    "a CPU one after the other, on one core. Our own form keeps a tour in one group of lanes; it is measured on a GPU "
    "only. The figure prints no values.",
    figure_18,
    (
        Plot(
            "symmetric_lanes",
            "elements of a block, or lanes of the group",
            "milliseconds",
            "one descent of d2103",
            times,
            log_x=True,
            log_y=True,
        ),
    ),
)
