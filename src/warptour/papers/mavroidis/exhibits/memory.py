"""Section 7.1: the machine with its tour in a memory behind the ring, its cycles counted loop by loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_1
from warptour.papers.mavroidis.fpga import CostModel
from warptour.papers.mavroidis.fpga.memory import MemoryMachine, quiet_loop
from warptour.papers.mavroidis.fpga.rtl.cities import integer_cities

ELEMENTS: Final = 13
"""Elements of all machines that are compared: those of the smallest in table 1."""
LATENCIES: Final = (1, 20)
"""Cycles from an address to its word: memory on the chip, and about that of a DRAM with its row open."""
LARGE: Final = ((10_000, 74), (100_000, 74))
"""Cities and elements of quiet loops; 74 elements are the most in table 1."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the cycles of descents in registers and in memory, and of quiet loops of long tours."""
    for name, printed in list(TABLE_1.items())[: QUICK if options.quick else None]:
        problem, _ = named(name, printed.n)
        x, y = zip(*integer_cities(problem.points, 15)[0], strict=True)
        for latency in LATENCIES:
            machine = MemoryMachine(x, y, ELEMENTS, squared=True, latency=latency)
            machine.run()
            if latency == LATENCIES[0]:
                ring = CostModel().cycles(machine.loops, problem.n, ELEMENTS)
                yield Row("mavroidis", f"{problem.name}, descent in registers", problem.n, "model", ring, "cycles")
            case = f"{problem.name}, descent in memory, latency {latency}"
            yield Row("mavroidis", case, problem.n, "model", machine.cycles, "cycles")
    for n, elements in LARGE:
        for latency in LATENCIES:
            case = f"loop without moves, {elements} elements, latency {latency}"
            yield Row("mavroidis", case, n, "model", quiet_loop(n, elements, latency), "cycles")


EXHIBIT: Final = Exhibit(
    "external-memory",
    "Section 7.1: cycles of the machine with its tour in external memory, 13 elements, squared distances",
    "The thesis leaves external memory to the future. Cycles are counted as the design at register-transfer level "
    "takes them: tests compare both on small tours. The memory has a fixed latency and reads and writes a word per "
    "cycle; what a DRAM adds (rows to open, refresh, bursts, a shared bus) is not modelled, nor is it placed.",
    measure,
)
