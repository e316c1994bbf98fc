"""Section 7.1: symmetric 3-opt, which the thesis proposes to explore, on the device, and its element in hardware."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.rows import ROUNDS, Symmetric
from warptour.papers.mavroidis.engine.three_opt import SymmetricThree
from warptour.papers.mavroidis.exhibits.machine import list_descent, list_two_opt, named
from warptour.papers.mavroidis.exhibits.printed import CHAPTER_6
from warptour.papers.mavroidis.fpga.rtl.three_element import CYCLES
from warptour.strategies.self_check import sound_device

QUICK: Final = {"eil51": 51, "berlin52": 52}
SEGMENTS: Final = (1, 2, 3)
"""Longest segment, in cities."""


def measure(options: Options) -> Iterator[Row]:
    """Yield rounds and quality of symmetric 3-opt, and the quality of neighbour lists, on each instance and on average.

    Both are relative to symmetric 2-opt.
    """
    device, _ = sound_device(options.device, options.threads)
    sizes = QUICK if options.quick else {name: row.n for name, row in CHAPTER_6.items()}
    found: dict[tuple[str, str], list[float]] = {}
    for name, n in sizes.items():
        problem, _ = named(name, n)
        for what, value, unit in _compared(device, problem):
            found.setdefault((what, unit), []).append(value)
            yield Row("mavroidis", f"{problem.name}, {what}", n, device.name, value, unit)
    for (what, unit), values in found.items():
        yield Row("mavroidis", f"mean of {len(sizes)} instances, {what}", 0, device.name, fmean(values), unit)
    yield Row("mavroidis", "element in hardware, an evaluation", 0, "model", CYCLES, "cycles")


def _compared(device: Device, problem: TSP) -> Iterator[tuple[str, float, str]]:
    """Yield what is compared with symmetric 2-opt, its value and the unit."""
    order = np.arange(problem.n, dtype=np.int32)
    plain = Symmetric(device, problem, order)
    two_opt = float(problem.cost(plain.finish()[0]))
    rounds = int(plain.state()[0, ROUNDS])
    for k in SEGMENTS:
        rows = SymmetricThree(device, problem, order[None], longest=k)
        cost = float(problem.cost(rows.finish()[0]))
        yield f"3-opt to {k}: rounds", int(rows.state()[0, ROUNDS]) / rounds, "times 2-opt"
        yield f"3-opt to {k}: shorter", 100 * (1 - cost / two_opt), "%"
    for what, search in (("lists, 2-opt", list_two_opt), ("lists, 2-opt and or-opt", list_descent)):
        yield f"{what}: shorter", 100 * (1 - float(problem.cost(search(problem))) / two_opt), "%"


EXHIBIT: Final = Exhibit(
    "section-7.1",
    "Section 7.1: symmetric 3-opt with segments of up to 1, 2 and 3 cities, beside symmetric 2-opt",
    "The thesis leaves 3-opt to future work; this is our reading of it: an element rearranges two mirrored segments of "
    "up to three cities and what is between them. A round of 2-opt has n / 2 elements, one of 3-opt n / (2k + 2) with "
    "22 arrangements each, k the length of its segments. All start from the order of the file. The element is there in "
    "hardware, too, in squared distances (its cycles are the last row); a ring that moves its segments is not built.",
    measure,
)
