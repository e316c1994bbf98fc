"""Tables 1 to 4 and figure 12: time, registers and occupancy of the evaluation kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.cuda import CudaProgram
from warptour.devices.occupancy import Needs, occupancy
from warptour.model.errors import UnsupportedError
from warptour.papers.exhibit import Exhibit
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.fitness_kernels import BLOCKS, FitnessKernels
from warptour.papers.schulz.engine.objectives import evaluated
from warptour.papers.schulz.engine.version import POWERS, Version
from warptour.papers.schulz.exhibits.counters import TABLES as VERSIONS
from warptour.papers.schulz.exhibits.counters import counted, source
from warptour.papers.schulz.exhibits.figures import plots
from warptour.papers.schulz.exhibits.instances import AS_IN_TABLE_5, Case, case_of
from warptour.papers.schulz.exhibits.measuring import QUICK, device_of
from warptour.papers.schulz.printed import KERNEL_NODES, NAME

BLOCK_SIZES: Final = {2: (99, 201, 399, 967, 2401), 3: (99, 201, 301, 399)}
"""Nodes of figure 12 for each neighbourhood."""


def measure(number: int, options: Options) -> Iterator[Row]:
    """Yield the time of each kernel of a table, on CUDA what it takes of a multiprocessor, and stored counters."""
    (version, printed), device = VERSIONS[number], device_of(options)
    case = case_of(QUICK[-1] if options.quick else KERNEL_NODES)
    engine = FitnessEngine(case.instance, device, version, 3 if "3-opt cost" in printed else 2)
    engine.load(case.start)
    seconds = engine.kernel_seconds()
    row = partial(Row, NAME, n=case.nodes, device=device.name)
    for name, kernel in printed.items():
        peer = beside_gpu(device, kernel.ms) if case.nodes == KERNEL_NODES else None
        yield row(f"{name}, time", value=1e3 * seconds[name], unit="ms", peer=peer)
        taken = usage(device, case, engine, name)
        if taken is not None:
            registers, local, block = taken
            share = occupancy(device.about(), Needs(block, registers)).share
            if version.tuned:
                yield row(f"{name}, block", value=block, unit="threads")
            yield row(f"{name}, registers", value=registers, unit="a thread", peer=kernel.registers)
            yield row(f"{name}, local memory", value=local, unit="bytes a thread")
            yield row(f"{name}, occupancy", value=share, unit="of all warps", peer=kernel.occupancy)
        if not options.quick:
            yield from counted(number, name)


def kernel_seconds(device: Device, case: Case, version: Version, neighborhood: int) -> dict[str, float]:
    """Return the time of each kernel in the first iteration."""
    engine = FitnessEngine(case.instance, device, version, neighborhood)
    engine.load(case.start)
    return engine.kernel_seconds()


def usage(device: Device, case: Case, engine: FitnessEngine, name: str) -> tuple[int, int, int] | None:
    """Return registers and bytes of local memory of a thread, and threads per block; None if the device hides them."""
    neighborhood, _, objective = name.partition("-opt ")
    one = next(one for one in evaluated(case.instance, engine.version) if one.name == objective)
    kernels, edges = FitnessKernels(case.instance, device, engine.version), int(neighborhood)
    _, kernel = kernels.evaluator(one, edges)
    block = engine.block_of(kernel)
    program, _ = kernels.evaluator(one, edges, block=block)
    if not isinstance(program, CudaProgram):
        return None
    function = program.function(kernel)
    return function.num_regs, function.local_size_bytes, block


def table(number: int, what: str) -> Exhibit:
    """Return the exhibit of one table."""
    return Exhibit(
        f"table-{number}",
        f"Table {number}: kernels at {KERNEL_NODES} nodes, {what}",
        "Blocks have 128 threads in tables 1 and 2, then the number that is quickest for each kernel, as in the paper. "
        "Occupancy of all warps is what registers "
        "allow here and what a profiler counted in the paper, where a multiprocessor has 32,768 registers. Registers, "
        f"local memory and occupancy are known on CUDA alone. {source()} "
        + ("The table has one number for local accesses and divergent branches. " if number < 3 else "")
        + AS_IN_TABLE_5,
        partial(measure, number),
    )


def over_blocks(options: Options) -> Iterator[Row]:
    """Yield the speed-up of the cost kernels over blocks of 128 threads."""
    device = device_of(options)
    if device.lanes == 1:
        raise UnsupportedError(f"{device.name} has one lane per group, so there is no block size to choose")
    for name, neighborhood in (("2-opt cost", 2), ("3-opt cost", 3)):
        for nodes in QUICK if options.quick else BLOCK_SIZES[neighborhood]:
            seconds = {
                block: kernel_seconds(device, case_of(nodes), replace(POWERS, block=block), neighborhood)[name]
                for block in BLOCKS
            }
            for block in BLOCKS:
                case = f"{name}, {block} threads"
                yield Row(NAME, case, nodes, device.name, seconds[POWERS.block] / seconds[block], "x")


FIGURE_12: Final = Exhibit(
    "figure-12",
    "Figure 12: speed-up of the cost kernels by block size",
    "The figure prints no values; the text: 96 or 128 threads are good for 2-opt, 96 or 160 for 3-opt. Device times of "
    f"the kernels alone, over those of 128 threads. {AS_IN_TABLE_5}",
    over_blocks,
    plots(12, "block size", (2, 3)),
)

TABLES: Final = (
    table(1, "Benchmark Version"),
    table(2, "segments in registers, part sizes in shared memory"),
    table(3, "improved, zero levels"),
    table(4, "improved, one level"),
)
