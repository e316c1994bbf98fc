"""The machine with its tour in a memory makes the loops of the emulator, in the cycles that this counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from warptour.papers.mavroidis.fpga.memory import MemoryMachine, quiet_loop
from warptour.papers.mavroidis.fpga.rtl import Design, hdl
from warptour.papers.mavroidis.fpga.rtl.memory_top import MemoryTop

pytest.importorskip("amaranth")


def simulated(
    design: Design, cities: list[tuple[int, int]], latency: int
) -> tuple[list[list[tuple[int, int]]], int, int]:
    """Return the tour after each loop, the loops and the cycles of the machine at register-transfer level."""
    top, bits, n = MemoryTop(design, latency), design.coordinate, design.n
    tours: list[list[tuple[int, int]]] = []
    end = {}
    simulator = hdl.Simulator(top.body)
    simulator.add_clock(1e-8)

    async def bench(context: Any) -> None:
        context.set(top.load, 1)
        for address, (x, y) in enumerate(cities):
            context.set(top.place_in_memory, address)
            context.set(top.city_in, x | y << bits)
            await context.tick()
        context.set(top.load, 0)
        context.set(top.start, 1)
        await context.tick()
        context.set(top.start, 0)
        cycles = 0
        while True:
            if context.get(top.boundary):
                base = context.get(top.base)
                words = [context.get(top.memory.data[(base + k) % n]) for k in range(n)]
                tours.append([(word & (1 << bits) - 1, word >> bits) for word in words])
            if not context.get(top.busy):
                break
            cycles += 1
            await context.tick()
        context.set(top.place_in_memory, context.get(top.base))
        await context.tick()
        word = context.get(top.city_out)
        assert (word & (1 << bits) - 1, word >> bits) == tours[-1][0]
        end.update(loops=context.get(top.loops), cycles=cycles)

    simulator.add_testbench(bench)
    simulator.run()
    return tours, end["loops"], end["cycles"]


@pytest.mark.parametrize(
    ("n", "elements", "latency"),
    [(4, 1, 1), (5, 1, 2), (8, 1, 1), (9, 2, 1), (12, 2, 3), (13, 1, 1), (14, 3, 2), (17, 2, 1)],
)
def test_loops_and_cycles_are_those_of_the_emulator(n: int, elements: int, latency: int) -> None:
    cities = [(int(x), int(y)) for x, y in np.random.default_rng(n).integers(0, 900, (n, 2))]
    design = Design(n, elements)
    x, y = zip(*cities, strict=True)
    machine = MemoryMachine(x, y, elements, squared=True, latency=latency)
    expected = []
    while not machine.done:
        machine.loop()
        expected.append([cities[city] for city in machine.register])
    tours, loops, cycles = simulated(design, cities, latency)
    assert tours == expected
    assert (loops, cycles) == (machine.loops, machine.cycles)


def test_a_loop_without_moves_takes_what_is_said() -> None:
    machine = MemoryMachine([7.0] * 40, [7.0] * 40, 3, squared=True, latency=5)
    machine.loop()
    assert machine.cycles == quiet_loop(40, 3, 5) == 9 * 9 + 8 * 17 + 1
