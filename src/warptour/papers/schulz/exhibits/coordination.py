"""Sections 6.14, 6.15 and 7: how the move gets to the host, and neighbourhoods that are split or filtered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.fitness_kernels import FitnessKernels
from warptour.papers.schulz.engine.version import BEST, COMBINED, FLAT_COMBINED
from warptour.papers.schulz.exhibits.instances import AS_IN_TABLE_5, Case, case_of
from warptour.papers.schulz.exhibits.measuring import MEANS, QUICK, device_of, enough_of, mean_seconds
from warptour.papers.schulz.printed import FILTERED, KERNEL_NODES, NAME

WAYS: Final = {"plain copy, synchronous": {2: COMBINED, 3: FLAT_COMBINED}, "mapped memory, overlapped": BEST}
COPIES: Final = 100
PARTS: Final = (1, 2, 4, 8)
SPLIT: Final = {"gpu": {2: 2401, 3: 399}, "cpu": {2: 967, 3: 99}}
"""Nodes of split neighbourhoods by kind of device."""


def moves(options: Options) -> Iterator[Row]:
    """Yield the time in which a move gets to the host, and that of iterations with each way."""
    device = device_of(options)
    case = case_of(QUICK[-1] if options.quick else KERNEL_NODES)
    for way, seconds in copies(device, case).items():
        yield Row(NAME, f"{way}: the move alone", case.nodes, device.name, 1e6 * seconds, "us")
    for neighborhood in (2, 3) if options.quick or device.about().kind == "gpu" else (2,):
        for way, versions in WAYS.items():
            engine = FitnessEngine(case.instance, device, versions[neighborhood], neighborhood)
            seconds = mean_seconds(engine, case.start, device, enough_of(options))
            yield Row(NAME, f"{way}: {neighborhood}-opt iteration", case.nodes, device.name, 1e6 * seconds, "us")


def copies(device: Device, case: Case) -> dict[str, float]:
    """Return the wall-clock seconds in which a move and its delta get to the host, by way."""
    kernels = FitnessKernels(case.instance, device, BEST[2])
    move, delta = device.mapped(4, np.int32), device.mapped(1, np.float64)

    def plain() -> None:
        device.fetch(kernels.move)
        device.fetch(kernels.delta)

    def mapped() -> None:
        kernels.tell(move.array, delta.array)
        device.mark()()
        move.read()
        delta.read()

    return {"plain copy": _mean(plain), "mapped memory": _mean(mapped)}


def _mean(work: Callable[[], None]) -> float:
    work()
    began = time.perf_counter()
    for _ in range(COPIES):
        work()
    return (time.perf_counter() - began) / COPIES


def parts(options: Options) -> Iterator[Row]:
    """Yield the time of an iteration by the number of parts, and in percent of one without splitting."""
    device = device_of(options)
    for neighborhood, nodes in SPLIT[device.about().kind].items():
        case, whole = case_of(QUICK[-1] if options.quick else nodes), 0.0
        for count in PARTS:
            engine = FitnessEngine(case.instance, device, BEST[neighborhood], neighborhood, parts=count)
            seconds = mean_seconds(engine, case.start, device, enough_of(options))
            whole = whole or seconds
            label = f"{neighborhood}-opt, {count} part{'s' * (count > 1)}"
            yield Row(NAME, f"{label}: iteration", case.nodes, device.name, 1e3 * seconds, "ms")
            yield Row(NAME, f"{label}: of unsplit", case.nodes, device.name, 100 * seconds / whole, "%")


MOVE_COPY: Final = Exhibit(
    "move-copy",
    "Section 6.14: the move by a plain copy, or by mapped memory of the host while the next hierarchies are scheduled",
    "The section prints no times; the text: an asynchronous copy made the GPU idle, so a kernel writes the move to "
    f"mapped memory. {MEANS} {AS_IN_TABLE_5}",
    moves,
)
SPLITTING: Final = Exhibit(
    "splitting",
    "Section 6.15: neighbourhoods in parts",
    "The section prints no times; the text: copies of the tables of 3-opt neighbours are hidden, and do not slow the "
    f"program down. The fitness of the best of each element is kept here as there. {MEANS} {AS_IN_TABLE_5}",
    parts,
)


FILTERS: Final = ("mask", "list", "compaction")
SIZES: Final = {2: (399, 967, 2401), 3: (99, 201, 399)}
"""Nodes for each neighbourhood on a GPU."""
CPU_SIZES: Final = {2: (399, 967), 3: (99,)}


def filtered(options: Options) -> Iterator[Row]:
    """Yield the time of an iteration in percent of one without a filter, by share, way and size."""
    device = device_of(options)
    sizes = SIZES if device.about().kind == "gpu" else CPU_SIZES
    for neighborhood in (2, 3):
        for nodes in QUICK[-1:] if options.quick else sizes[neighborhood]:
            case = case_of(nodes)
            engine = FitnessEngine(case.instance, device, BEST[neighborhood], neighborhood)
            whole = mean_seconds(engine, case.start, device, enough_of(options))
            for way in FILTERS:
                for percent in FILTERED:
                    engine.filtered(percent / 100, way)
                    seconds = mean_seconds(engine, case.start, device, enough_of(options))
                    label = f"{neighborhood}-opt, {way}, {percent:g}% filtered"
                    yield Row(NAME, label, nodes, device.name, 100 * seconds / whole, "% of the time")


def over_share(neighborhood: int, rows: list[Row]) -> Lines:
    """Return the time over the share that is filtered out."""
    cases = ((row, row.case.split(", ")) for row in rows)
    return series(
        (f"{row.n} nodes, {way}", float(share.partition("%")[0]), row.value)
        for row, (edges, way, share) in cases
        if edges == f"{neighborhood}-opt"
    )


FIGURE_25: Final = Exhibit(
    "figure-25",
    "Figure 25: time of an iteration by the share of neighbours that are filtered out",
    "The figure prints no values; the text: in each thread (mask) 75% does not lead to a significant speed-up, 99% and "
    "99.9% do; a mapping vector (list) is better, by less than the share; its making in each iteration (compaction) "
    f"costs much for small neighbourhoods. The best version, random filters. {MEANS} {AS_IN_TABLE_5}",
    filtered,
    tuple(
        Plot(
            f"schulz_figure_25_{k}_opt",
            "% filtered out",
            "% of the time",
            f"{k}-opt: filtering",
            partial(over_share, k),
        )
        for k in (2, 3)
    ),
)
