"""Simulation of the design in Amaranth's simulator, loop by loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.cities import City
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.top import Top

PERIOD: Final = 1e-8
"""Clock period of the simulator in seconds; no result depends on it."""


@dataclass
class Simulated:
    """Result of a simulation."""

    boundaries: list[list[City]] = field(default_factory=list)  # cities in register order after each loop
    tour: list[City] = field(default_factory=list)  # cities in register order as a host reads them at the end
    cycles: int = 0
    loops: int = 0


def simulate(design: Design, cities: Sequence[City], loops: int | None = None) -> Simulated:
    """Load the cities, run the design to its end and read the tour; with ``loops``, stop after that many."""
    top, seen = Top(design), Simulated()
    simulator = hdl.Simulator(top.body)
    simulator.add_clock(PERIOD)

    async def bench(context: Any) -> None:
        await _run(context, top, cities, seen, loops)

    simulator.add_testbench(bench)
    simulator.run()
    return seen


async def _run(context: Any, top: Top, cities: Sequence[City], seen: Simulated, loops: int | None) -> None:
    bits = top.design.coordinate
    ports = top.inputs | top.outputs
    context.set(ports["load"], 1)
    for x, y in reversed(cities):
        context.set(ports["city_in"], x | y << bits)
        await context.tick()
    context.set(ports["load"], 0)
    context.set(ports["start"], 1)
    await context.tick()
    context.set(ports["start"], 0)
    left = 2
    while left:
        if context.get(ports["boundary"]):
            seen.boundaries.append([_city(context.get(signal), bits) for signal in top.ring.cities])
            if len(seen.boundaries) == loops:
                return
        busy = context.get(ports["busy"])
        seen.cycles += busy
        left = 2 if busy else left - 1
        await context.tick()
    seen.loops = context.get(ports["loops"])
    context.set(ports["unload"], 1)
    for cycle in range(len(cities) + 1):
        if cycle != 1:
            seen.tour.append(_city(context.get(ports["city_out"]), bits))
        await context.tick()
    seen.tour.reverse()


def _city(word: int, bits: int) -> City:
    return word & (1 << bits) - 1, word >> bits
