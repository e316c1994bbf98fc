"""Tables 1 to 4: time, registers and occupancy of the evaluation kernels at 399 nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from warptour.bench import Options, Row
from warptour.devices.occupancy import Needs, occupancy
from warptour.engines.giant.fitness import FitnessEngine
from warptour.engines.giant.version import BENCHMARK, FLAT, LAZY, SHARED, Version
from warptour.reproduce.exhibit import Exhibit
from warptour.reproduce.schulz.instances import AS_IN_TABLE_5, case_of
from warptour.reproduce.schulz.measuring import QUICK, device_of, paper_value
from warptour.reproduce.schulz.printed import KERNEL_NODES, NAME, TABLE_1, TABLE_2, TABLE_3, TABLE_4, Kernel


def measure(version: Version, printed: Mapping[str, Kernel], options: Options) -> Iterator[Row]:
    """Yield the time of each kernel, and on CUDA its registers, occupancy and local memory."""
    device = device_of(options)
    case = case_of(QUICK[-1] if options.quick else KERNEL_NODES)
    engine = FitnessEngine(case.instance, device, version, 3 if "3-opt cost" in printed else 2)
    engine.load(case.start)
    engine.build()
    engine.evaluate()
    seconds, usage = engine.kernel_seconds(), engine.kernel_usage()
    for name, kernel in printed.items():
        row = partial(Row, NAME, n=case.nodes, device=device.name)
        peer = paper_value(device, kernel.ms) if case.nodes == KERNEL_NODES else None
        yield row(f"{name}, time", value=1e3 * seconds[name], unit="ms", peer=peer)
        if name not in usage:
            continue
        registers, local = usage[name]
        share = occupancy(device.about(), Needs(version.block, registers)).share
        yield row(f"{name}, registers", value=registers, unit="per thread", peer=kernel.registers)
        yield row(f"{name}, occupancy", value=share, unit="of all warps", peer=kernel.occupancy)
        yield row(f"{name}, local memory", value=local, unit="bytes/thread")
